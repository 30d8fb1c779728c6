//! `tabia runs compare`: two runs side by side.

use crate::contest::usual_concurrency;
use crate::exit::{Exit, Interrupted};
use crate::interruption;
use crate::laboratory::{RUNS, StepBar, explained};
use crate::output::{Flush, Output, Table};
use clap::Args;
use engines::StopSignal;
use lab::LabError;
use lab::comparison::{Comparison, Difference, Encounter, differences};
use lab::runs::{self, Overview};
use lab::verdict::over_seeds;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use work::Threads;

/// The default folder for the games of comparisons.
const COMPARISONS: &str = "comparisons";

const EXAMPLES: &str = "\
Examples:
  tabia runs compare quickstart quickstart-2
  tabia runs compare quickstart quickstart-2 --games 400

With --games the final nets play matches: every arm of A against every arm of
B, seed by seed, under the conditions of A's final matches. The games are kept
in comparisons/A-against-B, so that the same command resumes them, or shows
the result again without playing.";

/// Compare the settings and results of two runs
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// Name or folder of a run
    #[arg(value_name = "A")]
    first: PathBuf,
    /// Name or folder of the other run
    #[arg(value_name = "B")]
    second: PathBuf,
    /// Play matches of this many games between the final nets
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: Option<u64>,
    /// Folder for these games [default: comparisons/A-against-B]
    #[arg(short, long, value_name = "DIR", requires = "games")]
    out: Option<PathBuf>,
    /// Number of games played in parallel [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let look = |name: &PathBuf| -> anyhow::Result<Overview> {
        runs::look(&RUNS.existing(name)?, &train::learners()).map_err(explained)
    };
    let [first, second] = [look(&options.first)?, look(&options.second)?];
    let mut report = Report::new(&first, &second);
    if let Some(games) = options.games {
        // Every opening is played with both colours.
        report.matches = meet(
            options,
            [&first, &second],
            games.next_multiple_of(2),
            output,
        )?;
        report.differences = differences(&report.matches);
    }
    output.report(&report)?;
    Ok(Exit::Good)
}

/// Plays matches between the final nets.
fn meet(
    options: &Options,
    runs: [&Overview; 2],
    games: u64,
    output: &Output,
) -> anyhow::Result<Vec<Encounter>> {
    let concurrency = match options.concurrency {
        Some(games) => usize::from(games),
        None => usual_concurrency(1)?,
    };
    let usual = Path::new(COMPARISONS).join(format!("{}-against-{}", runs[0].name, runs[1].name));
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let comparison = Comparison {
        runs,
        games,
        folder: options.out.as_deref().unwrap_or(&usual),
        dispatcher: &Threads::new(concurrency),
    };
    let mut bar = StepBar::new(output);
    let mut at_hand = String::new();
    let played = comparison.play(&stop, &mut |title, done| {
        if at_hand != title {
            at_hand = title.to_owned();
            bar.begin(at_hand.clone());
        }
        bar.advance_to(games, done, "games");
    });
    drop(bar);
    match played {
        Err(LabError::Stopped) => {
            output.note("finished games are kept: to resume, repeat the command");
            Err(Interrupted.into())
        }
        played => played.map_err(explained),
    }
}

#[derive(Serialize)]
struct Report {
    runs: [String; 2],
    /// The settings that differ.
    settings: BTreeMap<String, [Value; 2]>,
    /// The Elo over all seeds, by name.
    results: BTreeMap<String, [Option<String>; 2]>,
    /// The matches between final nets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    matches: Vec<Encounter>,
    /// The differences by these matches, arm against arm.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<Difference>,
}

impl Report {
    fn new(first: &Overview, second: &Overview) -> Report {
        let mut settings = BTreeMap::new();
        let value = |run: &Overview| serde_json::to_value(&run.experiment).unwrap_or_default();
        differing("", &value(first), &value(second), &mut settings);
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
            matches: Vec::new(),
            differences: Vec::new(),
        }
    }
}

fn differing(path: &str, one: &Value, other: &Value, list: &mut BTreeMap<String, [Value; 2]>) {
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
                differing(&path, &value(first), &value(second), list);
            }
        }
        _ if one == other => {}
        _ => {
            list.insert(path.to_owned(), [one.clone(), other.clone()]);
        }
    }
}

/// The results of a run, by name.
fn outcomes(run: &Overview) -> Vec<(String, String)> {
    let conclusion = &run.conclusion;
    let seeds = |count: usize| match count {
        1 => "1 seed".to_owned(),
        count => format!("{count} seeds"),
    };
    let mut list = vec![
        (
            "finished generations".to_owned(),
            run.rows.len().to_string(),
        ),
        ("verdict".to_owned(), conclusion.ruling.to_string()),
    ];
    for arm in &conclusion.arms {
        let name = format!("{} against generation 0", arm.arm);
        list.push((
            name,
            format!("{}, {}", arm.in_words(), seeds(arm.by_seed.len())),
        ));
    }
    for effect in conclusion.difference.iter().chain(&conclusion.effects) {
        let text = format!(
            "{}, {}",
            over_seeds(&effect.mean),
            seeds(effect.by_seed.len())
        );
        list.push((effect.contrast.clone(), text));
    }
    list
}

/// A value shortened to fit into a column, next to a key and another value; the run files have the
/// whole value.
fn shortened(text: &str) -> String {
    const MOST_LETTERS: usize = 20;
    match text.chars().count() > MOST_LETTERS {
        true => text
            .chars()
            .take(MOST_LETTERS - 3)
            .chain("...".chars())
            .collect(),
        false => text.to_owned(),
    }
}

fn said(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => shortened(text),
        value => shortened(&value.to_string()),
    }
}

impl Report {
    /// A table with a value of each run per row, by name.
    fn side_by_side<'a>(&self, rows: impl Iterator<Item = (&'a String, [String; 2])>) -> Table {
        let [first, second] = &self.runs;
        let columns = ["", first, second].map(|name| (name, Flush::Left));
        let mut table = Table::new(1, &columns);
        for (name, [one, other]) in rows {
            table.push(vec![name.clone(), one, other]);
        }
        table
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.runs;
        let settings = self.settings.iter();
        let settings = settings.map(|(key, values)| (key, values.each_ref().map(said)));
        let results = self.results.iter().map(|(name, texts)| {
            let texts = texts.each_ref();
            (
                name,
                texts.map(|text| text.clone().unwrap_or_else(|| "-".to_owned())),
            )
        });
        if !self.settings.is_empty() {
            writeln!(f, "{}", self.side_by_side(settings))?;
        }
        write!(f, "{}", self.side_by_side(results))?;
        if !self.differences.is_empty() {
            writeln!(
                f,
                "\nfinal nets, {first} against {second}, Elo with 95 % confidence interval"
            )?;
        }
        for Difference { arms, seeds, elo } in &self.differences {
            let arms = format!("{} against {}", arms[0], arms[1]);
            match seeds {
                1 => writeln!(f, "{arms:44} {elo:.0}, one pair of nets")?,
                seeds => writeln!(f, "{arms:44} {}, mean of {seeds} seeds", over_seeds(elo))?,
            }
        }
        Ok(())
    }
}
