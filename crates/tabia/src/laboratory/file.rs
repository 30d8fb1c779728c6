//! The settings file of a run, selection, study or ladder: a preset or a file, with overrides from
//! options.

use crate::exit::WrongInput;
use crate::settings::{self, SetOptions};
use lab::presets::Preset;
use lab::settings::SettingsError;
use std::path::Path;
use toml::de::DeTable;

/// A kind of settings file.
pub(crate) struct Kind<T> {
    /// The presets that come with the program.
    pub(crate) presets: &'static [Preset],
    /// The stem of its file name in the folder of the work.
    pub(crate) stem: &'static str,
    /// Reads the settings.
    pub(crate) read: fn(DeTable<'_>) -> Result<T, SettingsError>,
}

/// The settings of new work.
pub(crate) struct Wanted<T> {
    /// The name of its folder.
    pub(crate) name: String,
    /// The file's text with all overrides.
    pub(crate) text: String,
    pub(crate) settings: T,
}

/// The commands that have presets.
const COMMANDS: [(&str, &[Preset]); 4] = [
    ("run", &lab::presets::PRESETS),
    ("study", &lab::study::PRESETS),
    ("select", &lab::selection::PRESETS),
    ("ladder", &lab::ladder::PRESETS),
];

/// The text of a preset.
pub(crate) fn preset(name: &str, presets: &[Preset]) -> Result<&'static str, WrongInput> {
    let known: Vec<_> = presets
        .iter()
        .map(|preset| (preset.name, preset.text))
        .collect();
    settings::find(name, &known).map_err(|unknown| of_another(name).unwrap_or(unknown))
}

/// The error for a preset that belongs to another command.
fn of_another(name: &str) -> Option<WrongInput> {
    let has = |presets: &[Preset]| presets.iter().any(|preset| preset.name == name);
    let own = COMMANDS.iter().filter(|(_, presets)| has(presets));
    let mut commands: Vec<_> = own
        .map(|(command, _)| format!("`tabia {command}`"))
        .collect();
    if train::nnue::PRESETS.iter().any(|(known, _)| *known == name) {
        commands.push("`tabia train --preset`".to_owned());
    }
    let commands = commands.join(" and ");
    let words = || WrongInput::new(format!("`{name}` is a preset of {commands}"));
    (!commands.is_empty()).then(words)
}

/// Reads a preset or a file. A name without a dot or a slash is a preset, unless there is such a
/// file.
pub(crate) fn read<T>(
    what: &str,
    set: &SetOptions,
    kind: &Kind<T>,
) -> Result<Wanted<T>, WrongInput> {
    let is_file = what.contains(['.', '/']) || Path::new(what).is_file();
    let (name, shown, text) = match is_file {
        false => {
            let text = preset(what, kind.presets)?.to_owned();
            (what.to_owned(), format!("preset {what}"), text)
        }
        true => {
            let path = Path::new(what);
            let text = settings::text_of(path)?;
            let stem = path.file_stem().unwrap_or(path.as_os_str());
            let stem = stem.display().to_string();
            // For the settings file in the folder of a run, the name is that of the folder.
            let parent = path.parent().and_then(Path::file_name);
            let name = match parent {
                Some(parent) if stem == kind.stem => parent.display().to_string(),
                _ => stem,
            };
            (name, what.to_owned(), text)
        }
    };
    let (settings, table) = settings::read_table(&shown, &text, set, |table| {
        let plain: toml::Table = settings::filled(table.clone(), 0)
            .map_err(|error| (error.message().to_owned(), error.span()))?;
        let settings = (kind.read)(table).map_err(|error| (error.message, error.span))?;
        Ok((settings, plain))
    })?;
    let text = match set.list().is_empty() {
        true => text,
        false => rewritten(&shown, set, &table)?,
    };
    Ok(Wanted {
        name,
        text,
        settings,
    })
}

/// The file's text with the overrides applied; its comments are lost.
fn rewritten(name: &str, set: &SetOptions, table: &toml::Table) -> Result<String, WrongInput> {
    let settings: Vec<String> = set
        .list()
        .iter()
        .map(|text| format!("#   {text}\n"))
        .collect();
    let text = toml::to_string_pretty(table)
        .map_err(|error| WrongInput::new(format!("{name}: cannot be rewritten: {error}")))?;
    Ok(format!(
        "# {name}, with these settings changed:\n{}\n{text}",
        settings.concat()
    ))
}
