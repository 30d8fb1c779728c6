//! Checks whether a program obeys a node limit. Not all do, and a match in which one side does not
//! is unfair.

use super::External;
use crate::{Failure, Limits, Player, StopSignal};
use chess::{Board, Game};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// A position with many moves, in which no program is sure at once.
const POSITION: &str = "r2q1rk1/pp2bppp/2n1pn2/3p1b2/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 4 10";
/// How long a search may last before it is stopped.
const PATIENCE: Duration = Duration::from_secs(2);
/// Programs check their limit only now and then; more than this factor too many nodes cannot be
/// explained by that.
const TOLERANCE: u64 = 2;
/// Some programs begin no iteration that they could not complete; less than this fraction of the
/// limit cannot be explained by that.
const LEAST_PART: u64 = 10;

/// How a program treats a node limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeLimit {
    /// The search ended by itself after about that many nodes.
    Obeyed {
        /// Nodes used, as reported.
        used: u64,
    },
    /// The search ended by itself, but after more than twice as many nodes.
    Exceeded {
        /// Nodes used, as reported.
        used: u64,
    },
    /// The search ended by itself after less than a tenth: the program does not know the limit.
    FellShort {
        /// Nodes used, as reported.
        used: u64,
    },
    /// The search had to be stopped.
    Ignored,
    /// The program does not report its nodes, or is too slow to tell.
    Unknown,
}

/// Lets a program search with a limit of this many nodes, and judges whether it obeys. Takes two
/// seconds at most.
///
/// # Errors
/// If the program fails.
pub fn obeys_node_limit(player: &mut External, nodes: u64) -> Result<NodeLimit, Failure> {
    let board = Board::from_fen(POSITION).unwrap_or_else(|_| Board::start());
    player.new_game(0)?;
    let stop = StopSignal::new();
    let answer = thread::scope(|scope| {
        let (answered, awaited) = mpsc::channel::<()>();
        let signal = stop.clone();
        scope.spawn(move || {
            if awaited.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                signal.stop();
            }
        });
        let answer = player.choose(&Game::new(board), &Limits::nodes(nodes), &stop, &mut |_| {});
        drop(answered);
        answer
    })?;
    Ok(judge(nodes, answer.nodes, stop.is_stopped()))
}

fn judge(asked: u64, used: u64, was_stopped: bool) -> NodeLimit {
    let is_within = used <= asked.saturating_mul(TOLERANCE);
    match (used, was_stopped) {
        (0, false) => NodeLimit::Unknown,
        (0, true) => NodeLimit::Ignored,
        (_, true) if is_within => NodeLimit::Unknown,
        (_, true) => NodeLimit::Ignored,
        (used, false) if !is_within => NodeLimit::Exceeded { used },
        (used, false) if used < asked / LEAST_PART => NodeLimit::FellShort { used },
        (used, false) => NodeLimit::Obeyed { used },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_is_one() {
        assert!(Board::from_fen(POSITION).is_ok_and(|board| board.legal_moves().len() > 30));
    }

    #[test]
    fn only_whoever_ends_in_time_obeys() {
        assert_eq!(judge(100, 130, false), NodeLimit::Obeyed { used: 130 });
        assert_eq!(judge(100, 201, false), NodeLimit::Exceeded { used: 201 });
        assert_eq!(judge(100, 9, false), NodeLimit::FellShort { used: 9 });
        assert_eq!(judge(100, 10, false), NodeLimit::Obeyed { used: 10 });
        assert_eq!(judge(1, 1, false), NodeLimit::Obeyed { used: 1 });
        assert_eq!(judge(100, 9_000_000, true), NodeLimit::Ignored);
        assert_eq!(judge(100, 0, true), NodeLimit::Ignored);
        // A slow program may not have got that far.
        assert_eq!(judge(1_000_000, 5_000, true), NodeLimit::Unknown);
        assert_eq!(judge(100, 0, false), NodeLimit::Unknown);
    }
}
