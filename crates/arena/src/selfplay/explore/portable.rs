//! Exploration for workers in other processes: serialises settings, player and openings, and checks
//! whether a returned game can be the one that was asked for.

use super::settings::ExploreSettings;
use super::table::Exploring;
use crate::selfplay::portable::TravellingBook;
use crate::selfplay::record::GameRecord;
use crate::selfplay::settings::Settings;
use chess::{Board, Game};
use engines::recipe::{PortableRecipe, Recipe, blob_name, blob_of_model};
use serde::{Deserialize, Serialize};
use work::{Blobs, Care, Description, Kind, Piece, Portable, Repeatable};

/// Games in which a tree search explores.
pub const KIND: Kind = Kind {
    name: "explore",
    make: |settings, blobs| Ok(Box::new(made(settings, blobs)?)),
};

/// What all games have in common, in serialised form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// If `openings` names a blob, their book is not used.
    settings: Settings,
    explore: ExploreSettings,
    generation: u32,
    /// The blob of the openings, if the book is a file.
    openings: Option<String>,
    seed: u64,
    player: PortableRecipe,
}

fn made(settings: &str, blobs: &Blobs) -> Result<Exploring, String> {
    let written: Written = serde_json::from_str(settings).map_err(|error| error.to_string())?;
    let checked = written
        .settings
        .check()
        .and_then(|()| written.explore.check());
    checked.map_err(|error| error.to_string())?;
    let name = written.openings.as_deref();
    let openings = TravellingBook::read(&written.settings, name, blobs)?;
    let recipe = written
        .player
        .recipe(|name| blobs.get(name).map(Vec::as_slice))?;
    let Recipe::Mcts(player) = recipe else {
        return Err("only tree searches can explore".to_owned());
    };
    Ok(Exploring::new(
        (written.settings, written.explore),
        written.generation,
        player,
        openings,
        written.seed,
    ))
}

impl Exploring {
    fn book(&self) -> TravellingBook<'_> {
        TravellingBook::new(&self.settings, &self.openings)
    }
}

impl Portable for Exploring {
    fn description(&self) -> Result<Description, String> {
        let (settings, openings) = self.book().written();
        let model = blob_name(&self.player.model);
        let blobs = model.into_iter().chain(openings.clone()).collect();
        let written = Written {
            settings,
            explore: self.explore.clone(),
            generation: self.generation,
            openings,
            seed: self.seed,
            player: Recipe::Mcts(self.player.clone()).to_portable()?,
        };
        Ok(Description {
            kind: KIND.name,
            settings: serde_json::to_string(&written).map_err(|error| error.to_string())?,
            blobs,
            repeatable: Repeatable::WithSameArithmetic,
            is_timed: false,
        })
    }

    fn blob(&self, name: &str) -> Result<Vec<u8>, String> {
        match self.book().text(name) {
            Some(text) => Ok(text),
            None => blob_of_model([&self.player.model].into_iter(), name),
        }
    }

    fn check(&self, piece: &Piece, result: &[u8], care: Care) -> Result<(), String> {
        let game = GameRecord::of(piece, result)?;
        match care {
            Care::Usual if game.explored.is_some() => Ok(()),
            Care::Usual => Err("there is no exploration".to_owned()),
            Care::Thorough => check_rows(&game),
        }
    }

    fn essence(&self, result: &[u8]) -> Vec<u8> {
        GameRecord::essence(result)
    }

    fn class(&self, results: &[&[u8]]) -> Option<usize> {
        GameRecord::class(results.first()?)
    }
}

/// Replays the game, which proves its moves legal, and checks that the positions of its rows occur
/// in it in their order.
fn check_rows(game: &GameRecord) -> Result<(), String> {
    let explored = game.explored.as_ref().ok_or("there is no exploration")?;
    let start = match &explored.fen {
        Some(fen) => Board::from_fen(fen).map_err(|error| error.to_string())?,
        None => Board::start(),
    };
    let mut replayed = Game::new(start);
    for name in explored.moves.split_whitespace() {
        let mv = replayed.board().parse_uci(name);
        let mv = mv.map_err(|error| error.to_string())?;
        replayed.play(mv).map_err(|error| error.to_string())?;
    }
    let plies = replayed.moves().len();
    if plies != (explored.opening + game.plies) as usize {
        return Err(format!("it has {plies} plies with its opening"));
    }
    let records = explored.records().ok_or("its rows are damaged")?;
    if records.len() as u64 != game.positions {
        return Err(format!("it has {} rows", records.len()));
    }
    let mut boards = replayed.line().boards().iter();
    for record in &records {
        if !boards.any(|board| *board == record.board) {
            return Err("a row is of another game".to_owned());
        }
    }
    Ok(())
}
