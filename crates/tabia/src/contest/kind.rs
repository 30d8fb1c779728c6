//! The kinds of contests: a match, a test or a tournament.

use super::document::{Document, TournamentTable};
use crate::exit::WrongInput;
use arena::schedule::Format;
use arena::statistics::Sprt;

/// A kind of contest with its options; what is not given may be set in the file.
pub(crate) enum Kind {
    /// A number of games between two players.
    Match {
        /// The number of games.
        games: Option<u64>,
    },
    /// Two players until a test decides, or the maximum number of games is reached.
    Test {
        /// The maximum number of games.
        games: Option<u64>,
        /// The test.
        sprt: Option<Sprt>,
    },
    /// A number of games between each two players that meet.
    Tournament {
        /// The number of games.
        games: Option<u64>,
        /// The number of seeds, for a gauntlet.
        seeds: Option<usize>,
    },
}

impl Kind {
    /// The name of the command.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Kind::Match { .. } => "match",
            Kind::Test { .. } => "sprt",
            Kind::Tournament { .. } => "tournament",
        }
    }

    /// Refuses a file with tables for another command.
    pub(super) fn refuse_foreign_tables(&self, wishes: &Document) -> Result<(), WrongInput> {
        let (name, is_foreign) = match self {
            Kind::Test { .. } => ("tournament", wishes.tournament.is_some()),
            Kind::Tournament { .. } => ("sprt", wishes.sprt.is_some()),
            Kind::Match { .. } if wishes.sprt.is_some() => ("sprt", true),
            Kind::Match { .. } => ("tournament", wishes.tournament.is_some()),
        };
        if is_foreign {
            return Err(WrongInput::new(format!(
                "the file has a table [{name}], which is for `tabia {name}`"
            )));
        }
        Ok(())
    }

    pub(super) fn check_players(&self, players: usize) -> Result<(), WrongInput> {
        match self {
            Kind::Match { .. } | Kind::Test { .. } if players != 2 => {
                Err(WrongInput::new(format!(
                    "a {} needs exactly 2 players, but {players} are given; give each with \
                     --player \"name=... ...\"",
                    self.name()
                )))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn format(&self, wishes: &Document) -> Format {
        match self {
            Kind::Tournament {
                seeds: Some(seeds), ..
            } => Format::Gauntlet { seeds: *seeds },
            _ => wishes
                .tournament
                .as_ref()
                .map_or(Format::RoundRobin, TournamentTable::format),
        }
    }

    /// The number of games between two players. `openings` is their number if repeated openings
    /// would repeat games: by default a test then has no more games than they allow.
    pub(super) fn games(&self, wishes: &Document, openings: Option<usize>) -> u64 {
        let (games, usual) = match self {
            Kind::Match { games } => (games, 100),
            Kind::Test { games, .. } => {
                let most = openings.map_or(u64::MAX, |openings| 2 * openings as u64);
                (games, most.min(100_000))
            }
            Kind::Tournament { games, .. } => (games, 10),
        };
        games.or(wishes.games).unwrap_or(usual)
    }

    pub(super) fn sprt(&self, wishes: &Document) -> Result<Option<Sprt>, WrongInput> {
        let Kind::Test { sprt, .. } = self else {
            return Ok(None);
        };
        match (sprt, &wishes.sprt) {
            (Some(sprt), _) => Ok(Some(*sprt)),
            (None, Some(table)) => table.sprt().map(Some),
            (None, None) => Err(WrongInput::new(
                "a test needs hypotheses: give --elo0 and --elo1, such as --elo0 0 --elo1 5",
            )),
        }
    }
}
