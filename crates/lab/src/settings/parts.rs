//! The tables of a run file about games, models and files; those about matches are in
//! `matches`.

use crate::ranges;
use arena::selfplay::{Amount, ByGeneration};
use data::range::Range;
use data::replay::Rebalance;
use nets::Model;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How many games a generation plays: one of these, or the default.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "amount")]
pub struct AmountSettings {
    /// Exact number of positions that a generation plays; default: 50,000 if neither games nor
    /// minutes are given. A list gives one number per generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub positions: Option<ByGeneration>,
    /// Alternatively, the number of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub games: Option<u64>,
    /// Alternatively, the time in minutes: the same file then gives different games on another
    /// machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::MINUTES.schema())]
    pub minutes: Option<f64>,
}

impl AmountSettings {
    /// The amount that is set for a generation, or the default.
    pub fn amount(&self, generation: u32) -> Amount {
        match (self.games, self.minutes, &self.positions) {
            (Some(games), ..) => Amount::Games(games),
            (_, Some(minutes), _) => Amount::Seconds(60.0 * minutes),
            (.., Some(positions)) => Amount::Positions(positions.of(generation)),
            (.., None) => Amount::Positions(50_000),
        }
    }
}

/// The replay buffer: how many positions of earlier generations are kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "buffer")]
pub struct BufferSettings {
    /// Maximum number of positions; the oldest games are dropped first, as a whole. A list gives
    /// one number per generation.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub positions: ByGeneration,
    /// Maximum number of generations; default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::EVERY.schema())]
    pub generations: Option<u32>,
    /// The share of training positions that come from decisive games; default: their natural
    /// share.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::DECISIVE.schema())]
    pub decisive: Option<f64>,
    /// How the share of decisive games is reached.
    pub rebalance: Rebalance,
}

impl Default for BufferSettings {
    fn default() -> BufferSettings {
        BufferSettings {
            positions: ByGeneration::Same(8_000_000),
            generations: None,
            decisive: None,
            rebalance: Rebalance::default(),
        }
    }
}

/// Generation 0, unless it is a model with random weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "generation-0")]
pub struct FirstSettings {
    /// `classical` or `heuristic`: the hand-written evaluation, or the hand-written policy and
    /// value, plays the games until a model is promoted, and models start with random weights. Or
    /// the file of a model to continue training from; `sequence` is the built-in sequence model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<PathBuf>,
    /// The file of `model` only plays the first games: training starts from random weights, whose
    /// shape may differ from the file's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub random_weights: bool,
    /// The binpack file to learn from; default: games of the hand-written evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
    /// Number of games of the hand-written evaluation, if there is no `data`.
    #[schemars(transform = ranges::COUNT.schema())]
    pub games: u64,
    /// Search depth in those games.
    #[schemars(transform = ranges::DEPTH.schema())]
    pub depth: u32,
    /// Number of training positions.
    #[schemars(transform = ranges::COUNT.schema())]
    pub positions: u64,
    /// Positions per step (batch size).
    #[schemars(transform = ranges::BATCH.schema())]
    pub batch: usize,
    /// The weight of the score in the value target; the rest is the result of the game. Default:
    /// as in the table `train`; use 0 for human games, which have no scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::SHARE.schema())]
    pub lambda: Option<f64>,
}

impl FirstSettings {
    /// The model that plays the first games, if it is a hand-written one.
    pub(crate) fn by_hand(&self) -> Option<Model> {
        match self.model.as_deref()?.to_str()? {
            Model::CLASSICAL => Some(Model::classical()),
            Model::HEURISTIC => Some(Model::Heuristic),
            _ => None,
        }
    }

    /// The file of the model that plays the first games.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.model.as_deref().filter(|_| self.by_hand().is_none())
    }

    /// Whether the first model is made by a short training, on given data or games of the
    /// hand-written evaluation.
    pub(crate) fn is_taught(&self) -> bool {
        self.model.is_none()
    }

    /// The file of the model from which training continues.
    pub(crate) fn start(&self) -> Option<&Path> {
        self.file().filter(|_| !self.random_weights)
    }
}

impl Default for FirstSettings {
    fn default() -> FirstSettings {
        FirstSettings {
            model: None,
            random_weights: false,
            data: None,
            games: 10,
            depth: 6,
            positions: 100,
            batch: 16,
            lambda: None,
        }
    }
}

/// Which files are kept when they are no longer needed. Nets and shards always are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "keep")]
pub struct Keep {
    /// The checkpoint of every generation.
    pub checkpoints: bool,
    /// The net of every epoch of a training, with its loss, as candidates for `tabia select`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub epochs: bool,
    /// The training data of each generation.
    pub training_data: bool,
    /// The games of all matches, and self-play games of exploration as PGN and as JSON lines.
    pub games: bool,
    /// The shards of exploration also as arrays for NumPy.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub npz: bool,
    /// Shards of exploration that have left the replay buffer.
    pub shards: bool,
}

impl Default for Keep {
    fn default() -> Keep {
        Keep {
            checkpoints: true,
            epochs: false,
            training_data: false,
            games: true,
            npz: false,
            shards: true,
        }
    }
}
