//! The shape of a ResNet with a policy and a value, and the list of its tensors.
//!
//! Names and layouts of tensors are those of PyTorch, so that files can be exchanged with
//! it: `[output][input]`, kernels as `[rank][file]`, and planes before squares where a head
//! flattens them.

use crate::policy::moves::MoveIndex;
use crate::policy::planes::Planes;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The largest sizes: larger nets are too slow on a CPU.
const MOST_CHANNELS: usize = 512;
const MOST_BLOCKS: usize = 40;
const MOST_HEAD_CHANNELS: usize = 128;
const MOST_VALUE_HIDDEN: usize = 1_024;

/// The architecture of a ResNet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "resnet-net")]
pub struct ResNetShape {
    /// The input planes.
    pub planes: Planes,
    /// Channels of the trunk.
    #[schemars(range(min = 1, max = MOST_CHANNELS))]
    pub channels: usize,
    /// Residual blocks of two convolutions each.
    #[schemars(range(min = 1, max = MOST_BLOCKS))]
    pub blocks: usize,
    /// The move encoding of the policy.
    pub moves: MoveIndex,
    /// How the logits of moves are computed.
    pub policy: PolicyKind,
    /// The kind of value output.
    pub value: ValueKind,
    /// Channels of the heads.
    #[schemars(range(min = 1, max = MOST_HEAD_CHANNELS))]
    pub head_channels: usize,
    /// Neurons of the hidden layer of the value head.
    #[schemars(range(min = 1, max = MOST_VALUE_HIDDEN))]
    pub value_hidden: usize,
}

/// The policy heads.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum PolicyKind {
    /// One logit per move.
    #[default]
    Flat,
    /// The sum of a logit for the origin square and one for the direction from there.
    Factored,
}

/// The value heads.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// The probabilities of win, draw and loss.
    #[default]
    Wdl,
    /// A number from -1 to 1.
    Tanh,
}

impl ValueKind {
    /// How many outputs the head has.
    pub fn outputs(self) -> usize {
        match self {
            ValueKind::Wdl => 3,
            ValueKind::Tanh => 1,
        }
    }
}

impl Default for ResNetShape {
    /// A shape that suits a CPU.
    fn default() -> ResNetShape {
        ResNetShape {
            planes: Planes::default(),
            channels: 32,
            blocks: 4,
            moves: MoveIndex::default(),
            policy: PolicyKind::default(),
            value: ValueKind::default(),
            head_channels: 16,
            value_hidden: 128,
        }
    }
}

/// What a tensor is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorKind {
    /// The weights of a convolution.
    Convolution,
    /// The weights of a linear layer.
    Linear,
    /// Its biases.
    Bias,
    /// The gain of a batch normalisation.
    Gain,
    /// Its offset.
    Offset,
    /// The running means of its inputs.
    Mean,
    /// Their running variances.
    Variance,
}

/// The name, the kind and the dimensions of a tensor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TensorShape {
    /// Its name in PyTorch.
    pub name: String,
    /// What it is.
    pub kind: TensorKind,
    /// The length of each axis.
    pub lengths: Vec<usize>,
}

impl TensorShape {
    /// How many values it has.
    pub fn count(&self) -> usize {
        self.lengths.iter().product()
    }

    /// How many inputs one output has.
    pub fn fan_in(&self) -> usize {
        self.lengths[1..].iter().product()
    }
}

impl ResNetShape {
    /// The published shape: 64 channels, 6 blocks, 18 planes of White's view, a scalar value.
    pub fn published() -> ResNetShape {
        ResNetShape {
            planes: Planes::PUBLISHED,
            channels: 64,
            blocks: 6,
            value: ValueKind::Tanh,
            ..ResNetShape::default()
        }
    }

    /// How many values a head has after its 1x1 convolution.
    pub fn features(&self) -> usize {
        64 * self.head_channels
    }

    /// Checks all sizes.
    ///
    /// # Errors
    /// What is wrong, in words with the key.
    pub fn check(&self) -> Result<(), String> {
        for (key, value, most) in [
            ("channels", self.channels, MOST_CHANNELS),
            ("blocks", self.blocks, MOST_BLOCKS),
            ("head_channels", self.head_channels, MOST_HEAD_CHANNELS),
            ("value_hidden", self.value_hidden, MOST_VALUE_HIDDEN),
        ] {
            if !(1..=most).contains(&value) {
                return Err(format!("{key} is {value}, but must be from 1 to {most}"));
            }
        }
        match self.planes.is_sensible() {
            true => Ok(()),
            false => Err("planes.history is larger than 16".to_owned()),
        }
    }

    /// All tensors in the order of the file.
    pub fn tensors(&self) -> Vec<TensorShape> {
        let mut list = Vec::new();
        let mut add = |name: String, kind, lengths: &[usize]| {
            list.push(TensorShape {
                name,
                kind,
                lengths: lengths.to_vec(),
            });
        };
        let mut layer = |name: &str, outputs: usize, inputs: usize, size: usize| {
            let lengths = [outputs, inputs, size, size];
            add(
                format!("{name}.convolution.weight"),
                TensorKind::Convolution,
                &lengths,
            );
            for (part, kind) in [
                ("weight", TensorKind::Gain),
                ("bias", TensorKind::Offset),
                ("running_mean", TensorKind::Mean),
                ("running_var", TensorKind::Variance),
            ] {
                add(format!("{name}.norm.{part}"), kind, &[outputs]);
            }
        };
        let (channels, squeezed) = (self.channels, self.head_channels);
        layer("stem", channels, self.planes.count(), 3);
        for block in 0..self.blocks {
            for part in ["first", "second"] {
                layer(&format!("blocks.{block}.{part}"), channels, channels, 3);
            }
        }
        layer("policy", squeezed, channels, 1);
        layer("value", squeezed, channels, 1);
        let mut linear = |name: &str, outputs: usize, inputs: usize| {
            add(
                format!("{name}.weight"),
                TensorKind::Linear,
                &[outputs, inputs],
            );
            add(format!("{name}.bias"), TensorKind::Bias, &[outputs]);
        };
        if self.policy == PolicyKind::Factored {
            linear("policy.origin", 64, self.features());
        }
        linear("policy.moves", self.moves.count(), self.features());
        linear("value.hidden", self.value_hidden, self.features());
        linear("value.output", self.value.outputs(), self.value_hidden);
        list
    }

    /// How many parameters are trained.
    pub fn parameters(&self) -> usize {
        let learned =
            |it: &&TensorShape| !matches!(it.kind, TensorKind::Mean | TensorKind::Variance);
        let tensors = self.tensors();
        tensors.iter().filter(learned).map(TensorShape::count).sum()
    }
}

/// A description such as `ResNet 64x6, 18 planes of White, 4096 moves, flat, tanh`.
impl fmt::Display for ResNetShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policy = match self.policy {
            PolicyKind::Flat => "flat",
            PolicyKind::Factored => "factored",
        };
        let value = match self.value {
            ValueKind::Wdl => "win-draw-loss",
            ValueKind::Tanh => "tanh",
        };
        write!(
            f,
            "ResNet {}x{}, {}, {} moves, {policy}, {value}",
            self.channels,
            self.blocks,
            self.planes,
            self.moves.count()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_net_has_its_parameters() {
        let shape = ResNetShape::published();
        // 3x3: 18 to 64 and 12 times 64 to 64; 1x1: twice 64 to 16; their norms;
        // 1024 to 4096, 1024 to 128, 128 to 1.
        let convolutions = 9 * 64 * (18 + 12 * 64) + 2 * 16 * 64;
        let norms = 2 * (13 * 64 + 2 * 16);
        let linear = 1_025 * 4_096 + 1_025 * 128 + 129;
        assert_eq!(shape.parameters(), convolutions + norms + linear);
        assert_eq!(
            shape.to_string(),
            "ResNet 64x6, 18 planes of White, 4096 moves, flat, tanh"
        );
        assert_eq!(shape.check(), Ok(()));
        let none = ResNetShape { blocks: 0, ..shape };
        let told = "blocks is 0, but must be from 1 to 40";
        assert_eq!(none.check().expect_err("no blocks"), told);
    }
}
