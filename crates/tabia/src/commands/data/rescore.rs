//! `tabia data rescore`: gives positions the scores of our own search.

mod rescoring;
mod unfinished;

use super::counts::Count;
use super::inputs::described;
use super::written::{cannot_write, format_of};
use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::output::Output;
use crate::player::PlayerOptions;
use crate::progress::Progress;
use crate::version::BuildOptions;
use anyhow::Context;
use clap::Args;
use data::journal::Build;
use data::position::Labels;
use data::relabel::Units;
use data::shard::{self, Format, Reading, Shard};
use engines::recipe::Recipe;
use engines::{Limits, StopSignal};
use rescoring::Rescoring;
use serde::Serialize;
use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::path::PathBuf;
use unfinished::{Plan, Unfinished};
use work::{Assignment, Dispatcher, Done, Order, Piece, Stopping, Threads};

const EXAMPLES: &str = "\
Examples:
  tabia data rescore train.binpack -o rescored.binpack --nodes 5000
  tabia data rescore games.pgn -o games.binpack --depth 8 --marked
  tabia data rescore train.binpack -o rescored.binpack --nodes 5000 --threads 4

Every position is searched with this limit, in the order of its chain and with the
moves before it; a chain begins with empty tables. So the new file is the same, byte
for byte, for any number of threads.

What is done lies in FILE.part beside the new file. If the work is stopped, or killed,
the same command goes on with it.";

/// Give positions the scores of our own search
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// Files of positions: binpack, plain text or games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The binpack file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// How many nodes a search looks at
    #[arg(long, value_name = "N", required_unless_present = "depth")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How deep a search looks
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Search only positions that are marked because they have no score
    #[arg(long)]
    marked: bool,
    /// How many threads search [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    player: PlayerOptions,
    #[command(flatten)]
    build: BuildOptions,
}

/// What searches if nothing else is said.
const PLAYER: &str = "hash=4";

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    if format_of(&options.out)? != Format::Binpack {
        let words = "new scores are written as binpack; end the name with .binpack";
        return Err(WrongInput::new(words).into());
    }
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let player = options.player.inside(PLAYER)?;
    let mut unfinished = Unfinished::open(
        &options.out,
        plan(options, &player)?,
        &options.build.author(),
    )?;
    let resumed_after = unfinished.positions();
    if resumed_after > 0 {
        output.note(format_args!(
            "going on after {} positions",
            Count(resumed_after)
        ));
    }
    if let Some(builds) = Build::mixed(unfinished.builds()) {
        output.warn(builds);
    }
    search(options, player, output, &stop, &mut unfinished)?;
    if stop.is_stopped() {
        output.note("the same command goes on with what is done");
        return Err(Interrupted.into());
    }
    let positions = unfinished
        .finish(&options.out)
        .with_context(|| cannot_write(&options.out))?;
    output.report(&Report {
        positions,
        resumed_after,
        file: options.out.display().to_string(),
    })?;
    Ok(Exit::Good)
}

fn plan(options: &Options, player: &Recipe) -> anyhow::Result<Plan> {
    let limits = (options.nodes, options.depth);
    Plan::new(&options.files, limits, options.marked, player)
}

/// Searches what is not done, until all is or the user wants to stop.
fn search(
    options: &Options,
    player: Recipe,
    output: &Output,
    stop: &StopSignal,
    unfinished: &mut Unfinished,
) -> anyhow::Result<()> {
    let job = Rescoring {
        player,
        limits: Limits {
            nodes: options.nodes,
            depth: options.depth,
            ..Limits::default()
        },
        only_marked: options.marked,
    };
    let units = Units {
        files: &options.files,
        labels: Labels::SideToMove,
        done: unfinished.units(),
    };
    let first = units.done;
    let dispatcher = Threads::new(threads(options)?);
    let progress = Progress::new(output, count(options)?, "positions");
    progress.advance(unfinished.positions());
    let mut failure = None;
    let mut receive = |done: Option<Done>| {
        let Some(done) = done else {
            return ControlFlow::Continue(());
        };
        match unfinished.append(&done.result) {
            Ok(positions) => {
                progress.advance(positions);
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
            job: &job,
            pieces: &mut pieces,
            order: Order::AsGiven,
            stopping: Stopping::GiveUp,
            stop,
        };
        dispatcher.dispatch(assignment, &mut receive)
    });
    match failure {
        Some(failure) => Err(failure).with_context(|| cannot_write(&options.out)),
        None => Ok(given.map_err(described)??),
    }
}

fn threads(options: &Options) -> anyhow::Result<usize> {
    match options.threads {
        Some(threads) => Ok(usize::from(threads)),
        None => std::thread::available_parallelism()
            .map(usize::from)
            .context("cannot count the CPUs"),
    }
}

/// How many positions the files have, for those who wait.
fn count(options: &Options) -> anyhow::Result<u64> {
    let mut count = 0;
    for path in &options.files {
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
    /// How many positions were done before.
    resumed_after: u64,
    file: String,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "positions  {}", Count(self.positions))?;
        writeln!(f, "file       {}", self.file)
    }
}
