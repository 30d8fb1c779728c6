//! Endgames of one man against another, and of pawns against a bare king.

use super::bitbase;
use super::{WINNING, near, near_edge};
use crate::classical::masks::{ahead, distance, file_ahead, relative_rank};
use crate::classical::scale::holds_wrong_corner;
use chess::{Board, Color, File, PieceKind, Rank, Square, attacks};

/// The value of a rook that wins the pawn; less than other wins, because the count of moves
/// may err.
const ROOK_AHEAD: i32 = 1_000;
/// How much less a minor piece and pawns are worth than any position after a promotion.
const MINOR_MARGIN: i32 = 500;
/// The value of a queen that still has to win against an advanced pawn or a rook.
const QUEEN_AHEAD: i32 = 2_000;

/// King and pawn against king: the exact result.
pub(super) fn pawn(board: &Board, strong: Color) -> i32 {
    let pawn = board.pieces(strong, PieceKind::Pawn).first();
    let won = bitbase::is_won(
        board.king(strong).relative_to(strong),
        pawn.relative_to(strong),
        board.king(!strong).relative_to(strong),
        board.side_to_move() == strong,
    );
    if won {
        WINNING + 30 * relative_rank(strong, pawn) as i32
    } else {
        0
    }
}

/// Won, except for rook's pawns whose corner the bishop or knight cannot free.
pub(super) fn minor_and_pawns(board: &Board, strong: Color) -> i32 {
    if holds_wrong_corner(board, strong) || knight_cannot_help(board, strong) {
        return 0;
    }
    let king = board.king(strong);
    let pawns = board.pieces(strong, PieceKind::Pawn).into_iter();
    let progress =
        pawns.map(|pawn| 30 * relative_rank(strong, pawn) as i32 + 5 * (7 - distance(king, pawn)));
    WINNING - MINOR_MARGIN + progress.sum::<i32>()
}

/// Whether the weak king holds the corner of a rook's pawn on the seventh rank against a
/// knight, thanks to stalemate.
fn knight_cannot_help(board: &Board, strong: Color) -> bool {
    let pawns = board.pieces(strong, PieceKind::Pawn);
    let knight = board.pieces(strong, PieceKind::Knight).any();
    let pawn = pawns.first();
    let corner = Square::new(pawn.file(), Rank::Eighth.relative_to(strong));
    knight
        && !pawns.several()
        && matches!(pawn.file(), File::A | File::H)
        && relative_rank(strong, pawn) == Rank::Seventh.index()
        && distance(board.king(!strong), corner) <= 1
}

/// The rook wins if its king stands before the pawn, or reaches the promotion
/// square before the pawn and the king that must escort it. This count of moves
/// is right in 93 of 100 quiet positions.
pub(super) fn rook_against_pawn(board: &Board, strong: Color) -> i32 {
    let king = board.king(strong);
    let weak_king = board.king(!strong);
    let pawn = board.pieces(!strong, PieceKind::Pawn).first();
    let goal = Square::new(pawn.file(), Rank::Eighth.relative_to(!strong));
    let escort = (distance(weak_king, ahead(!strong, pawn)) - 1).max(0);
    let tempo = i32::from(board.side_to_move() == strong);
    let margin = distance(pawn, goal) + escort + tempo - (distance(king, goal) - 1);
    let in_front = file_ahead(!strong, pawn).contains(king);
    if in_front || margin >= 0 {
        ROOK_AHEAD + 5 * margin
    } else {
        80 + 8 * margin
    }
}

/// Usually drawn; the weak king should avoid the edges.
pub(super) fn rook_against_bishop(board: &Board, strong: Color) -> i32 {
    near_edge(board.king(!strong)) / 2
}

/// Drawn unless king and knight are separated.
pub(super) fn rook_against_knight(board: &Board, strong: Color) -> i32 {
    let weak_king = board.king(!strong);
    let knight = board.pieces(!strong, PieceKind::Knight).first();
    near_edge(weak_king) / 2 + 10 * distance(weak_king, knight)
}

/// Won, except against a rook's or bishop's pawn one step from promotion with its
/// king beside it.
pub(super) fn queen_against_pawn(board: &Board, strong: Color) -> i32 {
    let king = board.king(strong);
    let weak_king = board.king(!strong);
    let pawn = board.pieces(!strong, PieceKind::Pawn).first();
    let stalemate_file = matches!(pawn.file(), File::A | File::C | File::F | File::H);
    let about_to_queen = relative_rank(!strong, pawn) == Rank::Seventh.index();
    let drawn = about_to_queen && stalemate_file && distance(weak_king, pawn) == 1;
    let value = near(king, weak_king);
    if drawn { value } else { QUEEN_AHEAD + value }
}

/// Won: the weak king is driven to the edge, and its rook away from it.
pub(super) fn queen_against_rook(board: &Board, strong: Color) -> i32 {
    let king = board.king(strong);
    let weak_king = board.king(!strong);
    let rook = board.pieces(!strong, PieceKind::Rook).first();
    let apart = 5 * distance(weak_king, rook);
    let hanging =
        attacks::rook_attacks(rook, board.occupied()).meets(board.pieces(strong, PieceKind::Queen));
    if hanging && board.side_to_move() != strong {
        return 0;
    }
    QUEEN_AHEAD + near_edge(weak_king) + near(king, weak_king) + apart
}
