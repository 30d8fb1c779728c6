//! Reads settings from a table: the keys that all trainings share are taken out of it, and the kind
//! reads the rest. So no kind has to list them, and errors keep their positions in the file, which
//! `serde(flatten)` would lose.

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
    /// The error message.
    pub message: String,
    /// The position, in bytes of the text.
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

/// The settings of one kind of training. Deserialising them reads everything except the course,
/// which then has its defaults.
pub trait KindSettings: Default + Serialize + DeserializeOwned + JsonSchema {
    /// The range of the batch size.
    const BATCH: Bounds = BATCH;

    /// The settings that all trainings share.
    fn course(&mut self) -> &mut CourseSettings;
}

/// Reads a text of this kind.
///
/// # Errors
/// The first error in it.
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
    // Defaults that depend on the kind.
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

/// Reads a table; errors about missing keys refer to `place`.
pub(crate) fn filled<T: DeserializeOwned>(table: DeTable<'_>, place: usize) -> Result<T, Error> {
    T::deserialize(TableDeserializer::from(Spanned::new(place..place, table)))
}

/// Worded like the parser's own errors, so that all such errors look the same.
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

/// The keys of these settings.
pub(crate) fn keys<T: Default + Serialize>() -> Vec<String> {
    match serde_json::to_value(T::default()) {
        Ok(Value::Object(table)) => table.into_iter().map(|(key, _)| key).collect(),
        _ => Vec::new(),
    }
}
