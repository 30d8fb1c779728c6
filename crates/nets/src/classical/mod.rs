//! The hand-written evaluation.
//!
//! Terms have two weights, one for the opening and one for the endgame, and belong
//! to groups that can be switched off. The linear groups are dot products of weights
//! and features that a trainer can extract ([`features`]); the others evaluate what
//! is not linear. Where an endgame function applies, it alone gives the value.
//!
//! The evaluation must not know the search: it sees one board at a time, and its only
//! state is caches.

mod collector;
mod endgames;
mod explain;
mod features;
mod groups;
mod initiative;
mod king;
mod maps;
mod masks;
mod material;
mod passed;
mod pawns;
mod pieces;
mod scale;
mod score;
mod space;
mod terms;
mod threats;
mod view;
mod weights;

pub use explain::{Explanation, Row, TermRow, explain};
pub(crate) use explain::{explain_with, pawns};
pub(crate) use features::trace_with;
pub use features::{Feature, Trace, features, trace};
pub use groups::{Group, Groups, UnknownGroup};
pub use score::Score;
pub use terms::{
    FEATURE_GROUPS, FEATURES, LINEAR_FEATURES, feature_group, feature_name, material_feature,
};
pub use weights::{
    ImbalanceParameters, InitiativeParameters, KingParameters, Parameters, SpaceParameters,
    Weights, WeightsError, WeightsProblem,
};

use crate::Evaluator;
use chess::{Board, Color};
use maps::Maps;
use material::MaterialCache;
use pawns::PawnCache;
use std::fmt;
use std::sync::Arc;
use view::View;

/// The largest value: larger ones are scores of mates.
pub const LARGEST_VALUE: i32 = 19_999;

/// The hand-written evaluation, with the caches of one thread.
#[derive(Clone)]
pub struct Classical {
    weights: Arc<Weights>,
    groups: Groups,
    endgame_functions: bool,
    pawns: PawnCache,
    material: MaterialCache,
}

impl Classical {
    /// The evaluation with other weights.
    pub fn with_weights(weights: Arc<Weights>) -> Classical {
        Classical {
            groups: Groups::ALL,
            endgame_functions: true,
            pawns: PawnCache::new(&weights),
            material: MaterialCache::new(&weights),
            weights,
        }
    }

    /// The same evaluation with only these groups.
    pub fn with_groups(mut self, groups: Groups) -> Classical {
        self.groups = groups;
        self
    }

    /// The groups that are switched on.
    pub fn groups(&self) -> Groups {
        self.groups
    }

    /// The same evaluation with or without endgame functions.
    pub fn with_endgame_functions(mut self, endgame_functions: bool) -> Classical {
        self.endgame_functions = endgame_functions;
        self
    }

    /// The weights in use.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The value for the side to move with `added`, a score from White's point of view that
    /// counts as a linear group; it is not called if an endgame function decides.
    #[inline(always)]
    pub(crate) fn evaluate_with(&mut self, board: &Board, added: impl FnOnce() -> Score) -> i32 {
        let value = self.value(board, added);
        value.clamp(-LARGEST_VALUE, LARGEST_VALUE)
    }

    /// The value for the side to move, before it is clamped.
    #[inline(always)]
    fn value(&mut self, board: &Board, added: impl FnOnce() -> Score) -> i32 {
        let weights = &*self.weights;
        let material = self.material.look_up(board, weights);
        let non_pawn = material.non_pawn.iter().sum();
        if self.endgame_functions
            && let Some(value) = material.ending.value(board, non_pawn)
        {
            return value;
        }
        let view = View {
            board,
            weights,
            material,
            pawns: self.pawns.look_up(board, weights),
            maps: Maps::new(board),
        };
        let white = view.value(self.groups, added());
        let own = match board.side_to_move() {
            Color::White => white,
            Color::Black => -white,
        };
        own + weights.parameters.tempo
    }
}

impl Default for Classical {
    fn default() -> Classical {
        Classical::with_weights(weights::standard().clone())
    }
}

impl fmt::Debug for Classical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Classical")
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

impl Evaluator for Classical {
    fn evaluate(&mut self, board: &Board) -> i32 {
        self.evaluate_with(board, || Score::ZERO)
    }

    fn explain(&mut self, board: &Board) -> String {
        explain(board, &self.weights, self.groups).to_string()
    }
}
