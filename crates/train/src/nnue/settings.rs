//! The settings of a net's training, besides those that all trainings share.

use super::net::TraineeShape;
use super::simple::Keeping;
use crate::descent::{Optimiser, Rule};
use crate::error::wrong;
use crate::settings::{FORGETTING, KindSettings, LAMBDA, schedule_within, within};
use crate::{Changing, CourseSettings, Loss, Schedule, WrongSetting};
use data::range::Range;
use nets::nnue::{Activation, Inputs, SfnnShape, SimpleScales, SimpleShape};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// With higher learning rates the weights of nets do not converge.
pub(super) const LEARNING_RATE: Range = Range::closed(0.0, 1.0);

/// The training of a net.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "nnue-training")]
pub struct Settings {
    /// The architecture of the net.
    pub net: NetSettings,
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
    /// How errors are weighted; the default depends on the shape.
    pub loss: Option<Loss>,
    /// The optimiser.
    pub optimiser: Optimiser,
    /// Decay of an exponential moving average of the weights, such as 0.999, which is then the
    /// result. By default the last weights are.
    #[schemars(transform = FORGETTING.schema())]
    pub ema: Option<f32>,
    /// Quantisation-aware training: whether the forward pass rounds weights as the file will
    /// store them.
    pub quantisation_aware: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            net: NetSettings::default(),
            start: None,
            course: CourseSettings::default(),
            learning_rate: Schedule::Changing(Changing::Cosine {
                from: 1e-3,
                to: 1e-5,
            }),
            lambda: Schedule::Constant(0.7),
            loss: None,
            optimiser: Optimiser::default(),
            ema: None,
            quantisation_aware: false,
        }
    }
}

impl KindSettings for Settings {
    fn course(&mut self) -> &mut CourseSettings {
        &mut self.course
    }
}

/// The shape of a net.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "nnue-net")]
pub struct NetSettings {
    /// The family of nets.
    pub shape: ShapeName,
    /// Size of each side's accumulator.
    #[schemars(range(min = SimpleShape::HIDDEN_STEP, max = SimpleShape::MOST_HIDDEN), extend("multipleOf" = SimpleShape::HIDDEN_STEP))]
    pub hidden: usize,
    /// The activation of the accumulator, in a simple net.
    pub activation: Activation,
    /// Number of output buckets, selected by the number of men on the board, in a simple net.
    #[schemars(range(min = 1, max = SimpleShape::MOST_BUCKETS))]
    pub output_buckets: usize,
    /// The bucket of each square of the own king, 64 numbers from a1 to h8, in a simple net.
    pub king_buckets: Vec<u8>,
    /// Whether the board is mirrored if the own king is on files a to d, in a simple net.
    pub mirrored: bool,
    /// Whether king buckets share a part of their weights during training.
    pub factored: bool,
    /// Whether output buckets share a part of the weights of their first layer during training.
    pub shared: bool,
}

/// The names of the shapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShapeName {
    /// Tabia's own.
    Simple,
    /// Stockfish's.
    Sfnn,
}

impl Default for NetSettings {
    fn default() -> NetSettings {
        NetSettings {
            shape: ShapeName::Simple,
            hidden: 256,
            activation: Activation::Screlu,
            output_buckets: 1,
            king_buckets: Vec::new(),
            mirrored: false,
            factored: false,
            shared: false,
        }
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
        self.loss().check()?;
        self.optimiser.check()?;
        let ema = f64::from(self.ema.unwrap_or(0.0));
        within("ema", ema, FORGETTING)
    }

    /// The shape of the net.
    ///
    /// # Errors
    /// If there is no such shape.
    pub fn shape(&self) -> Result<TraineeShape, WrongSetting> {
        let net = &self.net;
        if net.shape == ShapeName::Sfnn {
            return SfnnShape::new(net.hidden)
                .map(TraineeShape::Sfnn)
                .ok_or_else(|| {
                    let widths = SfnnShape::WIDTHS.map(|width| width.to_string()).join(", ");
                    wrong(
                        "net.hidden",
                        format!("{} is not one of {widths}", net.hidden),
                    )
                });
        }
        let buckets = match &net.king_buckets[..] {
            [] => [0; 64],
            list => list.try_into().map_err(|_| {
                wrong(
                    "net.king_buckets",
                    format!("{} numbers instead of 64", list.len()),
                )
            })?,
        };
        let shape = SimpleShape {
            inputs: Inputs::piece_square(buckets, net.mirrored)
                .map_err(|error| wrong("net.king_buckets", error.to_string()))?,
            hidden: net.hidden,
            activation: net.activation,
            output_buckets: net.output_buckets,
            scales: SimpleScales::default(),
        };
        shape
            .check()
            .map_err(|error| wrong("net", error.to_string()))?;
        Ok(TraineeShape::Simple(shape))
    }

    /// A remark for the user before the training begins, if there is one.
    pub(crate) fn remark(&self) -> Option<String> {
        let Ok(TraineeShape::Sfnn(shape)) = self.shape() else {
            return None;
        };
        let hidden = shape.l1();
        shape.stockfish().is_none().then(|| {
            format!(
                "net.hidden = {hidden}: no version of Stockfish can load an sfnn net of this \
                 width, only Tabia can; {}",
                SfnnShape::STOCKFISH
                    .map(|(width, version)| format!("{width} is for Stockfish {version}"))
                    .join(", ")
            )
        })
    }

    /// What the net stores during training.
    pub(crate) fn keeping(&self) -> Keeping {
        Keeping {
            factored: self.net.factored,
            shared: self.net.shared,
            slow: self.optimiser.rule == Rule::Ranger,
            ema: self.ema.is_some(),
            quantisation_aware: self.quantisation_aware,
            batch: self.course.batch,
        }
    }

    /// The loss function.
    pub fn loss(&self) -> Loss {
        self.loss.unwrap_or(match self.net.shape {
            ShapeName::Simple => Loss::PLAIN,
            ShapeName::Sfnn => Loss::WIDE,
        })
    }
}
