//! `tabia runs show`: a run generation by generation.

use crate::exit::Exit;
use crate::laboratory::{RUNS, explained};
use crate::output::Output;
use clap::Args;
use lab::runs::{self, Overview};
use lab::verdict::Conclusion;
use lab::{Place, Row};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// Show how far a run is, and what came of it
#[derive(Args)]
pub(super) struct Options {
    /// The run, by its name or folder
    #[arg(value_name = "NAME")]
    run: PathBuf,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let run = runs::look(&RUNS.folder_of(&options.run), &train::learners()).map_err(explained)?;
    output.report(&Report::new(run))?;
    Ok(Exit::Good)
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
}

impl Report {
    fn new(run: Overview) -> Report {
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
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title.as_deref().unwrap_or(&self.name))?;
        match (&self.latest, self.finished) {
            (_, true) => writeln!(f, "finished")?,
            (None, _) => writeln!(f, "not begun")?,
            (Some(place), _) => writeln!(
                f,
                "not finished: {} seed {} generation {}, {} is done",
                place.arm, place.seed, place.generation, place.step
            )?,
        }
        write_rows(f, &self.generations)?;
        write_conclusion(f, &self.conclusion)?;
        writeln!(f, "in {}", self.folder.display())
    }
}

fn write_rows(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    let width = rows.iter().map(|row| row.arm.len()).max();
    let width = width.unwrap_or_default().max(3);
    writeln!(
        f,
        "{:width$} {:>5} {:>4} {:>7} {:>6} {:>8} {:>9}  {:22} {:22}",
        "arm",
        "seed",
        "gen",
        "games",
        "plies",
        "decisive",
        "loss",
        "against previous",
        "against generation 0"
    )?;
    for row in rows {
        let previous = format!("{:.0}", row.previous.estimate());
        let baseline = row
            .baseline
            .as_ref()
            .map_or_else(String::new, |bench| format!("{:.0}", bench.estimate()));
        let end = if row.promoted { "promoted" } else { "rejected" };
        writeln!(
            f,
            "{:width$} {:>5} {:>4} {:>7} {:>6.1} {:>6.0} % {:>9.5}  {previous:22} {baseline:22} {end}",
            row.arm,
            row.seed,
            row.generation,
            row.games,
            row.plies,
            100.0 * row.decisive,
            row.validation_loss,
        )?;
    }
    Ok(())
}

fn write_conclusion(f: &mut fmt::Formatter<'_>, conclusion: &Conclusion) -> fmt::Result {
    for meeting in &conclusion.meetings {
        let games = meeting.counts.games();
        writeln!(
            f,
            "seed {}: {} against {}: {:.0} of {} games",
            meeting.seed,
            meeting.arm,
            meeting.other.as_deref().unwrap_or("generation 0"),
            meeting.elo,
            games.games()
        )?;
    }
    for effect in conclusion.difference.iter().chain(&conclusion.effects) {
        let contrast = &effect.contrast;
        match effect.by_seed.len() {
            1 => writeln!(f, "{contrast}: {:+.0}, one seed", effect.mean.value)?,
            seeds => writeln!(
                f,
                "{contrast}: {:.0}, mean of {seeds} seeds, spread {:.0}",
                effect.mean, effect.deviation
            )?,
        }
    }
    writeln!(f, "verdict: {}: {}", conclusion.ruling, conclusion.reason)
}
