//! Settings as users write them: the same keys and values in a file of tables
//! and in a line of words such as `movecount=3 score=600`.
//!
//! It must not know what is being set.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Visitor};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// Why a line of settings is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WordsError {
    /// A quote is not closed.
    #[error("unclosed quote in: {0}")]
    Quote(String),
    /// A word without a key.
    #[error("'{0}' is not of the form key=value")]
    NoKey(String),
    /// A key that may be given only once.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// An unknown key, or an invalid value.
    #[error("{word}: {problem}")]
    Value {
        /// The word.
        word: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// Parses a line of words; values with spaces are quoted as in a shell. A word without a key is the
/// value of the key `bare`, if there is one.
///
/// # Errors
/// For the first invalid word.
pub fn read_words<T: DeserializeOwned>(line: &str, bare: Option<&str>) -> Result<T, WordsError> {
    let words = shlex::split(line).ok_or_else(|| WordsError::Quote(line.to_owned()))?;
    let mut table = Map::new();
    for word in words {
        let (key, value) = word
            .split_once('=')
            .or(bare.map(|key| (key, word.as_str())))
            .ok_or_else(|| WordsError::NoKey(word.clone()))?;
        // Each word is first parsed alone, so that an error can name it.
        let mut alone = Map::new();
        put(&mut alone, key, value);
        read_table::<T>(alone).map_err(|problem| WordsError::Value {
            word: word.clone(),
            problem,
        })?;
        if !put(&mut table, key, value) {
            return Err(WordsError::Twice(key.to_owned()));
        }
    }
    read_table(table).map_err(|problem| WordsError::Value {
        word: line.to_owned(),
        problem,
    })
}

fn read_table<T: DeserializeOwned>(table: Map<String, Value>) -> Result<T, String> {
    T::deserialize(Value::from(table)).map_err(|error| suggesting(&renamed(&error.to_string())))
}

/// The known word that was probably meant by an unknown one; `None` if none is similar.
pub fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&word, &known.to_lowercase());
    let nearest = known.into_iter().min_by_key(|known| distance(known))?;
    // In a short name one letter may be wrong, in longer ones more.
    let is_near = distance(nearest) <= ((nearest.chars().count() + 1) / 3).clamp(1, 3);
    (is_near && !word.is_empty()).then_some(nearest)
}

/// Shortens an error about an unknown key to the key that was probably meant, instead of a list of
/// all keys. Any other error stays as it is.
fn suggesting(complaint: &str) -> String {
    let names = complaint.strip_prefix("unknown field `");
    let mut names = names
        .into_iter()
        .flat_map(|names| names.split('`').step_by(2));
    let suggestion = names.next().zip(names.next()).and_then(|(key, first)| {
        let meant = meant(key, std::iter::once(first).chain(names))?;
        Some(format!("there is no key `{key}`; did you mean `{meant}`?"))
    });
    suggestion.unwrap_or_else(|| complaint.to_owned())
}

/// Keys that were renamed, with their new names.
const RENAMED: [(&str, &str); 7] = [
    ("eval", "model"),
    ("hash", "player.hash"),
    ("net", "model"),
    ("player", "model"),
    ("rate", "learning_rate"),
    ("average", "ema"),
    ("rounded", "quantisation_aware"),
];

/// Replaces an error about a key that was renamed by its new name, if that is known there. Any
/// other error stays as it is.
pub fn renamed(complaint: &str) -> String {
    let key = complaint
        .split_once("unknown field `")
        .and_then(|(_, rest)| rest.split('`').next());
    // A name with a dot belongs to another table, which the error does not list.
    let is_expected = |new: &str| new.contains('.') || complaint.contains(&format!("`{new}`"));
    match RENAMED.iter().find(|(old, _)| Some(*old) == key) {
        Some((old, new)) if is_expected(new) => format!("`{old}` is now named `{new}`"),
        _ => complaint.to_owned(),
    }
}

/// Puts a word into a table as it would be in a file: `option.Hash=16` into the table `option`,
/// each `arg` into one list. False if the key is already there.
fn put(table: &mut Map<String, Value>, key: &str, value: &str) -> bool {
    if key == "arg" {
        let list = table.entry(key).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(list) = list {
            list.push(value.into());
        }
        return true;
    }
    match key.split_once('.') {
        Some((outer, name)) => {
            let inner = table.entry(outer).or_insert_with(|| Map::new().into());
            match inner {
                Value::Object(inner) => inner.insert(name.to_owned(), value.into()).is_none(),
                _ => false,
            }
        }
        None => table.insert(key.to_owned(), value.into()).is_none(),
    }
}

/// Any scalar value, as the text that a user would type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text(
    /// The text.
    pub String,
);

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text, a number, true or false")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Text, E> {
        Ok(Text(value.to_owned()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Text, E> {
        Ok(Text(value.to_string()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Text, E> {
        Ok(Text(value.to_string()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Text, E> {
        Ok(Text(value.to_string()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Text, E> {
        Ok(Text(value.to_string()))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

impl JsonSchema for Text {
    fn schema_name() -> Cow<'static, str> {
        "plain-value".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "number", "boolean"]})
    }
}

/// An integer of either sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Whole(
    /// The number.
    pub i32,
);

impl JsonSchema for Whole {
    fn schema_name() -> Cow<'static, str> {
        "whole-number".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer"})
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Whole, D::Error> {
        let Text(text) = Text::deserialize(deserializer)?;
        let wrong = |_| D::Error::custom(format_args!("'{text}' is not a whole number"));
        text.parse().map(Whole).map_err(wrong)
    }
}

/// Deserialises an optional value of any type that can be parsed from text.
pub fn parsed<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    read_from_text(deserializer).map(Some)
}

/// The same for a value that is required.
pub fn read_from_text<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    let Text(text) = Text::deserialize(deserializer)?;
    text.parse().map_err(D::Error::custom)
}

/// Serialises a value as users write it.
pub fn written<S: Serializer>(value: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// The same for an optional value.
pub fn written_if_any<S: Serializer>(
    value: &Option<impl fmt::Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

/// An integer within a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Count<const LEAST: u64, const MOST: u64>(
    /// The number.
    pub u64,
);

impl<const LEAST: u64, const MOST: u64> JsonSchema for Count<LEAST, MOST> {
    fn schema_name() -> Cow<'static, str> {
        format!("number-from-{LEAST}-to-{MOST}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": LEAST, "maximum": MOST})
    }
}

impl<const LEAST: u64, const MOST: u64> FromStr for Count<LEAST, MOST> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number) if (LEAST..=MOST).contains(&number) => Ok(Count(number)),
            _ => Err(format!(
                "'{text}' is not a whole number from {LEAST} to {MOST}"
            )),
        }
    }
}
