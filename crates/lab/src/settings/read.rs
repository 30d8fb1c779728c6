//! Reads the text of a run file into an experiment: arms are joined with the tables for all arms,
//! and every mistake is reported with its position.

use super::earlier::translated;
use super::tables::{filled, locate, only, put, refuse_unknown};
use super::{
    AmountSettings, Arm, BufferSettings, EvalSettings, Experiment, FirstSettings, GateSettings,
    Keep, ONLY_ARM, VerdictSettings, check, fingerprint,
};
use crate::ranges;
use arena::selfplay;
use arena::selfplay::explore::ExploreSettings;
use engines::recipe::{PlayerSettings, Recipe};
use engines::words;
use nets::Model;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};
use train::settings::Misread;
use train::{Learned, Learners};

/// Keys of the file that do not belong to arms.
const FRAME: [&str; 8] = [
    "title",
    "question",
    "generations",
    "hours",
    "seeds",
    "verdict",
    "keep",
    "arms",
];
/// Tables that apply to all arms and that an arm may override; learners have more of their own.
const PARTS: [&str; 7] = [
    "player",
    "selfplay",
    "explore",
    "buffer",
    "generation_0",
    "gate",
    "eval",
];
/// The table that every learner has.
pub(super) const TRAIN: &str = "train";
/// The default player: a small hash table stays in the CPU's caches, and short searches do not fill
/// it.
const USUAL_PLAYER: &str = "hash=1";
/// The default player of learners that learn from their own searches.
const USUAL_SEARCHER: &str = "mcts hash=1";
/// Keys of self-play that exclude each other.
const AMOUNTS: [&str; 3] = ["positions", "games", "minutes"];
/// The table to which they are moved.
const AMOUNT_TABLE: &str = "amount of selfplay";

/// A mistake in a run file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct SettingsError {
    /// The error message.
    pub message: String,
    /// Its position, in bytes of the text.
    pub span: Option<Range<usize>>,
}

impl SettingsError {
    pub(crate) fn new(message: impl fmt::Display, span: Option<Range<usize>>) -> SettingsError {
        SettingsError {
            message: message.to_string(),
            span,
        }
    }

    /// Its line, from 1, in the text that was read.
    pub fn line(&self, text: &str) -> usize {
        let start = self.span.as_ref().map_or(0, |span| span.start);
        text.bytes()
            .take(start)
            .filter(|&byte| byte == b'\n')
            .count()
            + 1
    }
}

impl From<Error> for SettingsError {
    fn from(error: Error) -> SettingsError {
        SettingsError {
            message: words::renamed(error.message()),
            span: error.span(),
        }
    }
}

impl From<Misread> for SettingsError {
    fn from(error: Misread) -> SettingsError {
        SettingsError {
            message: words::renamed(&error.message),
            span: error.span,
        }
    }
}

/// Reads a run file that uses these learners.
///
/// # Errors
/// The first mistake in it.
pub fn read(text: &str, learners: &Learners) -> Result<Experiment, SettingsError> {
    from_table(DeTable::parse(text)?.into_inner(), learners)
}

/// Reads the file of a run that an earlier version may have begun: for reading only.
pub(crate) fn read_earlier(text: &str, learners: &Learners) -> Result<Experiment, SettingsError> {
    from_table(translated(DeTable::parse(text)?.into_inner()), learners)
}

/// Reads the table of a run file, which may be joined from several texts.
///
/// # Errors
/// The first mistake in it.
pub fn from_table(table: DeTable<'_>, learners: &Learners) -> Result<Experiment, SettingsError> {
    let parts = [&PARTS[..], &[TRAIN], &learners.tables()].concat();
    refuse_unknown(&table, &[&FRAME[..], &parts].concat())?;
    let frame: Frame = filled(only(&table, |key| FRAME.contains(&key) && key != "arms"))?;
    let base = only(&table, |key| parts.contains(&key));
    let arms = Reader { learners, parts }.arms(&table, &base)?;
    let mut usual = filled_parts(only(&with_amount_apart(base), is_part))?;
    let searcher = arms.values().find(|arm| arm.explore.is_some());
    usual.selfplay.nodes = (usual.selfplay.nodes).or(searcher.and_then(|arm| arm.selfplay.nodes));
    let last = usual.gate.conditions(&usual.selfplay, frame.generations);
    let finals = last.of_finals(&frame.verdict);
    let mut experiment = Experiment {
        title: frame.title,
        question: frame.question,
        generations: frame.generations,
        hours: frame.hours,
        seeds: frame.seeds,
        arms,
        verdict: frame.verdict,
        finals,
        keep: frame.keep,
        fingerprint: String::new(),
    };
    if let Err(wrong) = check::check(&experiment) {
        return Err(SettingsError::new(&wrong, locate(&table, &wrong.path)));
    }
    experiment.fingerprint = fingerprint_of(&experiment, learners)?;
    Ok(experiment)
}

/// The fingerprint: what differs from a file that names only the arms and their learners.
fn fingerprint_of(experiment: &Experiment, learners: &Learners) -> Result<String, SettingsError> {
    let mut usual = experiment.clone();
    let frame = Frame::default();
    (usual.title, usual.question) = (frame.title, frame.question);
    (usual.generations, usual.seeds) = (frame.generations, frame.seeds);
    usual.hours = frame.hours;
    (usual.verdict, usual.keep) = (frame.verdict, frame.keep);
    for arm in usual.arms.values_mut() {
        let kind = Some(arm.learner.kind());
        *arm = usual_arm(learners, kind)?;
    }
    let plain = usual_arm(learners, None)?;
    usual.finals = plain.gate.conditions(&plain.selfplay, usual.generations);
    let unwritten = |error: serde_json::Error| SettingsError::new(error, None);
    let [settings, defaults] = [experiment, &usual].map(serde_json::to_value);
    Ok(fingerprint(
        &settings.map_err(unwritten)?,
        &defaults.map_err(unwritten)?,
    ))
}

/// An arm with all defaults, apart from its learner.
fn usual_arm(learners: &Learners, kind: Option<&str>) -> Result<Arm, SettingsError> {
    let reader = Reader {
        learners,
        parts: Vec::new(),
    };
    reader.learning(DeTable::new(), kind, Parts::default())
}

/// The tables of an arm that no learner owns.
#[derive(Default, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Parts {
    /// How models play; the model itself is that of the generation.
    player: PlayerSettings,
    #[serde(rename = "amount of selfplay")]
    #[schemars(skip)]
    amount: AmountSettings,
    /// Self-play: how games are played, and how many.
    selfplay: selfplay::Settings,
    /// How searches explore in self-play, for learners that learn from their own searches.
    explore: Option<ExploreSettings>,
    /// The replay buffer: how many positions of earlier generations are kept.
    buffer: BufferSettings,
    /// How the first model is made; default: random weights.
    generation_0: Option<FirstSettings>,
    /// The promotion gate: which models are promoted.
    gate: GateSettings,
    /// Evaluation games.
    eval: EvalSettings,
}

/// The tables of an arm. If a key of `selfplay` is misspelt, the keys of its amount are suggested
/// too.
fn filled_parts(table: DeTable<'_>) -> Result<Parts, SettingsError> {
    filled(table).map_err(|error| {
        let mut error = SettingsError::from(error);
        if error.message.starts_with("unknown field") && error.message.contains("`soft_nodes`") {
            for key in AMOUNTS {
                error.message += &format!(", `{key}`");
            }
        }
        error
    })
}

fn is_part(key: &str) -> bool {
    PARTS.contains(&key) || key == AMOUNT_TABLE
}

/// The settings of the whole run.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Frame {
    /// The title of reports.
    title: Option<String>,
    /// The question that the run should answer.
    question: Option<String>,
    /// Number of generations.
    #[schemars(transform = ranges::GENERATIONS.schema())]
    generations: u32,
    /// Time limit: no further generation starts after this many hours of work on an arm and seed.
    #[schemars(transform = ranges::HOURS.schema())]
    hours: Option<f64>,
    /// Random seeds: each arm is trained once for each of them.
    #[schemars(length(min = 1))]
    seeds: Vec<u64>,
    /// The final matches, and the rule for the verdict.
    verdict: VerdictSettings,
    /// Which files are kept.
    keep: Keep,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            title: None,
            question: None,
            generations: 6,
            hours: None,
            seeds: vec![1],
            verdict: VerdictSettings::default(),
            keep: Keep::default(),
        }
    }
}

/// Reads arms.
struct Reader<'a> {
    learners: &'a Learners,
    /// The tables that an arm may have.
    parts: Vec<&'static str>,
}

impl Reader<'_> {
    fn arms(
        &self,
        table: &DeTable<'_>,
        base: &DeTable<'_>,
    ) -> Result<BTreeMap<String, Arm>, SettingsError> {
        let Some(named) = table.get("arms") else {
            let arm = self.arm(base.clone())?;
            return Ok(BTreeMap::from([(ONLY_ARM.to_owned(), arm)]));
        };
        let wrong = |words: &str, span| Err(SettingsError::new(words, Some(span)));
        let DeValue::Table(named_arms) = named.get_ref() else {
            return wrong(
                "arms must be tables, such as [arms.control.selfplay]",
                named.span(),
            );
        };
        let mut arms = BTreeMap::new();
        for (name, own) in named_arms {
            let DeValue::Table(own_table) = own.get_ref() else {
                return wrong("an arm must be a table, even an empty one", own.span());
            };
            refuse_unknown(own_table, &self.parts)?;
            let mut whole = base.clone();
            if sets_amount(own_table) {
                drop_amounts(&mut whole);
            }
            put(&mut whole, own_table.clone());
            arms.insert(name.get_ref().as_ref().to_owned(), self.arm(whole)?);
        }
        Ok(arms)
    }

    /// Reads an arm, passing its tables to their readers.
    fn arm(&self, whole: DeTable<'_>) -> Result<Arm, SettingsError> {
        let whole = with_amount_apart(whole);
        let parts = filled_parts(only(&whole, is_part))?;
        let mut own = only(&whole, |key| !is_part(key));
        let kind = match own.get_mut(TRAIN).map(Spanned::get_mut) {
            Some(DeValue::Table(train)) => train.remove("kind"),
            _ => None,
        };
        let Some(kind) = kind else {
            return self.learning(own, None, parts);
        };
        let span = kind.span();
        match kind.into_inner() {
            DeValue::String(name) => self.learning(own, Some(name.as_ref()), parts),
            _ => Err(SettingsError::new(
                "kind must be a text",
                Some(span.clone()),
            )),
        }
        .map_err(|error| SettingsError {
            span: error.span.or(Some(span)),
            ..error
        })
    }

    /// An arm with the learner of this name, given its tables.
    fn learning(
        &self,
        tables: DeTable<'_>,
        kind: Option<&str>,
        parts: Parts,
    ) -> Result<Arm, SettingsError> {
        let Some(kind) = self.learners.find(kind) else {
            let names = self.learners.names().join(", ");
            let message = format!("train.kind must be one of {names}");
            return Err(SettingsError::new(message, None));
        };
        let is_own = |key: &str| key == TRAIN || kind.tables().contains(&key);
        let foreign = tables.keys().find(|key| !is_own(key.get_ref()));
        if let Some(key) = foreign {
            let message = format!(
                "the table `{}` is not used by the learner {}",
                key.get_ref(),
                kind.name()
            );
            return Err(SettingsError::new(message, Some(key.span())));
        }
        let learner = kind.read(tables)?;
        let searches = learner.learns_from() == Learned::Searches;
        if parts.explore.is_some() && !searches {
            let message = format!(
                "the table `explore` is not used by the learner {}",
                kind.name()
            );
            return Err(SettingsError::new(message, None));
        }
        let mut arm = Arm {
            player: template(parts.player, searches)?,
            learner,
            amount: parts.amount,
            selfplay: parts.selfplay,
            explore: None,
            buffer: parts.buffer,
            generation_0: parts.generation_0,
            gate: parts.gate,
            eval: parts.eval,
        };
        if searches {
            let explore = parts.explore.unwrap_or_default();
            // Unless set otherwise, matches have as many nodes as searches have simulations.
            let nodes = explore.simulations.of(u32::MAX);
            arm.selfplay.nodes.get_or_insert(nodes);
            arm.gate.games.get_or_insert(0);
            arm.explore = Some(explore);
        }
        arm.gate.games = Some(arm.gate.games());
        Ok(arm)
    }
}

/// How any model of an arm plays; the model itself is set later.
fn template(settings: PlayerSettings, searches: bool) -> Result<Recipe, SettingsError> {
    let wrong = |words: &str| SettingsError::new(format_args!("player: {words}"), None);
    let usual = if searches {
        USUAL_SEARCHER
    } else {
        USUAL_PLAYER
    };
    let usual = PlayerSettings::from_words(usual).map_err(|error| wrong(&error.to_string()))?;
    let recipe = settings.or(&usual).recipe_with(Model::classical());
    let recipe = recipe.map_err(|error| wrong(&error.to_string()))?;
    match (searches, &recipe) {
        (true, Recipe::AlphaBeta(_) | Recipe::Program(_)) => {
            Err(wrong("a policy needs a player of kind=\"mcts\""))
        }
        _ => Ok(recipe),
    }
}

fn sets_amount(arm: &DeTable<'_>) -> bool {
    let selfplay = arm.get("selfplay").map(Spanned::get_ref);
    selfplay.is_some_and(|value| match value {
        DeValue::Table(table) => AMOUNTS.iter().any(|key| table.contains_key(*key)),
        _ => false,
    })
}

fn is_amount(key: &str) -> bool {
    AMOUNTS.contains(&key)
}

fn drop_amounts(whole: &mut DeTable<'_>) {
    if let Some(DeValue::Table(table)) = whole.get_mut("selfplay").map(Spanned::get_mut) {
        *table = only(table, |key| !is_amount(key));
    }
}

/// Moves the amount out of the table `selfplay`.
fn with_amount_apart(mut whole: DeTable<'_>) -> DeTable<'_> {
    let Some(selfplay) = whole.get_mut("selfplay") else {
        return whole;
    };
    let span = selfplay.span();
    let DeValue::Table(table) = selfplay.get_mut() else {
        return whole;
    };
    let amount = only(table, is_amount);
    *table = only(table, |key| !is_amount(key));
    let name = Spanned::new(span.clone(), AMOUNT_TABLE.into());
    whole.insert(name, Spanned::new(span, DeValue::Table(amount)));
    whole
}
