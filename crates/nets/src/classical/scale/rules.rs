//! The scaling rules that look at the board.

use super::{FULL, Scaling};
use crate::classical::masks::{self, ahead, distance};
use crate::classical::view::View;
use chess::{Bitboard, Board, Color, File, PieceKind, Rank, Square};

/// Certainly drawn.
const DRAWN: i32 = 0;
/// With opposite bishops and only pawns: this, and more for each passed pawn.
const OPPOSITE_BISHOPS: i32 = 18;
const FOR_EACH_PASSED: i32 = 4;
/// With opposite bishops and other pieces: this, and more for each own man.
const OPPOSITE_BISHOPS_AND_PIECES: i32 = 22;
const FOR_EACH_MAN: i32 = 3;
/// Rook and pawn against a rook whose king stands before the pawn, and where it does not.
const ROOK_PAWN_HELD: i32 = 20;
const ROOK_PAWN: i32 = 46;
/// A rook each, all pawns on one wing, and the weak king beside its pawns.
const ROOKS_ON_ONE_WING: i32 = 36;

/// The factor that a rule gives to `strong`.
pub(super) fn apply(rule: Scaling, view: &View<'_>, strong: Color) -> i32 {
    let board = view.board;
    match rule {
        Scaling::Fixed(factor) => factor,
        Scaling::BishopEach(usual) => {
            let wrong_corner = holds_wrong_corner(board, strong);
            let opposite = opposite_bishops(view, strong).unwrap_or(usual);
            if wrong_corner { DRAWN } else { opposite }
        }
        Scaling::BishopAndPawns(usual) => unless(holds_wrong_corner(board, strong), usual),
        Scaling::PawnsOnly(usual) => unless(holds_rook_pawns(board, strong), usual),
        Scaling::RookPawnAgainstRook(_) => rook_pawn_against_rook(board, strong),
        Scaling::RookEach(usual) => rooks(board, strong).unwrap_or(usual),
    }
}

fn unless(drawn: bool, usual: i32) -> i32 {
    if drawn { DRAWN } else { usual }
}

/// The a- or h-file if all of a side's pawns are on it.
fn only_rook_file(board: &Board, color: Color) -> Option<File> {
    let pawns = board.pieces(color, PieceKind::Pawn);
    [File::A, File::H]
        .into_iter()
        .find(|&file| pawns.without(Bitboard::file(file)).is_empty())
}

/// Whether the weak king holds the corner of rook's pawns that the bishop does not cover.
pub(crate) fn holds_wrong_corner(board: &Board, strong: Color) -> bool {
    let pieces = board.color(strong).without(board.kind(PieceKind::Pawn));
    let bishops = board.pieces(strong, PieceKind::Bishop);
    let Some(file) = only_rook_file(board, strong) else {
        return false;
    };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let bishop = bishops.first();
    // The king and one bishop.
    pieces.count() == 2
        && bishops.any()
        && corner.is_light() != bishop.is_light()
        && distance(board.king(!strong), corner) <= 1
}

/// Whether all pawns are rook's pawns on one file and the weak king stands before them.
fn holds_rook_pawns(board: &Board, strong: Color) -> bool {
    let Some(file) = only_rook_file(board, strong) else {
        return false;
    };
    let king = board.king(!strong);
    let pawns = board.pieces(strong, PieceKind::Pawn);
    let beside = file.index().abs_diff(king.file().index()) <= 1;
    let passed_by = pawns & masks::ranks_ahead(strong, king);
    beside && passed_by.is_empty() && !pawns.contains(king)
}

fn opposite_bishops(view: &View<'_>, strong: Color) -> Option<i32> {
    let board = view.board;
    let bishops = board.kind(PieceKind::Bishop);
    if !(bishops.meets(Bitboard::LIGHT) && bishops.meets(Bitboard::DARK)) {
        return None;
    }
    let men = board.occupied().without(board.kind(PieceKind::Pawn));
    // Two kings and two bishops.
    if men.count() == 4 {
        let passed = view.pawns.sides[strong.index()].passed.count() as i32;
        return Some(OPPOSITE_BISHOPS + FOR_EACH_PASSED * passed);
    }
    let own = board.color(strong).count() as i32;
    Some(FULL.min(OPPOSITE_BISHOPS_AND_PIECES + FOR_EACH_MAN * own))
}

/// The known defences: on the third rank, by checks from behind, with the king before the pawn.
fn rook_pawn_against_rook(board: &Board, strong: Color) -> i32 {
    let see = |color: Color, kind: PieceKind| -> Square {
        board.pieces(color, kind).first().relative_to(strong)
    };
    let king = see(strong, PieceKind::King);
    let pawn = see(strong, PieceKind::Pawn);
    let rook = see(strong, PieceKind::Rook);
    let weak_king = see(!strong, PieceKind::King);
    let weak_rook = see(!strong, PieceKind::Rook);
    let goal = Square::new(pawn.file(), Rank::Eighth);
    let to_move = board.side_to_move() == strong;
    let guards_goal = distance(weak_king, goal) <= 1;

    let third_rank_defence = pawn.rank() <= Rank::Fifth
        && king.rank() <= Rank::Fifth
        && (weak_rook.rank() == Rank::Sixth
            || (pawn.rank() <= Rank::Third && rook.rank() != Rank::Sixth));
    let far = weak_rook.file().index().abs_diff(pawn.file().index()) >= 3;
    let checks_from_behind = pawn.rank() == Rank::Sixth
        && king.rank().index() + usize::from(to_move) <= Rank::Sixth.index()
        && (weak_rook.rank() == Rank::First || (!to_move && far));
    if guards_goal && (third_rank_defence || checks_from_behind) {
        return DRAWN;
    }
    let before_pawn = masks::file_ahead(Color::White, pawn).contains(weak_king)
        || weak_king == ahead(Color::White, pawn);
    if before_pawn {
        ROOK_PAWN_HELD
    } else {
        ROOK_PAWN
    }
}

/// Rook endgames with all pawns on one wing are mostly held by an active king.
fn rooks(board: &Board, strong: Color) -> Option<i32> {
    let pawns = board.kind(PieceKind::Pawn);
    let one_wing = !(pawns.meets(masks::QUEEN_SIDE) && pawns.meets(masks::KING_SIDE));
    let weak_king = board.king(!strong);
    let near = board
        .pieces(!strong, PieceKind::Pawn)
        .meets(chess::attacks::king_attacks(weak_king));
    (one_wing && near).then_some(ROOKS_ON_ONE_WING)
}
