//! The complete plan of a match or tournament, with nothing left open.
//!
//! Only games of one plan may be counted together; plans are told apart by their fingerprints. What
//! does not change a result, such as the number of parallel games, is not part of the plan.

use crate::game::Endings;
use crate::openings::Openings;
use crate::schedule::{Format, Schedule, ScheduleError};
use crate::statistics::Sprt;
use engines::recipe::PlayerSpec;
use serde::Serialize;
use serde_json::Value;

/// The properties of openings that must not change within a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpeningsPlan {
    /// Where they come from, to show to people.
    pub source: String,
    /// How many there are.
    pub count: usize,
    /// A hash of the openings in the order of play.
    pub digest: String,
}

impl OpeningsPlan {
    /// The plan's entry for openings from this source.
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

/// Enough digits of a hash to tell plans apart.
fn short(hash: &blake3::Hash) -> String {
    hash.to_hex()[..16].to_owned()
}

/// Everything that determines the games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plan {
    /// Who plays.
    pub players: Vec<PlayerSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Games between each two players that meet; a list of meetings has its own numbers.
    pub games: u64,
    /// The openings.
    pub openings: OpeningsPlan,
    /// The rules of adjudication.
    pub endings: Endings,
    /// A sequential test that may end the match early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

impl Plan {
    /// Whether players of this program take part, whose play is reproducible only within one build.
    pub fn depends_on_build(&self) -> bool {
        let mut players = self.players.iter();
        players.any(|player| player.recipe.model().is_some())
    }

    /// A plan without a test, whose players meet as in `format`.
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

    /// The schedule of its games.
    pub fn schedule(&self) -> Result<Schedule, ScheduleError> {
        Schedule::new(self.players.len(), self.format.clone(), self.games)
    }

    /// Whether its games, played again, are the same move by move.
    pub fn is_repeatable(&self) -> bool {
        self.players.iter().all(PlayerSpec::is_repeatable)
    }

    /// The plan as JSON.
    ///
    /// # Errors
    /// If it cannot be serialised.
    pub fn to_value(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    /// A short text that is unique to the plan.
    ///
    /// # Errors
    /// If the plan cannot be serialised.
    pub fn fingerprint(&self) -> serde_json::Result<String> {
        let text = self.to_value()?.to_string();
        Ok(short(&blake3::hash(text.as_bytes())))
    }
}
