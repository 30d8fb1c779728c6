//! The settings of a ResNet's training, besides those that all trainings share.

use crate::error::wrong;
use crate::float::{AdamW, ScalarLoss};
use crate::settings::{FORGETTING, KindSettings, LAMBDA, WEIGHT, schedule_within, within};
use crate::{Changing, CourseSettings, DrawSettings, Schedule, WrongSetting};
use data::range::Range;
use nets::policy::resnet::{PolicyKind, ResNetShape};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// With higher learning rates the weights do not converge.
const LEARNING_RATE: Range = Range::closed(0.0, 1.0);
/// All activations of a step are kept in memory: 400 kB per position with 64 channels and 6 blocks.
const BATCH: Range = Range::closed(1.0, 16_384.0);
const TARGET_POWER: Range = Range::above(0.0, 10.0);
const SMOOTHING: Range = Range::below(0.0, 1.0);
/// Errors of values are at most 2.
const HUBER_DELTA: Range = Range::above(0.0, 2.0);
const SCORE_OFFSET: Range = Range::closed(0.0, 10_000.0);
const SCORE_SCALING: Range = Range::above(0.0, 10_000.0);

/// The training of a ResNet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "resnet-training")]
pub struct Settings {
    /// The architecture of the net.
    pub net: ResNetShape,
    /// The net to continue training from; default: random weights.
    pub start: Option<PathBuf>,
    /// The settings that all trainings share.
    #[serde(flatten, skip_deserializing)]
    pub course: CourseSettings,
    /// The learning rate.
    #[schemars(transform = LEARNING_RATE.schema())]
    pub learning_rate: Schedule,
    /// The weight of the score in the value target; the rest is the result of the game.
    #[schemars(transform = LAMBDA.schema())]
    pub lambda: Schedule,
    /// Weight of the value loss relative to the policy loss.
    #[schemars(transform = WEIGHT.schema())]
    pub value_weight: f32,
    /// The loss of a value from -1 to 1; win, draw and loss probabilities use cross-entropy.
    pub value_loss: ScalarLoss,
    /// With `value_loss = "huber"`, the error from which on the loss is linear.
    #[schemars(transform = HUBER_DELTA.schema())]
    pub huber_delta: f32,
    /// The moves over which the policy softmax is taken.
    pub policy_loss: PolicyLoss,
    /// Label smoothing: the share of the policy target that is spread evenly over all legal
    /// moves.
    #[schemars(transform = SMOOTHING.schema())]
    pub smoothing: f32,
    /// Exponent applied to visit shares before training.
    #[schemars(transform = TARGET_POWER.schema())]
    pub target_power: f32,
    /// The training target of drawn games in policy shards.
    pub draws: DrawSettings,
    /// The score, in centipawns, at which a win is as likely as not.
    #[schemars(transform = SCORE_OFFSET.schema())]
    pub score_offset: f32,
    /// The width of that curve, in centipawns.
    #[schemars(transform = SCORE_SCALING.schema())]
    pub score_scaling: f32,
    /// The optimiser.
    pub optimiser: AdamW,
    /// Decay of an exponential moving average of the weights, which is then the result. With 0
    /// the last weights are.
    #[schemars(transform = FORGETTING.schema())]
    pub ema: f32,
}

/// What the soft-max of a policy is over.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum PolicyLoss {
    /// All legal moves, in the loss as in searches.
    #[default]
    Joint,
    /// Origin squares, and separately the moves from each of them, while searches add both
    /// logits. This is what the published program did; it needs a factored policy.
    Factors,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            net: ResNetShape::default(),
            start: None,
            course: CourseSettings {
                batch: 256,
                epochs: 1,
                validation_positions: 10_000,
                ..CourseSettings::default()
            },
            learning_rate: Schedule::Changing(Changing::Warmup {
                epochs: 0.02,
                then: Box::new(Schedule::Changing(Changing::Cosine {
                    from: 2e-3,
                    to: 2e-5,
                })),
            }),
            lambda: Schedule::Constant(0.5),
            value_weight: 1.0,
            value_loss: ScalarLoss::default(),
            huber_delta: 1.0,
            policy_loss: PolicyLoss::default(),
            smoothing: 0.02,
            target_power: 1.0,
            draws: DrawSettings::default(),
            score_offset: 100.0,
            score_scaling: 250.0,
            optimiser: AdamW::default(),
            ema: 0.999,
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
        self.net.check().map_err(|problem| wrong("net", problem))?;
        if self.net.planes.history > 0 {
            let problem = "planes.history must be 0: training positions have no history";
            return Err(wrong("net", problem));
        }
        if self.policy_loss == PolicyLoss::Factors && self.net.policy != PolicyKind::Factored {
            return Err(wrong(
                "policy_loss",
                "only net.policy = \"factored\" has factors",
            ));
        }
        self.course.check()?;
        within("batch", self.course.batch as f64, BATCH)?;
        let epochs = self.course.epochs;
        schedule_within("learning_rate", &self.learning_rate, epochs, LEARNING_RATE)?;
        schedule_within("lambda", &self.lambda, epochs, LAMBDA)?;
        self.optimiser.check()?;
        self.draws.check()?;
        for (key, value, range) in [
            ("value_weight", self.value_weight, WEIGHT),
            ("huber_delta", self.huber_delta, HUBER_DELTA),
            ("target_power", self.target_power, TARGET_POWER),
            ("smoothing", self.smoothing, SMOOTHING),
            ("score_offset", self.score_offset, SCORE_OFFSET),
            ("score_scaling", self.score_scaling, SCORE_SCALING),
            ("ema", self.ema, FORGETTING),
        ] {
            within(key, f64::from(value), range)?;
        }
        Ok(())
    }
}
