//! From the text of a run file to an experiment: arms joined with what holds for
//! all, every mistake told with its place.

use super::{Arm, Experiment, Keep, ONLY_ARM, VerdictSettings, check};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error};

/// Keys of the file that are no part of an arm.
const FRAME: [&str; 7] = [
    "title",
    "question",
    "generations",
    "seeds",
    "verdict",
    "keep",
    "arms",
];
/// Tables that hold for all arms, and which an arm may say otherwise.
const PARTS: [&str; 6] = ["net", "selfplay", "buffer", "train", "generation_0", "gate"];
/// Keys of self-play of which one counts.
const AMOUNTS: [&str; 3] = ["positions", "games", "minutes"];
/// Where they go.
const AMOUNT_TABLE: &str = "amount of selfplay";

/// What is wrong with a run file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct SettingsError {
    /// In words.
    pub message: String,
    /// Where, in bytes of the text.
    pub span: Option<Range<usize>>,
}

impl SettingsError {
    pub(crate) fn new(message: impl fmt::Display, span: Option<Range<usize>>) -> SettingsError {
        SettingsError {
            message: message.to_string(),
            span,
        }
    }

    /// The line, from 1, in the text that was read.
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
            message: error.message().to_owned(),
            span: error.span(),
        }
    }
}

/// Reads a run file.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn read(text: &str) -> Result<Experiment, SettingsError> {
    from_table(DeTable::parse(text)?.into_inner())
}

/// Reads the table of a run file, which may be put together from several texts.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn from_table(table: DeTable<'_>) -> Result<Experiment, SettingsError> {
    refuse_unknown(&table, &[&FRAME[..], &PARTS[..]].concat())?;
    let frame: Frame = filled(only(&table, |key| FRAME.contains(&key) && key != "arms"))?;
    let base = only(&table, |key| PARTS.contains(&key));
    let arms = arms(&table, &base)?;
    let usual: Arm = filled(with_amount_apart(base))?;
    let last = usual.gate.conditions(&usual.selfplay, frame.generations);
    let finals = frame.verdict.conditions(last);
    let experiment = Experiment {
        title: frame.title,
        question: frame.question,
        generations: frame.generations,
        seeds: frame.seeds,
        arms,
        verdict: frame.verdict,
        finals,
        keep: frame.keep,
    };
    match check::check(&experiment) {
        Ok(()) => Ok(experiment),
        Err(wrong) => Err(SettingsError::new(&wrong, locate(&table, &wrong.path))),
    }
}

/// What holds for the run as a whole.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Frame {
    title: Option<String>,
    question: Option<String>,
    generations: u32,
    seeds: Vec<u64>,
    verdict: VerdictSettings,
    keep: Keep,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            title: None,
            question: None,
            generations: 6,
            seeds: vec![1],
            verdict: VerdictSettings::default(),
            keep: Keep::default(),
        }
    }
}

fn arms(table: &DeTable<'_>, base: &DeTable<'_>) -> Result<BTreeMap<String, Arm>, SettingsError> {
    let Some(named) = table.get("arms") else {
        let arm = filled(with_amount_apart(base.clone()))?;
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
        refuse_unknown(own_table, &PARTS)?;
        let mut whole = base.clone();
        if sets_amount(own_table) {
            drop_amounts(&mut whole);
        }
        put(&mut whole, own_table.clone());
        let arm = filled(with_amount_apart(whole))?;
        arms.insert(name.get_ref().as_ref().to_owned(), arm);
    }
    Ok(arms)
}

/// In the words of the reader, so that all such mistakes are told alike.
fn refuse_unknown(table: &DeTable<'_>, known: &[&str]) -> Result<(), SettingsError> {
    let is_known = |key: &str| known.contains(&key);
    let Some(key) = table.keys().find(|key| !is_known(key.get_ref())) else {
        return Ok(());
    };
    let expected: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
    let message = format!(
        "unknown field `{}`, expected one of {}",
        key.get_ref(),
        expected.join(", ")
    );
    Err(SettingsError::new(message, Some(key.span())))
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

/// The part of a table that has these keys.
fn only<'a>(table: &DeTable<'a>, wanted: impl Fn(&str) -> bool) -> DeTable<'a> {
    let mut part = DeTable::new();
    for (key, value) in table {
        if wanted(key.get_ref()) {
            part.insert(key.clone(), value.clone());
        }
    }
    part
}

fn drop_amounts(whole: &mut DeTable<'_>) {
    if let Some(DeValue::Table(table)) = whole.get_mut("selfplay").map(Spanned::get_mut) {
        *table = only(table, |key| !is_amount(key));
    }
}

/// How much is played is no part of how it is played.
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

/// Puts a table over another. Tables are joined key by key, but one that says its
/// `kind` stands for itself.
pub fn put<'a>(below: &mut DeTable<'a>, above: DeTable<'a>) {
    for (key, value) in above {
        let old = below.remove_entry(key.get_ref().as_ref());
        let (span, value) = (value.span(), value.into_inner());
        let value = match (old.map(|(_, old)| old.into_inner()), value) {
            (Some(DeValue::Table(mut old)), DeValue::Table(new)) if !new.contains_key("kind") => {
                put(&mut old, new);
                DeValue::Table(old)
            }
            (_, value) => value,
        };
        below.insert(key, Spanned::new(span, value));
    }
}

pub(crate) fn filled<T: DeserializeOwned>(table: DeTable<'_>) -> Result<T, Error> {
    T::deserialize(Deserializer::from(Spanned::new(0..0, table)))
}

/// Where a key stands: in its arm, among what holds for all, or the nearest table.
pub(crate) fn locate(table: &DeTable<'_>, path: &[String]) -> Option<Range<usize>> {
    let for_all = match path {
        [first, _, rest @ ..] if first == "arms" => exact(table, rest),
        _ => None,
    };
    exact(table, path)
        .or(for_all)
        .or_else(|| nearest(table, path))
}

fn exact(table: &DeTable<'_>, path: &[String]) -> Option<Range<usize>> {
    let (first, rest) = path.split_first()?;
    let (key, value) = table.get_key_value(first.as_str())?;
    match (rest.is_empty(), value.get_ref()) {
        (true, _) => Some(key.span()),
        (false, DeValue::Table(table)) => exact(table, rest),
        _ => None,
    }
}

fn nearest(table: &DeTable<'_>, path: &[String]) -> Option<Range<usize>> {
    let (first, rest) = path.split_first()?;
    let (key, value) = table.get_key_value(first.as_str())?;
    let deeper = match value.get_ref() {
        DeValue::Table(table) => nearest(table, rest),
        _ => None,
    };
    deeper.or(Some(key.span()))
}
