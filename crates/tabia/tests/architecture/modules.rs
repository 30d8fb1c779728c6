//! The rooms of a crate, which are its modules at the top, and which of them need
//! which others. It reads text: paths that begin with `crate`, `super` or `self`,
//! and what the crate's root takes from its modules and hands on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

pub(crate) struct Modules {
    /// For each room, those that it needs.
    needs: BTreeMap<String, BTreeSet<String>>,
}

/// A module's path below the root, and its text.
type Source = (Vec<String>, String);

impl Modules {
    /// The rooms of the crate whose sources lie here.
    pub(crate) fn read(folder: &Path) -> Modules {
        let mut sources = Vec::new();
        collect(folder, &[], &mut sources);
        Modules::new(&sources)
    }

    /// The rooms of a crate with these files.
    pub(crate) fn of(files: &[(&str, &str)]) -> Modules {
        let split = |path: &str| -> Vec<String> {
            let parts = path.split('/').filter(|part| !part.is_empty());
            parts.map(str::to_owned).collect()
        };
        let sources: Vec<Source> = files
            .iter()
            .map(|(path, text)| (split(path), (*text).to_owned()))
            .collect();
        Modules::new(&sources)
    }

    fn new(sources: &[Source]) -> Modules {
        let rooms: BTreeSet<String> = sources
            .iter()
            .filter_map(|(path, _)| path.first().cloned())
            .collect();
        let handed_on: BTreeMap<String, String> = sources
            .iter()
            .filter(|(path, _)| path.is_empty())
            .flat_map(|(_, text)| uses(&without_remarks(text)))
            .filter(|used| rooms.contains(&used[0]))
            .filter_map(|used| Some((used.last()?.clone(), used[0].clone())))
            .collect();
        let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (path, text) in sources {
            let Some(room) = path.first() else { continue };
            let text = without_remarks(text);
            let paths = uses(&text).into_iter().chain(inline(&text));
            for name in paths.filter_map(|used| at_root(path, &used)) {
                let target = match rooms.contains(&name) {
                    true => Some(&name),
                    false => handed_on.get(&name),
                };
                if let Some(target) = target.filter(|target| *target != room) {
                    let own = needs.entry(room.clone()).or_default();
                    own.insert(target.clone());
                }
            }
            needs.entry(room.clone()).or_default();
        }
        Modules { needs }
    }

    pub(crate) fn count(&self) -> usize {
        self.needs.len()
    }

    /// Rooms that need each other, each circle as its steps.
    pub(crate) fn circles(&self) -> Vec<Vec<String>> {
        let mut circles = Vec::new();
        let mut seen = BTreeSet::new();
        for room in self.needs.keys() {
            let circle: BTreeSet<&String> = self
                .reached(room)
                .into_iter()
                .filter(|other| self.reached(other).contains(room))
                .collect();
            if circle.len() > 1 && seen.insert(circle.clone()) {
                let steps = circle.iter().flat_map(|from| {
                    let inside = self.needs[*from].iter().filter(|to| circle.contains(to));
                    inside.map(move |to| format!("{from} -> {to}"))
                });
                circles.push(steps.collect());
            }
        }
        circles
    }

    /// All rooms that one needs, through others too.
    fn reached(&self, room: &String) -> BTreeSet<&String> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&String> = self.needs[room].iter().collect();
        while let Some(next) = open.pop() {
            if reached.insert(next) {
                open.extend(&self.needs[next]);
            }
        }
        reached
    }
}

/// All modules of a folder; tests are no part of a crate.
fn collect(folder: &Path, above: &[String], sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().expect("a name").display().to_string();
        if stem == "tests" || stem.ends_with("_tests") {
            continue;
        }
        let below = |name: &str| [above, &[name.to_owned()]].concat();
        if path.is_dir() {
            collect(&path, &below(&stem), sources);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let module = match stem.as_str() {
                "mod" | "lib" | "main" => above.to_vec(),
                name => below(name),
            };
            sources.push((module, fs::read_to_string(&path).expect("a source")));
        }
    }
}

/// The text without remarks, and without the tests at its end.
fn without_remarks(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next();
    let lines = text.unwrap_or_default().lines();
    lines
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The paths of all `use` items, one for each name.
fn uses(text: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for item in text.split(';') {
        let item = item.trim_start();
        let found = item
            .strip_prefix("use ")
            .or_else(|| item.rsplit_once("\nuse ").map(|(_, tree)| tree))
            .or_else(|| item.rsplit_once(" use ").map(|(_, tree)| tree));
        if let Some(tree) = found.filter(|tree| !tree.contains(['=', '('])) {
            spread(&[], tree.trim(), &mut paths);
        }
    }
    paths
}

/// One path for each name of a tree such as `a::{b, c::{d, e}}`.
fn spread(above: &[String], tree: &str, paths: &mut Vec<Vec<String>>) {
    let names = |text: &str| -> Vec<String> {
        let parts = text
            .split("::")
            .map(str::trim)
            .filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let Some((head, rest)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap_or_default();
        paths.push([above, &names(name)].concat());
        return;
    };
    let above = [above, &names(head)].concat();
    let inner = rest.trim_end().strip_suffix('}').unwrap_or(rest);
    let (mut depth, mut begin) = (0, 0);
    for (at, letter) in inner.char_indices().chain([(inner.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inner[begin..at].trim();
                if !part.is_empty() {
                    spread(&above, part, paths);
                }
                begin = at + 1;
            }
            _ => {}
        }
    }
}

/// Paths that stand in the code itself.
fn inline(text: &str) -> impl Iterator<Item = Vec<String>> {
    let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    text.split(move |letter| !is_path(letter))
        .filter(|word| word.starts_with("crate::") || word.starts_with("super::"))
        .map(|word| word.split("::").map(str::to_owned).collect())
}

/// The name just below the root that a path of a module leads to.
fn at_root(module: &[String], path: &[String]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    if first == "crate" {
        return rest.first().cloned();
    }
    let ups = path.iter().take_while(|part| *part == "super").count();
    match ups == module.len() && ups > 0 {
        true => path.get(ups).cloned(),
        false => None,
    }
}
