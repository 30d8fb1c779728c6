//! Self-play for workers in other processes: serialises settings, player and openings, and checks
//! whether a returned game can be the one that was asked for.

use super::game::Table;
use super::record::{GameRecord, from_digits};
use super::settings::{Book, Settings};
use super::worker::{PIECE, Playing, Seat};
use crate::game::{Endings, Outcome, Rules};
use crate::openings::Openings;
use data::binpack::Positions;
use engines::STACK_BYTES;
use engines::recipe::{Pace, PortableRecipe, Recipe, blob_name, blob_of_model, repeatable};
use serde::{Deserialize, Serialize};
use work::{Blobs, Care, Description, Job, Kind, Piece, Portable, Worker};

/// Games of a player of this program against itself.
pub const KIND: Kind = Kind {
    name: "selfplay",
    make: |settings, blobs| Ok(Box::new(RemotePlaying::new(settings, blobs)?)),
};

/// What all games have in common, in serialised form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// If `openings` names a blob, their book is not used.
    settings: Settings,
    /// The blob of the openings, if the book is a file.
    openings: Option<String>,
    pace: Pace,
    endings: Endings,
    seed: u64,
    player: PortableRecipe,
}

/// Self-play that another process asks for.
struct RemotePlaying {
    settings: Settings,
    openings: Openings,
    rules: Rules,
    pace: Pace,
    seed: u64,
    player: Recipe,
}

impl RemotePlaying {
    fn new(settings: &str, blobs: &Blobs) -> Result<RemotePlaying, String> {
        let written: Written = serde_json::from_str(settings).map_err(|error| error.to_string())?;
        let blob = |name: &str| blobs.get(name).map(Vec::as_slice);
        let name = written.openings.as_deref();
        let openings = TravellingBook::read(&written.settings, name, blobs)?;
        Ok(RemotePlaying {
            openings,
            rules: Rules {
                endings: written.endings,
                oracle: None,
            },
            pace: written.pace,
            seed: written.seed,
            player: written.player.recipe(blob)?,
            settings: written.settings,
        })
    }
}

impl Job for RemotePlaying {
    fn piece_name(&self) -> &'static str {
        PIECE
    }

    fn stack_bytes(&self) -> usize {
        STACK_BYTES
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        let table = Table {
            settings: &self.settings,
            openings: &self.openings,
            rules: &self.rules,
            pace: &self.pace,
            seed: self.seed,
        };
        Box::new(Seat::new(table, &self.player))
    }
}

/// The openings of games that other processes play.
pub(super) struct TravellingBook<'a> {
    settings: &'a Settings,
    openings: &'a Openings,
}

impl TravellingBook<'_> {
    pub(super) fn new<'a>(settings: &'a Settings, openings: &'a Openings) -> TravellingBook<'a> {
        TravellingBook { settings, openings }
    }

    /// The settings in a form that others can read, and the blob of the openings if the book is a
    /// file.
    pub(super) fn written(&self) -> (Settings, Option<String>) {
        let mut settings = self.settings.clone();
        let name = self.blob().map(|(name, _)| name);
        if name.is_some() {
            settings.book = Book::BuiltIn;
        }
        (settings, name)
    }

    /// The text of the openings, if `name` is that of their blob.
    pub(super) fn text(&self, name: &str) -> Option<Vec<u8>> {
        let (own, text) = self.blob()?;
        (own == name).then(|| text.into_bytes())
    }

    fn blob(&self) -> Option<(String, String)> {
        let Book::File(_) = &self.settings.book else {
            return None;
        };
        let text = self.openings.to_text();
        Some((blake3::hash(text.as_bytes()).to_string(), text))
    }

    /// The openings, from the serialised settings and the blob.
    pub(super) fn read(
        settings: &Settings,
        name: Option<&str>,
        blobs: &Blobs,
    ) -> Result<Openings, String> {
        match (name, &settings.book) {
            (Some(name), _) => {
                let bytes = blobs.get(name).ok_or("the openings are missing")?;
                let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
                Openings::from_text(text)
            }
            (None, Book::File(_)) => Err("the book is a file on another machine".to_owned()),
            (None, book) => book.open().map_err(|error| error.to_string()),
        }
    }
}

impl Playing<'_> {
    fn book(&self) -> TravellingBook<'_> {
        TravellingBook::new(self.table.settings, self.table.openings)
    }
}

impl Portable for Playing<'_> {
    fn description(&self) -> Result<Description, String> {
        let Table {
            rules, pace, seed, ..
        } = self.table;
        let (settings, openings) = self.book().written();
        let model = self.player.model().and_then(blob_name);
        let blobs = model.into_iter().chain(openings.clone()).collect();
        let written = Written {
            settings,
            openings,
            pace: pace.clone(),
            endings: rules.endings.clone(),
            seed,
            player: self.player.to_portable()?,
        };
        Ok(Description {
            kind: KIND.name,
            settings: serde_json::to_string(&written).map_err(|error| error.to_string())?,
            blobs,
            repeatable: repeatable([self.player].into_iter()),
            is_timed: pace.is_timed(),
        })
    }

    fn blob(&self, name: &str) -> Result<Vec<u8>, String> {
        match self.book().text(name) {
            Some(text) => Ok(text),
            None => blob_of_model(self.player.model().into_iter(), name),
        }
    }

    fn check(&self, piece: &Piece, result: &[u8], care: Care) -> Result<(), String> {
        let game = GameRecord::of(piece, result)?;
        match care {
            Care::Usual => Ok(()),
            Care::Thorough => game.check_positions(),
        }
    }

    fn essence(&self, result: &[u8]) -> Vec<u8> {
        GameRecord::essence(result)
    }

    fn class(&self, results: &[&[u8]]) -> Option<usize> {
        GameRecord::class(results.first()?)
    }
}

impl GameRecord {
    /// The game that a worker returned for a piece, if its number and counts can be right.
    pub(super) fn of(piece: &Piece, result: &[u8]) -> Result<GameRecord, String> {
        let game: GameRecord = serde_json::from_slice(result).map_err(|error| error.to_string())?;
        if game.game != piece.number {
            return Err(format!("it is game {}", game.game));
        }
        game.check_counts()?;
        Ok(game)
    }

    /// The bytes of a game that are the same when it is played again.
    pub(super) fn essence(result: &[u8]) -> Vec<u8> {
        let game: Option<GameRecord> = serde_json::from_slice(result).ok();
        let game = game.map(GameRecord::without_times);
        game.and_then(|game| serde_json::to_vec(&game).ok())
            .unwrap_or_else(|| result.to_vec())
    }

    /// Who won.
    pub(super) fn class(result: &[u8]) -> Option<usize> {
        let game: GameRecord = serde_json::from_slice(result).ok()?;
        Some(match game.result {
            Outcome::WhiteWins => 0,
            Outcome::Draw => 1,
            Outcome::BlackWins => 2,
        })
    }

    /// The same game without times: the part that is the same when it is played again.
    fn without_times(mut self) -> GameRecord {
        self.seconds = 0.0;
        self.thinking_seconds = 0.0;
        self.at = 0.0;
        self
    }

    /// Decodes the chains, which proves every move legal, and counts their positions.
    fn check_positions(&self) -> Result<(), String> {
        let chains = from_digits(&self.chains).ok_or("its positions are not digits")?;
        let mut positions = Positions::new(&chains);
        let (mut plies, mut learned) = (0, 0);
        while let Some(position) = positions.next().map_err(|error| error.to_string())? {
            plies += 1;
            learned += u64::from(!position.is_marked());
        }
        match (plies, learned) == (self.plies, self.positions) {
            true => Ok(()),
            false => Err(format!(
                "it has {plies} plies and {learned} positions, not {} and {}",
                self.plies, self.positions
            )),
        }
    }
}
