//! The settings of a policy net's training, besides those that all trainings share.

use super::wdl::Wdl;
use crate::descent::{Optimiser, Rule};
use crate::error::wrong;
use crate::settings::{FORGETTING, KindSettings, LAMBDA, schedule_within, within};
use crate::{Changing, CourseSettings, DrawSettings, Schedule, WrongSetting};
use data::range::Range;
use nets::nnue::{Activation, Inputs, OUTCOMES, SimpleScales, SimpleShape};
use nets::policy::sparse::{PolicyShape, PolicyShapeError};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// With higher learning rates the weights of nets do not converge.
const LEARNING_RATE: Range = Range::closed(0.0, 1.0);
const SMOOTHING: Range = Range::closed(0.0, 0.5);
const TARGET_POWER: Range = Range::above(0.0, 10.0);
const BUCKETS: Range = Range::closed(1.0, 8.0);

/// The training of a policy net.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "policy-training")]
pub struct Settings {
    /// The shape of the policy.
    pub policy: PolicySettings,
    /// The shape of the value.
    pub value: ValueSettings,
    /// The net to continue training from; default: random weights.
    pub start: Option<PathBuf>,
    /// The settings that all trainings share.
    #[serde(flatten, skip_deserializing)]
    pub course: CourseSettings,
    /// The learning rate.
    #[schemars(transform = LEARNING_RATE.schema())]
    pub learning_rate: Schedule,
    /// The weight of the score in the target; the rest is the result of the game.
    #[schemars(transform = LAMBDA.schema())]
    pub lambda: Schedule,
    /// Label smoothing: the share of the policy target that is spread evenly over all legal
    /// moves; the rest is the played move.
    #[schemars(transform = SMOOTHING.schema())]
    pub smoothing: f32,
    /// Exponent applied to visit shares of policy shards before training.
    #[schemars(transform = TARGET_POWER.schema())]
    pub target_power: f32,
    /// The training target of drawn games in policy shards.
    pub draws: DrawSettings,
    /// How scores convert to win, draw and loss probabilities.
    pub wdl: Wdl,
    /// The optimiser.
    pub optimiser: Optimiser,
    /// Decay of an exponential moving average of the weights, such as 0.999, which is then the
    /// result. By default the last weights are.
    #[schemars(transform = FORGETTING.schema())]
    pub ema: Option<f32>,
}

/// The shape of the policy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "policy-net")]
pub struct PolicySettings {
    /// Size of the first layer, which is followed by half as many pairwise products.
    #[schemars(range(min = PolicyShape::HIDDEN_STEP, max = PolicyShape::MOST_HIDDEN), extend("multipleOf" = PolicyShape::HIDDEN_STEP))]
    pub hidden: usize,
}

/// The shape of the NNUE that gives the value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "value-net")]
pub struct ValueSettings {
    /// Size of each side's accumulator.
    #[schemars(range(min = SimpleShape::HIDDEN_STEP, max = SimpleShape::MOST_HIDDEN), extend("multipleOf" = SimpleShape::HIDDEN_STEP))]
    pub hidden: usize,
    /// Number of output buckets, selected by the number of men, each with a win, a draw and a
    /// loss output.
    #[schemars(transform = BUCKETS.schema())]
    pub output_buckets: usize,
    /// The bucket of each square of the own king, from a1 to h8.
    pub king_buckets: Vec<u8>,
    /// Whether the board is mirrored if the own king is on files a to d.
    pub mirrored: bool,
}

impl Default for PolicySettings {
    fn default() -> PolicySettings {
        PolicySettings { hidden: 256 }
    }
}

impl Default for ValueSettings {
    fn default() -> ValueSettings {
        ValueSettings {
            hidden: 256,
            output_buckets: 8,
            king_buckets: Vec::new(),
            mirrored: true,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            policy: PolicySettings::default(),
            value: ValueSettings::default(),
            start: None,
            course: CourseSettings::default(),
            learning_rate: Schedule::Changing(Changing::Cosine {
                from: 2e-3,
                to: 2e-5,
            }),
            lambda: Schedule::Constant(0.7),
            smoothing: 0.0,
            target_power: 1.0,
            draws: DrawSettings::default(),
            wdl: Wdl::default(),
            optimiser: Optimiser::default(),
            ema: None,
        }
    }
}

impl KindSettings for Settings {
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
        self.shape()?;
        self.course.check()?;
        let epochs = self.course.epochs;
        schedule_within("learning_rate", &self.learning_rate, epochs, LEARNING_RATE)?;
        schedule_within("lambda", &self.lambda, epochs, LAMBDA)?;
        let smoothing = f64::from(self.smoothing);
        within("smoothing", smoothing, SMOOTHING)?;
        let power = f64::from(self.target_power);
        within("target_power", power, TARGET_POWER)?;
        self.draws.check()?;
        self.wdl.check()?;
        self.optimiser.check()?;
        let ema = f64::from(self.ema.unwrap_or(0.0));
        within("ema", ema, FORGETTING)
    }

    /// The shape of both halves.
    ///
    /// # Errors
    /// If there is no such shape.
    pub fn shape(&self) -> Result<PolicyShape, WrongSetting> {
        let value = &self.value;
        let buckets = match &value.king_buckets[..] {
            [] => [0; 64],
            list => list.try_into().map_err(|_| {
                let problem = format!("{} numbers instead of 64", list.len());
                wrong("value.king_buckets", problem)
            })?,
        };
        let inputs = Inputs::piece_square(buckets, value.mirrored)
            .map_err(|error| wrong("value.king_buckets", error.to_string()))?;
        // Checked first, because three times a huge number would overflow.
        within("value.output_buckets", value.output_buckets as f64, BUCKETS)?;
        let shape = PolicyShape {
            hidden: self.policy.hidden,
            value: SimpleShape {
                inputs,
                hidden: value.hidden,
                activation: Activation::Screlu,
                output_buckets: OUTCOMES * value.output_buckets,
                scales: SimpleScales::default(),
            },
        };
        match shape.check() {
            Ok(()) => Ok(shape),
            Err(error @ PolicyShapeError::Hidden(_)) => {
                Err(wrong("policy.hidden", error.to_string()))
            }
            Err(PolicyShapeError::Value(error)) => Err(wrong("value", error.to_string())),
        }
    }

    /// Whether the optimiser keeps slow weights.
    pub(super) fn has_slow_weights(&self) -> bool {
        self.optimiser.rule == Rule::Ranger
    }
}
