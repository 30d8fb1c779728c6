//! `tabia runs compare`: two runs side by side.

use crate::exit::Exit;
use crate::laboratory::{RUNS, explained};
use crate::output::Output;
use clap::Args;
use lab::runs::{self, Overview};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// Compare the settings and results of two runs
#[derive(Args)]
pub(super) struct Options {
    /// One run, by its name or folder
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The other
    #[arg(value_name = "B")]
    second: PathBuf,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let look =
        |name: &PathBuf| runs::look(&RUNS.folder_of(name), &train::learners()).map_err(explained);
    let [first, second] = [look(&options.first)?, look(&options.second)?];
    output.report(&Report::new(&first, &second))?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct Report {
    runs: [String; 2],
    /// Settings that differ.
    settings: BTreeMap<String, [Value; 2]>,
    /// What came of them: Elo over seeds, by name.
    results: BTreeMap<String, [Option<String>; 2]>,
}

impl Report {
    fn new(first: &Overview, second: &Overview) -> Report {
        let mut settings = BTreeMap::new();
        let value = |run: &Overview| serde_json::to_value(&run.experiment).unwrap_or_default();
        differences("", &value(first), &value(second), &mut settings);
        let mut results: BTreeMap<String, [Option<String>; 2]> = BTreeMap::new();
        for (index, run) in [first, second].into_iter().enumerate() {
            for (name, text) in outcomes(run) {
                results.entry(name).or_default()[index] = Some(text);
            }
        }
        Report {
            runs: [first.name.clone(), second.name.clone()],
            settings,
            results,
        }
    }
}

fn differences(path: &str, one: &Value, other: &Value, list: &mut BTreeMap<String, [Value; 2]>) {
    match (one, other) {
        (Value::Object(first), Value::Object(second)) => {
            let keys: std::collections::BTreeSet<&String> =
                first.keys().chain(second.keys()).collect();
            for key in keys {
                let path = match path {
                    "" => key.clone(),
                    path => format!("{path}.{key}"),
                };
                let value = |table: &serde_json::Map<String, Value>| {
                    table.get(key).cloned().unwrap_or_default()
                };
                differences(&path, &value(first), &value(second), list);
            }
        }
        _ if one == other => {}
        _ => {
            list.insert(path.to_owned(), [one.clone(), other.clone()]);
        }
    }
}

/// What came of a run, by name.
fn outcomes(run: &Overview) -> Vec<(String, String)> {
    let conclusion = &run.conclusion;
    let seeds = |count: usize| match count {
        1 => "1 seed".to_owned(),
        count => format!("{count} seeds"),
    };
    let mut list = vec![
        ("generations".to_owned(), run.rows.len().to_string()),
        ("verdict".to_owned(), conclusion.ruling.to_string()),
    ];
    for arm in &conclusion.arms {
        let name = format!("{} against generation 0", arm.arm);
        list.push((
            name,
            format!("{:.0}, {}", arm.mean, seeds(arm.by_seed.len())),
        ));
    }
    for effect in conclusion.difference.iter().chain(&conclusion.effects) {
        let text = format!("{:.0}, {}", effect.mean, seeds(effect.by_seed.len()));
        list.push((effect.contrast.clone(), text));
    }
    list
}

/// What fits into a column; the whole is in the run files.
fn shortened(text: &str) -> String {
    const MOST_LETTERS: usize = 28;
    match text.chars().count() > MOST_LETTERS {
        true => text
            .chars()
            .take(MOST_LETTERS - 3)
            .chain("...".chars())
            .collect(),
        false => text.to_owned(),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.runs;
        writeln!(f, "{:44} {first:28} {second}", "")?;
        let said = |value: &Value| match value {
            Value::Null => "-".to_owned(),
            Value::String(text) => shortened(text),
            value => shortened(&value.to_string()),
        };
        for (key, [one, other]) in &self.settings {
            writeln!(f, "{key:44} {:28} {}", said(one), said(other))?;
        }
        for (name, texts) in &self.results {
            let [one, other] = texts.each_ref().map(|text| text.as_deref().unwrap_or("-"));
            writeln!(f, "{name:44} {one:28} {other}")?;
        }
        Ok(())
    }
}
