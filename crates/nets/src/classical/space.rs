//! Group `space`: room behind the own pawns in the centre, worth more with more men to
//! use it. Not linear: it grows with the square of their number.

use super::masks;
use super::score::Score;
use super::view::View;
use chess::{Bitboard, Color, PieceKind};

/// Files c to f on the second to fourth rank.
const CAMP: Bitboard = Bitboard(0x0000_0000_3c3c_3c00);

#[inline(always)]
pub(super) fn value(view: &View<'_>, color: Color) -> Score {
    let parameters = &view.weights.parameters.space;
    let total: i32 = view.material.non_pawn.iter().sum();
    if total < parameters.least_material {
        return Score::ZERO;
    }
    let board = view.board;
    let pawns = board.pieces(color, PieceKind::Pawn);
    let safe = masks::relative(color, CAMP).without(pawns | view.maps.by(!color, PieceKind::Pawn));
    // Up to three squares behind a pawn, which are protected from the front.
    let mut behind = pawns | pawns.forward(!color);
    behind |= behind.forward(!color).forward(!color);
    let sheltered = (safe & behind).without(view.maps.any[(!color).index()]);
    let room = (safe.count() + sheltered.count()) as i32;
    let blocked = board.kind(PieceKind::Pawn) & board.occupied().forward(!color);
    let locked = (pawns & blocked).count() as i32;
    let men = board.color(color).count() as i32;
    let need = (men + locked.min(parameters.most_locked) - parameters.men_offset).max(0);
    Score::new(room * need * need / parameters.divisor, 0)
}
