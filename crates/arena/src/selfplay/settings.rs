//! The user's settings for self-play games.

use super::by_generation::ByGeneration;
use super::horizon::Horizon;
use crate::game::{AtHorizon, DrawRule, Endings, ResignRule};
use crate::openings::{Openings, OpeningsError};
use data::range::Range;
use engines::recipe::Pace;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The depth of searches that have no other limit.
const DEFAULT_DEPTH: u32 = 8;

/// Random plies after the opening: play is deterministic, and the built-in book would
/// give most games several times.
const RANDOM_PLIES: u32 = 4;

/// Iterations and nodes of a move, and plies.
const DEPTH: Range = Range::closed(1.0, 200.0);
const COUNT: Range = Range::closed(1.0, 1e12);
const PLIES: Range = Range::closed(0.0, 100.0);
const UNTIL: Range = Range::closed(0.0, 1000.0);

/// How games are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "self-play")]
pub struct Settings {
    /// Search depth per move; default: 8 if there is no other limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = DEPTH.schema())]
    pub depth: Option<u32>,
    /// Nodes per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = COUNT.schema())]
    pub nodes: Option<u64>,
    /// Soft node limit: no new iteration starts after this many nodes; a list gives one number
    /// per generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub soft_nodes: Option<ByGeneration>,
    /// The opening book; the opening of each game is drawn at random.
    pub book: Book,
    /// Number of random plies after the opening.
    #[schemars(transform = PLIES.schema())]
    pub random_plies: u32,
    /// Number of further random plies among those up to `random_until`.
    #[schemars(transform = UNTIL.schema())]
    pub random_moves: u32,
    /// The number of plies after the opening among which these are chosen.
    #[schemars(transform = UNTIL.schema())]
    pub random_until: u32,
    /// The number of plies after which a game ends; default: games are played out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub horizon: Option<Horizon>,
    /// The result of a game that reaches the horizon.
    pub at_horizon: AtHorizon,
    /// Draw adjudication by score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Resign adjudication by score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            depth: None,
            nodes: None,
            soft_nodes: None,
            book: Book::BuiltIn,
            random_plies: RANDOM_PLIES,
            random_moves: 0,
            random_until: 16,
            horizon: None,
            at_horizon: AtHorizon::Draw,
            draw: None,
            resign: None,
        }
    }
}

/// What is wrong with a setting.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{key}: {problem}")]
pub struct WrongSetting {
    /// Which one.
    pub key: &'static str,
    /// What is wrong, and what would be valid.
    pub problem: String,
}

impl Settings {
    /// Checks what the format cannot.
    ///
    /// # Errors
    /// The first invalid setting.
    pub fn check(&self) -> Result<(), WrongSetting> {
        for (key, number, range) in [
            ("depth", self.depth.map(f64::from), DEPTH),
            ("nodes", self.nodes.map(|nodes| nodes as f64), COUNT),
            ("random_plies", Some(f64::from(self.random_plies)), PLIES),
            ("random_until", Some(f64::from(self.random_until)), UNTIL),
            // This many random moves must fit before that ply.
            (
                "random_moves",
                Some(f64::from(self.random_moves)),
                Range::closed(0.0, f64::from(self.random_until)),
            ),
        ] {
            if let Some(problem) = number.and_then(|number| range.problem(number)) {
                return Err(WrongSetting { key, problem });
            }
        }
        let by_generation = [
            (
                "soft_nodes",
                (self.soft_nodes.as_ref()).is_none_or(ByGeneration::makes_sense),
            ),
            (
                "horizon",
                (self.horizon.as_ref()).is_none_or(Horizon::makes_sense),
            ),
        ];
        match by_generation.into_iter().find(|(_, is_right)| !is_right) {
            Some((key, _)) => Err(WrongSetting {
                key,
                problem: "must be at least 1 for every generation".to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// The search limits of each move in a generation.
    pub fn pace(&self, generation: u32) -> Pace {
        let is_limited = self.nodes.is_some() || self.soft_nodes.is_some();
        let depth = match self.depth {
            None if !is_limited => Some(DEFAULT_DEPTH),
            depth => depth,
        };
        Pace {
            nodes: self.nodes,
            soft_nodes: self.soft_nodes.as_ref().map(|nodes| nodes.of(generation)),
            depth,
            ..Pace::nodes(1)
        }
    }

    /// The rules of adjudication in a generation.
    pub(super) fn endings(&self, generation: u32) -> Endings {
        Endings {
            draw: self.draw,
            resign: self.resign,
            horizon: self
                .horizon
                .as_ref()
                .map(|horizon| horizon.plies(generation)),
            at_horizon: self.at_horizon,
            ..Endings::default()
        }
    }
}

/// The positions from which games begin.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Book {
    /// The openings that come with the program.
    #[default]
    BuiltIn,
    /// The standard start position.
    Start,
    /// The openings of a file: EPD, PGN or a Polyglot book.
    File(PathBuf),
}

impl Book {
    /// Its openings.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(&self) -> Result<Openings, OpeningsError> {
        match self {
            Book::BuiltIn => Ok(Openings::built_in()),
            Book::Start => Ok(Openings::start()),
            Book::File(path) => Openings::read(path, None),
        }
    }
}

impl FromStr for Book {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Book, Self::Err> {
        Ok(match text {
            "built-in" => Book::BuiltIn,
            "start" => Book::Start,
            path => Book::File(path.into()),
        })
    }
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Book::BuiltIn => f.write_str("built-in"),
            Book::Start => f.write_str("start"),
            Book::File(path) => path.display().fmt(f),
        }
    }
}

impl Serialize for Book {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl schemars::JsonSchema for Book {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "book".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "x-values": "`built-in`, `start` (the usual position), or a file: EPD, PGN or Polyglot",
        })
    }
}

impl<'de> Deserialize<'de> for Book {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Book, D::Error> {
        let Ok(book) = String::deserialize(deserializer)?.parse();
        Ok(book)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_limit_searches_are_eight_deep() {
        let pace = |text: &str| {
            let settings: Settings = toml::from_str(text).expect("settings");
            settings.pace(2).to_string()
        };
        assert_eq!(pace(""), "depth=8");
        assert_eq!(pace("nodes = 500"), "nodes=500");
        assert_eq!(
            pace("soft_nodes = 500\ndepth = 9"),
            "soft_nodes=500 depth=9"
        );
        assert_eq!(pace("soft_nodes = [50, 500]"), "soft_nodes=500");
    }

    #[test]
    fn wrong_settings_are_named() {
        for (text, problem) in [
            ("depth = 0", "depth: it is 0, but must be from 1 to 200"),
            (
                "random_moves = 17",
                "random_moves: it is 17, but must be from 0 to 16",
            ),
            (
                "soft_nodes = [20, 0]",
                "soft_nodes: must be at least 1 for every generation",
            ),
            (
                "horizon = [20, 0]",
                "horizon: must be at least 1 for every generation",
            ),
        ] {
            let settings: Settings = toml::from_str(text).expect("settings");
            let error = settings.check().expect_err(text).to_string();
            assert_eq!(error, problem);
        }
        assert_eq!(Settings::default().check(), Ok(()));
    }

    #[test]
    fn what_is_written_reads_the_same() {
        let text = "nodes = 5\nbook = 'x.epd'\nhorizon = {start = 20, step = 10}\n\
                    at_horizon = 'score'\n[resign]\nmovecount = 4\n";
        let settings: Settings = toml::from_str(text).expect("settings");
        assert_eq!(settings.book, Book::File("x.epd".into()));
        let written = serde_json::to_string(&settings).expect("a text");
        let again: Settings = serde_json::from_str(&written).expect("settings");
        assert_eq!(again, settings);
    }
}
