//! What our own engine does with a position, measured.

use chess::{Board, Game};
use engines::{Limits, Player, StopSignal};
use std::time::Duration;

pub(crate) const MOVE_TIME: Duration = Duration::from_millis(100);
pub(crate) const HASH: usize = 16;

/// Nodes and the time they took.
#[derive(Clone, Copy, Default)]
pub(crate) struct Work {
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

impl Work {
    pub(crate) fn add(&mut self, other: Work) {
        self.nodes += other.nodes;
        self.seconds += other.seconds;
    }

    pub(crate) fn speed(self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What our own engine does with a position in the time of a move.
pub(crate) fn search(player: &mut dyn Player, fen: &str) -> Work {
    let board = Board::from_fen(fen).expect("the positions of the bench are sound");
    player.new_game(0).expect("it is ready");
    let mut work = Work::default();
    let answer = player.choose(
        &Game::new(board),
        &Limits::move_time(MOVE_TIME),
        &StopSignal::new(),
        &mut |report| {
            work = Work {
                nodes: report.nodes,
                seconds: report.time.as_secs_f64(),
            };
        },
    );
    answer.expect("it plays");
    work
}
