//! The positions that games reach most often after a number of plies: openings as people
//! play them.

use std::collections::HashMap;
use std::ops::ControlFlow;

use chess::{Board, Move};

use super::{
    batches::{Batch, Batches},
    convert::{Facts, Filter},
    problem::BrokenGame,
    reading::{BatchReport, Counted, read_batch},
    replay::{Ending, Visitor},
    source::{Source, SourceError},
    tag::Tag,
};
use crate::workers::process;

/// Counts the positions of one file after another.
pub struct Frequencies {
    filter: Filter,
    plies: u64,
    threads: usize,
    games: u64,
    positions: HashMap<u64, Met>,
}

/// A position that games have reached.
struct Met {
    board: Board,
    count: u64,
    /// The first game that reached it, which breaks ties between equally frequent
    /// positions.
    first: u64,
}

/// A position with the number of games that reached it.
#[derive(Clone, Copy, Debug)]
pub struct Frequent {
    /// The position.
    pub board: Board,
    /// How many games reached it.
    pub games: u64,
}

impl Frequencies {
    /// Counts the positions after `plies` plies in the games that satisfy the filter.
    pub fn new(plies: u64, filter: Filter, threads: usize) -> Frequencies {
        Frequencies {
            filter,
            plies,
            threads,
            games: 0,
            positions: HashMap::new(),
        }
    }

    /// Counts the games of a file. After each batch, `follow` gets the broken games of the
    /// batch; it may stop.
    ///
    /// # Errors
    /// If the file is truncated, after its whole games were counted.
    pub fn add(
        &mut self,
        source: Source,
        mut follow: impl FnMut(&[BrokenGame]) -> ControlFlow<()> + Send,
    ) -> Result<(), SourceError> {
        let mut counted = Counted::default();
        let (filter, plies) = (&self.filter, self.plies);
        let (games, positions) = (&mut self.games, &mut self.positions);
        let deliver = |batch: Reached| {
            for board in batch.boards {
                let met = positions.entry(board.key()).or_insert(Met {
                    board,
                    count: 0,
                    first: *games,
                });
                met.count += 1;
                *games += 1;
            }
            follow(&counted.add(batch.report))
        };
        let mut batches = Batches::new(source);
        let next = |batch: &mut Batch| batches.next(batch);
        let work = |batch: &Batch| reach(batch, filter, plies);
        process(next, self.threads, work, deliver)
    }

    /// How many games were long enough, and how many different positions they reached.
    pub fn counts(&self) -> (u64, usize) {
        (self.games, self.positions.len())
    }

    /// The positions that most games have reached, the most frequent first.
    pub fn most(&self, count: usize) -> Vec<Frequent> {
        let mut all: Vec<&Met> = self.positions.values().collect();
        all.sort_by_key(|met| (std::cmp::Reverse(met.count), met.first));
        let frequent = |met: &&Met| Frequent {
            board: met.board,
            games: met.count,
        };
        all.iter().take(count).map(frequent).collect()
    }
}

/// The positions that the games of a batch have reached.
struct Reached {
    report: BatchReport,
    boards: Vec<Board>,
}

fn reach(batch: &Batch, filter: &Filter, plies: u64) -> Reached {
    let mut boards = Vec::new();
    let report = read_batch(batch, |replayer, games, _| {
        let mut walker = Walker {
            filter,
            facts: Facts::default(),
            left: plies,
            depth: 0,
            reached: None,
            is_wanted: false,
        };
        let outcome = replayer.next_game(games, &mut walker)?;
        boards.extend(walker.reached.filter(|_| walker.is_wanted));
        Some(outcome)
    });
    Reached { report, boards }
}

/// Follows the main line of a game from the usual starting position.
struct Walker<'a> {
    filter: &'a Filter,
    facts: Facts,
    /// How many plies are left.
    left: u64,
    /// How many variations are open; their moves are ignored.
    depth: u32,
    reached: Option<Board>,
    /// Whether the game is complete and satisfies the filter.
    is_wanted: bool,
}

impl Visitor for Walker<'_> {
    fn tag(&mut self, tag: Tag<'_>) -> ControlFlow<()> {
        self.facts.note(tag);
        ControlFlow::Continue(())
    }

    fn start(&mut self, board: &Board) -> ControlFlow<()> {
        match *board == Board::start() && self.filter.takes_tags(&self.facts) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn play(&mut self, before: &Board, mv: Option<Move>) {
        if self.depth > 0 || self.reached.is_some() || self.left == 0 {
            return;
        }
        self.left -= 1;
        if self.left == 0
            && let Some(mv) = mv
        {
            let mut board = *before;
            board.make(mv);
            self.reached = Some(board);
        }
    }

    fn open(&mut self) {
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
    }

    fn end(&mut self, ending: &Ending) {
        self.is_wanted = self.filter.takes_ending(ending);
    }
}
