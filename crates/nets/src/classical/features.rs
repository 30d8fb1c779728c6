//! The features of a position, for trainers.

use super::collector::Recorder;
use super::groups::Groups;
use super::maps::Maps;
use super::material::{FULL_STAGE, Material};
use super::pawns::PawnEntry;
use super::scale;
use super::score::Score;
use super::terms::FEATURE_GROUPS;
use super::view::{View, taper};
use super::weights::{self, Weights};
use chess::{Board, Color};

/// How often a feature occurs: White's occurrences minus Black's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    /// The index, below [`FEATURES`](super::FEATURES).
    pub index: u16,
    /// The coefficient, never 0.
    pub coefficient: i16,
}

/// What a trainer needs to know about a position whose value the terms decide.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The features of the linear groups and of passed pawns, as far as these groups are
    /// switched on.
    pub features: Vec<Feature>,
    /// The stage of the game, from 0 in the endgame to 1 in the opening.
    pub stage: f32,
    /// The factor of the endgame value, 0 to 1.
    pub scale: f32,
    /// The value by everything that is switched on, from White's point of view, without the
    /// tempo.
    pub value: i32,
}

/// The features of a position that belong to the given groups, by index.
///
/// Their dot product with the weights is exactly the value of these groups.
/// Groups whose terms are not features are ignored.
pub fn features(board: &Board, groups: Groups) -> Vec<Feature> {
    // Which features occur does not depend on the weights.
    let weights = weights::standard();
    let (material, pawns) = facts(board, weights);
    record(&view(board, weights, &material, &pawns), groups)
}

/// The trace of a position; `None` if the value comes from an endgame function.
pub fn trace(board: &Board, weights: &Weights) -> Option<Trace> {
    trace_with(board, weights, Groups::ALL, true, Score::ZERO)
}

/// The same for some groups, with or without endgame functions, and with `added` from White's
/// point of view.
pub(crate) fn trace_with(
    board: &Board,
    weights: &Weights,
    groups: Groups,
    endgame_functions: bool,
    added: Score,
) -> Option<Trace> {
    let (material, pawns) = facts(board, weights);
    let non_pawn = material.non_pawn.iter().sum();
    if endgame_functions && material.ending.value(board, non_pawn).is_some() {
        return None;
    }
    let view = view(board, weights, &material, &pawns);
    let score = view.sides(groups) + added;
    let score = score + view.initiative(groups, score);
    let factor = scale::factor(&view, score);
    Some(Trace {
        features: record(&view, groups.and(FEATURE_GROUPS)),
        stage: material.stage as f32 / FULL_STAGE as f32,
        scale: factor as f32 / scale::FULL as f32,
        value: taper(score, material.stage, factor),
    })
}

pub(super) fn facts(board: &Board, weights: &Weights) -> (Material, PawnEntry) {
    (
        Material::new(board, weights),
        PawnEntry::new(board, weights),
    )
}

pub(super) fn view<'a>(
    board: &'a Board,
    weights: &'a Weights,
    material: &'a Material,
    pawns: &'a PawnEntry,
) -> View<'a> {
    View {
        board,
        weights,
        material,
        pawns,
        maps: Maps::new(board),
    }
}

fn record(view: &View<'_>, groups: Groups) -> Vec<Feature> {
    let mut recorder = Recorder::new();
    view.collect(groups, Color::White, &mut recorder);
    recorder.sign = -1;
    view.collect(groups, Color::Black, &mut recorder);
    let counts = recorder.counts.iter().enumerate();
    counts
        .filter(|(_, count)| **count != 0)
        .map(|(index, &count)| Feature {
            index: index as u16,
            coefficient: count as i16,
        })
        .collect()
}
