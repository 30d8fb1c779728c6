//! Openings: the positions from which matches start.
//!
//! - `reading` takes them from EPD and PGN files, `polyglot` from Polyglot books;
//! - `text` writes them down for others;
//! - a seed decides their order;
//! - `wander` goes on with random plies;
//! - `make` makes new ones, and `balance` sees to it that they are fair.
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

/// Openings for those who have none of their own.
const DEFAULT_BOOK: &str = include_str!("default.epd");

/// The beginning of a game: a position, and moves played from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    start: Board,
    moves: Vec<Move>,
}

/// In which order openings are used.
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

/// Openings in an order, over and over again. There is at least one.
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

    /// The game that begins so.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for &mv in &self.moves {
            // They were played when the opening was read.
            if game.play(mv).is_err() {
                break;
            }
        }
        game
    }
}

impl Openings {
    /// The openings of a file, EPD or PGN, plain or compressed, in its order, or of a
    /// Polyglot book (.bin), the likeliest first. Of games, so many plies are taken at most;
    /// all by default, and eight of a book.
    pub fn read(path: &Path, plies: Option<usize>) -> Result<Openings, OpeningsError> {
        reading::read(path, plies).map(|list| Openings { list, start: 0 })
    }

    /// Balanced openings of eight random plies that come with the program.
    pub fn built_in() -> Openings {
        let lines = DEFAULT_BOOK.lines().map(str::trim);
        let positions = lines.filter(|line| reading::is_position(line));
        // Every line is read in a test.
        let boards = positions.filter_map(|line| line.parse::<chess::Epd>().ok());
        let list: Vec<Opening> = boards.map(|epd| Opening::new(epd.board)).collect();
        Openings { list, start: 0 }
    }

    /// The usual start position alone.
    pub fn start() -> Openings {
        Openings {
            list: vec![Opening::new(Board::start())],
            start: 0,
        }
    }

    /// The same openings in another order, of which the first `skipped` come
    /// last.
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

    /// The opening with a number; after the last comes the first again.
    pub fn get(&self, number: usize) -> &Opening {
        let count = self.list.len();
        &self.list[(self.start + number % count) % count]
    }

    /// All openings once, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Opening> {
        (0..self.len()).map(|number| self.get(number))
    }
}
