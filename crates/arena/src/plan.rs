//! A match or a tournament as it will be played, with nothing left open.
//!
//! Only games of one plan may be counted together; its fingerprint tells plans
//! apart. What does not change a result, such as the number of games played at
//! once, is no part of it.

use crate::game::Endings;
use crate::openings::Openings;
use crate::schedule::{Format, Schedule, ScheduleError};
use crate::statistics::Sprt;
use engines::recipe::PlayerSpec;
use serde::Serialize;
use serde_json::Value;

/// Openings, as far as they must be the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpeningsPlan {
    /// Where they come from, for people.
    pub source: String,
    /// How many there are.
    pub count: usize,
    /// A digest of the openings in the order in which they are played.
    pub digest: String,
}

impl OpeningsPlan {
    /// Openings that come from here.
    pub fn new(source: String, openings: &Openings) -> OpeningsPlan {
        let mut hasher = blake3::Hasher::new();
        for opening in openings.iter() {
            hasher.update(opening.start().fen().to_string().as_bytes());
            for mv in opening.moves() {
                hasher.update(&mv.to_bits().to_le_bytes());
            }
            hasher.update(b"\n");
        }
        OpeningsPlan {
            source,
            count: openings.len(),
            digest: short(&hasher.finalize()),
        }
    }
}

/// Enough of a hash to tell plans apart.
fn short(hash: &blake3::Hash) -> String {
    hash.to_hex()[..16].to_owned()
}

/// All that decides what will be played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plan {
    /// Who plays.
    pub players: Vec<PlayerSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Games of each two players that meet; a list of meetings has its own.
    pub games: u64,
    /// The openings.
    pub openings: OpeningsPlan,
    /// How games end.
    pub endings: Endings,
    /// A test that may end the match early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

impl Plan {
    /// Whether players inside this program take part, which are only the same in the
    /// same build.
    pub fn depends_on_build(&self) -> bool {
        let mut players = self.players.iter();
        players.any(|player| player.recipe.model().is_some())
    }

    /// A plan without a test, of players who meet as in `format`.
    pub fn new(
        players: Vec<PlayerSpec>,
        format: Format,
        games: u64,
        openings: OpeningsPlan,
        endings: Endings,
    ) -> Plan {
        Plan {
            players,
            format,
            games,
            openings,
            endings,
            sprt: None,
        }
    }

    /// The games of the plan.
    pub fn schedule(&self) -> Result<Schedule, ScheduleError> {
        Schedule::new(self.players.len(), self.format.clone(), self.games)
    }

    /// Whether a game that is played again is the same, move by move.
    pub fn is_repeatable(&self) -> bool {
        self.players.iter().all(PlayerSpec::is_repeatable)
    }

    /// The plan as a tree of values.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn to_value(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    /// A short text that no other plan has.
    ///
    /// # Errors
    /// If the plan cannot be written down.
    pub fn fingerprint(&self) -> serde_json::Result<String> {
        let text = self.to_value()?.to_string();
        Ok(short(&blake3::hash(text.as_bytes())))
    }
}
