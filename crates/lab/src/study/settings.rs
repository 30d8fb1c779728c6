//! The settings file of a study.

use super::claims::Expectation;
use crate::ranges;
use crate::selection::GameSettings;
use crate::settings::{SettingsError, Wrong, filled, locate, wrong};
use data::range::Range;
use engines::recipe::{PlayerSettings, PlayerSpec};
use nets::Model;
use nets::classical::Groups;
use schemars::{Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use toml::de::DeTable;
use train::comparison::ExaminationSettings;

/// The default limit of players.
const USUAL_PLAYER: &str = "nodes=10000";

/// A study.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Settings {
    /// The title of reports.
    pub title: Option<String>,
    /// The question that the study should answer.
    pub question: Option<String>,
    /// The seed of openings, of the order of positions and of games.
    pub seed: u64,
    /// The training data.
    pub data: DataSettings,
    /// How models are judged on test positions.
    #[serde(skip_serializing_if = "is_usual")]
    pub examination: ExaminationSettings,
    /// How games begin and end.
    pub games: GameSettings,
    /// The arms that are compared.
    pub arms: BTreeMap<String, Arm>,
    /// The claims that matches decide, in the order in which they are played.
    pub claims: Vec<Claim>,
}

/// The training data: files, or self-play games of the hand-written evaluation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "data")]
pub struct DataSettings {
    /// Binpack files labelled with the best moves.
    pub training: Vec<PathBuf>,
    /// Validation files; without them some games are held out.
    pub validation: Vec<PathBuf>,
    /// Test files, used only once: when all arms are finished, each is judged on their positions,
    /// and on those of the validation files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test: Vec<PathBuf>,
    /// Self-play games instead of files.
    pub selfplay: Option<SelfPlaySettings>,
}

/// Self-play games of the hand-written evaluation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "own-games")]
pub struct SelfPlaySettings {
    /// Number of games.
    pub games: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// Number of random plies at the beginning of each game.
    #[serde(default = "usual_random_plies")]
    pub random_plies: u32,
}

fn usual_random_plies() -> u32 {
    6
}

/// An arm of the comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// An existing model: `classical`, or a file.
    Model(PathBuf),
    /// The hand-written evaluation with some of its groups.
    Evaluation {
        /// The groups, by name.
        groups: Vec<String>,
        /// Whether it has endgame functions.
        endgame_functions: bool,
    },
    /// A model that is trained once.
    Training {
        /// The settings of the training.
        settings: Box<train::Settings>,
        /// The arm whose model is the initial model.
        start: Option<String>,
    },
}

/// A claim that matches decide.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Claim {
    /// Its short name.
    pub name: String,
    /// The text of the claim.
    pub text: String,
    /// The settings of the players.
    pub player: PlayerSpec,
    /// Games of each match.
    pub games: u64,
    /// The matches.
    pub matches: Vec<Meeting>,
}

/// A match between two arms.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "meeting")]
pub struct Meeting {
    /// The arm from whose point of view results are given.
    pub first: String,
    /// The other arm.
    pub second: String,
    /// The published score of the first arm, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::PERCENT.schema())]
    pub published: Option<f64>,
    /// The expected result; by default, that of the published score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expectation>,
}

/// Keeps the fingerprints of studies without an examination unchanged.
fn is_usual(examination: &ExaminationSettings) -> bool {
    *examination == ExaminationSettings::default()
}

impl Settings {
    /// The number of games in all matches.
    pub fn all_games(&self) -> u64 {
        let games = |claim: &Claim| claim.games * claim.matches.len() as u64;
        self.claims.iter().map(games).sum()
    }
}

/// Reads the settings file of a study.
///
/// # Errors
/// The first mistake in it.
pub fn read(text: &str) -> Result<Settings, SettingsError> {
    from_table(DeTable::parse(text)?.into_inner())
}

/// The schema of such a file.
pub fn schema() -> serde_json::Value {
    data::schema::of::<File>("A study of Tabia")
}

/// Any keys of a training: they depend on its kind.
fn any_training(generator: &mut SchemaGenerator) -> Schema {
    train::part_of_any_kind(generator)
}

/// Reads the table of such a file, which may be joined from several texts.
///
/// # Errors
/// The first mistake in it.
pub fn from_table(table: DeTable<'_>) -> Result<Settings, SettingsError> {
    let file: File = filled(table.clone())?;
    let place = |wrong: Wrong| SettingsError::new(&wrong, locate(&table, &wrong.path));
    let settings = file.settings().map_err(place)?;
    check(&settings).map_err(place)?;
    Ok(settings)
}

/// The settings of a study.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "study")]
struct File {
    /// The title of reports.
    title: Option<String>,
    /// The question that the study should answer.
    question: Option<String>,
    /// The random seed of openings, of the order of positions and of games.
    #[serde(default)]
    seed: u64,
    /// What to learn from.
    #[serde(default)]
    data: DataSettings,
    /// How models are judged on test positions.
    #[serde(default)]
    examination: ExaminationSettings,
    /// How games begin and end.
    #[serde(default)]
    games: GameSettings,
    /// The settings of players, unless a claim overrides them.
    #[serde(default)]
    player: PlayerSettings,
    /// Games per match, unless a claim overrides it.
    #[serde(default = "usual_match")]
    #[schemars(transform = Range::at_least(2.0).schema())]
    match_games: u64,
    /// Keys of a training file that apply to all trainings.
    #[serde(default)]
    #[schemars(schema_with = "any_training")]
    train: toml::Table,
    /// The arms that are compared, by name.
    arms: BTreeMap<String, ArmTable>,
    /// The claims that matches decide, in the order in which they are played.
    #[serde(default)]
    claims: Vec<ClaimTable>,
}

fn usual_match() -> u64 {
    1_000
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "arm")]
struct ArmTable {
    /// An existing model: `classical`, or a file.
    model: Option<PathBuf>,
    /// Groups of terms of the hand-written evaluation; the arm plays with these alone.
    groups: Option<Vec<String>>,
    /// Whether the evaluation has endgame functions.
    #[serde(default = "always")]
    endgame_functions: bool,
    /// A model that is trained once, by the keys of a training file.
    #[serde(default)]
    #[schemars(schema_with = "any_training")]
    train: Option<toml::Table>,
    /// The arm whose model is the initial model of the training.
    start: Option<String>,
}

fn always() -> bool {
    true
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "claim")]
struct ClaimTable {
    /// A short name.
    name: String,
    /// The text of the claim.
    text: String,
    /// The settings of the players.
    #[serde(default)]
    player: PlayerSettings,
    /// Games per match; default: `match_games`.
    #[schemars(transform = Range::at_least(2.0).schema())]
    games: Option<u64>,
    /// The matches.
    matches: Vec<Meeting>,
}

impl File {
    fn settings(self) -> Result<Settings, Wrong> {
        let usual =
            PlayerSettings::from_words(USUAL_PLAYER).map_err(|error| wrong("player", error))?;
        let each = self.player.or(&usual);
        let claim = |claim: ClaimTable| {
            let player = claim.player.or(&each).player("arm", Model::classical());
            Ok(Claim {
                player: player.map_err(|error| wrong("claims", error))?,
                games: claim.games.unwrap_or(self.match_games),
                name: claim.name,
                text: claim.text,
                matches: claim.matches,
            })
        };
        let arms = self.arms.into_iter();
        Ok(Settings {
            title: self.title,
            question: self.question,
            seed: self.seed,
            data: self.data,
            examination: self.examination,
            games: self.games,
            arms: arms
                .map(|(name, table)| Ok((name.clone(), arm(&name, table, &self.train)?)))
                .collect::<Result<_, _>>()?,
            claims: self
                .claims
                .into_iter()
                .map(claim)
                .collect::<Result<_, _>>()?,
        })
    }
}

fn arm(name: &str, table: ArmTable, for_all: &toml::Table) -> Result<Arm, Wrong> {
    let key = |rest: &str| format!("arms.{name}{rest}");
    match (table.model, table.groups, table.train) {
        (Some(model), None, None) => Ok(Arm::Model(model)),
        (None, Some(groups), None) => {
            let names = groups.join(" ");
            let parsed = names.parse::<Groups>();
            parsed.map_err(|error| wrong(&key(".groups"), error))?;
            Ok(Arm::Evaluation {
                groups,
                endgame_functions: table.endgame_functions,
            })
        }
        (None, None, Some(own)) => {
            // The keys for all trainings are not used by a training of another kind.
            let kind = |table: &toml::Table| table.get("kind").cloned();
            let is_other =
                kind(&own).is_some() && kind(for_all).is_some_and(|_| kind(&own) != kind(for_all));
            let mut whole = match is_other {
                true => toml::Table::new(),
                false => for_all.clone(),
            };
            whole.extend(own);
            // The study determines the data.
            whole.insert("data".to_owned(), vec![toml::Value::from("data")].into());
            let wrong_training = |error: &dyn std::fmt::Display| wrong(&key(".train"), error);
            let text = toml::to_string(&whole).map_err(|error| wrong_training(&error))?;
            let parsed = DeTable::parse(&text).map_err(|error| wrong_training(&error))?;
            let settings = train::Settings::from_table(parsed.into_inner(), 0)
                .map_err(|error| wrong_training(&error))?;
            settings.check().map_err(|error| wrong_training(&error))?;
            Ok(Arm::Training {
                settings: Box::new(settings),
                start: table.start,
            })
        }
        _ => Err(wrong(&key(""), "give one of model, groups and train")),
    }
}

fn check(settings: &Settings) -> Result<(), Wrong> {
    settings.games.check()?;
    let examination = settings.examination.check();
    examination.map_err(|error| wrong(&format!("examination.{}", error.key), error.problem))?;
    let DataSettings {
        training, selfplay, ..
    } = &settings.data;
    let learns = |arm: &Arm| matches!(arm, Arm::Training { .. });
    if settings.arms.values().any(learns) && training.is_empty() == selfplay.is_none() {
        return Err(wrong("data", "give either training or selfplay"));
    }
    for (name, arm) in &settings.arms {
        if let Arm::Training {
            start: Some(start), ..
        } = arm
        {
            let is_there = settings.arms.get(start).is_some_and(|arm| !learns(arm));
            if !is_there {
                let key = format!("arms.{name}.start");
                return Err(wrong(&key, "name an arm that is not trained"));
            }
        }
    }
    for claim in &settings.claims {
        if claim.games < 2 {
            return Err(wrong("match_games", "a match has at least 2 games"));
        }
        for meeting in &claim.matches {
            let known = |name: &String| settings.arms.contains_key(name);
            if let Some(name) = [&meeting.first, &meeting.second]
                .into_iter()
                .find(|name| !known(name))
            {
                return Err(wrong("claims", format!("there is no arm '{name}'")));
            }
            if meeting.first == meeting.second {
                let name = &meeting.first;
                return Err(wrong("claims", format!("'{name}' cannot play itself")));
            }
            if meeting
                .published
                .is_some_and(|score| !ranges::PERCENT.contains(score))
            {
                return Err(wrong(
                    "claims",
                    "published must be a score from 0 to 100 percent",
                ));
            }
        }
    }
    Ok(())
}
