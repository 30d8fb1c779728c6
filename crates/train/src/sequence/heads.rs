//! The heads: the next move, the result, the plies left, and, if a model has them, the thinking
//! time for a move and whether the player then resigns; with their losses and gradients.

use super::batch::{Batch, Target};
use crate::float::{
    Dense, LOGARITHM_DELTA, Parameter, RowUses, Rows, cross_entropy, huber, softmax,
};
use crate::functions::{ln, sigmoid};
use nets::kernels::{Kernels, Precision};
use nets::sequence::SequenceShape;
use rayon::prelude::*;

/// Events that are one piece of work.
const EVENTS: usize = 64;

/// The settings of the losses of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Goal {
    pub(super) smoothing: f32,
    /// The factors of the gradients, which make losses means over a batch.
    pub(super) of_moves: f32,
    pub(super) of_outcomes: f32,
    pub(super) of_plies: f32,
    pub(super) of_seconds: f32,
    pub(super) of_resignations: f32,
}

/// Provides the policy targets of events.
pub(super) trait Teacher: Sync {
    /// The loss of an event's moves; replaces the logits by their gradient.
    fn measure(&self, batch: &Batch, event: usize, logits: &mut [f32]) -> f64;
}

/// The targets are the moves that were played.
impl Teacher for Goal {
    fn measure(&self, batch: &Batch, event: usize, logits: &mut [f32]) -> f64 {
        measure_move(&batch.targets[event], self, logits)
    }
}

/// Sums of weighted losses.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Losses {
    pub(super) moves: f64,
    pub(super) outcomes: f64,
    pub(super) plies: f64,
    pub(super) seconds: f64,
    pub(super) resignations: f64,
}

impl Losses {
    /// The weighted sum of all losses except that of the moves.
    pub(super) fn beside_moves(&self, goal: &Goal) -> f64 {
        self.outcomes * f64::from(goal.of_outcomes)
            + self.plies * f64::from(goal.of_plies)
            + self.seconds * f64::from(goal.of_seconds)
            + self.resignations * f64::from(goal.of_resignations)
    }
}

/// What a scalar head predicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Foretold {
    PliesLeft,
    Seconds,
    Resignation,
}

/// A scalar head with its outputs, which are then replaced by their gradient.
struct Scalar {
    foretold: Foretold,
    dense: Dense,
    outputs: Vec<f32>,
}

impl Scalar {
    /// The sum of the losses of all events; replaces the outputs by their gradient.
    fn measure(&mut self, targets: &[Target], goal: &Goal) -> f64 {
        let mut sum = 0.0;
        for (output, target) in self.outputs.iter_mut().zip(targets) {
            let logarithm = |number: f32| *output - ln(1.0 + number);
            let (found, factor) = match self.foretold {
                Foretold::PliesLeft => {
                    let plies = Some(target.plies_left).filter(|plies| *plies > 0.0);
                    (
                        plies.map(|it| huber(logarithm(it), LOGARITHM_DELTA)),
                        goal.of_plies,
                    )
                }
                Foretold::Seconds => {
                    let seconds = target.seconds;
                    (
                        seconds.map(|it| huber(logarithm(it), LOGARITHM_DELTA)),
                        goal.of_seconds,
                    )
                }
                Foretold::Resignation => {
                    let resigned = target.resigned;
                    (
                        resigned.map(|it| logistic(*output, it)),
                        goal.of_resignations,
                    )
                }
            };
            let (loss, slope) = found.unwrap_or_default();
            sum += loss;
            *output = slope * factor;
        }
        sum
    }
}

/// The logistic loss of a probability's logit, and its derivative.
fn logistic(logit: f32, is_so: bool) -> (f64, f32) {
    let chance = sigmoid(logit);
    let right = match is_so {
        true => chance,
        false => 1.0 - chance,
    };
    let loss = -f64::from(ln(right.max(f32::MIN_POSITIVE)));
    (loss, chance - f32::from(u8::from(is_so)))
}

pub(super) struct Heads {
    policy: Rows,
    value: Dense,
    scalars: Vec<Scalar>,
    uses: RowUses,
    outcomes: Vec<f32>,
    back: Vec<f32>,
}

impl Heads {
    /// Takes the tensors from `next`, in the order of the shape.
    pub(super) fn new<'a>(
        next: &mut impl FnMut() -> &'a [f32],
        shape: &SequenceShape,
        keeps_average: bool,
    ) -> Heads {
        let width = shape.width;
        let (policy, policy_bias) = (next(), next());
        // Kept in f32: so small that rounding would cost more than it saves.
        let mut dense = || {
            let (weights, bias) = (next(), next());
            Dense::new(weights, Some(bias), width, Precision::F32, keeps_average)
        };
        let value = dense();
        let foretold = [
            (Foretold::PliesLeft, true),
            (Foretold::Seconds, shape.think_head),
            (Foretold::Resignation, shape.resign_head),
        ];
        let foretold = foretold.into_iter().filter(|(_, is_there)| *is_there);
        Heads {
            value,
            scalars: foretold
                .map(|(foretold, _)| Scalar {
                    foretold,
                    dense: dense(),
                    outputs: Vec::new(),
                })
                .collect(),
            policy: Rows::new(policy, policy_bias, keeps_average),
            uses: RowUses::default(),
            outcomes: Vec::new(),
            back: Vec::new(),
        }
    }

    pub(super) fn parameters(&mut self) -> impl Iterator<Item = &mut Parameter> {
        [&mut self.policy.weights, &mut self.policy.bias]
            .into_iter()
            .chain(self.value.parameters())
            .chain(
                self.scalars
                    .iter_mut()
                    .flat_map(|head| head.dense.parameters()),
            )
    }

    pub(super) fn value_parameters(&mut self) -> Vec<&mut Parameter> {
        self.value.parameters().collect()
    }

    pub(super) fn prepare(&mut self) {
        self.value.prepare();
        for head in &mut self.scalars {
            head.dense.prepare();
        }
    }

    /// Computes the losses of all events, the gradients of the heads, and in `slopes` the gradient
    /// of the states.
    pub(super) fn measure(
        &mut self,
        kernels: &Kernels,
        batch: &Batch,
        states: &[f32],
        goal: &Goal,
        teacher: &impl Teacher,
        slopes: &mut Vec<f32>,
    ) -> Losses {
        let width = states.len() / batch.events().max(1);
        let mut losses = self.measure_values(kernels, batch, states, goal);
        slopes.clear();
        slopes.resize(states.len(), 0.0);
        let scalars = self.scalars.iter_mut();
        let scalars = scalars.map(|head| (&mut head.dense, &head.outputs));
        for (head, of_head) in std::iter::once((&mut self.value, &self.outcomes)).chain(scalars) {
            head.settle(kernels, states, of_head);
            head.backward(kernels, of_head, &mut self.back);
            for (slope, back) in slopes.iter_mut().zip(&self.back) {
                *slope += back;
            }
        }
        let policy = &self.policy;
        let parts: Vec<(f64, Vec<f32>)> = slopes
            .par_chunks_mut(EVENTS * width)
            .enumerate()
            .map(|(number, slopes)| {
                let first = number * EVENTS;
                let events = first..first + slopes.len() / width;
                let start = batch.moves.span(events.start).start;
                let mut logits = vec![0.0; batch.moves.span(events.end - 1).end - start];
                let mut loss = 0.0;
                for (event, slopes) in events.zip(slopes.chunks_exact_mut(width)) {
                    let span = batch.moves.span(event);
                    let logits = &mut logits[span.start - start..span.end - start];
                    let moves = batch.moves.of(event);
                    let state = &states[event * width..(event + 1) * width];
                    policy.forward(kernels, state, moves, logits);
                    loss += teacher.measure(batch, event, logits);
                    policy.backward(moves, logits, slopes);
                }
                (loss, logits)
            })
            .collect();
        losses.moves = parts.iter().map(|(loss, _)| loss).sum();
        let of_moves = parts.iter().flat_map(|(_, slopes)| slopes.iter().copied());
        let of_events = (0..batch.events())
            .flat_map(|event| batch.moves.of(event).iter().map(move |&row| (event, row)));
        let uses = of_events
            .zip(of_moves)
            .map(|((event, row), slope)| (event, row, slope));
        self.uses.set(self.policy.count(), uses);
        self.policy.settle(&self.uses, |event| {
            &states[event * width..(event + 1) * width]
        });
        losses
    }

    /// The logits of the moves of all events, concatenated.
    pub(super) fn logits(&self, kernels: &Kernels, batch: &Batch, states: &[f32]) -> Vec<f32> {
        let width = states.len() / batch.events().max(1);
        let mut all = vec![0.0; batch.moves.items.len()];
        for event in 0..batch.events() {
            let state = &states[event * width..(event + 1) * width];
            let logits = &mut all[batch.moves.span(event)];
            self.policy
                .forward(kernels, state, batch.moves.of(event), logits);
        }
        all
    }

    /// The value of each event for the side to move, from -1 to 1.
    pub(super) fn values(&mut self, kernels: &Kernels, states: &[f32]) -> Vec<f32> {
        self.value
            .forward(kernels, states, None, &mut self.outcomes);
        let value = |outcome: &mut [f32]| {
            softmax(outcome);
            outcome[2] - outcome[0]
        };
        self.outcomes.chunks_exact_mut(3).map(value).collect()
    }

    /// The losses of results and plies left; replaces these outputs by their gradient.
    fn measure_values(
        &mut self,
        kernels: &Kernels,
        batch: &Batch,
        states: &[f32],
        goal: &Goal,
    ) -> Losses {
        self.value
            .forward(kernels, states, None, &mut self.outcomes);
        let mut losses = Losses::default();
        for (outcome, target) in self.outcomes.chunks_exact_mut(3).zip(&batch.targets) {
            let mut wanted = [0.0; 3];
            wanted[target.outcome] = 1.0;
            let loss = cross_entropy(outcome, &wanted);
            losses.outcomes += f64::from(target.of_outcome) * loss;
            for slope in outcome {
                *slope *= target.of_outcome * goal.of_outcomes;
            }
        }
        for head in &mut self.scalars {
            head.dense.forward(kernels, states, None, &mut head.outputs);
            let loss = head.measure(&batch.targets, goal);
            match head.foretold {
                Foretold::PliesLeft => losses.plies = loss,
                Foretold::Seconds => losses.seconds = loss,
                Foretold::Resignation => losses.resignations = loss,
            }
        }
        losses
    }
}

/// The loss of a move; replaces the logits by their gradient.
fn measure_move(target: &Target, goal: &Goal, logits: &mut [f32]) -> f64 {
    if logits.is_empty() {
        return 0.0;
    }
    let mut wanted = vec![goal.smoothing / logits.len() as f32; logits.len()];
    wanted[target.place] += 1.0 - goal.smoothing;
    let loss = cross_entropy(logits, &wanted);
    for slope in logits {
        *slope *= target.of_move * goal.of_moves;
    }
    f64::from(target.of_move) * loss
}
