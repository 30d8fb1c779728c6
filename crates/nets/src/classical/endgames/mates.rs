//! Mating a bare king: always won, so the value only guides towards the mate.

use super::{WON, near, near_edge};
use chess::{Bitboard, Board, Color, PieceKind};

/// The bonus for each step of a king towards a corner in which bishop and knight mate.
const CORNER_STEP: i32 = 300;

/// Drives the bare king to the edge and brings the own king near.
pub(super) fn bare_king(board: &Board, strong: Color, non_pawn: i32) -> i32 {
    if only_bishops_of_one_colour(board, strong) {
        return 0;
    }
    let weak_king = board.king(!strong);
    let pawns = board.pieces(strong, PieceKind::Pawn).count() as i32;
    // Material counts a little, so that promotions still pay; the bound keeps
    // many queens below the largest value.
    let material = (non_pawn / 2 + 50 * pawns).min(4_000);
    WON + material + near_edge(weak_king) + near(board.king(strong), weak_king)
}

fn only_bishops_of_one_colour(board: &Board, strong: Color) -> bool {
    let bishops = board.pieces(strong, PieceKind::Bishop);
    let others = board
        .color(strong)
        .without(bishops | board.kind(PieceKind::King) | board.kind(PieceKind::Pawn));
    others.is_empty() && !(bishops.meets(Bitboard::LIGHT) && bishops.meets(Bitboard::DARK))
}

/// Drives the bare king to a corner of the bishop's colour.
pub(super) fn bishop_and_knight(board: &Board, strong: Color) -> i32 {
    let weak_king = board.king(!strong);
    let light = board
        .pieces(strong, PieceKind::Bishop)
        .meets(Bitboard::LIGHT);
    let (file, rank) = (
        weak_king.file().index() as i32,
        weak_king.rank().index() as i32,
    );
    // Distance from the long diagonal between the two wrong corners: 7 in a
    // right corner.
    let file = if light { 7 - file } else { file };
    let towards_corner = (7 - rank - file).abs();
    WON + CORNER_STEP * towards_corner + near(board.king(strong), weak_king)
}
