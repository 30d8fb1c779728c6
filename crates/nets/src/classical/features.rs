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

/// How often a feature occurs: White's occurrences less Black's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    /// The index, below [`FEATURES`](super::FEATURES).
    pub index: u16,
    /// The coefficient, never 0.
    pub coefficient: i16,
}

/// All that a trainer needs of a position that the terms decide.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The features of the linear groups and the passed pawns, as far as they are
    /// switched on.
    pub features: Vec<Feature>,
    /// Closeness to the opening, 0 to 1.
    pub stage: f32,
    /// The factor of the endgame value, 0 to 1.
    pub scale: f32,
    /// The value with all that is switched on, from White's view, without the tempo.
    pub value: i32,
}

/// The features of a position that belong to the given groups, by index.
///
/// Their dot product with the weights is exactly the value of these groups.
/// Groups whose terms are not features add none.
pub fn features(board: &Board, groups: Groups) -> Vec<Feature> {
    // The weights do not matter for what occurs.
    let weights = weights::standard();
    let (material, pawns) = facts(board, weights);
    record(&view(board, weights, &material, &pawns), groups)
}

/// What a trainer needs; `None` if the value comes from an endgame function.
pub fn trace(board: &Board, weights: &Weights) -> Option<Trace> {
    trace_with(board, weights, Groups::ALL, true, Score::ZERO)
}

/// The same for some groups, with or without endgame functions, and with what `added`
/// gives from White's view.
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
