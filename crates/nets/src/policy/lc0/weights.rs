//! The layers of a net of lc0: read from its file, and made into a net for inference.

use super::coding::Lc0Coding;
use super::error::Lc0Error;
use super::protobuf::Fields;
use super::{GZIP, PLAIN};
use crate::kernels::BatchNorm;
use crate::policy::resnet::ValueKind;
use crate::policy::resnet::dense::{Dense, by_square};
use crate::policy::resnet::network::{Coding, NORM_EPSILON, Network, PolicyHead, ValueHead};
use crate::policy::resnet::tower::{Block, Layer, SqueezeExcitation, Tower};
use flate2::read::GzDecoder;
use std::fmt;
use std::io::Read;

/// The most bytes of an unpacked net of this kind; a larger one must be something else.
const MOST_BYTES: u64 = 1 << 29;
/// How many planes of moves the policy must have at least.
const MOVE_PLANES: usize = crate::policy::moves::MOVE_PLANES;

/// A convolution into which its batch norm was folded.
#[derive(Clone, Debug)]
struct Convolved {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// A linear layer.
#[derive(Clone, Debug)]
struct Linear {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

#[derive(Clone, Debug)]
struct Residual {
    first: Convolved,
    second: Convolved,
    squeeze: Option<[Linear; 2]>,
}

/// A net of lc0.
#[derive(Clone, Debug)]
pub struct Lc0Weights {
    stem: Convolved,
    blocks: Vec<Residual>,
    policy: [Convolved; 2],
    value: Convolved,
    value_layers: [Linear; 2],
    value_kind: ValueKind,
}

impl Lc0Weights {
    /// Reads a file, which may be compressed with gzip.
    ///
    /// # Errors
    /// If it is not a net with the architecture of Maia.
    pub fn read(bytes: &[u8]) -> Result<Lc0Weights, Lc0Error> {
        let mut unpacked = Vec::new();
        if bytes.starts_with(GZIP) {
            let decoder = GzDecoder::new(bytes);
            let length = decoder
                .take(MOST_BYTES + 1)
                .read_to_end(&mut unpacked)
                .map_err(|error| Lc0Error::Gzip(error.to_string()))?;
            if length as u64 > MOST_BYTES {
                return Err(Lc0Error::Gzip(format!(
                    "it holds more than {MOST_BYTES} bytes"
                )));
            }
        } else {
            unpacked.extend_from_slice(bytes);
        }
        if !unpacked.starts_with(PLAIN) {
            return Err(Lc0Error::Foreign(
                "it does not begin with lc0's magic number",
            ));
        }
        let value_kind = check_format(&unpacked)?;
        let weights = Fields::bytes(&unpacked, 10)?.ok_or(Lc0Error::Missing("weights"))?;
        Lc0Weights::from_message(weights, value_kind)
    }

    fn from_message(message: &[u8], value_kind: ValueKind) -> Result<Lc0Weights, Lc0Error> {
        let part = |number, what| Fields::bytes(message, number)?.ok_or(Lc0Error::Missing(what));
        let stem = Convolved::read(part(1, "input convolution")?, Lc0Coding::PLANES, 9)?;
        let channels = stem.bias.len();
        let convolved = |message, size| Convolved::read(message, channels, size);
        let blocks = Fields::all(message, 2)?
            .into_iter()
            .map(|block| Residual::read(block, channels))
            .collect::<Result<_, _>>()?;
        let first = convolved(part(11, "policy convolution")?, 9)?;
        let planes = Convolved::read(part(3, "policy")?, first.bias.len(), 9)?;
        if planes.bias.len() < MOVE_PLANES {
            return Err(Lc0Error::Length {
                what: "policy planes",
                found: planes.bias.len(),
                expected: MOVE_PLANES,
            });
        }
        let value = convolved(part(6, "value convolution")?, 1)?;
        let linear = |numbers: [u64; 2], what, inputs, outputs| {
            let [weights, bias] = numbers.map(|number| part(number, what));
            Linear::read(weights?, bias?, inputs, outputs, what)
        };
        let hidden = linear([7, 8], "value layer", 64 * value.bias.len(), None)?;
        let outputs = Some(value_kind.outputs());
        let output = linear([9, 10], "value output", hidden.bias.len(), outputs)?;
        Ok(Lc0Weights {
            stem,
            blocks,
            policy: [first, planes],
            value,
            value_layers: [hidden, output],
            value_kind,
        })
    }

    /// The kernels of the first convolution: `[channel][plane][rank][file]`.
    pub(crate) fn stem(&self) -> &[f32] {
        &self.stem.weights
    }

    /// The weights by which the value head reads the squares: `[neuron][channel][square]`.
    pub(crate) fn value_rows(&self) -> &[f32] {
        &self.value_layers[0].weights
    }

    /// All weight matrices with their names.
    pub(crate) fn matrices(&self) -> Vec<(String, &[f32])> {
        let mut matrices = vec![("stem".to_owned(), self.stem())];
        for (number, block) in self.blocks.iter().enumerate() {
            for (part, layer) in [("first", &block.first), ("second", &block.second)] {
                matrices.push((format!("blocks.{number}.{part}"), &layer.weights[..]));
            }
        }
        let [hidden, output] = &self.value_layers;
        let heads = [
            ("policy.first", &self.policy[0].weights),
            ("policy.planes", &self.policy[1].weights),
            ("value", &self.value.weights),
            ("value.hidden", &hidden.weights),
            ("value.output", &output.weights),
        ];
        matrices.extend(heads.map(|(name, weights)| (name.to_owned(), &weights[..])));
        matrices
    }

    /// The net for inference.
    pub(crate) fn network(&self) -> Result<Network, Lc0Error> {
        let block = |residual: &Residual| Block {
            first: residual.first.layer(),
            second: residual.second.layer(),
            squeeze: residual
                .squeeze
                .as_ref()
                .map(|[hidden, output]| SqueezeExcitation {
                    hidden: hidden.dense(),
                    output: output.dense(),
                }),
        };
        let tower = Tower {
            stem: self.stem.layer(),
            blocks: self.blocks.iter().map(block).collect(),
        };
        let [first, second] = &self.policy;
        let policy = PolicyHead::Planes {
            first: first.layer(),
            second: second.layer(),
        };
        let [hidden, output] = &self.value_layers;
        let turned = by_square(&hidden.weights, self.value.bias.len());
        let value = ValueHead {
            squeeze: Dense::new(&self.value.weights, self.value.bias.clone()),
            hidden: Dense::new(&turned, hidden.bias.clone()),
            output: output.dense(),
            kind: self.value_kind,
        };
        Ok(Network::new(Coding::Lc0(Lc0Coding), tower, policy, value))
    }
}

/// A description such as `lc0 ResNet 64x6 with squeeze-excitation, win-draw-loss`.
impl fmt::Display for Lc0Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squeezed = self.blocks.iter().any(|block| block.squeeze.is_some());
        write!(
            f,
            "lc0 ResNet {}x{}{}, {} planes, policy planes, {}",
            self.stem.bias.len(),
            self.blocks.len(),
            if squeezed {
                " with squeeze-excitation"
            } else {
                ""
            },
            Lc0Coding::PLANES,
            match self.value_kind {
                ValueKind::Wdl => "win-draw-loss",
                ValueKind::Tanh => "tanh",
            }
        )
    }
}

/// Refuses other architectures; returns the kind of value head.
fn check_format(net: &[u8]) -> Result<ValueKind, Lc0Error> {
    let format = Fields::bytes(net, 4)?.unwrap_or_default();
    let network = Fields::bytes(format, 2)?.unwrap_or_default();
    let number = |at| Fields::number(network, at).map(|number| number.unwrap_or(0));
    for (what, at, known) in [
        ("input format", 1, &[0, 1][..]),
        ("network structure", 3, &[0, 1, 2, 3, 4][..]),
        ("policy format", 4, &[2][..]),
    ] {
        let found = number(at)?;
        if !known.contains(&found) {
            return Err(Lc0Error::Kind { what, found });
        }
    }
    match number(5)? {
        0 | 1 => Ok(ValueKind::Tanh),
        2 => Ok(ValueKind::Wdl),
        found => Err(Lc0Error::Kind {
            what: "value format",
            found,
        }),
    }
}

impl Residual {
    fn read(message: &[u8], channels: usize) -> Result<Residual, Lc0Error> {
        let convolution = |number| {
            let message = Fields::bytes(message, number)?;
            let message = message.ok_or(Lc0Error::Missing("convolution of a block"))?;
            Convolved::read(message, channels, 9)
        };
        let squeeze = match Fields::bytes(message, 3)? {
            None => None,
            Some(message) => Some(squeeze(message, channels)?),
        };
        let (first, second) = (convolution(1)?, convolution(2)?);
        for layer in [&first, &second] {
            check_length("channels of a block", layer.bias.len(), channels)?;
        }
        Ok(Residual {
            first,
            second,
            squeeze,
        })
    }
}

fn squeeze(message: &[u8], channels: usize) -> Result<[Linear; 2], Lc0Error> {
    let what = "squeeze-excitation";
    let part = |number| Fields::bytes(message, number)?.ok_or(Lc0Error::Missing(what));
    let hidden = Linear::read(part(1)?, part(2)?, channels, None, what)?;
    let outputs = Some(2 * channels);
    let output = Linear::read(part(3)?, part(4)?, hidden.bias.len(), outputs, what)?;
    Ok([hidden, output])
}

impl Convolved {
    /// Reads weights `[output][input][..]`; `size` is the number of weights in a kernel.
    fn read(message: &[u8], inputs: usize, size: usize) -> Result<Convolved, Lc0Error> {
        let what = "weights of a convolution";
        let part = |number| Fields::bytes(message, number)?.map(values).transpose();
        let mut weights = part(1)?.ok_or(Lc0Error::Missing(what))?;
        let fan_in = inputs * size;
        let outputs = weights.len() / fan_in;
        check_length(what, weights.len(), (outputs * fan_in).max(fan_in))?;
        let filled = |values: Option<Vec<f32>>, value: f32| {
            let values = values.unwrap_or_else(|| vec![value; outputs]);
            check_length("values of a convolution", values.len(), outputs)?;
            Ok(values)
        };
        let mut bias = filled(part(2)?, 0.0)?;
        if let Some(mean) = part(3)? {
            // The file format calls them standard deviations, but they are variances.
            let variance = filled(part(4)?, 1.0)?;
            BatchNorm {
                mean: &filled(Some(mean), 0.0)?,
                variance: &variance,
                gain: &filled(part(5)?, 1.0)?,
                offset: &filled(part(6)?, 0.0)?,
                epsilon: NORM_EPSILON,
            }
            .fold(&mut weights, &mut bias);
        }
        match weights.iter().chain(&bias).all(|value| value.is_finite()) {
            true => Ok(Convolved { weights, bias }),
            false => Err(Lc0Error::NotANumber(what)),
        }
    }

    fn layer(&self) -> Layer {
        Layer::new(&self.weights, self.bias.clone())
    }
}

impl Linear {
    fn read(
        weights: &[u8],
        bias: &[u8],
        inputs: usize,
        outputs: Option<usize>,
        what: &'static str,
    ) -> Result<Linear, Lc0Error> {
        let (weights, bias) = (values(weights)?, values(bias)?);
        check_length(what, bias.len(), outputs.unwrap_or(bias.len().max(1)))?;
        check_length(what, weights.len(), inputs * bias.len())?;
        match weights.iter().chain(&bias).all(|value| value.is_finite()) {
            true => Ok(Linear { weights, bias }),
            false => Err(Lc0Error::NotANumber(what)),
        }
    }

    fn dense(&self) -> Dense {
        Dense::new(&self.weights, self.bias.clone())
    }
}

fn check_length(what: &'static str, found: usize, expected: usize) -> Result<(), Lc0Error> {
    match found == expected {
        true => Ok(()),
        false => Err(Lc0Error::Length {
            what,
            found,
            expected,
        }),
    }
}

/// Decodes the values of a layer: 16-bit steps between the smallest and the largest.
fn values(layer: &[u8]) -> Result<Vec<f32>, Lc0Error> {
    const LINEAR_16: u64 = 1;
    match Fields::number(layer, 4)? {
        None | Some(0 | LINEAR_16) => {}
        Some(found) => {
            return Err(Lc0Error::Kind {
                what: "encoding of weights",
                found,
            });
        }
    }
    let bound = |number| -> Result<f64, Lc0Error> {
        let bits = Fields::number(layer, number)?.unwrap_or(0);
        Ok(f64::from(f32::from_bits(bits as u32)))
    };
    let (least, most) = (bound(1)?, bound(2)?);
    let bytes = Fields::bytes(layer, 3)?.ok_or(Lc0Error::Missing("values of a layer"))?;
    let (steps, _) = bytes.as_chunks::<2>();
    let value = |&step: &[u8; 2]| {
        let share = f64::from(u16::from_le_bytes(step)) / f64::from(u16::MAX);
        (least * (1.0 - share) + most * share) as f32
    };
    Ok(steps.iter().map(value).collect())
}
