//! The openings of a contest, in the order of play.

use super::options::{OpeningOptions, Order};
use crate::exit::WrongInput;
use arena::openings::{self, Openings};
use arena::plan::OpeningsPlan;
use chess::Game;

/// The default number of plies of a PGN game that belong to the opening.
const PLIES: usize = 16;
/// The default seed of the order.
const SEED: u64 = 1;

/// The openings in their order.
pub(crate) struct Book {
    openings: Openings,
    source: String,
}

impl Book {
    pub(crate) fn open(options: &OpeningOptions) -> Result<Book, WrongInput> {
        let (openings, name) = match &options.file {
            Some(file) => {
                let plies = options.plies.unwrap_or(PLIES);
                let read = Openings::read(file, Some(plies));
                let read = read.map_err(|error| WrongInput::new(error.to_string()))?;
                (read, file.display().to_string())
            }
            None => (Openings::built_in(), "built in".to_owned()),
        };
        let seed = options.seed.unwrap_or(SEED);
        let (order, words) = match options.order.unwrap_or_default() {
            Order::Sequential => (openings::Order::Sequential, "in their order".to_owned()),
            Order::Random => (
                openings::Order::Shuffled { seed },
                format!("shuffled by {seed}"),
            ),
        };
        Ok(Book {
            openings: openings.arranged(order, 0),
            source: format!("{name}, {words}"),
        })
    }

    /// The opening of a round; after the last one they repeat.
    pub(crate) fn game(&self, round: usize) -> Game {
        self.openings.get(round).game()
    }

    pub(crate) fn count(&self) -> usize {
        self.openings.len()
    }

    pub(crate) fn plan(&self) -> OpeningsPlan {
        OpeningsPlan::new(self.source.clone(), &self.openings)
    }
}
