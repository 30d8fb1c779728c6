//! The run file: a preset or a file, with what options set beside it.

use crate::exit::WrongInput;
use crate::settings::{self, SetOptions};
use lab::presets;
use lab::settings::{Experiment, from_table};
use std::path::Path;

/// What is to be run.
pub(super) struct Wanted {
    /// What its folder is called.
    pub(super) name: String,
    /// The run file with everything that was set.
    pub(super) text: String,
    pub(super) experiment: Experiment,
}

/// The text of a preset.
pub(super) fn preset(name: &str) -> Result<&'static str, WrongInput> {
    let known = presets::PRESETS.map(|preset| (preset.name, preset.text));
    settings::find(name, &known)
}

/// Reads a preset or a file. A name without a dot or a slash is a preset.
pub(super) fn read(what: &str, set: &SetOptions) -> Result<Wanted, WrongInput> {
    let is_file = what.contains(['.', '/']) || Path::new(what).is_file();
    let (name, shown, text) = match is_file {
        false => {
            let text = preset(what)?.to_owned();
            (what.to_owned(), format!("preset {what}"), text)
        }
        true => {
            let path = Path::new(what);
            let text = std::fs::read_to_string(path)
                .map_err(|error| WrongInput::new(format!("cannot read {what}: {error}")))?;
            let stem = path.file_stem().unwrap_or(path.as_os_str());
            let stem = stem.display().to_string();
            // The file of a run: its name is that of the folder.
            let parent = path.parent().and_then(Path::file_name);
            let name = match (stem.as_str(), parent) {
                ("run", Some(parent)) => parent.display().to_string(),
                _ => stem,
            };
            (name, what.to_owned(), text)
        }
    };
    let (experiment, table) = settings::read_table(&shown, &text, set, |table| {
        let plain: toml::Table = settings::filled(table.clone(), 0)
            .map_err(|error| (error.message().to_owned(), error.span()))?;
        let experiment = from_table(table).map_err(|error| (error.message, error.span))?;
        Ok((experiment, plain))
    })?;
    let text = match set.list().is_empty() {
        true => text,
        false => rewritten(&shown, set, &table)?,
    };
    Ok(Wanted {
        name,
        text,
        experiment,
    })
}

/// The file as it is with what was set; its remarks are lost.
fn rewritten(name: &str, set: &SetOptions, table: &toml::Table) -> Result<String, WrongInput> {
    let settings: Vec<String> = set
        .list()
        .iter()
        .map(|text| format!("#   {text}\n"))
        .collect();
    let text = toml::to_string_pretty(table)
        .map_err(|error| WrongInput::new(format!("{name}: cannot be written again: {error}")))?;
    Ok(format!(
        "# {name}, with these settings changed:\n{}\n{text}",
        settings.concat()
    ))
}
