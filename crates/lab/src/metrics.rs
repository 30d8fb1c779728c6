//! The metrics of each generation, as rows for tables, plots and other programs.
//!
//! Rows are derived from the state alone, so that their files can be written again at any time.

use crate::ratings::Ratings;
use crate::state::{Line, Step};
use crate::steps::{Material, Met, Played, Promotion, Trained};
use arena::selfplay::explore::ExploreTally;
use arena::statistics::{Estimate, Pentanomial, Strength, elo_of_score};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A match of a candidate. When read back, everything is derived from the counts, because JSON has
/// no infinite numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "Counted")]
pub struct Bench {
    /// The pairs of games.
    pub counts: Pentanomial,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// The difference in Elo; infinite, and thus `null` in JSON, after only wins or only losses.
    pub elo: f64,
    /// The lower end of its interval.
    pub elo_low: f64,
    /// The upper end of its interval.
    pub elo_high: f64,
    /// The likelihood of superiority.
    pub los: f64,
    /// The Elo of the score clamped to 0.01 and 0.99, as the published study did.
    pub elo_clamped: f64,
}

/// The fields of a match that are read.
#[derive(Deserialize)]
struct Counted {
    counts: Pentanomial,
}

impl From<Counted> for Bench {
    fn from(counted: Counted) -> Bench {
        Bench::new(counted.counts)
    }
}

impl Bench {
    /// The statistics of these pairs.
    pub fn new(counts: Pentanomial) -> Bench {
        let strength = Strength::of(&counts);
        let games = counts.games();
        let score = games.score().unwrap_or(0.5);
        Bench {
            counts,
            wins: games.wins,
            losses: games.losses,
            draws: games.draws,
            elo: strength.elo.value,
            elo_low: strength.elo.lower,
            elo_high: strength.elo.upper,
            los: strength.los,
            elo_clamped: elo_of_score(score.clamp(0.01, 0.99)),
        }
    }

    /// The difference with its interval.
    pub fn estimate(&self) -> Estimate {
        Estimate {
            value: self.elo,
            lower: self.elo_low,
            upper: self.elo_high,
        }
    }
}

/// A finished generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The arm.
    pub arm: String,
    /// The seed.
    pub seed: u64,
    /// The generation, from 1.
    pub generation: u32,
    /// The plies after which games of self-play ended.
    pub horizon: Option<u32>,
    /// The number of games of self-play.
    pub games: u64,
    /// Their mean length in plies.
    pub plies: f64,
    /// The number of their positions.
    pub positions: u64,
    /// The share of decisive games.
    pub decisive: f64,
    /// The share of repeated positions.
    #[serde(default)]
    pub repeated: f64,
    /// The number of games for each reason of their end.
    pub reasons: BTreeMap<String, u64>,
    /// Whether self-play was limited by time.
    pub is_timed: bool,
    /// The seed of the games.
    pub selfplay_seed: u64,
    /// Seconds of self-play.
    pub selfplay_seconds: f64,
    /// The share of its time outside the search.
    pub idle: f64,
    /// The number of positions in the buffer.
    pub buffer_positions: u64,
    /// The number of training positions, repeated ones counted as often.
    pub lesson_positions: u64,
    /// The share of them that belong to decisive games.
    pub lesson_decisive: f64,
    /// The number of training steps.
    pub steps: u64,
    /// The mean training loss.
    pub loss: f64,
    /// The validation loss.
    pub validation_loss: f64,
    /// What else the learner measured on it, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub learned: BTreeMap<String, f64>,
    /// Seconds of training.
    pub training_seconds: f64,
    /// Against the previous model, if there was a gate.
    pub previous: Option<Bench>,
    /// Against generation 0.
    pub baseline: Option<Bench>,
    /// Its evaluation games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<Bench>,
    /// The statistics of its games of exploration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explored: Option<Box<ExploreTally>>,
    /// The seconds of all steps of this arm and seed so far.
    #[serde(default)]
    pub elapsed: f64,
    /// The candidate's Elo above generation 0, by all games of its seed together.
    #[serde(default)]
    pub rating: Option<Estimate>,
    /// Whether the candidate was promoted.
    pub promoted: bool,
    /// The reason.
    pub reason: String,
    /// The candidate's file, relative to the folder of the run.
    pub candidate: String,
    /// The file of the model that plays from now on.
    pub version: String,
}

/// The rows of a run, in the order in which generations ended.
pub(crate) fn rows(lines: &[Line]) -> Vec<Row> {
    let ratings = Ratings::of(lines);
    let promotions = lines
        .iter()
        .filter(|line| line.place.step == Step::Promotion);
    promotions
        .filter_map(|line| row(lines, line, &ratings))
        .collect()
}

/// The seconds of all steps of an arm and seed up to this generation.
fn elapsed(lines: &[Line], promotion: &Line) -> f64 {
    let wanted = &promotion.place;
    let is_earlier = |line: &&Line| {
        let place = &line.place;
        place.arm == wanted.arm
            && place.seed == wanted.seed
            && place.generation <= wanted.generation
            && !matches!(place.step, Step::Final | Step::HeadToHead)
    };
    lines
        .iter()
        .filter(is_earlier)
        .map(|line| line.seconds)
        .sum()
}

fn row(lines: &[Line], promotion: &Line, ratings: &Ratings) -> Option<Row> {
    let find = |step: Step| {
        lines.iter().find(|line| {
            let (place, wanted) = (&line.place, &promotion.place);
            place.step == step
                && place.generation == wanted.generation
                && place.seed == wanted.seed
                && place.arm == wanted.arm
        })
    };
    let (selfplay, training) = (find(Step::Selfplay)?, find(Step::Training)?);
    let played: Played = selfplay.result()?;
    let material: Material = find(Step::Buffer)?.result()?;
    let trained: Trained = training.result()?;
    let bench = |step| find(step)?.result().map(|met: Met| Bench::new(met.counts));
    let judged: Promotion = promotion.result()?;
    let (totals, chosen) = (&played.totals, &material.chosen);
    Some(Row {
        arm: promotion.place.arm.clone(),
        seed: promotion.place.seed,
        generation: promotion.place.generation,
        horizon: played.horizon,
        games: totals.games,
        plies: totals.average_plies(),
        positions: totals.positions,
        decisive: totals.decisive_share(),
        repeated: totals.repeated_share,
        reasons: totals.reasons.clone(),
        is_timed: played.is_timed,
        selfplay_seed: played.seed,
        selfplay_seconds: selfplay.seconds,
        idle: totals.idle_share(),
        buffer_positions: chosen.positions,
        lesson_positions: chosen.training_positions,
        lesson_decisive: chosen.decisive_positions as f64 / chosen.training_positions.max(1) as f64,
        steps: trained.steps,
        loss: trained.loss,
        validation_loss: trained.validation_loss,
        learned: trained.numbers,
        training_seconds: training.seconds,
        previous: bench(Step::Previous),
        baseline: bench(Step::Baseline),
        eval: bench(Step::Eval),
        explored: totals.explored.clone(),
        elapsed: elapsed(lines, promotion),
        rating: ratings.find(promotion.place.seed, &trained.candidate.name),
        promoted: judged.promoted,
        reason: judged.reason,
        candidate: trained.candidate.file.path,
        version: judged.version.file.path,
    })
}
