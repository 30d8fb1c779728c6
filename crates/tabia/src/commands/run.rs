//! `tabia run`: nets that teach themselves, and what that proves.

mod forecast;
mod live;

use crate::contest::usual_concurrency;
use crate::exit::Exit;
use crate::interruption;
use crate::laboratory::file::Kind;
use crate::laboratory::{Opened, RUNS, Undertaking, WorkOptions, explained, help, program};
use crate::output::Output;
use anyhow::Context;
use clap::Args;
use engines::StopSignal;
use lab::settings::from_table;
use lab::verdict::{Conclusion, Ruling};
use lab::{Laboratory, Means, presets, runs};
use live::Live;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use train::learners;

const EXAMPLES: &str = "\
Examples:
  tabia run quickstart                         both arms of the curriculum study, in minutes
  tabia run quickstart --set generations=8     with a setting changed
  tabia run --show quickstart > mine.toml      a file to change at will; its remarks explain it
  tabia run mine.toml --dry-run                what it will cost, in time and disk space
  tabia run mine.toml --out runs/mine
  tabia run --resume mine                      resume after Ctrl-C, a kill or a failure

A run has a folder, runs/NAME, with everything in it: games, nets, matches, tables, plots
and report.html. Ctrl-C finishes the games in play or the training step and saves; the run
goes on with --resume and ends with the same nets. Only runs that are limited by minutes
depend on the machine.

Presets:
";

/// Run a self-learning experiment, and compare ways of learning
#[derive(Args)]
#[command(after_help = help(EXAMPLES, &presets::PRESETS))]
pub(crate) struct Options {
    #[command(flatten)]
    work: WorkOptions,
    /// How many threads train [default: one for each CPU]
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
    let dispatcher = options.work.foreman(output)?;
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
        shelf: RUNS,
        begin: &|folder, text| {
            Laboratory::begin(folder, text, program(&options.work.build), &learners())
        },
        resume: &|folder| Laboratory::resume(folder, program(&options.work.build), &learners()),
        is_unfinished: &|path| runs::look(path, &learners()).is_ok_and(|run| !run.finished),
        forecast: &|experiment| forecast::show(experiment, &means, &stop, output),
    };
    match options.work.open(&undertaking, output)? {
        Opened::Work(mut laboratory, folder) => {
            work(&mut laboratory, &folder, &means, &stop, output)
        }
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
    output.note(format_args!("run {}", folder.display()));
    let mut live = Live::new(laboratory.experiment(), output);
    let ending = laboratory.run(means, stop, &mut |event| live.hear(event));
    drop(live);
    let conclusion = RUNS.finished(folder, ending, output)?;
    output.report(&Report::new(folder, conclusion)?)?;
    Ok(Exit::Good)
}

/// What came of a run.
#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    report: PathBuf,
    /// The net that did best against generation 0, to play with.
    #[serde(skip_serializing_if = "Option::is_none")]
    net: Option<PathBuf>,
    conclusion: Conclusion,
}

impl Report {
    fn new(folder: &Path, conclusion: Conclusion) -> anyhow::Result<Report> {
        let rows = runs::look(folder, &learners()).map_err(explained)?.rows;
        let last = rows.iter().map(|row| row.generation).max();
        let strength =
            |row: &&lab::Row| row.baseline.as_ref().map_or(0.0, |bench| bench.elo_clamped);
        let best = rows
            .iter()
            .filter(|row| Some(row.generation) == last)
            .max_by(|one, other| strength(one).total_cmp(&strength(other)));
        Ok(Report {
            folder: folder.to_owned(),
            report: folder.join("report.html"),
            net: best.map(|row| folder.join(&row.version)),
            conclusion,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let conclusion = &self.conclusion;
        for arm in &conclusion.arms {
            let name = format!("{} against generation 0", arm.arm);
            let seeds = arm.by_seed.len();
            match seeds {
                1 => writeln!(f, "{name:40} {}", single(conclusion, &arm.arm, None))?,
                _ => writeln!(f, "{name:40} {:.0}, mean of {seeds} seeds", arm.mean)?,
            }
        }
        for effect in conclusion.difference.iter().chain(&conclusion.effects) {
            match effect.by_seed.len() {
                1 => writeln!(
                    f,
                    "{:40} {:+.0}, one seed",
                    effect.contrast, effect.mean.value
                )?,
                seeds => writeln!(
                    f,
                    "{:40} {:.0}, mean of {seeds} seeds",
                    effect.contrast, effect.mean
                )?,
            }
        }
        if conclusion.ruling != Ruling::NoRule {
            let Conclusion { ruling, reason, .. } = conclusion;
            writeln!(f, "{:40} {ruling}: {reason}", "verdict")?;
        }
        writeln!(f, "{:40} {}", "report", self.report.display())?;
        if let Some(net) = &self.net {
            writeln!(
                f,
                "{:40} tabia uci --model {}",
                "to play against the best net",
                net.display()
            )?;
        }
        Ok(())
    }
}

/// The Elo of the only seed's match.
fn single(conclusion: &Conclusion, arm: &str, other: Option<&str>) -> String {
    let meeting = conclusion
        .meetings
        .iter()
        .find(|meeting| meeting.arm == arm && meeting.other.as_deref() == other);
    meeting.map_or_else(String::new, |meeting| format!("{:.0}", meeting.elo))
}
