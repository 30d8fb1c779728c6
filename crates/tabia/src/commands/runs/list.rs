//! `tabia runs list`: all runs with their progress.

use crate::exit::{Exit, WrongInput};
use crate::laboratory::{RUNS, explained};
use crate::output::Output;
use clap::Args;
use indicatif::HumanBytes;
use lab::runs::{self, Overview};
use lab::verdict::Ruling;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tabia runs list
  tabia runs list --json | jq .";

/// List the runs of a folder
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// The folder of the runs
    #[arg(value_name = "DIR", default_value = RUNS.root)]
    folder: PathBuf,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let folders = match options.folder.is_dir() {
        true => runs::list(&options.folder).map_err(explained)?,
        // The default folder is created by the first run.
        false if options.folder == Path::new(RUNS.root) => Vec::new(),
        false => {
            let name = options.folder.display();
            return Err(WrongInput::new(format!("{name} is not a folder")).into());
        }
    };
    let mut list = Vec::new();
    for folder in folders {
        match runs::look(&folder, &train::learners()) {
            Ok(run) => list.push(Item::new(&run)),
            Err(error) => output.warn(error),
        }
    }
    output.report(&Report { runs: list })?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct Report {
    runs: Vec<Item>,
}

/// A run in one line.
#[derive(Serialize)]
struct Item {
    name: String,
    folder: PathBuf,
    finished: bool,
    generations: usize,
    of_generations: usize,
    ruling: Ruling,
    bytes: u64,
}

impl Item {
    fn new(run: &Overview) -> Item {
        let experiment = &run.experiment;
        let lanes = experiment.arms.len() * experiment.seeds.len();
        Item {
            name: run.name.clone(),
            folder: run.folder.clone(),
            finished: run.finished,
            generations: run.rows.len(),
            of_generations: lanes * experiment.generations as usize,
            ruling: run.conclusion.ruling,
            bytes: run.bytes,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.runs.is_empty() {
            return writeln!(f, "there are no runs; start one with: tabia run quickstart");
        }
        let width = self.runs.iter().map(|run| run.name.len()).max();
        let width = width.unwrap_or_default().max(4);
        writeln!(
            f,
            "{:width$}  {:>11}  {:14}  {:>10}",
            "name", "generations", "verdict", "size"
        )?;
        for run in &self.runs {
            let far = format!("{} of {}", run.generations, run.of_generations);
            let end = match run.finished {
                true => run.ruling.to_string(),
                false => "not finished".to_owned(),
            };
            let size = HumanBytes(run.bytes).to_string();
            writeln!(f, "{:width$}  {far:>11}  {end:14}  {size:>10}", run.name)?;
        }
        Ok(())
    }
}
