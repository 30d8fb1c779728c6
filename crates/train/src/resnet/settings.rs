//! What the settings of a training of a ResNet have of their own.

use crate::error::wrong;
use crate::float::{AdamW, ScalarLoss};
use crate::settings::{FORGETTING, KindSettings, LAMBDA, WEIGHT, schedule_within, within};
use crate::{Changing, CourseSettings, DrawSettings, Schedule, WrongSetting};
use data::range::Range;
use nets::policy::resnet::{PolicyKind, ResNetShape};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Beyond this, weights only jump about.
const LEARNING_RATE: Range = Range::closed(0.0, 1.0);
/// All values of a step are kept in memory: 400 kB a position with 64 channels and 6
/// blocks.
const BATCH: Range = Range::closed(1.0, 16_384.0);
const TARGET_POWER: Range = Range::above(0.0, 10.0);
const SMOOTHING: Range = Range::below(0.0, 1.0);
const SCORE_OFFSET: Range = Range::closed(0.0, 10_000.0);
const SCORE_SCALING: Range = Range::above(0.0, 10_000.0);

/// A training of a ResNet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "resnet-training")]
pub struct Settings {
    /// What kind of net.
    pub net: ResNetShape,
    /// The net to continue training from; random weights if nothing is said.
    pub start: Option<PathBuf>,
    /// What all trainings share.
    #[serde(flatten, skip_deserializing)]
    pub course: CourseSettings,
    /// How far weights move with a step.
    #[schemars(transform = LEARNING_RATE.schema())]
    pub learning_rate: Schedule,
    /// The share of the score in the target of the value; the rest is the result of the game.
    #[schemars(transform = LAMBDA.schema())]
    pub lambda: Schedule,
    /// How much the loss of the value counts beside that of the policy.
    #[schemars(transform = WEIGHT.schema())]
    pub value_weight: f32,
    /// How errors of a value from -1 to 1 count; chances have their cross-entropy.
    pub value_loss: ScalarLoss,
    /// What the soft-max of the policy is over.
    pub policy_loss: PolicyLoss,
    /// Label smoothing: the share of the policy target that is spread evenly over all legal
    /// moves.
    #[schemars(transform = SMOOTHING.schema())]
    pub smoothing: f32,
    /// Shares of visits are raised to this power before they are learned.
    #[schemars(transform = TARGET_POWER.schema())]
    pub target_power: f32,
    /// What drawn games of policy shards teach.
    pub draws: DrawSettings,
    /// The score, in centipawns, at which a win has an even chance.
    #[schemars(transform = SCORE_OFFSET.schema())]
    pub score_offset: f32,
    /// The width of that curve, in centipawns.
    #[schemars(transform = SCORE_SCALING.schema())]
    pub score_scaling: f32,
    /// How gradients change weights.
    pub optimiser: AdamW,
    /// How slowly a moving average of the weights forgets; the average is then the result. With
    /// 0 the last weights are.
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
    /// Origins, and the moves from each of them, while searches add both logits as they
    /// are. This is what the published program did; it wants a factored policy.
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
    /// Checks what the format cannot.
    ///
    /// # Errors
    /// The first key with a value that makes no sense.
    pub fn check(&self) -> Result<(), WrongSetting> {
        self.net.check().map_err(|problem| wrong("net", problem))?;
        if self.net.planes.history > 0 {
            let problem = "planes.history must be 0: positions are learned one by one";
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
