//! The file that says what is trained, on what, and how.

use super::loss::Loss;
use super::net::TraineeShape;
use super::optimiser::{Optimiser, Rule};
use super::schedule::{Changing, Schedule};
use super::simple::Keeping;
use crate::Kind;
use crate::sources::{self, Wanted};
use data::filter::Filters;
use nets::nnue::{Activation, Inputs, SfnnShape, SimpleScales, SimpleShape};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// A training of a net.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// That a net is trained; files may say so.
    #[serde(default, skip_serializing)]
    pub kind: Kind,
    /// What kind of net.
    #[serde(default)]
    pub net: NetSettings,
    /// The net to begin with; without it, random weights.
    #[serde(default)]
    pub start: Option<PathBuf>,
    /// The binpack files to learn from.
    pub data: Vec<PathBuf>,
    /// Files to judge by; without them some games of the data are held out.
    #[serde(default)]
    pub validation: Vec<PathBuf>,
    /// The share of games that are held out if there are no files to judge by.
    #[serde(default = "default_share")]
    pub validation_share: f64,
    /// The most positions to judge by.
    #[serde(default = "default_validation_positions")]
    pub validation_positions: usize,
    /// Which positions are left out, as `tabia data filter` names them.
    #[serde(default)]
    pub filters: Vec<String>,
    /// Whether scores and results are written from White's view.
    #[serde(default)]
    pub white_labels: bool,
    /// Positions of a step.
    #[serde(default = "default_batch")]
    pub batch: usize,
    /// How many epochs.
    #[serde(default = "default_epochs")]
    pub epochs: u64,
    /// Positions of an epoch; without it, all of the data once.
    #[serde(default)]
    pub epoch_positions: Option<u64>,
    /// How far weights move with a step.
    #[serde(default = "default_rate")]
    pub rate: Schedule,
    /// The share of the score in what is learned; the rest is the result.
    #[serde(default = "default_lambda")]
    pub lambda: Schedule,
    /// How errors count; without it, as usual for the shape.
    #[serde(default)]
    pub loss: Option<Loss>,
    /// How gradients change weights.
    #[serde(default)]
    pub optimiser: Optimiser,
    /// How slowly an average of the weights forgets, such as 0.999; without it
    /// none is kept, and the last weights are the result.
    #[serde(default)]
    pub average: Option<f32>,
    /// Whether weights are rounded as in the file, on the way forward.
    #[serde(default)]
    pub rounded: bool,
    /// Decides first weights and the order of positions.
    #[serde(default)]
    pub seed: u64,
    /// Steps between checkpoints.
    #[serde(default = "default_checkpoint_steps")]
    pub checkpoint_steps: u64,
}

/// The shape of a net.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetSettings {
    /// Tabia's own shape, or Stockfish's.
    pub shape: ShapeName,
    /// Values of each side's accumulator.
    pub hidden: usize,
    /// What becomes of them, in a simple net.
    pub activation: Activation,
    /// Outputs by the number of men, in a simple net.
    pub output_buckets: usize,
    /// The bucket of each square of the own king from a1 to h8, in a simple net.
    pub king_buckets: Vec<u8>,
    /// Whether kings on the files a to d are mirrored, in a simple net.
    pub mirrored: bool,
    /// Whether king buckets share a part of their weights while they learn.
    pub factored: bool,
    /// Whether buckets of the number of men share a part of the weights of the
    /// first layer that they have.
    pub shared: bool,
}

/// The shapes by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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

pub(crate) fn default_share() -> f64 {
    0.02
}

pub(crate) fn default_validation_positions() -> usize {
    100_000
}

pub(crate) fn default_batch() -> usize {
    16_384
}

pub(crate) fn default_epochs() -> u64 {
    10
}

pub(crate) fn default_checkpoint_steps() -> u64 {
    500
}

fn default_rate() -> Schedule {
    Schedule::Changing(Changing::Cosine {
        from: 1e-3,
        to: 1e-5,
    })
}

pub(crate) fn default_lambda() -> Schedule {
    Schedule::Constant(0.7)
}

/// What is wrong with settings that can be read.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{key}: {problem}")]
pub struct WrongSetting {
    /// The key.
    pub key: &'static str,
    /// What is wrong, and what would be right.
    pub problem: String,
}

pub(crate) fn wrong(key: &'static str, problem: impl Into<String>) -> WrongSetting {
    WrongSetting {
        key,
        problem: problem.into(),
    }
}

/// What the settings of any training say of its course.
pub(crate) struct Course<'a> {
    pub(crate) data: &'a [PathBuf],
    pub(crate) batch: usize,
    pub(crate) epochs: u64,
    pub(crate) epoch_positions: Option<u64>,
    pub(crate) checkpoint_steps: u64,
    pub(crate) validation_share: f64,
}

/// Checks what the format cannot.
pub(crate) fn check_course(course: &Course<'_>) -> Result<(), WrongSetting> {
    if course.data.is_empty() {
        return Err(wrong("data", "name at least one binpack file"));
    }
    if !(1..=1 << 20).contains(&course.batch) {
        return Err(wrong("batch", "must lie from 1 to 1,048,576"));
    }
    if course.epochs == 0 {
        return Err(wrong("epochs", "must be at least 1"));
    }
    if course.epoch_positions == Some(0) {
        return Err(wrong("epoch_positions", "must be at least 1"));
    }
    if course.checkpoint_steps == 0 {
        return Err(wrong("checkpoint_steps", "must be at least 1"));
    }
    if !(0.0..0.5).contains(&course.validation_share) {
        return Err(wrong("validation_share", "must lie from 0 to below 0.5"));
    }
    Ok(())
}

impl Settings {
    /// Checks what the format cannot.
    ///
    /// # Errors
    /// The first key with a value that makes no sense.
    pub fn check(&self) -> Result<(), WrongSetting> {
        self.shape()?;
        self.filters()?;
        check_course(&Course {
            data: &self.data,
            batch: self.batch,
            epochs: self.epochs,
            epoch_positions: self.epoch_positions,
            checkpoint_steps: self.checkpoint_steps,
            validation_share: self.validation_share,
        })?;
        if self
            .average
            .is_some_and(|decay| !(0.0..1.0).contains(&decay))
        {
            return Err(wrong(
                "average",
                "must lie from 0 to below 1, such as 0.999",
            ));
        }
        Ok(())
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
                    wrong("net.hidden", format!("{} is none of {widths}", net.hidden))
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

    /// The filters.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn filters(&self) -> Result<Filters, WrongSetting> {
        sources::filters(&self.filters).map_err(|error| wrong("filters", error))
    }

    /// Where the positions come from.
    pub(crate) fn wanted(&self) -> Result<Wanted<'_>, WrongSetting> {
        Ok(Wanted {
            data: &self.data,
            validation: &self.validation,
            validation_share: self.validation_share,
            batch: self.batch,
            seed: self.seed,
            filters: self.filters()?,
            white_labels: self.white_labels,
        })
    }

    /// What the net keeps while it learns.
    pub(crate) fn keeping(&self) -> Keeping {
        Keeping {
            factored: self.net.factored,
            shared: self.net.shared,
            slow: self.optimiser.rule == Rule::Ranger,
            average: self.average.is_some(),
            rounded: self.rounded,
            batch: self.batch,
        }
    }

    /// How errors count.
    pub fn loss(&self) -> Loss {
        self.loss.unwrap_or(match self.net.shape {
            ShapeName::Simple => Loss::PLAIN,
            ShapeName::Sfnn => Loss::WIDE,
        })
    }

    /// A text that only the same settings have.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// How two texts of settings differ.
pub(crate) fn differences(old: &str, new: &str) -> String {
    let [old, new] = [old, new].map(serde_json::from_str);
    let [old, new] = [old, new].map(Result::unwrap_or_default);
    let mut list = Vec::new();
    compare("", &old, &new, &mut list);
    list.join("; ")
}

/// Lists the keys whose values differ.
fn compare(key: &str, old: &Value, new: &Value, list: &mut Vec<String>) {
    match (old, new) {
        // A schedule is one value.
        (Value::Object(old), Value::Object(new)) if key.is_empty() || !new.contains_key("kind") => {
            let keys = old
                .keys()
                .chain(new.keys().filter(|&key| !old.contains_key(key)));
            for name in keys {
                let [old, new] = [old, new].map(|table| table.get(name).unwrap_or(&Value::Null));
                let key = match key {
                    "" => name.clone(),
                    key => format!("{key}.{name}"),
                };
                compare(&key, old, new, list);
            }
        }
        _ if old == new => {}
        _ => list.push(format!("{key} was {} and is {}", said(old), said(new))),
    }
}

fn said(value: &Value) -> String {
    match value {
        Value::Null => "not said".to_owned(),
        value => value.to_string(),
    }
}
