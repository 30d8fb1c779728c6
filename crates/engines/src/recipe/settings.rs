//! What a user writes about a player: the same keys in a TOML file and in a line of words such as
//! `name=new kind=alphabeta model=classical nodes=5000`.
//!
//! It must not know what the keys result in; that is the task of `resolve`.

use super::kinds::{ProgramRecipe, RecipeKind};
use super::pace::{Pace, Seconds, TimeControl};
use crate::words::{Count, Text, Whole, WordsError, parsed, read_words};
use nets::Model;
use serde::de::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A model, which is opened as soon as its name is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NamedModel(pub(super) Model);

impl FromStr for NamedModel {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedModel, String> {
        Model::named(Path::new(text))
            .map(NamedModel)
            .map_err(|error| {
                format!(
                    "'{text}' is not the file of a model: {error} \
                     (built in: 'classical', 'heuristic', 'sequence')"
                )
            })
    }
}

/// The settings of a player, or of all players; every key is optional.
#[derive(Clone, PartialEq, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "player")]
pub struct PlayerSettings {
    /// The name of the player in tables and games.
    #[serde(deserialize_with = "parsed")]
    pub(super) name: Option<String>,
    /// How it plays; default: by its model, or `program` with `cmd`.
    #[serde(deserialize_with = "parsed")]
    #[schemars(extend("enum" = RecipeKind::names()), with = "Option<String>")]
    pub(super) kind: Option<RecipeKind>,
    /// A built-in model, `classical`, `heuristic` or `sequence`, or the file of a model.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "Option<String>")]
    pub(super) model: Option<NamedModel>,
    /// Constants of its alpha-beta search, by name.
    pub(super) param: BTreeMap<String, Whole>,
    /// The UCI program that plays instead of a built-in player.
    #[serde(deserialize_with = "parsed")]
    pub(super) cmd: Option<PathBuf>,
    /// An argument of the program, or a list of them.
    #[serde(deserialize_with = "one_or_many")]
    #[schemars(with = "OneOrMany")]
    pub(super) arg: Vec<String>,
    /// The working directory of the program.
    #[serde(deserialize_with = "parsed")]
    pub(super) dir: Option<PathBuf>,
    /// UCI options, by name.
    pub(super) option: BTreeMap<String, Text>,
    /// The hash size in MiB; default: as much as its limit can use.
    #[serde(deserialize_with = "parsed")]
    pub(super) hash: Option<Count<1, 65_536>>,
    /// The number of search threads.
    #[serde(deserialize_with = "parsed")]
    #[schemars(extend("default" = 1))]
    pub(super) threads: Option<Count<1, 256>>,
    /// Its time control.
    #[serde(deserialize_with = "parsed")]
    pub(super) tc: Option<TimeControl>,
    /// The time per move.
    #[serde(deserialize_with = "parsed")]
    pub(super) st: Option<Seconds>,
    /// Nodes per move.
    #[serde(deserialize_with = "parsed")]
    pub(super) nodes: Option<Count<1, 1_000_000_000_000>>,
    /// Search depth per move.
    #[serde(deserialize_with = "parsed")]
    pub(super) depth: Option<Count<1, 200>>,
    /// Tolerance for moves that come too late.
    #[serde(deserialize_with = "parsed")]
    #[schemars(extend("default" = Pace::MARGIN.0.as_secs_f64()))]
    pub(super) margin: Option<Seconds>,
    /// Timeout of a program for a move without a time limit.
    #[serde(deserialize_with = "parsed")]
    #[schemars(extend("default" = ProgramRecipe::PATIENCE.0.as_secs_f64()))]
    pub(super) patience: Option<Seconds>,
}

/// A text or a list of texts.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(untagged, expecting = "a text or a list of texts")]
#[schemars(inline)]
enum OneOrMany {
    One(Text),
    Many(Vec<Text>),
}

fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(text) => vec![text.0],
        OneOrMany::Many(texts) => texts.into_iter().map(|text| text.0).collect(),
    })
}

impl PlayerSettings {
    /// Parses a line of words; values with spaces are quoted as in a shell. A bare word is the kind
    /// of player.
    ///
    /// ```
    /// use engines::recipe::PlayerSettings;
    /// PlayerSettings::from_words("name='my engine' cmd=./engine option.Hash=16 tc=10+0.1").unwrap();
    /// PlayerSettings::from_words("alphabeta model=classical nodes=5000").unwrap();
    /// let error = PlayerSettings::from_words("name=a node=5000").unwrap_err();
    /// assert!(error.to_string().contains("there is no key `node`; did you mean `nodes`?"));
    /// ```
    pub fn from_words(line: &str) -> Result<PlayerSettings, WordsError> {
        read_words(line, Some("kind"))
    }

    /// The same settings, with those that are missing taken from `each`.
    ///
    /// All limits are taken together, and so are kind, model and program: a player with a limit of
    /// its own takes none from `each`, and a program gets no model.
    pub fn or(mut self, each: &PlayerSettings) -> PlayerSettings {
        if self.model.is_none() && self.cmd.is_none() && self.kind.is_none() {
            self.kind = each.kind;
            self.model = each.model.clone();
            self.cmd = each.cmd.clone();
        }
        if !self.has_limit() {
            self.tc = each.tc;
            self.st = each.st;
            self.nodes = each.nodes;
            self.depth = each.depth;
        }
        if self.is_program() {
            if self.arg.is_empty() {
                self.arg = each.arg.clone();
            }
            self.dir = self.dir.or_else(|| each.dir.clone());
            self.patience = self.patience.or(each.patience);
        }
        for (name, value) in &each.option {
            self.option
                .entry(name.clone())
                .or_insert_with(|| value.clone());
        }
        for (name, value) in &each.param {
            self.param.entry(name.clone()).or_insert(*value);
        }
        self.name = self.name.or_else(|| each.name.clone());
        self.hash = self.hash.or(each.hash);
        self.threads = self.threads.or(each.threads);
        self.margin = self.margin.or(each.margin);
        self
    }

    /// Whether it names another program.
    pub fn is_program(&self) -> bool {
        self.cmd.is_some()
    }

    fn has_limit(&self) -> bool {
        self.tc.is_some() || self.st.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}
