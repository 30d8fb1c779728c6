//! What `rescore` and `label` share: positions get new labels, from a search or without one.
//!
//! Files are processed in units, which depend on the files alone, on all CPUs; finished units are
//! kept next to the new file until all are done.

mod unfinished;

use super::counts::Count;
use super::inputs::described;
use super::written::{cannot_write, format_of};
use crate::exit::{Exit, Interrupted, WrongInput, undone};
use crate::group::{ClusterOptions, WorkDispatcher};
use crate::interruption;
use crate::output::Output;
use crate::progress::Progress;
use crate::relabelling::{Relabelling, Task};
use crate::version::BuildOptions;
use anyhow::Context;
use clap::Args;
use data::journal::Build;
use data::position::Labels;
use data::relabel::Units;
use data::shard::{self, Format, Reading, Shard};
use engines::StopSignal;
use engines::recipe::Recipe;
use serde::Serialize;
use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::path::PathBuf;
use unfinished::{Plan, Unfinished};
use work::{Assignment, DispatchError, Dispatcher, Done, Order, Piece, Stopping};

/// The files, and the threads or cluster that work on them.
#[derive(Args)]
pub(super) struct Files {
    /// Position files: binpack, plain text or games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The binpack file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Number of search threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    #[arg(conflicts_with = "cluster")]
    threads: Option<u16>,
    #[command(flatten)]
    cluster: ClusterOptions,
    #[command(flatten)]
    build: BuildOptions,
}

/// The search of positions, and its purpose.
pub(super) struct Request {
    pub(super) task: Task,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    pub(super) player: Recipe,
}

/// Does the work, or resumes it.
pub(super) fn run(files: &Files, request: Request, output: &Output) -> anyhow::Result<Exit> {
    if format_of(&files.out)? != Format::Binpack {
        let words = "the output format is binpack; end the name with .binpack";
        return Err(WrongInput::new(words).into());
    }
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let plan = Plan::new(&files.files, &request)?;
    let mut unfinished = Unfinished::open(&files.out, plan, &files.build.author())?;
    let resumed_after = unfinished.positions();
    if resumed_after > 0 {
        output.note(format_args!(
            "resuming after {} positions",
            Count(resumed_after)
        ));
    }
    if let Some(builds) = Build::mixed(unfinished.builds()) {
        output.warn(builds);
    }
    search(files, request, output, &stop, &mut unfinished)?;
    if stop.is_stopped() {
        output.note("to resume, repeat the command");
        return Err(Interrupted.into());
    }
    let positions = unfinished
        .finish(&files.out)
        .with_context(|| cannot_write(&files.out))?;
    output.report(&Report {
        positions,
        resumed_after,
        file: files.out.display().to_string(),
    })?;
    Ok(Exit::Good)
}

/// Searches unfinished units until all are done or the user interrupts.
fn search(
    files: &Files,
    request: Request,
    output: &Output,
    stop: &StopSignal,
    unfinished: &mut Unfinished,
) -> anyhow::Result<()> {
    let wanted = count(files)?.div_ceil(request.task.every());
    let search = Search {
        files,
        job: Relabelling {
            player: request.player,
            nodes: request.nodes,
            depth: request.depth,
            task: request.task,
        },
        dispatcher: files.cluster.dispatcher(threads(files)?, output)?,
        progress: Progress::new(output, wanted, "positions"),
        stop,
    };
    search.progress.advance(unfinished.positions());
    while let Some(first) = search.go_on(unfinished)? {
        // Units are kept in order: those after a wrong one are done again, too.
        search.progress.take_back(unfinished.cut(first)?);
    }
    Ok(())
}

/// What is needed to work on the units.
struct Search<'a> {
    files: &'a Files,
    job: Relabelling,
    dispatcher: WorkDispatcher,
    progress: Progress,
    stop: &'a StopSignal,
}

impl Search<'_> {
    /// Does the unfinished units. Returns the number of the first unit that turned out to be wrong
    /// after it had been received, if there is one.
    fn go_on(&self, unfinished: &mut Unfinished) -> anyhow::Result<Option<u64>> {
        let units = Units {
            files: &self.files.files,
            labels: Labels::SideToMove,
            done: unfinished.units(),
        };
        let first = units.done;
        let mut failure = None;
        let mut receive = |done: Option<Done>| {
            let Some(done) = done else {
                return ControlFlow::Continue(());
            };
            match unfinished.append(&done.result) {
                Ok(positions) => {
                    self.progress.advance(positions);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let given = units.give(|units| {
            let mut pieces = (first..).zip(units).map(|(number, unit)| Piece {
                number,
                payload: unit.to_bytes(),
            });
            let assignment = Assignment {
                job: &self.job,
                pieces: &mut pieces,
                order: Order::AsGiven,
                stopping: Stopping::GiveUp,
                stop: self.stop,
            };
            self.dispatcher.dispatch(assignment, &mut receive)
        });
        if let Some(failure) = failure {
            return Err(failure).with_context(|| cannot_write(&self.files.out));
        }
        match given.map_err(described)? {
            Ok(()) => Ok(None),
            // A worker without results was banned: there is nothing to take back.
            Err(DispatchError::Withdrawn { numbers, .. }) => {
                let first = numbers.into_iter().min();
                Ok(Some(first.unwrap_or(unfinished.units())))
            }
            Err(error) => Err(undone(error)),
        }
    }
}

fn threads(files: &Files) -> anyhow::Result<usize> {
    match files.threads {
        Some(threads) => Ok(usize::from(threads)),
        None => std::thread::available_parallelism()
            .map(usize::from)
            .context("cannot count the CPUs"),
    }
}

/// The number of positions in the files, to show progress.
fn count(files: &Files) -> anyhow::Result<u64> {
    let mut count = 0;
    for path in &files.files {
        let shard = Shard::open(path).map_err(described)?;
        let work = |reading: &mut Reading<'_>| {
            let mut count = 0;
            reading.for_each(|_, _| count += 1);
            count
        };
        let read = shard::read(shard, Labels::SideToMove, 1, work, |read| {
            count += read.made;
            match interruption::requested() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        read.map_err(described)?;
    }
    Ok(count)
}

#[derive(Serialize)]
struct Report {
    positions: u64,
    /// The number of positions that were done before.
    resumed_after: u64,
    file: String,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "positions  {}", Count(self.positions))?;
        writeln!(f, "file       {}", self.file)
    }
}
