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
    /// The build of this program, if it plays itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<String>,
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
    /// The plan, told which build of the program this is: players inside it
    /// are only the same in the same build.
    pub fn of_build(mut self, build: &str) -> Plan {
        let is_inside = |player: &PlayerSpec| player.recipe.model().is_some();
        let plays = self.players.iter().any(is_inside);
        self.program = plays.then(|| build.to_owned());
        self
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
            program: None,
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
    pub fn to_value(&self) -> Value {
        // Names, numbers and texts can always be written.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// A short text that no other plan has.
    pub fn fingerprint(&self) -> String {
        let text = self.to_value().to_string();
        short(&blake3::hash(text.as_bytes()))
    }
}
