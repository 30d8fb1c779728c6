//! The targets from games that a model has played: the advantage of each move, and the gradient of
//! the logits that follows from it.

use super::super::batch::Batch;
use super::super::heads::Teacher;
use super::rollout::{Rolled, shares};
use super::settings::{Method, TrainSettings};
use crate::functions::{exp, ln};
use chess::Board;
use nets::Evaluator;
use nets::classical::Classical;

/// Prevents division by 0 if all results of a group are equal.
const LEAST_DEVIATION: f32 = 1e-4;
/// The lower limit of probabilities in logarithms.
const LEAST_SHARE: f32 = 1e-8;
/// The scale of the sigmoid that converts centipawns to expected results: this many are 0.73
/// points.
const CENTIPAWNS: f32 = 300.0;

/// What is computed for a batch of games before the weights change. All lists have an entry for
/// each event, or for each move of each event.
pub(super) struct Lesson {
    /// The advantage of each move; `None` if it is not trained on.
    pub(super) advantages: Vec<Option<f32>>,
    /// The log probability of the move that was played, by the old weights.
    pub(super) before: Vec<f32>,
    /// The probabilities of all moves by the initial model of the run.
    pub(super) reference: Vec<f32>,
    /// The target probabilities from a search for the moves of an event; empty without one.
    pub(super) taught: Vec<Vec<f32>>,
    pub(super) temperature: f32,
    pub(super) clip: f32,
    pub(super) kl: f32,
    /// The factor of the gradients.
    pub(super) scale: f32,
}

/// Statistics of a pass, as means over the moves that are trained on.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Statistics {
    /// The number of moves that are trained on.
    pub(super) moves: u64,
    pub(super) entropy: f64,
    pub(super) kl: f64,
    /// The share of moves whose probability ratio is clipped.
    pub(super) clipped: f64,
    /// The largest difference of a probability ratio from 1.
    pub(super) farthest: f64,
}

impl Lesson {
    /// Computed from games, their batch, and the logits of all moves by the old weights and by the
    /// initial ones. `values` is the model's own value of each event, for the side to move.
    pub(super) fn new(
        rolled: &[Rolled],
        batch: &Batch,
        [logits, of_reference]: [&[f32]; 2],
        values: &[f32],
        settings: &TrainSettings,
    ) -> Lesson {
        let temperature = settings.play.temperature;
        let of_games = advantages(rolled, settings);
        let mut lesson = Lesson {
            advantages: vec![None; batch.events()],
            before: vec![0.0; batch.events()],
            reference: vec![0.0; of_reference.len()],
            taught: vec![Vec::new(); batch.events()],
            temperature,
            clip: settings.clip,
            kl: settings.kl,
            scale: 0.0,
        };
        for (number, game) in rolled.iter().enumerate() {
            // The first event of a game precedes its first position.
            let events = batch.game(number).skip(1);
            for (ply, event) in events.enumerate() {
                let span = batch.moves.span(event);
                let own = shares(&logits[span.clone()], temperature);
                lesson.before[event] = ln(own[batch.targets[event].place].max(LEAST_SHARE));
                let reference = shares(&of_reference[span.clone()], temperature);
                lesson.reference[span].copy_from_slice(&reference);
                if !game.learns(ply) {
                    continue;
                }
                let result = match settings.method {
                    Method::Grpo => of_games[number][ply],
                    Method::Ppo => of_games[number][ply] - values[event],
                };
                lesson.advantages[event] = Some(result);
                let taught = game.taught.get(ply - game.first);
                lesson.taught[event] = taught.cloned().unwrap_or_default();
            }
        }
        let learned = lesson.advantages.iter().flatten().count();
        lesson.scale = 1.0 / learned.max(1) as f32;
        lesson
    }

    /// The statistics of a pass with these logits.
    pub(super) fn statistics(&self, batch: &Batch, logits: &[f32]) -> Statistics {
        let mut found = Statistics::default();
        for (event, advantage) in self.advantages.iter().enumerate() {
            let Some(advantage) = *advantage else {
                continue;
            };
            let span = batch.moves.span(event);
            let own = shares(&logits[span.clone()], self.temperature);
            let ratio = self.ratio(event, own[batch.targets[event].place]);
            found.moves += 1;
            found.clipped += f64::from(u8::from(self.is_clipped(ratio, advantage)));
            found.farthest = found.farthest.max(f64::from((ratio - 1.0).abs()));
            for (share, reference) in own.iter().zip(&self.reference[span]) {
                let log = ln(share.max(LEAST_SHARE));
                found.entropy -= f64::from(share * log);
                found.kl += f64::from(share * (log - ln(reference.max(LEAST_SHARE))));
            }
        }
        let moves = found.moves.max(1) as f64;
        found.entropy /= moves;
        found.kl /= moves;
        found.clipped /= moves;
        found
    }

    /// The ratio of the move's probability to that by the old weights.
    fn ratio(&self, event: usize, share: f32) -> f32 {
        exp(ln(share.max(LEAST_SHARE)) - self.before[event])
    }

    /// Whether the ratio is clipped: it is already beyond the limit in the direction of the
    /// advantage.
    fn is_clipped(&self, ratio: f32, advantage: f32) -> bool {
        match advantage > 0.0 {
            true => ratio > 1.0 + self.clip,
            false => ratio < 1.0 - self.clip,
        }
    }
}

impl Teacher for Lesson {
    fn measure(&self, batch: &Batch, event: usize, logits: &mut [f32]) -> f64 {
        let Some(advantage) = self.advantages[event] else {
            logits.fill(0.0);
            return 0.0;
        };
        let own = shares(logits, self.temperature);
        let factor = self.scale / self.temperature;
        let taught = &self.taught[event];
        if !taught.is_empty() {
            let mut loss = 0.0;
            for ((slope, share), wanted) in logits.iter_mut().zip(&own).zip(taught) {
                loss -= wanted * ln(share.max(LEAST_SHARE));
                *slope = (share - wanted) * factor;
            }
            return f64::from(loss * self.scale);
        }
        let place = batch.targets[event].place;
        let ratio = self.ratio(event, own[place]);
        let bounded = ratio.clamp(1.0 - self.clip, 1.0 + self.clip);
        let gained = (ratio * advantage).min(bounded * advantage);
        let followed = match self.is_clipped(ratio, advantage) {
            true => 0.0,
            false => ratio * advantage,
        };
        let logs: Vec<f32> = own.iter().map(|share| ln(share.max(LEAST_SHARE))).collect();
        let reference = &self.reference[batch.moves.span(event)];
        let differences: Vec<f32> = logs
            .iter()
            .zip(reference)
            .map(|(log, reference)| log - ln(reference.max(LEAST_SHARE)))
            .collect();
        let kl: f32 = own
            .iter()
            .zip(&differences)
            .map(|(share, it)| share * it)
            .sum();
        for (at, slope) in logits.iter_mut().enumerate() {
            let is_made = f32::from(u8::from(at == place));
            let of_result = -followed * (is_made - own[at]);
            let of_distance = self.kl * own[at] * (differences[at] - kl);
            *slope = (of_result + of_distance) * factor;
        }
        f64::from((self.kl * kl - gained) * self.scale)
    }
}

/// The reward of each ply of each game for the side that moved: the result, normalised within the
/// group for GRPO, plus the shaping term.
fn advantages(rolled: &[Rolled], settings: &TrainSettings) -> Vec<Vec<f32>> {
    let mut all: Vec<Vec<f32>> = rolled
        .iter()
        .map(|game| {
            (0..game.game.moves.len())
                .map(|ply| game.reward(ply))
                .collect()
        })
        .collect();
    if settings.method == Method::Grpo {
        for (games, rewards) in rolled
            .chunks(settings.play.group)
            .zip(all.chunks_mut(settings.play.group))
        {
            compare(games, rewards);
        }
    }
    if settings.shaping > 0.0 {
        for (game, rewards) in rolled.iter().zip(&mut all) {
            let gains = gains(game);
            for (reward, gain) in rewards.iter_mut().zip(gains) {
                *reward += settings.shaping * gain;
            }
        }
    }
    all
}

/// Normalises the rewards of a group: differences from its mean, divided by its standard deviation.
fn compare(games: &[Rolled], rewards: &mut [Vec<f32>]) {
    let count = games.len() as f32;
    let mean = games.iter().map(|game| game.result).sum::<f32>() / count;
    let square = |game: &Rolled| (game.result - mean) * (game.result - mean);
    let deviation = (games.iter().map(square).sum::<f32>() / count).sqrt();
    for (game, rewards) in games.iter().zip(rewards) {
        for (ply, reward) in rewards.iter_mut().enumerate() {
            let above = match ply % 2 {
                0 => game.result - mean,
                _ => mean - game.result,
            };
            *reward = above / (deviation + LEAST_DEVIATION);
        }
    }
}

/// By how much the hand-written evaluation has improved for the side that moved, when it is to move
/// again.
fn gains(game: &Rolled) -> Vec<f32> {
    let mut evaluator = Classical::default();
    let mut worths = Vec::new();
    let mut value = |board: &Board| {
        // The evaluation is not meant for positions in check.
        let centipawns = match board.in_check() {
            true => 0.0,
            false => evaluator.evaluate(board) as f32,
        };
        let shares = shares(&[centipawns / CENTIPAWNS, 0.0], 1.0);
        2.0 * shares[0] - 1.0
    };
    let mut last = Board::start();
    let is_legal = game.game.replay(|board, mv| {
        worths.push(value(board));
        last = board.after(mv);
    });
    debug_assert!(is_legal, "it was played by the rules");
    worths.push(value(&last));
    (0..worths.len() - 1)
        .map(|ply| match worths.get(ply + 2) {
            Some(later) => later - worths[ply],
            None => 0.0,
        })
        .collect()
}
