//! New openings: random plies, kept only if a search finds the position balanced.
//!
//! Candidates are numbered, each with its own random generator, and accepted in that order, so that
//! neither the number of threads nor the number of openings wanted decides which they are: the
//! first hundred of a thousand are the hundred that one gets when asking for a hundred.

use super::balance::{Judge, Window};

use chess::{Board, CastlingStyle};
use data::random;
use engines::STACK_BYTES;
use engines::StopSignal;
use engines::score::Score;
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// How many candidates a thread tries per batch; the openings do not depend on it.
const TRIES_A_THREAD: usize = 32;
/// Gives up after this many failures in a row.
const MOST_FAILURES: u64 = 10_000;
/// The number of Chess960 starts.
const STARTS: u64 = 960;

/// What openings to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MakeOptions {
    /// How many openings.
    pub count: usize,
    /// The seed, which determines the openings.
    pub seed: u64,
    /// How many random plies each has.
    pub plies: u32,
    /// Whether each begins with a random Chess960 position.
    pub chess960: bool,
    /// The values that count as balanced.
    pub window: Window,
    /// The nodes of the search that evaluates a position.
    pub nodes: u64,
    /// How many threads search, at least one.
    pub threads: usize,
}

/// Openings that were made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeOpenings {
    /// The positions after the random plies, no two the same.
    pub boards: Vec<Board>,
    /// How many candidates were tried.
    pub tried: u64,
}

/// Why no openings were made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// Threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Fewer were found than wanted.
    #[error(
        "only {found} openings were found, and {MOST_FAILURES} further tries found none; widen \
         the window or play more plies"
    )]
    TooFew {
        /// How many were found.
        found: usize,
    },
    /// The work was stopped.
    #[error("stopped")]
    Stopped,
}

/// The result of one try.
enum Try {
    /// The game ended during the random plies.
    Over,
    /// The position was tried in an earlier batch.
    Known,
    /// A new position, and whether it is balanced.
    New { board: Board, is_fair: bool },
}

/// Makes openings. `report` gets the number found so far.
pub fn make(
    options: &MakeOptions,
    stop: &StopSignal,
    report: &mut (dyn FnMut(usize) + Send),
) -> Result<MadeOpenings, MakeError> {
    let options = &MakeOptions {
        threads: options.threads.max(1),
        ..*options
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .stack_size(STACK_BYTES)
        .build()?;
    pool.install(|| collect(options, stop, report))
}

fn collect(
    options: &MakeOptions,
    stop: &StopSignal,
    report: &mut (dyn FnMut(usize) + Send),
) -> Result<MadeOpenings, MakeError> {
    let mut made = MadeOpenings {
        boards: Vec::new(),
        tried: 0,
    };
    let judges = Judges::new(options);
    let mut known = HashSet::new();
    let mut failures = 0;
    while made.boards.len() < options.count {
        let outcomes = try_all(options, made.tried, &known, &judges, stop);
        if stop.is_stopped() {
            return Err(MakeError::Stopped);
        }
        for outcome in outcomes {
            made.tried += 1;
            failures += 1;
            if let Try::New { board, is_fair } = outcome
                && known.insert(board.key())
                && is_fair
            {
                made.boards.push(board);
                failures = 0;
            }
            let found = made.boards.len();
            if found == options.count {
                break;
            }
            if failures == MOST_FAILURES {
                return Err(MakeError::TooFew { found });
            }
        }
        report(made.boards.len());
    }
    Ok(made)
}

/// One judge for each thread, not shared with others.
struct Judges(Vec<Mutex<Judge>>);

impl Judges {
    fn new(options: &MakeOptions) -> Judges {
        let judge = || Mutex::new(Judge::new(options.nodes));
        Judges(
            std::iter::repeat_with(judge)
                .take(options.threads)
                .collect(),
        )
    }

    fn value(&self, board: &Board, stop: &StopSignal) -> Score {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        let mut judge = self.0[thread]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        judge.value(board, stop)
    }
}

/// Tries a batch of candidates in parallel; the results are in the order of their numbers.
fn try_all(
    options: &MakeOptions,
    first: u64,
    known: &HashSet<u64>,
    judges: &Judges,
    stop: &StopSignal,
) -> Vec<Try> {
    (0..TRIES_A_THREAD * options.threads)
        .into_par_iter()
        .with_max_len(1)
        .map(|place| {
            let Some(board) = random_board(options, first + place as u64) else {
                return Try::Over;
            };
            if known.contains(&board.key()) || stop.is_stopped() {
                return Try::Known;
            }
            Try::New {
                board,
                is_fair: options.window.contains(judges.value(&board, stop)),
            }
        })
        .collect()
}

/// The position after the random plies; `None` if the game ended before.
fn random_board(options: &MakeOptions, number: u64) -> Option<Board> {
    let mut generator = random::generator(options.seed, number);
    let mut board = if options.chess960 {
        Board::chess960(random::below(&mut generator, STARTS) as u16)?
    } else {
        Board::start()
    };
    for _ in 0..options.plies {
        // Sorted by name, so that the order of move generation does not matter.
        let mut moves: Vec<_> = board
            .legal_moves()
            .iter()
            .map(|&mv| (board.uci(mv, CastlingStyle::Chess960).to_string(), mv))
            .collect();
        moves.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        if moves.is_empty() {
            return None;
        }
        let chosen = random::below(&mut generator, moves.len() as u64);
        board.make(moves[chosen as usize].1);
    }
    board.termination().is_none().then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_lies_in_the_window() {
        let options = MakeOptions {
            count: 40,
            seed: 11,
            plies: 8,
            chess960: true,
            window: Window {
                least: 30,
                most: 70,
            },
            nodes: 400,
            threads: 2,
        };
        let made = make(&options, &StopSignal::new(), &mut |_| {}).expect("openings");
        assert!(made.tried > 40);
        let judge = std::thread::Builder::new().stack_size(STACK_BYTES);
        let values = move || {
            let mut judge = Judge::new(options.nodes);
            let value = |board| judge.value(board, &StopSignal::new());
            made.boards.iter().map(value).collect::<Vec<_>>()
        };
        let values = judge
            .spawn(values)
            .expect("a thread")
            .join()
            .expect("values");
        assert_eq!(values.len(), 40);
        for value in values {
            assert!(options.window.contains(value), "{value}");
        }
    }
}
