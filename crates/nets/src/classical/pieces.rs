//! Groups `piece-squares` and `pieces`: material and squares, mobility, and patterns of
//! single pieces. Linear in the weights.

use super::collector::Collector;
use super::masks;
use super::terms::{self, *};
use super::view::View;
use chess::{Bitboard, Board, Color, File, PieceKind, Rank, Square, attacks};

/// The ranks of outposts, the fourth to sixth.
const OUTPOST_RANKS: Bitboard = Bitboard(0x0000_ffff_ff00_0000);
/// A rook beside its king with no more mobility than this is shut in.
const SHUT_IN_MOBILITY: i32 = 3;
/// Where a bishop that has captured a rook's pawn can be trapped by the knight's pawn.
const TRAP_CORNERS: Bitboard = Bitboard(0x0081_0000_0000_0000);

/// Material and squares of the pawns, which can be cached with the pawns.
#[inline(always)]
pub(super) fn collect_pawn_squares(board: &Board, color: Color, to: &mut impl Collector) {
    let pawns = board.pieces(color, PieceKind::Pawn);
    to.add(MATERIAL, PieceKind::Pawn.index(), pawns.count() as i32);
    collect_places(board, color, PieceKind::Pawn, to);
}

/// Material and squares of the pieces and the king.
#[inline(always)]
pub(super) fn collect_piece_squares(board: &Board, color: Color, to: &mut impl Collector) {
    for kind in [
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
    ] {
        let count = board.pieces(color, kind).count() as i32;
        to.add(MATERIAL, kind.index(), count);
        collect_places(board, color, kind, to);
    }
    collect_places(board, color, PieceKind::King, to);
}

#[inline(always)]
fn collect_places(board: &Board, color: Color, kind: PieceKind, to: &mut impl Collector) {
    for square in board.pieces(color, kind) {
        to.one(SQUARES, terms::kind_square(kind, square.relative_to(color)));
    }
}

/// Mobility and patterns.
#[inline(always)]
pub(super) fn collect(view: &View<'_>, color: Color, to: &mut impl Collector) {
    collect_knights(view, color, to);
    collect_bishops(view, color, to);
    collect_rooks(view, color, to);
    collect_queens(view, color, to);
}

#[inline(always)]
fn mobility(view: &View<'_>, color: Color, square: Square) -> i32 {
    (view.maps.of_square[square.index()] & view.maps.area[color.index()]).count() as i32
}

/// Squares on which no enemy pawn can ever attack a piece.
#[inline(always)]
fn outposts(view: &View<'_>, color: Color) -> Bitboard {
    masks::relative(color, OUTPOST_RANKS).without(view.pawns.sides[(!color).index()].attack_span)
}

#[inline(always)]
fn is_behind_pawn(view: &View<'_>, color: Color, square: Square) -> bool {
    Bitboard::from(square)
        .forward(color)
        .meets(view.board.kind(PieceKind::Pawn))
}

#[inline(always)]
fn collect_knights(view: &View<'_>, color: Color, to: &mut impl Collector) {
    let king = view.board.king(color);
    let outposts = outposts(view, color);
    let guarded = view.maps.by(color, PieceKind::Pawn);
    for square in view.board.pieces(color, PieceKind::Knight) {
        to.one(MOBILITY_KNIGHT, mobility(view, color, square) as usize);
        to.add(KING_DISTANCE_KNIGHT, 0, masks::distance(square, king));
        to.when(is_behind_pawn(view, color, square), BEHIND_PAWN_KNIGHT);
        if outposts.contains(square) {
            to.one(OUTPOST_KNIGHT, guarded.contains(square) as usize);
        } else {
            let reachable = view.maps.of_square[square.index()]
                & outposts
                & guarded.without(view.board.color(color));
            to.when(reachable.any(), OUTPOST_REACHABLE);
        }
    }
}

#[inline(always)]
fn collect_bishops(view: &View<'_>, color: Color, to: &mut impl Collector) {
    let board = view.board;
    let bishops = board.pieces(color, PieceKind::Bishop);
    if bishops.is_empty() {
        return;
    }
    let both = bishops.meets(Bitboard::LIGHT) && bishops.meets(Bitboard::DARK);
    to.when(both, BISHOP_PAIR);
    let king = board.king(color);
    let outposts = outposts(view, color);
    let guarded = view.maps.by(color, PieceKind::Pawn);
    for square in bishops {
        to.one(MOBILITY_BISHOP, mobility(view, color, square) as usize);
        to.add(KING_DISTANCE_BISHOP, 0, masks::distance(square, king));
        to.when(is_behind_pawn(view, color, square), BEHIND_PAWN_BISHOP);
        if outposts.contains(square) {
            to.one(OUTPOST_BISHOP, guarded.contains(square) as usize);
        }
        collect_bishop_and_pawns(board, color, square, to);
    }
}

/// A bishop is worse with own pawns on its colour, even more with a locked centre, and with
/// enemy pawns on its lines; it is better on an open long diagonal.
#[inline(always)]
fn collect_bishop_and_pawns(board: &Board, color: Color, square: Square, to: &mut impl Collector) {
    let own = board.pieces(color, PieceKind::Pawn);
    let enemy = board.pieces(!color, PieceKind::Pawn);
    let shade = if square.is_light() {
        Bitboard::LIGHT
    } else {
        Bitboard::DARK
    };
    let on_shade = (own & shade).count() as i32;
    let locked = own & board.occupied().forward(!color) & masks::CENTRE_FILES;
    to.add(BISHOP_PAWNS, 0, on_shade);
    to.add(BISHOP_BLOCKED_PAWNS, 0, on_shade * locked.count() as i32);
    let through = attacks::bishop_attacks(square, Bitboard::EMPTY) & enemy;
    to.add(BISHOP_XRAY_PAWNS, 0, through.count() as i32);
    let centre = attacks::bishop_attacks(square, own | enemy) & masks::CENTRE;
    to.when(centre.several(), BISHOP_LONG_DIAGONAL);
    if masks::relative(color, TRAP_CORNERS).contains(square) {
        let jaws = attacks::pawn_attacks(!color, square) & enemy;
        to.when(jaws.any(), BISHOP_TRAPPED);
    }
}

#[inline(always)]
fn collect_rooks(view: &View<'_>, color: Color, to: &mut impl Collector) {
    let board = view.board;
    for square in board.pieces(color, PieceKind::Rook) {
        let moves = mobility(view, color, square);
        to.one(MOBILITY_ROOK, moves as usize);
        collect_rook_file(view, color, square, moves, to);
        if masks::relative_rank(color, square) == Rank::Seventh.index() {
            let king_behind =
                masks::relative_rank(color, board.king(!color)) == Rank::Eighth.index();
            let pawns = board.pieces(!color, PieceKind::Pawn) & Bitboard::rank(square.rank());
            to.when(king_behind || pawns.any(), ROOK_SEVENTH);
        }
    }
}

#[inline(always)]
fn collect_rook_file(
    view: &View<'_>,
    color: Color,
    square: Square,
    moves: i32,
    to: &mut impl Collector,
) {
    let board = view.board;
    let file = Bitboard::file(square.file());
    let own = board.pieces(color, PieceKind::Pawn) & file;
    to.when(board.kind(PieceKind::Queen).meets(file), ROOK_QUEEN_FILE);
    if own.is_empty() {
        let open = !board.pieces(!color, PieceKind::Pawn).meets(file);
        to.when(open, ROOK_OPEN_FILE);
        to.when(!open, ROOK_HALF_OPEN_FILE);
        return;
    }
    to.when(
        own.meets(board.occupied().forward(!color)),
        ROOK_CLOSED_FILE,
    );
    let king_file = board.king(color).file();
    let shut_in = if king_file < File::E {
        square.file() < king_file
    } else {
        square.file() > king_file
    };
    if moves <= SHUT_IN_MOBILITY && shut_in {
        to.one(ROOK_TRAPPED, !board.castling().any_of(color) as usize);
    }
}

#[inline(always)]
fn collect_queens(view: &View<'_>, color: Color, to: &mut impl Collector) {
    for square in view.board.pieces(color, PieceKind::Queen) {
        to.one(MOBILITY_QUEEN, mobility(view, color, square) as usize);
        to.when(is_exposed(view.board, color, square), QUEEN_EXPOSED);
    }
}

/// Whether a single man shields the queen from an enemy rook or bishop.
#[inline(always)]
fn is_exposed(board: &Board, color: Color, queen: Square) -> bool {
    let empty = Bitboard::EMPTY;
    let rooks = attacks::rook_attacks(queen, empty) & board.pieces(!color, PieceKind::Rook);
    let bishops = attacks::bishop_attacks(queen, empty) & board.pieces(!color, PieceKind::Bishop);
    (rooks | bishops).into_iter().any(|sniper| {
        let between = attacks::between(queen, sniper) & board.occupied();
        between.any() && !between.several()
    })
}
