//! Openings: the positions from which matches start.
//!
//! - `reading` reads them from EPD and PGN files, `polyglot` from Polyglot books;
//! - `text` writes them in a format that other processes can read;
//! - a seed determines their order;
//! - `wander` adds random plies;
//! - `make` makes new ones, and `balance` checks that they are balanced.
//!
//! Nothing here knows who plays from them.

mod balance;
mod make;
mod polyglot;
mod reading;
mod text;
mod wander;

pub use balance::Window;
pub use make::{MadeOpenings, MakeError, MakeOptions, make};
pub use reading::OpeningsError;
pub(crate) use wander::random_move;

use chess::{Board, Game, Move};
use std::path::Path;

/// The default openings.
const DEFAULT_BOOK: &str = include_str!("default.epd");

/// The beginning of a game: a position, and moves played from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    start: Board,
    moves: Vec<Move>,
}

/// The order in which openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they are in the file.
    #[default]
    Sequential,
    /// Shuffled. The same seed gives the same order, in all versions.
    Shuffled {
        /// The seed.
        seed: u64,
    },
}

/// Openings in an order, repeated endlessly. There is at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    list: Vec<Opening>,
    start: usize,
}

impl Opening {
    /// An opening without moves.
    pub fn new(start: Board) -> Opening {
        Opening {
            start,
            moves: Vec::new(),
        }
    }

    /// The position before the first move.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// A game with the opening's moves played.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for &mv in &self.moves {
            // The moves were checked when the opening was read.
            if game.play(mv).is_err() {
                break;
            }
        }
        game
    }
}

impl Openings {
    /// The openings of an EPD or PGN file, plain or compressed, in file order, or of a Polyglot
    /// book (.bin), most likely ones first. From games, at most this many plies are taken: by
    /// default all, from a book eight.
    pub fn read(path: &Path, plies: Option<usize>) -> Result<Openings, OpeningsError> {
        reading::read(path, plies).map(|list| Openings { list, start: 0 })
    }

    /// Balanced openings of eight random plies that come with the program.
    pub fn built_in() -> Openings {
        let lines = DEFAULT_BOOK.lines().map(str::trim);
        let positions = lines.filter(|line| reading::is_position(line));
        // A test checks every line.
        let boards = positions.filter_map(|line| line.parse::<chess::Epd>().ok());
        let list: Vec<Opening> = boards.map(|epd| Opening::new(epd.board)).collect();
        Openings { list, start: 0 }
    }

    /// The standard start position as the only opening.
    pub fn start() -> Openings {
        Openings {
            list: vec![Opening::new(Board::start())],
            start: 0,
        }
    }

    /// The same openings in another order, rotated so that the first `skipped` come last.
    pub fn arranged(mut self, order: Order, skipped: usize) -> Openings {
        if let Order::Shuffled { seed } = order {
            data::random::shuffle(&mut self.list, seed);
        }
        self.start = skipped % self.list.len().max(1);
        self
    }

    /// How many there are, at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The opening with this number; after the last one they repeat.
    pub fn get(&self, number: usize) -> &Opening {
        let count = self.list.len();
        &self.list[(self.start + number % count) % count]
    }

    /// All openings once, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Opening> {
        (0..self.len()).map(|number| self.get(number))
    }
}
