//! Statistics of a net: the ranges of its weights, and the activity of its neurons in
//! positions of random games.

use super::file::Net;
use super::fresh::{self, Fresh};
use super::network::Network;
use super::random::Random;
use super::shape::{Activation, Layer, SfnnShape};
use super::simd::Kernels;
use super::transformer::Transformer;
use chess::{Board, Color};

/// Statistics of a net.
#[derive(Clone, PartialEq, Debug)]
pub struct Statistics {
    /// Its layers in order; a layer's weights from all stacks together.
    pub layers: Vec<LayerStatistics>,
    /// The activations of its first layer.
    pub neurons: NeuronStatistics,
}

/// The weights of a layer.
#[derive(Clone, PartialEq, Debug)]
pub struct LayerStatistics {
    /// Its name.
    pub name: &'static str,
    /// How many weights it has.
    pub count: usize,
    /// The smallest and the largest weight.
    pub weights: [i32; 2],
    /// The mean of their absolute values.
    pub mean_magnitude: f64,
    /// The share of weights that are 0.
    pub zero_share: f64,
    /// The share of weights at the largest absolute value that a file can hold.
    pub saturated_share: f64,
    /// The smallest and the largest bias, if the layer has biases.
    pub biases: Option<[i32; 2]>,
}

/// The outputs of the first layer's activation, in positions of random games.
#[derive(Clone, PartialEq, Debug)]
pub struct NeuronStatistics {
    /// How many outputs each side has.
    pub count: usize,
    /// How many are dead: never above 0.
    pub dead: usize,
    /// The share of outputs above 0.
    pub active_share: f64,
    /// The share of accumulated values that are clipped at the top.
    pub saturated_share: f64,
    /// How many positions were evaluated.
    pub positions: usize,
}

impl Net {
    /// Computes the statistics from all weights and a few hundred positions.
    pub fn statistics(&self) -> Statistics {
        let mut layers = Vec::new();
        match self {
            Net::Sfnn(net) => {
                let weights = net.weights();
                let shape = weights.shape();
                layers.push(first_layer(shape.transformer(), &weights.transformer));
                let psqt = weights.transformer.psqt.iter().copied();
                layers.push(LayerStatistics::new(shape.psqt(), psqt, None));
                for (index, layer) in shape.stack().into_iter().enumerate() {
                    let stacks = || weights.stacks.iter().map(|stack| &stack.layers[index]);
                    let values = stacks().flat_map(|affine| &affine.weights);
                    let biases = stacks().flat_map(|affine| &affine.biases).copied();
                    let biases = range(biases);
                    let values = values.map(|&weight| i32::from(weight));
                    layers.push(LayerStatistics::new(layer, values, Some(biases)));
                }
            }
            Net::Simple(net) => {
                let weights = net.weights();
                let shape = weights.shape();
                layers.push(first_layer(shape.transformer(), &weights.transformer));
                let values = weights
                    .output_weights
                    .iter()
                    .map(|&weight| i32::from(weight));
                let biases = range(weights.output_biases.iter().copied());
                layers.push(LayerStatistics::new(shape.output(), values, Some(biases)));
            }
        }
        let neurons = match self {
            Net::Sfnn(net) => neurons(
                net.transformer(),
                Activation::Pairwise,
                SfnnShape::ONE as i16,
            ),
            Net::Simple(net) => {
                let shape = net.weights().shape();
                neurons(net.transformer(), shape.activation, shape.scales.one as i16)
            }
        };
        Statistics { layers, neurons }
    }
}

fn first_layer(layer: Layer, transformer: &Transformer) -> LayerStatistics {
    let weights = transformer.weights.iter().map(|&weight| i32::from(weight));
    let biases = range(transformer.biases.iter().map(|&bias| i32::from(bias)));
    LayerStatistics::new(layer, weights, Some(biases))
}

fn range(values: impl Iterator<Item = i32>) -> [i32; 2] {
    let ends = values.fold(None, |ends: Option<[i32; 2]>, value| {
        let [least, most] = ends.unwrap_or([value, value]);
        Some([least.min(value), most.max(value)])
    });
    ends.unwrap_or_default()
}

impl LayerStatistics {
    fn new(
        layer: Layer,
        weights: impl Iterator<Item = i32> + Clone,
        biases: Option<[i32; 2]>,
    ) -> LayerStatistics {
        let mut count = 0;
        let mut magnitude = 0.0;
        let [mut zeros, mut saturated] = [0; 2];
        for weight in weights.clone() {
            count += 1;
            magnitude += f64::from(weight).abs();
            zeros += usize::from(weight == 0);
            saturated += usize::from(weight.unsigned_abs() >= layer.largest_weight as u32);
        }
        let share = |part: usize| part as f64 / count.max(1) as f64;
        LayerStatistics {
            name: layer.name,
            count,
            weights: range(weights),
            mean_magnitude: magnitude / count.max(1) as f64,
            zero_share: share(zeros),
            saturated_share: share(saturated),
            biases,
        }
    }
}

const GAMES: u64 = 16;
const PLIES: usize = 120;
/// Only every so many positions of a game are taken: neighbours are too similar.
const STEP: usize = 3;

/// Positions of random games, always the same.
fn sample() -> Vec<Board> {
    let mut boards = Vec::new();
    for game in 0..GAMES {
        let mut random = Random::new(game);
        let mut board = Board::start();
        for ply in 0..PLIES {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.make(moves[(random.number() % moves.len() as u64) as usize]);
            if ply % STEP == 0 {
                boards.push(board);
            }
        }
    }
    boards
}

fn neurons(transformer: &Transformer, activation: Activation, one: i16) -> NeuronStatistics {
    let boards = sample();
    let mut activity = Activity::new(transformer.width(), activation, one);
    for board in &boards {
        let fresh = Fresh::new(transformer, Kernels::best(), &fresh::men(board));
        let sums = fresh.seen_by(Color::White);
        activity.see(sums.own);
        activity.see(sums.other);
    }
    activity.statistics(boards.len())
}

/// How often neurons were seen above 0.
struct Activity {
    activation: Activation,
    /// From which value on they are clipped.
    one: i16,
    width: usize,
    times: Vec<u32>,
    saturated: usize,
    views: usize,
}

impl Activity {
    fn new(width: usize, activation: Activation, one: i16) -> Activity {
        Activity {
            activation,
            one,
            width,
            times: vec![0; activation.outputs(width)],
            saturated: 0,
            views: 0,
        }
    }

    /// Looks at all values of a view of a position.
    fn see(&mut self, side: &[i16]) {
        let count = self.times.len();
        self.views += 1;
        self.saturated += side.iter().filter(|&&value| value >= self.one).count();
        for (index, times) in self.times.iter_mut().enumerate() {
            let is_active = match self.activation {
                Activation::Crelu | Activation::Screlu => side[index] > 0,
                Activation::Pairwise => side[index] > 0 && side[count + index] > 0,
            };
            *times += u32::from(is_active);
        }
    }

    fn statistics(&self, positions: usize) -> NeuronStatistics {
        let count = self.times.len();
        let active: u32 = self.times.iter().sum();
        NeuronStatistics {
            count,
            dead: self.times.iter().filter(|&&times| times == 0).count(),
            active_share: f64::from(active) / (self.views * count) as f64,
            saturated_share: self.saturated as f64 / (self.views * self.width) as f64,
            positions,
        }
    }
}

/// The neurons of the hidden layer of a policy; `see` shows its values in a position.
pub(crate) fn neurons_of_policy(
    width: usize,
    one: i16,
    mut see: impl FnMut(&Board, &mut dyn FnMut(&[i16])),
) -> NeuronStatistics {
    let boards = sample();
    let mut activity = Activity::new(width, Activation::Pairwise, one);
    for board in &boards {
        see(board, &mut |hidden| activity.see(hidden));
    }
    activity.statistics(boards.len())
}
