//! From a table to settings: the keys that all trainings share are taken out of it,
//! and the kind reads the rest. So no kind lists them again, and mistakes still have
//! their places, which `serde(flatten)` would lose.

use super::CourseSettings;
use super::ranges::BATCH;
use data::range::Range as Bounds;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, Deserializer as TableDeserializer, Error};

/// Why a table cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Misread {
    /// In words.
    pub message: String,
    /// Where, in bytes of the text.
    pub span: Option<Range<usize>>,
}

impl From<Error> for Misread {
    fn from(error: Error) -> Misread {
        Misread {
            message: error.message().to_owned(),
            span: error.span(),
        }
    }
}

/// The settings of one kind of training. What is read as such is all but the course,
/// which is then the usual one.
pub trait KindSettings: Default + Serialize + DeserializeOwned + JsonSchema {
    /// How many positions a step may have.
    const BATCH: Bounds = BATCH;

    /// What it shares with others.
    fn course(&mut self) -> &mut CourseSettings;
}

/// Reads a text whose kind is known.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn read<S: KindSettings>(text: &str) -> Result<S, Misread> {
    let mut table = DeTable::parse(text)?.into_inner();
    table.remove("kind");
    of_kind(table, 0)
}

/// Reads a table of one kind, without the key that names it.
pub(crate) fn of_kind<S: KindSettings>(table: DeTable<'_>, place: usize) -> Result<S, Misread> {
    refuse_unknown(&table, keys::<S>())?;
    let shared = keys::<CourseSettings>();
    let (of_course, of_own): (DeTable<'_>, DeTable<'_>) = table
        .into_iter()
        .partition(|(key, _)| shared.iter().any(|own| own == key.get_ref()));
    let says = |key: &str| of_course.contains_key(key);
    let [says_data, says_epochs, says_batch] = ["data", "epochs", "batch"].map(says);
    let says_validation = says("validation_positions");
    let mut own: S = filled(of_own, place)?;
    let mut course: CourseSettings = filled(of_course, place)?;
    if !says_data {
        return Err(Misread {
            message: "missing field `data`".to_owned(),
            span: Some(place..place),
        });
    }
    // What kinds do otherwise if nobody says so.
    if !says_epochs {
        course.epochs = own.course().epochs;
    }
    if !says_batch {
        course.batch = own.course().batch;
    }
    if !says_validation {
        course.validation_positions = own.course().validation_positions;
    }
    *own.course() = course;
    Ok(own)
}

/// Reads a table; what is missing is missed at `place`.
pub(crate) fn filled<T: DeserializeOwned>(table: DeTable<'_>, place: usize) -> Result<T, Error> {
    T::deserialize(TableDeserializer::from(Spanned::new(place..place, table)))
}

/// In the words of the parser, so that all such mistakes are told alike.
fn refuse_unknown(table: &DeTable<'_>, mut known: Vec<String>) -> Result<(), Misread> {
    known.insert(0, "kind".to_owned());
    let is_unknown = |key: &str| known.iter().all(|known| known != key);
    match table.keys().find(|key| is_unknown(key.get_ref())) {
        None => Ok(()),
        Some(key) => Err(Misread {
            message: format!(
                "unknown field `{}`, expected one of `{}`",
                key.get_ref(),
                known.join("`, `")
            ),
            span: Some(key.span()),
        }),
    }
}

/// The keys that settings have.
pub(crate) fn keys<T: Default + Serialize>() -> Vec<String> {
    match serde_json::to_value(T::default()) {
        Ok(Value::Object(table)) => table.into_iter().map(|(key, _)| key).collect(),
        _ => Vec::new(),
    }
}
