//! Checks that the reference in `docs/reference` is what the program prints, that the files of the
//! repository conform to it, and that the readers refuse what it refuses.

mod ranges;
mod readers;
mod validator;

use super::{Reader, page};
use crate::commands::tune;
use clap::ValueEnum;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// If this variable is set, the reference files are written instead of compared.
const UPDATE: &str = "TABIA_UPDATE_REFERENCE";

fn repository() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let root = crates.and_then(Path::parent);
    root.expect("the repository").to_owned()
}

fn schema(reader: Reader) -> Value {
    reader.schema(tune::schema)
}

fn name(reader: Reader) -> String {
    let value = reader.to_possible_value().expect("a name");
    value.get_name().to_owned()
}

/// The first violation of the schema in a file.
fn problem(reader: Reader, text: &str) -> Option<String> {
    let table: toml::Table = toml::from_str(text).expect("TOML");
    let value = serde_json::to_value(table).expect("a value");
    let schema = schema(reader);
    validator::problem(&schema, &schema, &value, "")
}

#[test]
fn the_reference_is_what_the_program_prints() {
    let folder = repository().join("docs/reference");
    for reader in Reader::value_variants() {
        let schema = schema(*reader);
        let pretty = serde_json::to_string_pretty(&schema).expect("a text") + "\n";
        let page = page::page(reader.title(), &schema);
        for (ending, text) in [("md", page), ("schema.json", pretty)] {
            let path = folder.join(format!("{}.{ending}", name(*reader)));
            if std::env::var_os(UPDATE).is_some() {
                fs::write(&path, text).expect("a file of the reference");
            } else {
                let written = fs::read_to_string(&path).unwrap_or_default();
                let path = path.display();
                assert!(
                    written == text,
                    "{path} is out of date: run this test with {UPDATE}=1"
                );
            }
        }
    }
}

#[test]
fn every_key_has_a_meaning() {
    for reader in Reader::value_variants() {
        let schema = schema(*reader);
        let mut nameless = Vec::new();
        find_nameless(&schema, "", &mut nameless);
        assert!(nameless.is_empty(), "{}: {nameless:?}", name(*reader));
    }
}

/// Finds keys without a description.
fn find_nameless(schema: &Value, path: &str, found: &mut Vec<String>) {
    match schema {
        Value::Array(list) => list
            .iter()
            .for_each(|part| find_nameless(part, path, found)),
        Value::Object(table) => {
            for (key, part) in table {
                let below = format!("{path}/{key}");
                let is_key = path.ends_with("/properties") && part.is_object();
                // A word that names a kind needs no description.
                let is_said = part.get("description").is_some() || part.get("const").is_some();
                if is_key && !is_said {
                    found.push(below.clone());
                }
                find_nameless(part, &below, found);
            }
        }
        _ => {}
    }
}

#[test]
fn presets_satisfy_their_schemas() {
    let of_lab = [
        (Reader::Run, &lab::presets::PRESETS[..]),
        (Reader::Select, &lab::selection::PRESETS[..]),
        (Reader::Study, &lab::study::PRESETS[..]),
        (Reader::Ladder, &lab::ladder::PRESETS[..]),
    ];
    for (reader, presets) in of_lab {
        for preset in presets {
            assert_eq!(problem(reader, preset.text), None, "{}", preset.name);
        }
    }
    for (name, text) in train::nnue::PRESETS {
        // The data are set by the file that names the preset.
        let text = format!("data = ['x.binpack']\n{text}");
        assert_eq!(problem(Reader::Train, &text), None, "{name}");
    }
}

#[test]
fn schemas_and_readers_agree_about_files_of_the_repository() {
    let mut files = 0;
    for pattern in ["docs/*.toml", "nets/*.toml", "docs/results/*/*.toml"] {
        let pattern = repository().join(pattern);
        for path in glob(&pattern) {
            let text = fs::read_to_string(&path).expect("a file");
            let table: toml::Table = toml::from_str(&text).expect("TOML");
            let reader = match () {
                () if table.contains_key("baseline") => Reader::Select,
                () if table.contains_key("data") => Reader::Train,
                () => Reader::Run,
            };
            // Some files record settings of earlier versions.
            let refused = readers::read(reader, &text).err();
            let problem = problem(reader, &text);
            let path = path.display();
            assert_eq!(
                problem.is_some(),
                refused.is_some(),
                "{path}: the schema says {problem:?}, the reader {refused:?}"
            );
            files += 1;
        }
    }
    assert!(files > 10, "only {files} files were found");
}

/// The files whose paths match a pattern in which a star stands for a whole name.
fn glob(pattern: &Path) -> Vec<PathBuf> {
    let mut paths = vec![PathBuf::new()];
    for part in pattern.components() {
        let part = part.as_os_str().to_str().expect("a name");
        let Some((_, ending)) = part.split_once('*') else {
            paths = paths.iter().map(|path| path.join(part)).collect();
            continue;
        };
        let entries = paths.iter().filter_map(|path| fs::read_dir(path).ok());
        let entries = entries.flatten().flatten().map(|entry| entry.path());
        paths = entries
            .filter(|path| path.to_string_lossy().ends_with(ending))
            .collect();
    }
    paths
}

#[test]
fn mistakes_are_refused() {
    for (reader, text) in [
        (Reader::Run, "generation = 3"),
        (Reader::Run, "generations = 0"),
        (Reader::Run, "[selfplay]\nposition = 100"),
        (Reader::Run, "[arms.a.gate]\ngames = 3"),
        (Reader::Run, "[train]\nkind = 'nnue'\nlearning_rat = 0.1"),
        (Reader::Run, "[train]\nkind = 'nnue'\nlearning_rate = 2.0"),
        (Reader::Run, "[player]\nhash = 0"),
        (Reader::Train, "epochs = 3"),
        (Reader::Train, "data = ['x']\nlambda = 1.5"),
        (
            Reader::Train,
            "kind = 'resnet'\ndata = ['x']\nbatch = 100_000",
        ),
        (Reader::Train, "kind = 'resnets'\ndata = ['x']"),
        (Reader::Match, "[[player]]\nmodell = 'classical'"),
        (Reader::Match, "[endings]\nhorizon = 0"),
        (Reader::Match, "[sprt]\nelo0 = 0.0"),
        (Reader::Select, "[gauntlet]\nleast_chance = 0.5"),
        (Reader::Select, "[peak]\nallocation = { kind = 'odd' }"),
        (Reader::Study, "[arms.a]\nmodels = 'classical'"),
        (Reader::Ladder, "climb_above = 2"),
        (Reader::Tune, "perturbation = 0"),
    ] {
        assert!(problem(reader, text).is_some(), "{text}");
    }
    let good = "generations = 3\n[arms.a.gate]\ngames = 4\n[arms.b]\n[train]\nkind = 'treestrap'";
    assert_eq!(problem(Reader::Run, good), None);
}
