//! `tabia runs checkpoints`: the nets that a run had after given hours.

use crate::exit::{Exit, WrongInput};
use crate::laboratory::{RUNS, explained};
use crate::output::Output;
use clap::Args;
use indicatif::HumanCount;
use lab::runs::{self, Checkpoint};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia runs checkpoints alphazero-zero --hours 0.5,1,2";

/// Show which net a run had after given hours of work
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// Name or folder of the run
    #[arg(value_name = "NAME")]
    run: PathBuf,
    /// Hours of work
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "0.5,1,2,4,8"
    )]
    hours: Vec<f64>,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let is_wrong = |hours: &&f64| !hours.is_finite() || **hours <= 0.0;
    if let Some(hours) = options.hours.iter().find(is_wrong) {
        return Err(WrongInput::new(format!("--hours {hours}: give numbers above 0")).into());
    }
    let folder = RUNS.existing(&options.run)?;
    let run = runs::look(&folder, &train::learners()).map_err(explained)?;
    output.report(&Report {
        checkpoints: run.checkpoints(&options.hours),
    })?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct Report {
    checkpoints: Vec<Checkpoint>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.checkpoints.is_empty() {
            return writeln!(f, "the run has not worked that long yet");
        }
        for point in &self.checkpoints {
            writeln!(
                f,
                "{} seed {}  {:>5} h  generation {:<4}  {:>10} games  {:>12} positions  {:>14} \
                 evaluations  {}",
                point.arm,
                point.seed,
                point.hours,
                point.generation,
                HumanCount(point.games).to_string(),
                HumanCount(point.positions).to_string(),
                HumanCount(point.evaluations).to_string(),
                point.net.display()
            )?;
        }
        Ok(())
    }
}
