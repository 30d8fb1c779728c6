//! What the settings of a training of a sequence model have of their own.

use crate::error::wrong;
use crate::float::AdamW;
use crate::settings::{KindSettings, schedule_within, within};
use crate::{Changing, CourseSettings, Schedule, WrongSetting};
use data::range::Range;
use nets::kernels::Precision;
use nets::sequence::{BoardInput, SequenceShape, View};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Beyond this, weights only jump about.
const LEARNING_RATE: Range = Range::closed(0.0, 1.0);
/// All values of a step are kept in memory: some 60 kB an event of the size `small`.
const MOST_BATCH: usize = 65_536;
/// No game is longer, and a batch has room for any.
const MOST_PLIES: usize = 2_048;

/// How much heads count that a model need not have.
const HEAD_WEIGHT: f32 = 0.05;

/// A training of a sequence model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// What kind of model.
    pub net: NetSettings,
    /// The model to begin with, for example to learn the games of one player; without
    /// it, random weights.
    pub start: Option<PathBuf>,
    /// The share of games that are not learned from but show whether the value is
    /// calibrated on games of the same time; only with files to judge by.
    pub calibration_share: f64,
    /// What all trainings share; a batch is counted in events.
    #[serde(flatten, skip_deserializing)]
    pub course: CourseSettings,
    /// How far weights move with a step.
    pub learning_rate: Schedule,
    /// Whether the next move is foretold among legal moves only, or among all moves.
    pub legal_only: bool,
    /// The share of all moves alike in what the policy should say.
    pub smoothing: f32,
    /// How much the loss of the result counts beside that of the move.
    pub value_weight: f32,
    /// How much the loss of the plies left counts.
    pub moves_left_weight: f32,
    /// How much the loss of the time that a move takes counts, with `net.think_head`.
    pub think_weight: f32,
    /// How much the loss of resignations counts, with `net.resign_head`.
    pub resign_weight: f32,
    /// The result counts by the share of the game that is over, to this power.
    pub progress: f32,
    /// How much moves count by the rating of who made them.
    pub policy_ratings: Weighting,
    /// How much results count by the same.
    pub value_ratings: Weighting,
    /// The share of games whose ratings the model is not told, so that it can play without
    /// being told one.
    pub rating_dropout: f64,
    /// Steps at the beginning in which only the value head learns.
    pub frozen_steps: u64,
    /// Games are cut after so many plies.
    pub most_plies: usize,
    /// With which numbers products are computed; sums and weights are f32 always.
    pub precision: TrainingPrecision,
    /// How gradients change weights.
    pub optimiser: AdamW,
    /// How slowly an average of the weights forgets; if 0, none is kept, and the last
    /// weights are the result.
    pub ema: f32,
}

/// What kind of model is trained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetSettings {
    /// The size by name: tiny, small, base, published or published-large.
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
    /// Rows for names of players; 0 for none.
    pub players: usize,
    /// Whether it predicts how long the mover thinks.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub think_head: bool,
    /// Whether it predicts that the mover resigns.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resign_head: bool,
}

/// How much a game counts by a rating: 1, and more from one rating on.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weighting {
    /// Ratings up to this count as 1.
    pub from: u16,
    /// Ratings from this on count as 1 + strength.
    pub to: u16,
    /// The power of the way between both.
    pub power: f32,
    /// What the highest ratings add; 0 for no difference.
    pub strength: f32,
}

/// With which numbers products are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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
        within(key, f64::from(self.power), Range::closed(0.0, 10.0))?;
        within(key, f64::from(self.strength), Range::closed(0.0, 100.0))
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
        if self.course.batch > MOST_BATCH {
            return Err(wrong(
                "batch",
                "must lie from 1 to 65,536 for a sequence model",
            ));
        }
        if !(1..=MOST_PLIES).contains(&self.most_plies) {
            return Err(wrong("most_plies", "must lie from 1 to 2,048"));
        }
        let share = self.calibration_share;
        within("calibration_share", share, Range::below(0.0, 0.5))?;
        if share > 0.0 && self.course.validation.is_empty() {
            return Err(wrong(
                "calibration_share",
                "only with files of `validation`: without them, those games are held out already",
            ));
        }
        let dropout = Range::closed(0.0, 1.0);
        within("rating_dropout", self.rating_dropout, dropout)?;
        let epochs = self.course.epochs;
        schedule_within("learning_rate", &self.learning_rate, epochs, LEARNING_RATE)?;
        self.optimiser.check()?;
        self.policy_ratings.check("policy_ratings")?;
        self.value_ratings.check("value_ratings")?;
        for (key, value, range) in [
            ("smoothing", self.smoothing, Range::below(0.0, 1.0)),
            ("value_weight", self.value_weight, Range::closed(0.0, 100.0)),
            (
                "moves_left_weight",
                self.moves_left_weight,
                Range::closed(0.0, 100.0),
            ),
            ("think_weight", self.think_weight, Range::closed(0.0, 100.0)),
            (
                "resign_weight",
                self.resign_weight,
                Range::closed(0.0, 100.0),
            ),
            ("progress", self.progress, Range::closed(0.0, 10.0)),
            ("ema", self.ema, Range::below(0.0, 1.0)),
        ] {
            within(key, f64::from(value), range)?;
        }
        Ok(())
    }
}
