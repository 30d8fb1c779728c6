//! Match games for workers in other processes: serialises players and rules, and checks whether a
//! returned game can be the one that was asked for.

use super::beginning::Beginning;
use super::table::Table;
use super::{Contestant, PIECE, Work};
use crate::game::{Endings, Outcome, Rules};
use crate::journal::GameLine;
use engines::STACK_BYTES;
use engines::recipe::{PlayerSpec, PortablePlayer, blob_name, blob_of_model, repeatable};
use nets::Model;
use serde::{Deserialize, Serialize};
use work::{Blobs, Care, Description, Job, Kind, Piece, Portable, Repeatable, Worker};

/// Games between players of this program.
pub const KIND: Kind = Kind {
    name: "match",
    make: |settings, blobs| Ok(Box::new(RemoteGames::new(settings, blobs)?)),
};

/// What all games have in common, in serialised form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    players: Vec<PortablePlayer>,
    endings: Endings,
}

/// Match games that another process asks for.
struct RemoteGames {
    players: Vec<PlayerSpec>,
    rules: Rules,
}

impl RemoteGames {
    fn new(settings: &str, blobs: &Blobs) -> Result<RemoteGames, String> {
        let written: Written = serde_json::from_str(settings).map_err(|error| error.to_string())?;
        let players = written.players.iter();
        let players =
            players.map(|player| player.player(|name| blobs.get(name).map(Vec::as_slice)));
        Ok(RemoteGames {
            players: players.collect::<Result<_, _>>()?,
            rules: Rules {
                endings: written.endings,
                oracle: None,
            },
        })
    }
}

impl Job for RemoteGames {
    fn piece_name(&self) -> &'static str {
        PIECE
    }

    fn stack_bytes(&self) -> usize {
        STACK_BYTES
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        Box::new(Table::new(&self.players, &self.rules))
    }
}

impl<C: Contestant> Work<'_, C> {
    fn specs(&self) -> impl Iterator<Item = &PlayerSpec> {
        self.contestants.iter().filter_map(Contestant::spec)
    }

    fn models(&self) -> impl Iterator<Item = &Model> {
        self.specs().filter_map(|spec| spec.recipe.model())
    }
}

impl<C: Contestant> Portable for Work<'_, C> {
    fn description(&self) -> Result<Description, String> {
        if self.rules.oracle.is_some() {
            let words = "games are adjudicated by tablebases, which other machines may not have";
            return Err(words.to_owned());
        }
        let players = self.contestants.iter().map(|contestant| {
            let spec = contestant.spec();
            spec.ok_or_else(|| format!("'{}' can only play on this machine", contestant.name()))?
                .to_portable()
        });
        let written = Written {
            players: players.collect::<Result<_, _>>()?,
            endings: self.rules.endings.clone(),
        };
        let mut blobs: Vec<String> = self.models().filter_map(blob_name).collect();
        blobs.sort();
        blobs.dedup();
        let is_timed = self.specs().any(|spec| spec.pace.is_timed());
        Ok(Description {
            kind: KIND.name,
            settings: serde_json::to_string(&written).map_err(|error| error.to_string())?,
            blobs,
            repeatable: match is_timed {
                true => Repeatable::Nowhere,
                false => repeatable(self.specs().map(|spec| &spec.recipe)),
            },
            is_timed,
        })
    }

    fn blob(&self, name: &str) -> Result<Vec<u8>, String> {
        blob_of_model(self.models(), name)
    }

    /// The two games of a pair, which share an opening.
    fn together(&self) -> usize {
        2
    }

    fn check(&self, piece: &Piece, result: &[u8], care: Care) -> Result<(), String> {
        let game: GameLine = serde_json::from_slice(result).map_err(|error| error.to_string())?;
        let beginning = Beginning::from_bytes(&piece.payload)?;
        let fixture = beginning
            .fixture(piece.number as usize, self.contestants.len())
            .ok_or("no such players")?;
        let names = [fixture.white, fixture.black].map(|number| self.contestants[number].name());
        game.check_fixture(&fixture, names)?;
        match care {
            Care::Usual => Ok(()),
            Care::Thorough => game.check_moves(&beginning.opening()?),
        }
    }

    fn essence(&self, result: &[u8]) -> Vec<u8> {
        let game: Option<GameLine> = serde_json::from_slice(result).ok();
        let game = game.map(GameLine::without_times);
        game.and_then(|game| serde_json::to_vec(&game).ok())
            .unwrap_or_else(|| result.to_vec())
    }

    /// The points of the pair's first player, counted in halves: 0 to 4.
    fn class(&self, results: &[&[u8]]) -> Option<usize> {
        let mut half_points = 0;
        for result in results {
            let game: GameLine = serde_json::from_slice(result).ok()?;
            let for_white = match game.result {
                Outcome::WhiteWins => 2,
                Outcome::Draw => 1,
                Outcome::BlackWins => 0,
            };
            half_points += match game.index.is_multiple_of(2) {
                true => for_white,
                false => 2 - for_white,
            };
        }
        Some(half_points)
    }
}
