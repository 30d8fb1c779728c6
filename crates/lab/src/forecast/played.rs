//! What tried games say of the games of a run: how many positions there will be, what they
//! cost, and how many of them a generation learns from.

use super::Cost;
use crate::settings::Arm;
use arena::selfplay::Amount;
use std::path::PathBuf;

/// What self-play came to.
pub(super) struct Played {
    /// From the first one on.
    pub(super) generations: Vec<PlayedGeneration>,
    pub(super) bytes_a_position: f64,
    /// Some games of one of them.
    pub(super) shard: PathBuf,
}

#[derive(Clone, Copy)]
pub(super) struct PlayedGeneration {
    pub(super) cost: Cost,
    pub(super) positions: f64,
}

impl Played {
    /// How many positions a generation plays, on average.
    pub(super) fn average_positions(&self) -> f64 {
        let played = self.generations.iter().map(|one| one.positions);
        played.sum::<f64>() / self.generations.len() as f64
    }

    /// How many positions the last window does not reach.
    pub(super) fn beyond_window(&self, arm: &Arm) -> f64 {
        let all: f64 = self.generations.iter().map(|one| one.positions).sum();
        let last = self.generations.len();
        let window = arm.buffer.generations.unwrap_or(u32::MAX) as usize;
        let kept = &self.generations[last.saturating_sub(window)..];
        let kept: f64 = kept.iter().map(|one| one.positions).sum();
        all - kept.min(arm.buffer.positions.of(last as u32) as f64)
    }

    /// How many positions a generation learns from, on average.
    pub(super) fn average_lesson(&self, arm: &Arm) -> f64 {
        let window = arm.buffer.generations.unwrap_or(u32::MAX) as usize;
        let mut lessons = 0.0;
        for (number, last) in (1..).zip(1..=self.generations.len()) {
            let kept = &self.generations[last.saturating_sub(window)..last];
            let played: f64 = kept.iter().map(|one| one.positions).sum();
            lessons += f64::min(played, arm.buffer.positions.of(number) as f64);
        }
        lessons / self.generations.len() as f64
    }
}

/// What a position costs at some pace.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub(super) seconds: f64,
    pub(super) bytes: f64,
    pub(super) positions_a_game: f64,
}

impl Tried {
    pub(super) fn generation(&self, amount: Amount) -> PlayedGeneration {
        let positions = match amount {
            Amount::Positions(positions) => positions as f64,
            Amount::Games(games) => games as f64 * self.positions_a_game,
            Amount::Seconds(wanted) => wanted / self.seconds,
        };
        let one = Cost {
            seconds: self.seconds,
            bytes: self.bytes,
        };
        PlayedGeneration {
            cost: one.times(positions),
            positions,
        }
    }
}
