//! `tabia runs`: lists, shows, compares and deletes runs.

mod checkpoints;
mod compare;
mod list;
mod release;
mod show;

use crate::exit::{Exit, WrongInput};
use crate::laboratory::{RUNS, explained, program};
use crate::output::Output;
use crate::version::BuildOptions;
use clap::{Args, Subcommand};
use lab::runs;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia runs list
  tabia runs show quickstart
  tabia runs compare quickstart quickstart-2 --games 400
  tabia runs report quickstart                 regenerate the report
  tabia runs checkpoints alphazero-zero --hours 0.5,1,2
  tabia runs release alphazero-zero --out my-net
  tabia runs rm quickstart --yes";

/// List, show, compare, report, release and delete runs
#[derive(Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    List(list::Options),
    Show(show::Options),
    Compare(compare::Options),
    Report(ReportOptions),
    Checkpoints(checkpoints::Options),
    Release(release::Options),
    Rm(RmOptions),
}

const REPORT_EXAMPLES: &str = "\
Examples:
  tabia runs report quickstart";

/// Regenerate the report, plots and tables of a run
#[derive(Args)]
#[command(after_help = REPORT_EXAMPLES)]
struct ReportOptions {
    /// Name or folder of the run
    #[arg(value_name = "NAME")]
    run: PathBuf,
}

const RM_EXAMPLES: &str = "\
Examples:
  tabia runs rm quickstart --yes";

/// Delete a run with everything in it
#[derive(Args)]
#[command(after_help = RM_EXAMPLES)]
struct RmOptions {
    /// Name or folder of the run
    #[arg(value_name = "NAME")]
    run: PathBuf,
    /// Confirm the deletion; without it nothing is deleted
    #[arg(long)]
    yes: bool,
}

pub(crate) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    match options.task {
        Task::List(options) => list::run(&options, output),
        Task::Show(options) => show::run(&options, output),
        Task::Compare(options) => compare::run(&options, output),
        Task::Checkpoints(options) => checkpoints::run(&options, output),
        Task::Release(options) => release::run(&options, output),
        Task::Report(options) => {
            let page = runs::report(
                &RUNS.existing(&options.run)?,
                &program(&BuildOptions::default()),
                &train::learners(),
            )
            .map_err(explained)?;
            output.data(&format!("{}\n", page.display()))?;
            Ok(Exit::Good)
        }
        Task::Rm(options) => {
            let folder = RUNS.existing(&options.run)?;
            let run = runs::look(&folder, &train::learners()).map_err(explained)?;
            if !options.yes {
                return Err(WrongInput::new(format!(
                    "{} has {} finished generations, which would be deleted; confirm with --yes",
                    folder.display(),
                    run.rows.len()
                ))
                .into());
            }
            runs::remove(&folder).map_err(explained)?;
            output.note(format_args!("{} was deleted", folder.display()));
            Ok(Exit::Good)
        }
    }
}
