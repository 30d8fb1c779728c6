//! `tabia runs show`: a run generation by generation.

use crate::exit::Exit;
use crate::laboratory::{RUNS, explained};
use crate::output::{Flush, Output, Table, counted};
use clap::Args;
use lab::runs::{self, Overview};
use lab::verdict::{Conclusion, over_seeds};
use lab::{Place, Row};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia runs show quickstart";

/// Show the progress and results of a run
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// Name or folder of the run
    #[arg(value_name = "NAME")]
    run: PathBuf,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let folder = RUNS.existing(&options.run)?;
    let run = runs::look(&folder, &train::learners()).map_err(explained)?;
    let damaged = runs::damaged_files(&folder).map_err(explained)?;
    let exit = match damaged.is_empty() {
        true => Exit::Good,
        false => Exit::Failure,
    };
    output.report(&Report::new(run, damaged))?;
    Ok(exit)
}

#[derive(Serialize)]
struct Report {
    name: String,
    folder: PathBuf,
    title: Option<String>,
    finished: bool,
    latest: Option<Place>,
    seconds: f64,
    bytes: u64,
    generations: Vec<Row>,
    conclusion: Conclusion,
    /// Files that have changed since they were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<PathBuf>,
}

impl Report {
    fn new(run: Overview, damaged: Vec<PathBuf>) -> Report {
        Report {
            name: run.name,
            folder: run.folder,
            title: run.experiment.title,
            finished: run.finished,
            latest: run.latest,
            seconds: run.seconds,
            bytes: run.bytes,
            generations: run.rows,
            conclusion: run.conclusion,
            damaged,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title.as_deref().unwrap_or(&self.name))?;
        match (&self.latest, self.finished) {
            (_, true) => writeln!(f, "finished")?,
            (None, _) => writeln!(f, "not started")?,
            (Some(place), _) => writeln!(
                f,
                "not finished: {} seed {} generation {}, last step: {}",
                place.arm, place.seed, place.generation, place.step
            )?,
        }
        write_rows(f, &self.generations)?;
        write_conclusion(f, &self.conclusion)?;
        for file in &self.damaged {
            let file = file.display();
            writeln!(
                f,
                "damaged: {file} was changed after it was written; restore it from a copy, or \
                 start a new run"
            )?;
        }
        writeln!(f, "folder: {}", self.folder.display())
    }
}

/// The columns for each generation; the first ones name it.
const COLUMNS: [(&str, Flush); 12] = [
    ("arm", Flush::Left),
    ("seed", Flush::Right),
    ("gen", Flush::Right),
    ("games", Flush::Right),
    ("plies", Flush::Right),
    ("decisive", Flush::Right),
    ("duplicates", Flush::Right),
    ("loss", Flush::Right),
    ("net", Flush::Left),
    ("against previous", Flush::Left),
    ("against first", Flush::Left),
    ("by all games", Flush::Left),
];

fn write_rows(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(3, &COLUMNS);
    for row in rows {
        let [previous, baseline] = [&row.previous, &row.baseline].map(|bench| {
            let bench = bench.as_ref();
            bench.map_or_else(String::new, |bench| format!("{:.0}", bench.estimate()))
        });
        let rating = row.rating.map(|rating| format!("{rating:.0}"));
        table.push(vec![
            row.arm.clone(),
            row.seed.to_string(),
            row.generation.to_string(),
            row.games.to_string(),
            format!("{:.1}", row.plies),
            format!("{:.0} %", 100.0 * row.decisive),
            format!("{:.0} %", 100.0 * row.repeated),
            format!("{:.5}", row.validation_loss),
            if row.promoted { "promoted" } else { "rejected" }.to_owned(),
            previous,
            baseline,
            rating.unwrap_or_default(),
        ]);
    }
    write!(f, "{table}")
}

fn write_conclusion(f: &mut fmt::Formatter<'_>, conclusion: &Conclusion) -> fmt::Result {
    for meeting in &conclusion.meetings {
        let games = meeting.counts.games();
        writeln!(
            f,
            "seed {}: {} against {}: {} in {}",
            meeting.seed,
            meeting.arm,
            meeting.other.as_deref().unwrap_or("generation 0"),
            meeting.in_words(),
            counted(games.games(), "game")
        )?;
    }
    for effect in conclusion.difference.iter().chain(&conclusion.effects) {
        let contrast = &effect.contrast;
        match effect.by_seed.len() {
            1 => writeln!(f, "{contrast}: {:+.0}, one seed", effect.mean.value)?,
            seeds => writeln!(
                f,
                "{contrast}: {}, mean of {seeds} seeds, spread {:.0}",
                over_seeds(&effect.mean),
                effect.deviation
            )?,
        }
    }
    writeln!(f, "verdict: {}: {}", conclusion.ruling, conclusion.reason)
}
