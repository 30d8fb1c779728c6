//! How much of an endgame advantage can be turned into a win.
//!
//! Which rule applies follows from the numbers of men and is cached with them; only
//! few rules look at the board.

mod rules;

pub(super) use rules::holds_wrong_corner;

use super::material::Counts;
use super::score::Score;
use super::view::View;
use super::weights::Weights;
use chess::{Color, PieceKind};

/// The factor of an endgame without obstacles.
pub(super) const FULL: i32 = 64;

/// The factor without pawns, and how much each pawn adds: few pawns make few wins.
const FEW_PAWNS: i32 = 36;
const FOR_EACH_PAWN: i32 = 7;
/// The factor of a small advantage without pawns: nearly 0 against at most one minor piece,
/// small otherwise.
const PAWNLESS_AGAINST_MINOR: i32 = 4;
const PAWNLESS: i32 = 14;

/// The rule for the endgame factor if this side is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scaling {
    /// The factor is the same for all positions with these men.
    Fixed(i32),
    /// One bishop each, which may be of opposite colours.
    BishopEach(i32),
    /// A bishop and pawns, whose corner may be of the wrong colour.
    BishopAndPawns(i32),
    /// Pawns against the bare king, which may all be rook's pawns.
    PawnsOnly(i32),
    /// Rook and pawn against rook.
    RookPawnAgainstRook(i32),
    /// A rook each, and at most one extra pawn.
    RookEach(i32),
}

impl Scaling {
    /// The rule for `strong` with these men.
    pub(super) fn of(counts: &Counts, strong: Color, weights: &Weights) -> Scaling {
        let own = counts.side(strong);
        let enemy = counts.side(!strong);
        let pawns = own[PieceKind::Pawn.index()];
        if pawns == 0 {
            return Scaling::Fixed(pawnless(own, enemy, weights));
        }
        let usual = FULL.min(FEW_PAWNS + FOR_EACH_PAWN * pawns);
        match (own, enemy) {
            ([_, 0, 0, 0, 0], [0, 0, 0, 0, 0]) => Scaling::PawnsOnly(usual),
            ([_, 0, 1, 0, 0], [_, 0, 1, 0, 0]) => Scaling::BishopEach(usual),
            ([_, 0, 1, 0, 0], _) => Scaling::BishopAndPawns(usual),
            ([1, 0, 0, 1, 0], [0, 0, 0, 1, 0]) => Scaling::RookPawnAgainstRook(usual),
            ([_, 0, 0, 1, 0], [other, 0, 0, 1, 0]) if pawns - other < 2 => Scaling::RookEach(usual),
            ([_, _, 1, ..], [_, _, 1, ..]) => Scaling::BishopEach(usual),
            _ => Scaling::Fixed(usual),
        }
    }
}

/// The factor without pawns: to win, a side must be ahead by more than a bishop, and not
/// with two knights only.
fn pawnless(own: [i32; 5], enemy: [i32; 5], weights: &Weights) -> i32 {
    let (own_value, enemy_value) = (
        weights.non_pawn_material(&own),
        weights.non_pawn_material(&enemy),
    );
    let bishop = weights.piece(PieceKind::Bishop);
    if own == [0, 2, 0, 0, 0] {
        PAWNLESS_AGAINST_MINOR
    } else if own_value - enemy_value > bishop {
        FULL
    } else if own_value < weights.piece(PieceKind::Rook) {
        0
    } else if enemy_value <= bishop {
        PAWNLESS_AGAINST_MINOR
    } else {
        PAWNLESS
    }
}

/// The factor of the endgame value, 0 to [`FULL`].
#[inline(always)]
pub(super) fn factor(view: &View<'_>, score: Score) -> i32 {
    let strong = if score.endgame() > 0 {
        Color::White
    } else {
        Color::Black
    };
    match view.material.scaling[strong.index()] {
        Scaling::Fixed(factor) => factor,
        rule => rules::apply(rule, view, strong),
    }
}
