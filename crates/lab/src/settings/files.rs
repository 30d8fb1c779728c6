//! Which files the tables of a run file name, before any of them is opened.
//!
//! Models and books are opened as soon as their keys are read, so that whoever has to know
//! first looks at the plain tables. It must not know which files may be opened.

use super::SettingsError;
use nets::Model;
use std::collections::BTreeSet;
use toml::{Table, Value};

/// Keys whose values are files, in any table.
const FILES: [&str; 6] = ["book", "data", "dir", "model", "start", "validation"];
/// Keys of other programs and their arguments.
const PROGRAMS: [&str; 2] = ["arg", "cmd"];
/// Keys whose values are for people.
const WORDS: [&str; 3] = ["name", "question", "title"];
/// The model of a sequential test is one of statistics.
const STATISTICS: &str = "sprt.model";
/// Values of such keys that are no files.
const BUILT_IN: [(&str, &str); 5] = [
    ("book", "built-in"),
    ("book", "start"),
    ("model", Model::CLASSICAL),
    ("model", Model::HEURISTIC),
    ("model", Model::SEQUENCE),
];

/// What some settings name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NamedFiles {
    /// Keys, and the files or folders that they name.
    pub files: BTreeSet<(String, String)>,
    /// Keys that name another program, or say how it is called.
    pub programs: BTreeSet<String>,
}

/// Finds the files that a run file names, or one of the keys that are set beside it, such as
/// `selfplay.book=FILE`. What is set may be a bare word, as on a command line.
///
/// # Errors
/// If they cannot be understood as tables.
pub fn named_files(text: &str, set: &[String]) -> Result<NamedFiles, SettingsError> {
    let mut named = NamedFiles::default();
    named.of_table(&plain(text)?, "");
    for setting in set {
        named.of_table(&assigned(setting)?, "");
    }
    Ok(named)
}

fn plain(text: &str) -> Result<Table, SettingsError> {
    toml::from_str(text).map_err(SettingsError::from)
}

fn assigned(setting: &str) -> Result<Table, SettingsError> {
    let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
    let (key, value) = (key.trim(), value.trim());
    // A text of JSON is one of TOML, too.
    plain(&format!("{key} = {value}"))
        .or_else(|_| plain(&format!("{key} = {}", serde_json::Value::from(value))))
}

impl NamedFiles {
    fn of_table(&mut self, table: &Table, path: &str) {
        for (key, value) in table {
            let path = match path {
                "" => key.clone(),
                path => format!("{path}.{key}"),
            };
            self.of_value(value, key, &path);
        }
    }

    fn of_value(&mut self, value: &Value, key: &str, path: &str) {
        match value {
            Value::Table(table) => self.of_table(table, path),
            Value::Array(values) => {
                for value in values {
                    self.of_value(value, key, path);
                }
            }
            _ if PROGRAMS.contains(&key) => {
                self.programs.insert(path.to_owned());
            }
            Value::String(text) => self.of_text(text, key, path),
            _ => {}
        }
    }

    fn of_text(&mut self, text: &str, key: &str, path: &str) {
        if WORDS.contains(&key) {
            return;
        }
        let lower = key.to_ascii_lowercase();
        let is_key = FILES.contains(&&*lower) || lower.ends_with("file");
        let is_file = is_key && !path.ends_with(STATISTICS);
        if lower.ends_with("path") {
            // Folders of tables are parted by colons.
            let folders = text.split(':').filter(|folder| !folder.is_empty());
            (self.files).extend(folders.map(|folder| (path.to_owned(), folder.to_owned())));
        } else if is_file && !BUILT_IN.contains(&(key, text)) || !is_file && leads_away(text) {
            self.files.insert((path.to_owned(), text.to_owned()));
        }
    }
}

/// Whether a text that should be no file would be one elsewhere.
fn leads_away(text: &str) -> bool {
    text.starts_with(['/', '\\', '~']) || text.split(['/', '\\']).any(|part| part == "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str, set: &[&str]) -> Vec<String> {
        let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
        let named = named_files(text, &set).expect(text);
        let files = named.files.into_iter();
        files.map(|(key, file)| format!("{key}: {file}")).collect()
    }

    #[test]
    fn every_key_that_names_a_file_is_found() {
        let text = "
            title = '/a title'
            selfplay.book = '/a'
            generation_0 = { model = 'b', data = 'c' }
            player.option = { SyzygyPath = 'd:/e', MultiPV = 2, Other = '../f' }
            [arms.x.train]
            kind = 'sequence'
            data = ['g', 'h']
            validation = ['i']
            [arms.y]
            gate.book = 'built-in'
            eval.option.WeightsFile = 'j'";
        let found = [
            "arms.x.train.data: g",
            "arms.x.train.data: h",
            "arms.x.train.validation: i",
            "arms.y.eval.option.WeightsFile: j",
            "generation_0.data: c",
            "generation_0.model: b",
            "player.option.Other: ../f",
            "player.option.SyzygyPath: /e",
            "player.option.SyzygyPath: d",
            "selfplay.book: /a",
        ];
        assert_eq!(files(text, &[]), found);
        assert_eq!(
            files("", &["selfplay.book=x", "gate.book = \"y\""]).len(),
            2
        );
        assert_eq!(files("", &["generation_0={model='/z'}"]).len(), 1);
        assert_eq!(files("", &["generation_0.model=classical"]).len(), 0);
        let programs = named_files("player.cmd = 'x'", &["arms.a.player.arg=7".to_owned()]);
        assert_eq!(programs.expect("tables").programs.len(), 2);
        assert!(named_files("a = ", &[]).is_err());
        assert!(named_files("", &["[a] b=".to_owned()]).is_err());
    }

    /// A key that names files and is not in the lists above would be opened unseen.
    #[test]
    fn the_types_have_no_other_keys_for_files() {
        let schema = super::super::schema(&train::learners()).to_string();
        for word in ["path", "file"] {
            let end = format!("{word}\":{{");
            let keys = schema.match_indices(&end).map(|(at, _)| {
                let begin = schema[..at].rfind('"').map_or(0, |quote| quote + 1);
                &schema[begin..at + word.len()]
            });
            assert_eq!(keys.collect::<Vec<_>>(), Vec::<&str>::new());
        }
        for key in FILES.iter().filter(|key| **key != "start") {
            assert!(schema.contains(&format!("\"{key}\":{{")), "{key}");
        }
    }

    #[test]
    fn presets_name_no_programs() {
        for preset in &crate::presets::PRESETS {
            let named = named_files(preset.text, &[]).expect(preset.name);
            assert_eq!(named.programs.len(), 0, "{}", preset.name);
            let is_own = preset.name == "sequence-reinforcement";
            assert_eq!(named.files.is_empty(), !is_own, "{}", preset.name);
        }
    }
}
