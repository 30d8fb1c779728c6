//! How much of an endgame advantage can be turned into a win.

use super::score::Score;
use super::view::View;
use chess::{Bitboard, Color, PieceKind};

/// The factor of an ordinary endgame.
pub(super) const FULL: i32 = 64;

/// Bishops of opposite colours and nothing else but pawns.
const OPPOSITE_BISHOPS: i32 = 22;
/// Bishops of opposite colours among other pieces: this and more for each.
const OPPOSITE_BISHOPS_AND_PIECES: i32 = 22;
const FOR_EACH_PIECE: i32 = 3;
/// Few pawns: this and more for each.
const FEW_PAWNS: i32 = 36;
const FOR_EACH_PAWN: i32 = 7;
/// A small plus without pawns: nearly nothing against one piece, little otherwise.
const PAWNLESS_AGAINST_MINOR: i32 = 4;
const PAWNLESS: i32 = 14;

/// The factor of the endgame value, 0 to [`FULL`].
#[inline(always)]
pub(super) fn factor(view: &View<'_>, score: Score) -> i32 {
    let strong = if score.endgame() > 0 {
        Color::White
    } else {
        Color::Black
    };
    let board = view.board;
    let pawns = board.pieces(strong, PieceKind::Pawn).count() as i32;
    if pawns == 0 {
        return pawnless(view, strong);
    }
    if let Some(factor) = opposite_bishops(view, strong) {
        return factor;
    }
    FULL.min(FEW_PAWNS + FOR_EACH_PAWN * pawns)
}

/// Without pawns a side must be ahead by more than a bishop.
fn pawnless(view: &View<'_>, strong: Color) -> i32 {
    let value = |kind: PieceKind| view.weights.piece(kind);
    let own = view.material.non_pawn[strong.index()];
    let enemy = view.material.non_pawn[(!strong).index()];
    if own - enemy > value(PieceKind::Bishop) {
        FULL
    } else if own < value(PieceKind::Rook) {
        0
    } else if enemy <= value(PieceKind::Bishop) {
        PAWNLESS_AGAINST_MINOR
    } else {
        PAWNLESS
    }
}

#[inline(always)]
fn opposite_bishops(view: &View<'_>, strong: Color) -> Option<i32> {
    let board = view.board;
    let bishops = board.kind(PieceKind::Bishop);
    let opposite = bishops.count() == 2
        && board.pieces(strong, PieceKind::Bishop).count() == 1
        && bishops.meets(Bitboard::LIGHT)
        && bishops.meets(Bitboard::DARK);
    if !opposite {
        return None;
    }
    let men = board
        .occupied()
        .without(board.kind(PieceKind::Pawn))
        .count() as i32;
    // Two kings and two bishops.
    if men == 4 {
        return Some(OPPOSITE_BISHOPS);
    }
    let own = board
        .color(strong)
        .without(board.kind(PieceKind::Pawn))
        .count() as i32;
    Some(FULL.min(OPPOSITE_BISHOPS_AND_PIECES + FOR_EACH_PIECE * own))
}
