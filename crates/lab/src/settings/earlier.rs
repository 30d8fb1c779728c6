//! Translates run files of earlier versions, so that their runs can still be listed and shown.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys that no longer exist, each with its table.
const GONE: [(&str, &str); 2] = [("selfplay", "hash"), ("gate", "hash")];

/// Renamed keys of the table `train`, with their new names.
const RENAMED: [(&str, &str); 3] = [
    ("rate", "learning_rate"),
    ("average", "ema"),
    ("rounded", "quantisation_aware"),
];

/// The same table with the names of this version.
pub(super) fn translated(mut table: DeTable<'_>) -> DeTable<'_> {
    translate(&mut table);
    if let Some(DeValue::Table(arms)) = table.get_mut("arms").map(Spanned::get_mut) {
        let names: Vec<_> = arms.keys().cloned().collect();
        for name in names {
            if let Some(DeValue::Table(arm)) = arms.get_mut(&name).map(Spanned::get_mut) {
                translate(arm);
            }
        }
    }
    table
}

/// Translates the top-level tables, or those of an arm.
fn translate(table: &mut DeTable<'_>) {
    for (name, key) in GONE {
        if let Some(DeValue::Table(inner)) = table.get_mut(name).map(Spanned::get_mut) {
            inner.remove(key);
        }
    }
    if let Some(DeValue::Table(train)) = table.get_mut("train").map(Spanned::get_mut) {
        for (old, new) in RENAMED {
            if let Some((key, value)) = train.remove_entry(old) {
                train.insert(Spanned::new(key.span(), new.into()), value);
            }
        }
    }
    if let Some(DeValue::Table(first)) = table.get_mut("generation_0").map(Spanned::get_mut) {
        for key in ["net", "player"] {
            if let Some((old, value)) = first.remove_entry(key) {
                let is_word = matches!(value.get_ref(), DeValue::String(word) if *word == "net");
                if !is_word {
                    first.insert(Spanned::new(old.span(), "model".into()), value);
                }
            }
        }
    }
}
