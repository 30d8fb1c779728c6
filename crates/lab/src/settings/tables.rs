//! Tables of TOML with the positions of their keys: split, merged, read into types, and searched
//! for the key of an error. The meaning of keys is not known here.

use super::SettingsError;
use engines::words;
use serde::de::DeserializeOwned;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error};

/// The part of a table that has these keys.
pub(super) fn only<'a>(table: &DeTable<'a>, wanted: impl Fn(&str) -> bool) -> DeTable<'a> {
    let mut part = DeTable::new();
    for (key, value) in table {
        if wanted(key.get_ref()) {
            part.insert(key.clone(), value.clone());
        }
    }
    part
}

/// In the words of the TOML reader, so that all such mistakes are reported alike.
pub(super) fn refuse_unknown(table: &DeTable<'_>, known: &[&str]) -> Result<(), SettingsError> {
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
    Err(SettingsError::new(
        words::renamed(&message),
        Some(key.span()),
    ))
}

/// Merges a table over another, key by key; but a table with a `kind` replaces the other as a
/// whole.
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

/// The position of a key: in its arm, at the top level, or that of the nearest table.
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
