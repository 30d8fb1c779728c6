//! The openings of a contest, in the order in which they are played.

use super::options::OpeningOptions;
use crate::exit::WrongInput;
use arena::plan::OpeningsPlan;
use chess::{Board, Game};

/// Openings in their order.
pub(crate) struct Book {
    games: Vec<Game>,
    source: String,
}

impl Book {
    pub(crate) fn open(options: &OpeningOptions) -> Result<Book, WrongInput> {
        if let Some(file) = &options.file {
            let name = file.display();
            return Err(WrongInput::new(format!("cannot read {name}: not yet")));
        }
        let start = Board::start();
        let mut games = Vec::new();
        for &first in start.legal_moves().iter() {
            for &second in start.after(first).legal_moves().iter() {
                let mut game = Game::new(start);
                let played = game.play(first).and_then(|_| game.play(second));
                games.extend(played.is_ok().then_some(game));
            }
        }
        Ok(Book {
            games,
            source: "two plies".to_owned(),
        })
    }

    /// The opening of a round; after the last comes the first again.
    pub(crate) fn game(&self, round: usize) -> Game {
        self.games[round % self.games.len()].clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.games.len()
    }

    pub(crate) fn plan(&self) -> OpeningsPlan {
        OpeningsPlan {
            source: self.source.clone(),
            count: self.games.len(),
            digest: String::new(),
        }
    }
}
