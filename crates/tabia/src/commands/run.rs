//! `tabia run`: models that teach themselves, and the statistics of their results.

mod forecast;
mod live;
mod story;

use crate::contest::usual_concurrency;
use crate::exit::Exit;
use crate::interruption;
use crate::laboratory::file::Kind;
use crate::laboratory::{Opened, RUNS, Undertaking, WorkOptions, help, program};
use crate::output::Output;
use anyhow::Context;
use clap::Args;
use engines::StopSignal;
use lab::settings::from_table;
use lab::{Laboratory, Means, presets, runs};
use live::Live;
use std::path::Path;
use story::Story;
use train::learners;

const EXAMPLES: &str = "\
Examples:
  tabia run quickstart                         two ways to learn, in minutes
  tabia run quickstart --set generations=8     with another setting
  tabia run --show quickstart > mine.toml      a file to edit, with comments
  tabia run mine.toml --dry-run                estimates time and disk space
  tabia run mine.toml --out runs/mine
  tabia run --resume mine                      resume after Ctrl-C or an error
  tabia run --resume mine --set seeds=[1,2,3]  add seeds; all work is kept
  tabia run --resume mine --set generations=9 --set verdict.games=2000

A run has a folder, runs/NAME, with everything in it: games, nets, matches,
tables, plots and report.html. Ctrl-C finishes the games in progress or the
training step and saves; --resume continues the run and ends with the same
nets. Results depend on the machine only if games are limited by minutes.

Presets:
";

/// Run a self-learning experiment and compare ways of learning
#[derive(Args)]
#[command(after_help = help(EXAMPLES, &presets::PRESETS))]
pub(crate) struct Options {
    #[command(flatten)]
    work: WorkOptions,
    /// Number of training threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => usual_concurrency(1)?,
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .context("cannot start threads")?;
    let dispatcher = options.work.dispatcher(output)?;
    let means = Means {
        dispatcher: &dispatcher,
        threads,
    };
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let undertaking = Undertaking {
        kind: Kind {
            presets: &presets::PRESETS,
            stem: "run",
            read: |table| from_table(table, &learners()),
        },
        collection: RUNS,
        begin: &|folder, text| {
            Laboratory::begin(folder, text, program(&options.work.build), &learners())
        },
        resume: &|folder| Laboratory::resume(folder, program(&options.work.build), &learners()),
        extend: Some(&|folder, additions| {
            Laboratory::extend(folder, additions, program(&options.work.build), &learners())
        }),
        is_unfinished: &|path| runs::look(path, &learners()).is_ok_and(|run| !run.finished),
        forecast: &|experiment| forecast::show(experiment, &means, &stop, output),
    };
    match options.work.open(&undertaking, output)? {
        Opened::Work(mut laboratory, folder) => dispatcher.noting(&folder, || {
            work(&mut laboratory, &folder, &means, &stop, output)
        }),
        Opened::Done(exit) => Ok(exit),
    }
}

fn work(
    laboratory: &mut Laboratory,
    folder: &Path,
    means: &Means<'_>,
    stop: &StopSignal,
    output: &Output,
) -> anyhow::Result<Exit> {
    let mut live = Live::new(laboratory.experiment(), folder, output);
    let ending = laboratory.run(means, stop, &mut |event| live.hear(event));
    if let Err(error) = &ending {
        live.fail(error);
    }
    drop(live);
    let conclusion = RUNS.finished(folder, ending, output)?;
    output.report(&Story::new(folder, conclusion)?)?;
    Ok(Exit::Good)
}
