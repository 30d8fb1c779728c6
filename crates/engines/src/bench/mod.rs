//! The bench: a fixed set of positions searched to a fixed depth.
//!
//! The total number of nodes is the signature of the search: a change that should not alter the
//! search leaves it unchanged. The time gives the speed.

mod positions;

use crate::{Failure, Limits, Player, StopSignal};
use chess::{Board, Game};
use positions::POSITIONS;
use std::fmt;
use std::time::{Duration, Instant};

/// The depth of the searches. The signature is valid for this depth, a table of 16 mebibytes and
/// one thread.
pub const DEPTH: u32 = 12;

/// The signature of this search with the default model. Any change that alters the search must
/// update it: work that was begun with another signature is not silently continued.
pub const SIGNATURE: u64 = 790_482;

/// How many positions the bench has.
pub const POSITION_COUNT: usize = POSITIONS.len();

/// The positions, as FEN.
pub fn positions() -> impl Iterator<Item = &'static str> {
    POSITIONS.iter().copied()
}

/// The result of one position. Its `Display` is a line for people.
#[derive(Clone, PartialEq, Debug)]
pub struct Position {
    /// Its number, from 1.
    pub number: usize,
    /// The FEN.
    pub fen: &'static str,
    /// Positions visited.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:2} of {POSITION_COUNT}: {:8} nodes  {}",
            self.number, self.nodes, self.fen
        )
    }
}

/// The result of the bench. Its `Display` is the line that test servers read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Positions visited: the signature.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

impl Summary {
    /// Positions visited in a second.
    pub fn nodes_per_second(&self) -> u64 {
        // Time below the resolution of the clock must not make the speed infinite.
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nodes_per_second())
    }
}

/// Searches all positions, each as a new game, to the end or until `stop`.
///
/// # Errors
/// If the player fails.
pub fn run(
    player: &mut dyn Player,
    depth: u32,
    stop: &StopSignal,
    report: &mut dyn FnMut(&Position),
) -> Result<Summary, Failure> {
    let mut summary = Summary {
        nodes: 0,
        time: Duration::ZERO,
    };
    for (index, fen) in POSITIONS.iter().enumerate() {
        if stop.is_stopped() {
            break;
        }
        let Ok(board) = Board::from_fen(fen) else {
            continue;
        };
        player.new_game(0)?;
        let begin = Instant::now();
        let limits = Limits::depth(depth);
        let answer = player.choose(&Game::new(board), &limits, stop, &mut |_| {})?;
        let position = Position {
            number: index + 1,
            fen,
            nodes: answer.nodes,
            time: begin.elapsed(),
        };
        summary.nodes += position.nodes;
        summary.time += position.time;
        report(&position);
    }
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabeta::{AlphaBetaEngine, Options};
    use nets::Model;

    fn player() -> AlphaBetaEngine {
        AlphaBetaEngine::new(Model::classical(), Options::default())
    }

    #[test]
    fn every_position_is_legal_and_goes_on() {
        for fen in POSITIONS {
            let board = Board::from_fen(fen).expect(fen);
            assert_eq!(board.termination(), None, "{fen}");
        }
    }

    #[test]
    fn the_signature_does_not_depend_on_what_was_before() {
        let mut positions = Vec::new();
        let mut player = player();
        let mut bench = |positions: &mut Vec<Position>| {
            run(&mut player, 5, &StopSignal::new(), &mut |position| {
                positions.push(position.clone());
            })
            .expect("it plays")
            .nodes
        };
        let first = bench(&mut positions);
        let second = bench(&mut positions);
        assert_eq!(first, second);
        assert_eq!(positions.len(), 2 * POSITION_COUNT);
    }

    #[test]
    fn a_stopped_bench_ends() {
        let stop = StopSignal::new();
        let mut count = 0;
        let bench = run(&mut player(), DEPTH, &stop, &mut |_| {
            count += 1;
            stop.stop();
        });
        bench.expect("it plays");
        assert_eq!(count, 1);
    }

    #[test]
    fn the_last_line_is_as_test_servers_read_it() {
        let summary = Summary {
            nodes: 3000,
            time: Duration::from_millis(500),
        };
        assert_eq!(summary.to_string(), "3000 nodes 6000 nps");
    }
}
