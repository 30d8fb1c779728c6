//! What a player's settings mean: everything resolved, nothing left open.
//!
//! It must not start anything.

use super::pace::{Pace, Seconds};
use crate::words::written;
use engines::alphabeta;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// An evaluation that plays inside this program. Two are equal if their nets or
/// weights have the same hash, wherever the files lie.
#[derive(Clone, Debug, Default)]
pub struct Evaluation(pub alphabeta::Evaluation);

impl FromStr for Evaluation {
    type Err = String;

    /// `classical`, or the file of a net or of weights, which is read at once.
    fn from_str(text: &str) -> Result<Evaluation, String> {
        alphabeta::Evaluation::named(Path::new(text))
            .map(Evaluation)
            .map_err(|error| {
                format!(
                    "'{text}' is neither 'classical' nor the file of a net or of weights: {error}"
                )
            })
    }
}

/// Its name: `classical`, or that of the net or the weights by their hash.
impl fmt::Display for Evaluation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Evaluation) -> bool {
        match (&self.0, &other.0) {
            (alphabeta::Evaluation::Classical, alphabeta::Evaluation::Classical) => true,
            (alphabeta::Evaluation::Weights(own), alphabeta::Evaluation::Weights(other)) => {
                own.hash() == other.hash()
            }
            (alphabeta::Evaluation::Net(own), alphabeta::Evaluation::Net(other)) => {
                own.hash() == other.hash()
            }
            _ => false,
        }
    }
}

impl Eq for Evaluation {}

/// A player inside this program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Inside {
    /// Its evaluation.
    #[serde(serialize_with = "written")]
    pub eval: Evaluation,
    /// Mebibytes of its table.
    pub hash: usize,
    /// Its threads.
    pub threads: usize,
    /// The constants of its search that differ from the usual ones.
    #[serde(rename = "param", skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, i32>,
}

/// A player that is another program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Program {
    /// The program, by path or by name.
    pub cmd: PathBuf,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arg: Vec<String>,
    /// The folder in which it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Its UCI options.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub option: BTreeMap<String, String>,
    /// How long it may think about a move that no time limits.
    #[serde(serialize_with = "written")]
    pub patience: Seconds,
}

impl Program {
    /// The patience with a program that has no other.
    pub(super) const PATIENCE: Seconds = Seconds(Duration::from_secs(60));
}

/// What plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Engine {
    /// A player inside this program.
    Inside(Inside),
    /// Another program.
    Program(Program),
}

/// A player with all that is to be known of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerSpec {
    /// Its name, which no other player has.
    pub name: String,
    /// What plays.
    #[serde(flatten)]
    pub engine: Engine,
    /// How long it may think.
    #[serde(flatten)]
    pub pace: Pace,
}

impl PlayerSpec {
    /// How many threads it uses, as far as its settings say.
    pub fn threads(&self) -> usize {
        match &self.engine {
            Engine::Inside(inside) => inside.threads,
            Engine::Program(program) => program
                .option
                .get("Threads")
                .and_then(|threads| threads.parse().ok())
                .unwrap_or(1)
                .max(1),
        }
    }

    /// Whether its games can be repeated move by move: no clock, one thread,
    /// inside this program.
    pub fn is_repeatable(&self) -> bool {
        let is_steady = match &self.engine {
            Engine::Inside(inside) => inside.threads == 1,
            Engine::Program(_) => false,
        };
        is_steady && !self.pace.is_timed()
    }
}
