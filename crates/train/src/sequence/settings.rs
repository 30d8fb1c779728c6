//! The settings of a sequence model's training, besides those that all trainings share.

use crate::error::wrong;
use crate::float::AdamW;
use crate::settings::{
    FORGETTING, KindSettings, VALIDATION_SHARE, WEIGHT, schedule_within, within,
};
use crate::{Changing, CourseSettings, Schedule, WrongSetting};
use data::range::Range;
use nets::kernels::Precision;
use nets::sequence::{BoardInput, SequenceShape, View};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// With higher learning rates the weights do not converge.
const LEARNING_RATE: Range = Range::closed(0.0, 1.0);
/// All activations of a step are kept in memory: some 60 kB per event with the size `small`.
pub(super) const BATCH: Range = Range::closed(1.0, 65_536.0);
/// The longest game; a batch has room for any.
pub(super) const PLIES: Range = Range::closed(1.0, 2_048.0);
pub(super) const SHARE: Range = Range::closed(0.0, 1.0);
pub(super) const SMOOTHING: Range = Range::below(0.0, 1.0);
pub(super) const POWER: Range = Range::closed(0.0, 10.0);

/// The default weight of the losses of optional heads.
const HEAD_WEIGHT: f32 = 0.05;

/// The training of a sequence model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "sequence-training")]
pub struct Settings {
    /// The architecture of the model.
    pub net: NetSettings,
    /// The initial model, for example to fine-tune it on the games of one player; default: random
    /// weights.
    pub start: Option<PathBuf>,
    /// The share of games that are held out to check the calibration of the value on games of the
    /// training period; only with validation files.
    #[schemars(transform = VALIDATION_SHARE.schema())]
    pub calibration_share: f64,
    /// What all trainings share; a batch is counted in events.
    #[serde(flatten, skip_deserializing)]
    pub course: CourseSettings,
    /// The learning rate.
    #[schemars(transform = LEARNING_RATE.schema())]
    pub learning_rate: Schedule,
    /// Whether the softmax of the next move is over legal moves only, or over all moves.
    pub legal_only: bool,
    /// Label smoothing: the share of the policy target that is spread evenly over all moves.
    #[schemars(transform = SMOOTHING.schema())]
    pub smoothing: f32,
    /// Weight of the result loss relative to the move loss.
    #[schemars(transform = WEIGHT.schema())]
    pub value_weight: f32,
    /// Weight of the loss of the remaining plies.
    #[schemars(transform = WEIGHT.schema())]
    pub moves_left_weight: f32,
    /// Weight of the thinking time loss, with `net.think_head`.
    #[schemars(transform = WEIGHT.schema())]
    pub think_weight: f32,
    /// Weight of the resignation loss, with `net.resign_head`.
    #[schemars(transform = WEIGHT.schema())]
    pub resign_weight: f32,
    /// The weight of the result is the share of the game that is over, raised to this power.
    #[schemars(transform = POWER.schema())]
    pub progress: f32,
    /// The weight of moves, by the rating of the player who made them.
    pub policy_ratings: Weighting,
    /// The weight of results, by the same ratings.
    pub value_ratings: Weighting,
    /// Rating dropout: the share of games whose ratings are hidden from the model, so that it can
    /// also play without a rating.
    #[schemars(transform = SHARE.schema())]
    pub rating_dropout: f64,
    /// Number of initial steps in which only the value head is trained.
    pub frozen_steps: u64,
    /// Games are truncated after this many plies.
    #[schemars(transform = PLIES.schema())]
    pub most_plies: usize,
    /// The number format of matrix products; sums and weights are always f32.
    pub precision: TrainingPrecision,
    /// The optimiser.
    pub optimiser: AdamW,
    /// Decay of an exponential moving average of the weights, which is then the result. With 0
    /// the last weights are.
    #[schemars(transform = FORGETTING.schema())]
    pub ema: f32,
}

/// The architecture of the model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "sequence-net")]
pub struct NetSettings {
    /// The named size: tiny, small, base, published or published-large.
    #[schemars(extend("enum" = SequenceShape::NAMES))]
    pub size: String,
    /// How the board is encoded.
    pub board: BoardInput,
    /// The point of view.
    pub view: View,
    /// Whether the ratings of both players are an input.
    pub ratings: bool,
    /// Whether the time control is an input, to predict games that were played; in play it is
    /// unknown.
    pub time_control: bool,
    /// Whether the mover's remaining time is an input, to predict games that were played; in play
    /// it is unknown.
    pub clock: bool,
    /// Number of player names with their own embedding, to predict games that were played; in
    /// play they are unknown.
    #[schemars(range(max = SequenceShape::MOST_PLAYERS))]
    pub players: usize,
    /// Whether there is a head that predicts the mover's thinking time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub think_head: bool,
    /// Whether there is a head that predicts resignations of the mover. A loss without mate is a
    /// resignation, unless the tag Termination says that it was on time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub resign_head: bool,
}

/// The weight of a game by rating: 1, and more above a given rating.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "weighting")]
pub struct Weighting {
    /// Ratings up to this have weight 1.
    pub from: u16,
    /// Ratings from this on have weight 1 + strength.
    pub to: u16,
    /// The exponent of the transition between both.
    #[schemars(transform = POWER.schema())]
    pub power: f32,
    /// The additional weight of the highest ratings; 0 for no difference.
    #[schemars(transform = WEIGHT.schema())]
    pub strength: f32,
}

/// The number format of matrix products.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum TrainingPrecision {
    /// 8 bits of mantissa: twice as fast where the CPU has it.
    #[default]
    Bf16,
    /// 24 bits.
    F32,
}

impl From<TrainingPrecision> for Precision {
    fn from(precision: TrainingPrecision) -> Precision {
        match precision {
            TrainingPrecision::Bf16 => Precision::Bf16,
            TrainingPrecision::F32 => Precision::F32,
        }
    }
}

impl Default for Weighting {
    fn default() -> Weighting {
        Weighting {
            from: 2_000,
            to: 2_800,
            power: 1.0,
            strength: 0.0,
        }
    }
}

impl Weighting {
    /// The weight of a game of this rating; without a rating that of the lowest.
    pub(super) fn of(&self, rating: Option<u16>) -> f32 {
        let Some(rating) = rating else {
            return 1.0;
        };
        let range = f32::from(self.to) - f32::from(self.from);
        let way = ((f32::from(rating) - f32::from(self.from)) / range).clamp(0.0, 1.0);
        1.0 + self.strength * crate::functions::power(way, self.power)
    }

    pub(super) fn check(&self, key: &'static str) -> Result<(), WrongSetting> {
        if self.from >= self.to {
            return Err(wrong(key, "`from` must be below `to`"));
        }
        within(key, f64::from(self.power), POWER)?;
        within(key, f64::from(self.strength), WEIGHT)
    }
}

impl Default for NetSettings {
    fn default() -> NetSettings {
        NetSettings {
            size: "small".to_owned(),
            board: BoardInput::default(),
            view: View::default(),
            ratings: true,
            time_control: false,
            clock: false,
            players: 0,
            think_head: false,
            resign_head: false,
        }
    }
}

impl NetSettings {
    /// The shape.
    ///
    /// # Errors
    /// If no size has this name, or a value is invalid.
    pub fn shape(&self) -> Result<SequenceShape, WrongSetting> {
        let Some(named) = SequenceShape::named(&self.size) else {
            let names = SequenceShape::NAMES.join(", ");
            return Err(wrong("net.size", format!("must be one of {names}")));
        };
        let shape = SequenceShape {
            board: self.board,
            view: self.view,
            ratings: self.ratings,
            time_control: self.time_control,
            clock: self.clock,
            players: self.players,
            think_head: self.think_head,
            resign_head: self.resign_head,
            ..named
        };
        shape
            .check()
            .map_err(|error| wrong("net", error.to_string()))?;
        Ok(shape)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            net: NetSettings::default(),
            start: None,
            calibration_share: 0.0,
            course: CourseSettings {
                batch: 2_048,
                epochs: 1,
                validation_positions: 50_000,
                ..CourseSettings::default()
            },
            learning_rate: Schedule::Changing(Changing::Warmup {
                epochs: 0.02,
                then: Box::new(Schedule::Changing(Changing::Cosine {
                    from: 2e-3,
                    to: 2e-6,
                })),
            }),
            legal_only: true,
            smoothing: 0.0,
            value_weight: 0.25,
            moves_left_weight: 0.05,
            think_weight: HEAD_WEIGHT,
            resign_weight: HEAD_WEIGHT,
            progress: 0.1,
            policy_ratings: Weighting::default(),
            value_ratings: Weighting::default(),
            rating_dropout: 0.1,
            frozen_steps: 0,
            most_plies: 256,
            precision: TrainingPrecision::default(),
            optimiser: AdamW {
                stable: true,
                beta2: 0.99,
                gradient_norm: 0.0,
                ..AdamW::default()
            },
            ema: 0.0,
        }
    }
}

impl KindSettings for Settings {
    const BATCH: Range = BATCH;

    fn course(&mut self) -> &mut CourseSettings {
        &mut self.course
    }
}

impl Settings {
    /// Checks what deserialisation cannot.
    ///
    /// # Errors
    /// The first key with an invalid value.
    pub fn check(&self) -> Result<(), WrongSetting> {
        self.net.shape()?;
        self.course.check()?;
        if !self.course.filters.is_empty() {
            return Err(wrong(
                "filters",
                "filter games when making the sequence file",
            ));
        }
        within("batch", self.course.batch as f64, BATCH)?;
        within("most_plies", self.most_plies as f64, PLIES)?;
        let share = self.calibration_share;
        within("calibration_share", share, VALIDATION_SHARE)?;
        if share > 0.0 && self.course.validation.is_empty() {
            return Err(wrong(
                "calibration_share",
                "only with `validation` files: without them, those games are already held out",
            ));
        }
        within("rating_dropout", self.rating_dropout, SHARE)?;
        let epochs = self.course.epochs;
        schedule_within("learning_rate", &self.learning_rate, epochs, LEARNING_RATE)?;
        self.optimiser.check()?;
        self.policy_ratings.check("policy_ratings")?;
        self.value_ratings.check("value_ratings")?;
        for (key, value, range) in [
            ("smoothing", self.smoothing, SMOOTHING),
            ("value_weight", self.value_weight, WEIGHT),
            ("moves_left_weight", self.moves_left_weight, WEIGHT),
            ("think_weight", self.think_weight, WEIGHT),
            ("resign_weight", self.resign_weight, WEIGHT),
            ("progress", self.progress, POWER),
            ("ema", self.ema, FORGETTING),
        ] {
            within(key, f64::from(value), range)?;
        }
        Ok(())
    }
}
