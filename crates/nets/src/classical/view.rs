//! A position with its maps and cached entries, and the value of each group.

use super::collector::{Collector, Sum};
use super::groups::{Group, Groups};
use super::maps::Maps;
use super::material::{FULL_STAGE, Material};
use super::pawns::{self, PawnEntry};
use super::score::Score;
use super::weights::Weights;
use super::{initiative, king, passed, pieces, scale, space, threats};
use chess::{Board, Color};

/// A position with everything that the groups read.
pub(super) struct View<'a> {
    pub(super) board: &'a Board,
    pub(super) weights: &'a Weights,
    pub(super) material: &'a Material,
    pub(super) pawns: &'a PawnEntry,
    pub(super) maps: Maps,
}

impl View<'_> {
    /// The value of a group for one side; 0 for the initiative, which is not counted for each
    /// side.
    #[inline(always)]
    pub(super) fn side(&self, group: Group, color: Color) -> Score {
        let us = color.index();
        match group {
            Group::PieceSquares => {
                let pieces = Sum::of(self.weights, |sum| {
                    pieces::collect_piece_squares(self.board, color, sum);
                });
                pieces + self.pawns.squares[us]
            }
            Group::Pieces => Sum::of(self.weights, |sum| pieces::collect(self, color, sum)),
            Group::Threats => Sum::of(self.weights, |sum| threats::collect(self, color, sum)),
            Group::Pawns => self.pawns.structure[us],
            Group::Imbalance => {
                let value = self.material.imbalance[us];
                Score::new(value, value)
            }
            Group::King => king::value(self, color),
            Group::Passed => Sum::of(self.weights, |sum| passed::collect(self, color, sum)),
            Group::Space => space::value(self, color),
            Group::Initiative => Score::ZERO,
        }
    }

    /// The sum of the groups that are counted for each side, White's minus Black's.
    #[inline(always)]
    pub(super) fn sides(&self, groups: Groups) -> Score {
        let mut total = Score::ZERO;
        for group in Group::ALL {
            if groups.contains(group) {
                total += self.side(group, Color::White) - self.side(group, Color::Black);
            }
        }
        total
    }

    /// The correction of the whole score by the initiative.
    #[inline(always)]
    pub(super) fn initiative(&self, groups: Groups, score: Score) -> Score {
        if groups.contains(Group::Initiative) {
            initiative::value(self, score)
        } else {
            Score::ZERO
        }
    }

    /// The value from White's point of view of these groups and of `added`, without the
    /// tempo.
    #[inline(always)]
    pub(super) fn value(&self, groups: Groups, added: Score) -> i32 {
        let score = self.sides(groups) + added;
        let score = score + self.initiative(groups, score);
        taper(score, self.material.stage, scale::factor(self, score))
    }

    /// Passes all terms of the feature groups to a collector.
    pub(super) fn collect(&self, groups: Groups, color: Color, to: &mut impl Collector) {
        for group in groups.iter() {
            match group {
                Group::PieceSquares => {
                    pieces::collect_pawn_squares(self.board, color, to);
                    pieces::collect_piece_squares(self.board, color, to);
                }
                Group::Pieces => pieces::collect(self, color, to),
                Group::Threats => threats::collect(self, color, to),
                Group::Pawns => {
                    pawns::examine(self.board, color, to);
                }
                Group::Passed => passed::collect(self, color, to),
                Group::Imbalance | Group::King | Group::Space | Group::Initiative => {}
            }
        }
    }
}

/// Interpolates between opening and endgame by the stage; the endgame value is scaled first.
#[inline(always)]
pub(super) fn taper(score: Score, stage: i32, scale: i32) -> i32 {
    let opening = score.opening() * stage;
    let endgame = score.endgame() * (FULL_STAGE - stage) * scale / scale::FULL;
    (opening + endgame) / FULL_STAGE
}
