//! What the settings of a training of a sequence model have of their own.

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

/// Beyond this, weights only jump about.
const LEARNING_RATE: Range = Range::closed(0.0, 1.0);
/// All values of a step are kept in memory: some 60 kB an event of the size `small`.
pub(super) const BATCH: Range = Range::closed(1.0, 65_536.0);
/// No game is longer, and a batch has room for any.
pub(super) const PLIES: Range = Range::closed(1.0, 2_048.0);
const SHARE: Range = Range::closed(0.0, 1.0);
const SMOOTHING: Range = Range::below(0.0, 1.0);
const POWER: Range = Range::closed(0.0, 10.0);

/// How much heads count that a model need not have.
const HEAD_WEIGHT: f32 = 0.05;

/// A training of a sequence model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "sequence-training")]
pub struct Settings {
    /// What kind of model.
    pub net: NetSettings,
    /// The model to begin with, for example to learn the games of one player; without
    /// it, random weights.
    pub start: Option<PathBuf>,
    /// The share of games that are not learned from but show whether the value is
    /// calibrated on games of the same time; only with files to judge by.
    #[schemars(transform = VALIDATION_SHARE.schema())]
    pub calibration_share: f64,
    /// What all trainings share; a batch is counted in events.
    #[serde(flatten, skip_deserializing)]
    pub course: CourseSettings,
    /// How far weights move with a step.
    #[schemars(transform = LEARNING_RATE.schema())]
    pub learning_rate: Schedule,
    /// Whether the next move is predicted among legal moves only, or among all moves.
    pub legal_only: bool,
    /// Label smoothing: the share of the policy target that is spread evenly over all moves.
    #[schemars(transform = SMOOTHING.schema())]
    pub smoothing: f32,
    /// How much the loss of the result counts beside that of the move.
    #[schemars(transform = WEIGHT.schema())]
    pub value_weight: f32,
    /// How much the loss of the plies left counts.
    #[schemars(transform = WEIGHT.schema())]
    pub moves_left_weight: f32,
    /// How much the loss of the time that a move takes counts, with `net.think_head`.
    #[schemars(transform = WEIGHT.schema())]
    pub think_weight: f32,
    /// How much the loss of resignations counts, with `net.resign_head`.
    #[schemars(transform = WEIGHT.schema())]
    pub resign_weight: f32,
    /// The result counts by the share of the game that is over, to this power.
    #[schemars(transform = POWER.schema())]
    pub progress: f32,
    /// How much moves count, by the rating of the player who made them.
    pub policy_ratings: Weighting,
    /// How much results count, by the same ratings.
    pub value_ratings: Weighting,
    /// The share of games whose ratings are hidden from the model, so that it can also play
    /// without a rating.
    #[schemars(transform = SHARE.schema())]
    pub rating_dropout: f64,
    /// Steps at the beginning in which only the value head learns.
    pub frozen_steps: u64,
    /// Games are cut after this many plies.
    #[schemars(transform = PLIES.schema())]
    pub most_plies: usize,
    /// With which numbers products are computed; sums and weights are f32 always.
    pub precision: TrainingPrecision,
    /// How gradients change weights.
    pub optimiser: AdamW,
    /// How slowly a moving average of the weights forgets; the average is then the result. With
    /// 0 the last weights are.
    #[schemars(transform = FORGETTING.schema())]
    pub ema: f32,
}

/// What kind of model is trained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "sequence-net")]
pub struct NetSettings {
    /// The size by name: tiny, small, base, published or published-large.
    #[schemars(extend("enum" = SequenceShape::NAMES))]
    pub size: String,
    /// How the board is seen.
    pub board: BoardInput,
    /// Whose view it is.
    pub view: View,
    /// Whether it is told the ratings of both players.
    pub ratings: bool,
    /// Whether it is told the time control.
    pub time_control: bool,
    /// Whether it is told the time left to the mover.
    pub clock: bool,
    /// How many names of players have an embedding of their own.
    #[schemars(range(max = SequenceShape::MOST_PLAYERS))]
    pub players: usize,
    /// Whether it predicts how long the mover thinks.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub think_head: bool,
    /// Whether it predicts that the mover resigns.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub resign_head: bool,
}

/// How much a game counts by a rating: 1, and more from one rating on.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "weighting")]
pub struct Weighting {
    /// Ratings up to this count as 1.
    pub from: u16,
    /// Ratings from this on count as 1 + strength.
    pub to: u16,
    /// The power of the way between both.
    #[schemars(transform = POWER.schema())]
    pub power: f32,
    /// What the highest ratings add; 0 for no difference.
    #[schemars(transform = WEIGHT.schema())]
    pub strength: f32,
}

/// With which numbers products are computed.
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
    /// How much a game of this rating counts; one without counts as the lowest.
    pub(super) fn of(&self, rating: Option<u16>) -> f32 {
        let Some(rating) = rating else {
            return 1.0;
        };
        let range = f32::from(self.to) - f32::from(self.from);
        let way = ((f32::from(rating) - f32::from(self.from)) / range).clamp(0.0, 1.0);
        1.0 + self.strength * crate::functions::power(way, self.power)
    }

    fn check(&self, key: &'static str) -> Result<(), WrongSetting> {
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
    /// If no size has this name, or a number is impossible.
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
    /// Checks what the format cannot.
    ///
    /// # Errors
    /// The first key with a value that makes no sense.
    pub fn check(&self) -> Result<(), WrongSetting> {
        self.net.shape()?;
        self.course.check()?;
        if !self.course.filters.is_empty() {
            return Err(wrong("filters", "games are chosen when they are gathered"));
        }
        within("batch", self.course.batch as f64, BATCH)?;
        within("most_plies", self.most_plies as f64, PLIES)?;
        let share = self.calibration_share;
        within("calibration_share", share, VALIDATION_SHARE)?;
        if share > 0.0 && self.course.validation.is_empty() {
            return Err(wrong(
                "calibration_share",
                "only with files of `validation`: without them, those games are held out already",
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
