//! A reference implementation of the model and its loss in f64, straight from the formulas.

use crate::sequence::batch::Batch;
use crate::sequence::heads::Goal;
use nets::sequence::{
    BoardInput, Encoder, FARTHEST, SQUARE_HEADS, SQUARE_LAYERS, SQUARE_WIDTH, SQUARES,
    SequenceShape,
};

/// The loss of a batch in f64, straight from the formulas.
pub(super) struct Reference<'a> {
    pub(super) shape: &'a SequenceShape,
    pub(super) tensors: Vec<Vec<f64>>,
}

impl Reference<'_> {
    pub(super) fn loss(&self, batch: &Batch, goal: &Goal) -> f64 {
        let states = self.states(batch);
        let heads = &self.tensors[self.first_layer() + 4 * self.shape.layers..];
        let width = self.shape.width;
        let mut loss = 0.0;
        for (event, state) in states.iter().enumerate() {
            let target = &batch.targets[event];
            let row = |weights: &[f64], bias: &[f64], row: usize| {
                dot(&weights[row * width..(row + 1) * width], state) + bias[row]
            };
            let moves = batch.moves.of(event);
            let logits: Vec<f64> = moves
                .iter()
                .map(|&number| row(&heads[0], &heads[1], number as usize))
                .collect();
            if !logits.is_empty() {
                let even = f64::from(goal.smoothing) / logits.len() as f64;
                let wanted = |place: usize| match place == target.place {
                    true => 1.0 - f64::from(goal.smoothing) + even,
                    false => even,
                };
                let sum = log_sum(&logits);
                let entropy: f64 = logits
                    .iter()
                    .enumerate()
                    .map(|(place, logit)| wanted(place) * (sum - logit))
                    .sum();
                loss += entropy * f64::from(target.of_move) * f64::from(goal.of_moves);
            }
            let outcomes: Vec<f64> = (0..3).map(|at| row(&heads[2], &heads[3], at)).collect();
            let entropy = log_sum(&outcomes) - outcomes[target.outcome];
            loss += entropy * f64::from(target.of_outcome) * f64::from(goal.of_outcomes);
            if target.plies_left > 0.0 {
                let error = row(&heads[4], &heads[5], 0) - f64::from(target.plies_left).ln_1p();
                let huber = match error.abs() <= 1.0 {
                    true => 0.5 * error * error,
                    false => error.abs() - 0.5,
                };
                loss += huber * f64::from(goal.of_plies);
            }
            if let (true, Some(seconds)) = (self.shape.think_head, target.seconds) {
                let error = row(&heads[6], &heads[7], 0) - f64::from(seconds).ln_1p();
                let huber = match error.abs() <= 1.0 {
                    true => 0.5 * error * error,
                    false => error.abs() - 0.5,
                };
                loss += huber * f64::from(goal.of_seconds);
            }
            if let (true, Some(resigned)) = (self.shape.resign_head, target.resigned) {
                let logit = row(&heads[8], &heads[9], 0);
                let sign = if resigned { -1.0 } else { 1.0 };
                loss += (sign * logit).exp().ln_1p() * f64::from(goal.of_resignations);
            }
        }
        loss
    }

    /// The first tensor after the events and those of squares.
    fn first_layer(&self) -> usize {
        match self.shape.board {
            BoardInput::SquareAttention => 3 + 4 * SQUARE_LAYERS,
            _ => 1,
        }
    }

    /// The output of a board's squares.
    fn squares(&self, rows: &[u32]) -> Vec<f64> {
        let contents: Vec<&[f64]> = self.tensors[1].chunks_exact(SQUARE_WIDTH).collect();
        let mut squares: Vec<Vec<f64>> = rows
            .iter()
            .map(|&row| contents[row as usize].to_vec())
            .collect();
        for layer in 0..SQUARE_LAYERS {
            let tensors = &self.tensors[2 + 4 * layer..];
            squares = block(tensors, &squares, SQUARE_HEADS, |head, from, to| {
                Some(tensors[1][(head * SQUARES + from) * SQUARES + to])
            });
        }
        let mut mean = vec![0.0; SQUARE_WIDTH];
        for square in &squares {
            for (sum, value) in mean.iter_mut().zip(normal(square)) {
                *sum += value / SQUARES as f64;
            }
        }
        let project = &self.tensors[self.first_layer() - 1];
        let rows = project.chunks_exact(SQUARE_WIDTH);
        rows.map(|row| dot(row, &mean)).collect()
    }

    fn states(&self, batch: &Batch) -> Vec<Vec<f64>> {
        let width = self.shape.width;
        let has_squares = self.shape.board == BoardInput::SquareAttention;
        let share = f64::from(Encoder::new(self.shape).board_share());
        let mut states: Vec<Vec<f64>> = (0..batch.events())
            .map(|event| {
                let board = batch.board.of(event);
                let mut state = match has_squares && !board.is_empty() {
                    true => self.squares(board),
                    false => vec![0.0; width],
                };
                let board = if has_squares { &[] } else { board };
                let board = board.iter().map(|&row| (row, share));
                let others = batch.others.of(event).iter().map(|&row| (row, 1.0));
                for (row, share) in board.chain(others) {
                    for (sum, value) in state
                        .iter_mut()
                        .zip(&self.tensors[0][row as usize * width..])
                    {
                        *sum += share * value;
                    }
                }
                state
            })
            .collect();
        for layer in 0..self.shape.layers {
            let tensors = &self.tensors[self.first_layer() + 4 * layer..];
            for game in 0..batch.games() {
                let events = batch.game(game);
                let past = |head: usize, from: usize, to: usize| {
                    let distance = from.checked_sub(to)?.min(FARTHEST);
                    Some(tensors[1][head * (FARTHEST + 1) + distance])
                };
                let new = block(tensors, &states[events.clone()], self.shape.heads, past);
                states[events].clone_from_slice(&new);
            }
        }
        states.iter().map(|state| normal(state)).collect()
    }
}

/// A block; `bias` is the bias of a head for one row attending to another, or `None` if it must
/// not.
fn block(
    tensors: &[Vec<f64>],
    states: &[Vec<f64>],
    heads: usize,
    bias: impl Fn(usize, usize, usize) -> Option<f64>,
) -> Vec<Vec<f64>> {
    let width = states[0].len();
    let size = width / heads;
    let mixed: Vec<Vec<f64>> = states
        .iter()
        .map(|state| {
            let state = normal(state);
            let rows = tensors[0].chunks_exact(width);
            rows.map(|row| dot(row, &state))
                .map(|it| it / (1.0 + (-it).exp()))
                .collect()
        })
        .collect();
    (0..states.len())
        .map(|from| {
            let mut attended = vec![0.0; width];
            for head in 0..heads {
                let part =
                    |row: usize, part: usize| &mixed[row][part * width + head * size..][..size];
                let scores: Vec<(usize, f64)> = (0..states.len())
                    .filter_map(|to| {
                        let product = dot(part(from, 2), part(to, 3)) / (size as f64).sqrt();
                        Some((to, product + bias(head, from, to)?))
                    })
                    .collect();
                let sum = log_sum(&scores.iter().map(|&(_, score)| score).collect::<Vec<_>>());
                for (to, score) in scores {
                    for (column, value) in part(to, 1).iter().enumerate() {
                        attended[head * size + column] += (score - sum).exp() * value;
                    }
                }
            }
            let gated: Vec<f64> = normal(&attended)
                .iter()
                .zip(&mixed[from])
                .map(|(a, b)| a * b)
                .collect();
            let rows = tensors[2].chunks_exact(width).zip(&tensors[3]);
            let out = rows.map(|(row, bias)| dot(row, &gated) + bias);
            out.zip(&states[from])
                .map(|(out, state)| out + state)
                .collect()
        })
        .collect()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter()
        .zip(right)
        .map(|(left, right)| left * right)
        .sum()
}

fn log_sum(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    most + values
        .iter()
        .map(|value| (value - most).exp())
        .sum::<f64>()
        .ln()
}

fn normal(row: &[f64]) -> Vec<f64> {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    let variance = row.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / row.len() as f64;
    row.iter()
        .map(|it| (it - mean) / (variance + 1e-5).sqrt())
        .collect()
}
