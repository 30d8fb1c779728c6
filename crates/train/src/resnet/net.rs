//! A ResNet in training: the forward pass to the losses, and the backward pass to the gradients.

use super::batch::Batch;
use super::group::{BOARDS, Group};
use super::settings::PolicyLoss;
use crate::float::{
    Change, Convolutional, Linear, Norm, Parameter, RowUses, Rows, ScalarLoss, change, mean_factor,
};
use nets::kernels::{Kernels, SQUARES};
use nets::policy::resnet::{PolicyKind, ResNetShape, ResNetWeights, ValueKind};
use rayon::prelude::*;

/// A convolution and the batch norm after it.
pub(super) type Layer = (Convolutional, Norm);

/// The net with the optimiser state of its parameters.
#[derive(Debug)]
pub(crate) struct Net {
    shape: ResNetShape,
    /// The stem, and two convolutions of each block.
    pub(super) trunk: Vec<Layer>,
    pub(super) policy: Layer,
    pub(super) value: Layer,
    /// The logits of origins, if the policy is factored.
    pub(super) origins: Option<Rows>,
    pub(super) moves: Rows,
    pub(super) hidden: Linear,
    pub(super) output: Linear,
}

/// The losses of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub(crate) value: ValueKind,
    /// The moves over which the policy softmax is taken.
    pub(crate) policy: PolicyLoss,
    /// The loss of a value from -1 to 1.
    pub(crate) scalar: ScalarLoss,
    pub(crate) huber_delta: f32,
    /// The factors of the gradients of policies and of values.
    pub(crate) of_moves: f32,
    pub(crate) of_values: f32,
}

impl Goal {
    /// The loss of an error of a value from -1 to 1, and its derivative.
    pub(crate) fn error(&self, error: f32) -> (f64, f32) {
        self.scalar.of(error, self.huber_delta)
    }
}

/// The mean losses of a step.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Losses {
    pub(crate) moves: f64,
    pub(crate) values: f64,
}

/// The working memory for all boards of a step.
pub(crate) struct Trainer {
    kernels: &'static Kernels,
    groups: Vec<Group>,
    uses: RowUses,
    origin_uses: RowUses,
}

impl Default for Trainer {
    fn default() -> Trainer {
        Trainer::with_kernels(Kernels::best())
    }
}

impl Trainer {
    /// With chosen kernels, which the CPU must support.
    pub(crate) fn with_kernels(kernels: &'static Kernels) -> Trainer {
        Trainer {
            kernels,
            groups: Vec::new(),
            uses: RowUses::default(),
            origin_uses: RowUses::default(),
        }
    }
}

impl Net {
    /// A net with these initial weights.
    pub(crate) fn new(weights: &ResNetWeights, keeps_average: bool) -> Net {
        let shape = weights.shape().clone();
        let shapes = shape.tensors();
        let mut tensors = shapes.iter().zip(weights.tensors());
        let mut next = || tensors.next().expect("a tensor for each of the shape");
        let mut layer = || -> Layer {
            let (tensor, values) = next();
            let convolution = Convolutional::new(values, &tensor.lengths, keeps_average);
            let norm = std::array::from_fn(|_| &next().1[..]);
            (convolution, Norm::new(norm, keeps_average))
        };
        let trunk = (0..1 + 2 * shape.blocks).map(|_| layer()).collect();
        let (policy, value) = (layer(), layer());
        let mut both = || (next().1, next().1);
        let rows =
            |(weights, bias): (&Vec<f32>, &Vec<f32>)| Rows::new(weights, bias, keeps_average);
        let origins = (shape.policy == PolicyKind::Factored).then(|| rows(both()));
        let moves = rows(both());
        let linear =
            |(weights, bias): (&Vec<f32>, &Vec<f32>)| Linear::new(weights, bias, keeps_average);
        let (hidden, output) = (linear(both()), linear(both()));
        Net {
            trunk,
            policy,
            value,
            origins,
            moves,
            hidden,
            output,
            shape,
        }
    }

    /// The present weights, or their moving averages.
    pub(crate) fn weights(&self, averaged: bool) -> ResNetWeights {
        let mut tensors = Vec::new();
        let of = |parameter: &Parameter| match averaged {
            true => parameter.averages().to_vec(),
            false => parameter.values().to_vec(),
        };
        for (convolution, norm) in self.layers() {
            tensors.push(of(&convolution.weights));
            tensors.push(of(&norm.gain));
            tensors.push(of(&norm.offset));
            let statistics = norm.statistics_for_play(averaged);
            tensors.extend(statistics.map(<[f32]>::to_vec));
        }
        for rows in self.origins.iter().chain([&self.moves]) {
            tensors.extend([of(&rows.weights), of(&rows.bias)]);
        }
        for linear in [&self.hidden, &self.output] {
            tensors.extend([of(&linear.weights), of(&linear.bias)]);
        }
        let mut weights = ResNetWeights::new(self.shape.clone());
        weights.tensors_mut().clone_from_slice(&tensors);
        weights
    }

    #[cfg(test)]
    pub(crate) fn shape(&self) -> &ResNetShape {
        &self.shape
    }

    /// Channels of the trunk.
    pub(super) fn channels(&self) -> usize {
        self.shape.channels
    }

    pub(super) fn features(&self) -> usize {
        self.shape.features()
    }

    fn layers(&self) -> impl Iterator<Item = &Layer> {
        self.trunk.iter().chain([&self.policy, &self.value])
    }

    fn layers_mut(&mut self) -> impl Iterator<Item = &mut Layer> {
        let heads = [&mut self.policy, &mut self.value];
        self.trunk.iter_mut().chain(heads)
    }

    /// All norms, in the order of files.
    pub(super) fn norms_mut(&mut self) -> impl Iterator<Item = &mut Norm> {
        self.layers_mut().map(|(_, norm)| norm)
    }

    /// Resets the optimiser state and the averages; only the weights are kept.
    pub(super) fn forget(&mut self) {
        for parameter in self.parameters() {
            let values = parameter.values().to_vec();
            parameter.set(&values);
        }
    }

    /// All parameters, in the order of files.
    pub(super) fn parameters(&mut self) -> Vec<&mut Parameter> {
        let mut list = Vec::new();
        let heads = [&mut self.policy, &mut self.value];
        for (convolution, norm) in self.trunk.iter_mut().chain(heads) {
            list.extend([&mut convolution.weights, &mut norm.gain, &mut norm.offset]);
        }
        for rows in self.origins.iter_mut().chain([&mut self.moves]) {
            list.extend([&mut rows.weights, &mut rows.bias]);
        }
        for linear in [&mut self.hidden, &mut self.output] {
            list.extend([&mut linear.weights, &mut linear.bias]);
        }
        list
    }

    /// The origins of these moves, without repetitions, in order.
    pub(super) fn origins_of(&self, rows: &[u32]) -> Vec<u32> {
        if self.origins.is_none() {
            return Vec::new();
        }
        let targets = self.shape.moves.targets() as u32;
        let mut origins: Vec<u32> = rows.iter().map(|row| row / targets).collect();
        origins.sort_unstable();
        origins.dedup();
        origins
    }

    /// The index of a move's origin in this list.
    pub(super) fn place_of_origin(&self, origins: &[u32], row: u32) -> usize {
        let origin = row / self.shape.moves.targets() as u32;
        origins.partition_point(|&it| it < origin)
    }

    /// Computes the losses of a batch and the gradients of all parameters.
    pub(crate) fn measure(&mut self, trainer: &mut Trainer, batch: &Batch, goal: &Goal) -> Losses {
        let Trainer {
            kernels, groups, ..
        } = trainer;
        let kernels = *kernels;
        let layers = self.trunk.len();
        groups.resize_with(batch.len().div_ceil(BOARDS), Group::default);
        for (number, group) in groups.iter_mut().enumerate() {
            let first = number * BOARDS;
            group.begin(first..batch.len().min(first + BOARDS), batch, layers);
        }
        let count = batch.len() * SQUARES;
        for layer in 0..layers {
            let net = &*self;
            groups
                .par_iter_mut()
                .for_each(|group| group.forward(kernels, net, layer));
            let sums = groups.iter().map(|group| &group.sums[..]);
            self.trunk[layer].1.settle(sums, count);
        }
        let net = &*self;
        groups
            .par_iter_mut()
            .for_each(|group| group.squeeze(kernels, net));
        self.policy
            .1
            .settle(groups.iter().map(|group| &group.policy.sums[..]), count);
        self.value
            .1
            .settle(groups.iter().map(|group| &group.value.sums[..]), count);
        let net = &*self;
        groups
            .par_iter_mut()
            .for_each(|group| group.judge(kernels, net, batch, goal));
        self.settle_heads(trainer, batch);
        self.go_back(trainer, count);
        let sums = trainer.groups.iter().map(|group| group.losses);
        let [moves, values] = sums.fold([0.0; 2], |[a, b], [c, d]| [a + c, b + d]);
        let [of_moves, of_values] = batch.totals();
        Losses {
            moves: moves * mean_factor(of_moves),
            values: values * mean_factor(of_values),
        }
    }

    /// Computes the gradients of the layers after the heads' 1x1 convolutions.
    fn settle_heads(&mut self, trainer: &mut Trainer, batch: &Batch) {
        let Trainer {
            groups,
            uses,
            origin_uses,
            ..
        } = trainer;
        let groups = &*groups;
        let width = self.features();
        let slopes = groups.iter().flat_map(|group| &group.slopes_of_moves);
        let boards = (0..batch.len()).flat_map(|number| batch.span(number).map(move |_| number));
        let listed = boards.zip(&batch.rows).zip(slopes);
        let listed = listed.map(|((board, &row), &slope)| (board, row, slope));
        uses.set(self.moves.count(), listed.clone());
        let features = |board: usize| {
            let place = board % BOARDS * width;
            &groups[board / BOARDS].policy.features[place..place + width]
        };
        self.moves.settle(uses, features);
        if let Some(origins) = &mut self.origins {
            let targets = self.shape.moves.targets() as u32;
            let slopes = groups.iter().flat_map(|group| &group.slopes_of_origins);
            let of_origins = listed
                .zip(slopes)
                .map(|((board, row, _), &slope)| (board, row / targets, slope));
            origin_uses.set(origins.count(), of_origins);
            origins.settle(origin_uses, features);
        }
        self.hidden
            .settle(groups.iter().map(|group| &group.of_hidden[..]));
        self.output
            .settle(groups.iter().map(|group| &group.of_output[..]));
    }

    /// The backward pass from the heads to the first convolution.
    fn go_back(&mut self, trainer: &mut Trainer, count: usize) {
        let Trainer {
            kernels, groups, ..
        } = trainer;
        let kernels = *kernels;
        let policy = groups.iter().map(|group| &group.policy.sums[..]);
        self.policy.1.settle_back(policy, count);
        let value = groups.iter().map(|group| &group.value.sums[..]);
        self.value.1.settle_back(value, count);
        let net = &*self;
        groups
            .par_iter_mut()
            .for_each(|group| group.spread(kernels, net));
        let policy = groups.iter().map(|group| &group.policy.room.weights[..]);
        self.policy.0.settle(policy);
        let value = groups.iter().map(|group| &group.value.room.weights[..]);
        self.value.0.settle(value);
        for layer in (0..self.trunk.len()).rev() {
            let sums = groups.iter().map(|group| &group.sums[..]);
            self.trunk[layer].1.settle_back(sums, count);
            let net = &*self;
            groups
                .par_iter_mut()
                .for_each(|group| group.back(kernels, net, layer));
            let weights = groups.iter().map(|group| &group.room.weights[..]);
            self.trunk[layer].0.settle(weights);
        }
    }

    /// Updates all weights by their gradients; returns the norm of the gradient.
    pub(crate) fn change(&mut self, how: &Change) -> f64 {
        let norm = change(&mut self.parameters(), how);
        if how.ema_share > 0.0 {
            self.norms_mut().for_each(|norm| norm.follow(how.ema_share));
        }
        self.prepare();
        norm
    }

    /// Recomputes what depends on the weights; to be called after each change of them.
    pub(super) fn prepare(&mut self) {
        let layers: Vec<_> = self.layers_mut().collect();
        layers
            .into_par_iter()
            .for_each(|(convolution, _)| convolution.prepare());
        self.hidden.prepare();
        self.output.prepare();
    }
}
