//! What ARCHITECTURE.md promises and a compiler does not check: which crate may
//! know which, and that the rooms of a crate do not need each other in a circle.

mod modules;

use modules::Modules;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the project, the lowest first, and those that each may know.
const MAY_KNOW: [(&str, &[&str]); 12] = [
    ("chess", &[]),
    ("work", &[]),
    ("cluster", &["work"]),
    ("nets", &["chess"]),
    ("engines", &["chess", "nets", "work"]),
    ("data", &["chess"]),
    ("train", &["chess", "data", "nets"]),
    ("arena", &["chess", "data", "engines", "nets", "work"]),
    ("analysis", &["chess", "data", "engines", "work"]),
    (
        "lab",
        &["arena", "chess", "data", "engines", "nets", "train", "work"],
    ),
    ("web", &["chess", "data", "engines", "lab", "nets"]),
    (
        "tabia",
        &[
            "analysis", "arena", "chess", "cluster", "data", "engines", "lab", "nets", "train",
            "web", "work",
        ],
    ),
];

/// Crates that are no part of the program.
const BESIDE: [&str; 1] = ["test-engines"];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the folder of all crates")
        .to_owned()
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(crates())
        .expect("the folder of all crates")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("Cargo.toml").is_file())
        .map(|path| path.file_name().expect("a name").display().to_string())
        .collect();
    names.sort();
    names
}

/// The crates of the project on which one depends, tests apart.
fn known(name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(crates().join(name).join("Cargo.toml")).expect("a manifest");
    let table: toml::Table = text.parse().expect("TOML");
    let own: BTreeSet<String> = names().into_iter().collect();
    let dependencies = table.get("dependencies").and_then(toml::Value::as_table);
    dependencies
        .into_iter()
        .flat_map(|table| table.keys())
        .filter(|key| own.contains(*key))
        .cloned()
        .collect()
}

#[test]
fn every_crate_knows_only_what_it_may() {
    let listed: BTreeMap<&str, &[&str]> = MAY_KNOW.into_iter().collect();
    for name in names() {
        if BESIDE.contains(&name.as_str()) {
            continue;
        }
        let may = listed.get(name.as_str());
        let may = may.unwrap_or_else(|| panic!("say in MAY_KNOW what {name} may know"));
        let unknown: Vec<String> = known(&name)
            .into_iter()
            .filter(|other| !may.contains(&other.as_str()))
            .collect();
        assert!(unknown.is_empty(), "{name} must not know {unknown:?}");
    }
}

#[test]
fn the_list_of_crates_has_no_circle() {
    for (place, (name, may)) in MAY_KNOW.iter().enumerate() {
        let lower: Vec<&str> = MAY_KNOW[..place].iter().map(|(name, _)| *name).collect();
        for other in *may {
            assert!(lower.contains(other), "{name} stands below {other}");
        }
    }
}

#[test]
fn rooms_do_not_need_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for name in names() {
        let modules = Modules::read(&crates().join(&name).join("src"));
        assert!(modules.count() > 0, "no module of {name} was found");
        circles.extend(modules.circles().into_iter().map(|circle| {
            let steps: Vec<String> = circle;
            format!("{name}: {}", steps.join(", "))
        }));
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn circles_are_found() {
    let modules = Modules::of(&[
        ("", "mod a; mod b; mod c; pub use b::Thing;"),
        ("a", "use crate::Thing;\nfn f() { crate::c::g() }"),
        ("b", "use super::a::{self, x};"),
        ("c", "// crate::a is only a remark\nuse std::fmt;"),
        ("c/d", "use super::super::b::Thing;"),
    ]);
    assert_eq!(
        modules.circles(),
        [vec!["a -> b", "a -> c", "b -> a", "c -> b"]]
    );
}
