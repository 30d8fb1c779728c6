//! Group `initiative`: how complex the position is. In simple positions it reduces an
//! advantage; it never changes which side is better.

use super::masks::{KING_SIDE, QUEEN_SIDE};
use super::score::Score;
use super::view::View;
use chess::{Color, PieceKind};

/// The correction to add, from White's point of view.
#[inline(always)]
pub(super) fn value(view: &View<'_>, score: Score) -> Score {
    let complexity = complexity(view);
    let parameters = &view.weights.parameters.initiative;
    // In the opening, the correction can only reduce an advantage.
    let opening = (complexity + parameters.opening_offset).min(0);
    Score::new(
        correction(score.opening(), opening),
        correction(score.endgame(), complexity),
    )
}

/// What to add to move `value` away from zero by `change`, or towards zero but not past it.
#[inline(always)]
fn correction(value: i32, change: i32) -> i32 {
    value.signum() * change.max(-value.abs())
}

#[inline(always)]
fn complexity(view: &View<'_>) -> i32 {
    let board = view.board;
    let parameters = &view.weights.parameters.initiative;
    let (white, black) = (board.king(Color::White), board.king(Color::Black));
    let files = white.file().index().abs_diff(black.file().index()) as i32;
    let ranks = white.rank() as i32 - black.rank() as i32;
    let outflanking = files + ranks;
    let infiltration = white.rank() as u8 > 3 || (black.rank() as u8) < 4;
    let pawns = board.kind(PieceKind::Pawn);
    let both_flanks = pawns.meets(QUEEN_SIDE) && pawns.meets(KING_SIDE);
    let passed = view.pawns.sides[0].passed | view.pawns.sides[1].passed;
    let pawns_only = view.material.non_pawn == [0, 0];
    let hard_to_win = outflanking < 0 && !both_flanks;
    parameters.passed * passed.count() as i32
        + parameters.pawn * pawns.count() as i32
        + parameters.outflanking * outflanking
        + parameters.both_flanks * both_flanks as i32
        + parameters.infiltration * infiltration as i32
        + parameters.pawns_only * pawns_only as i32
        - parameters.hard_to_win * hard_to_win as i32
        - parameters.base
}
