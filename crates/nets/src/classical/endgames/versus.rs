//! One man against one man, and the lone pawn.

use super::bitbase;
use super::{WINNING, near, near_edge};
use crate::classical::masks::{ahead, distance, relative_rank};
use chess::{Board, Color, File, PieceKind, Rank, Square, attacks};

/// A rook that has won its endgame against a pawn, about.
const ROOK_AHEAD: i32 = 600;
/// A queen that has to win against a far pawn or a rook.
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

/// The rook wins when its king is in front of the pawn or the other king far
/// from it; otherwise it depends on who comes first.
pub(super) fn rook_against_pawn(board: &Board, strong: Color) -> i32 {
    // As the rook's side sees the board; the pawn runs down.
    let see = |square: Square| square.relative_to(strong);
    let king = see(board.king(strong));
    let weak_king = see(board.king(!strong));
    let rook = see(board.pieces(strong, PieceKind::Rook).first());
    let pawn = see(board.pieces(!strong, PieceKind::Pawn).first());
    let goal = Square::new(pawn.file(), Rank::First);
    let step = ahead(Color::Black, pawn);
    let strong_to_move = board.side_to_move() == strong;
    let tempo = strong_to_move as i32;

    let king_in_front = king.file() == pawn.file() && king.rank() < pawn.rank();
    let weak_king_far = distance(weak_king, pawn) >= 3 + i32::from(!strong_to_move)
        && distance(weak_king, rook) >= 3;
    if king_in_front || weak_king_far {
        return ROOK_AHEAD - distance(king, pawn);
    }
    let pawn_supported = weak_king.rank() <= Rank::Third
        && distance(weak_king, pawn) == 1
        && king.rank() >= Rank::Fourth
        && distance(king, pawn) > 2 + tempo;
    if pawn_supported {
        return 40 - 4 * distance(king, pawn);
    }
    100 - 4 * (distance(king, step) - distance(weak_king, step) - distance(pawn, goal))
}

/// Drawn as a rule; the weak king avoids edges.
pub(super) fn rook_against_bishop(board: &Board, strong: Color) -> i32 {
    near_edge(board.king(!strong)) / 2
}

/// Drawn unless king and knight are torn apart.
pub(super) fn rook_against_knight(board: &Board, strong: Color) -> i32 {
    let weak_king = board.king(!strong);
    let knight = board.pieces(!strong, PieceKind::Knight).first();
    near_edge(weak_king) / 2 + 10 * distance(weak_king, knight)
}

/// Won, but for rook's and bishop's pawns one step from promotion with the
/// king beside them.
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

/// Won with patience: the king to the edge, and the rook away from it.
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
