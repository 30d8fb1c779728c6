//! `tabia data convert`: converts positions from one format to another.

mod policy;

use super::counts::Count;
use super::inputs::{InputOptions, Inputs};
use super::written::{Written, WrittenReport, format_of};
use crate::exit::Exit;
use crate::output::Output;
use clap::Args;
use data::binpack::EncodeError;
use data::shard::ShardEncoder;
use serde::Serialize;
use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia data convert selfplay.plain -o selfplay.binpack
  tabia data convert train.binpack -o train.plain
  tabia data convert match/games.pgn -o match.binpack
  tabia data convert published.plain --labels white -o corrected.binpack
  tabia data convert torn.binpack --skip-torn -o whole.binpack
  tabia data convert selfplay.binpack -o selfplay.policy   moves as targets
  tabia data convert selfplay.policy -o selfplay.npz       arrays for NumPy

Several input files are merged. Positions of games take their scores from
comments: [%eval 0.25] is the score after the move, from White's point of
view; +0.25/12, as written by `tabia match`, is the score before the move,
from the mover's point of view. Positions without a score are marked and not
learned from; `tabia data rescore` gives them one. Games without a result are
skipped.

Policy shards hold a policy target for every position; made from a binpack,
the target is the move that was played. Shards convert to NumPy arrays in the
published layout, and back.

A binpack cannot hold Chess960 castling; plain text can. Reading and rewriting
a binpack gives the same bytes if its chunks were made as Stockfish makes
them.";

/// Convert between binpack and plain text, or extract positions from games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    input: InputOptions,
    /// The output file; its extension gives the format: .binpack, .plain, .policy or .npz
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    if policy::concerns(options) {
        return policy::run(options, output);
    }
    let format = format_of(&options.out)?;
    let inputs = Inputs::open(&options.input, output)?;
    inputs.refuse(&options.out)?;
    let mut written = Written::begin(&options.out, format)?;
    inputs.read(
        |reading, _| {
            let mut encoder = ShardEncoder::new(format);
            let mut outcome: Result<(), EncodeError> = Ok(());
            reading.try_for_each(|position, _| {
                outcome = encoder.push(position);
                match outcome {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
            outcome.map(|()| encoder.finish())
        },
        |encoded| {
            written.add(&encoded?)?;
            Ok(ControlFlow::Continue(()))
        },
    )?;
    drop(inputs);
    output.report(&Report(written.finish()?))?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
#[serde(transparent)]
struct Report(WrittenReport);

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrittenReport {
            file,
            positions,
            bytes,
        } = &self.0;
        writeln!(f, "positions  {}", Count(*positions))?;
        writeln!(f, "bytes      {}", Count(*bytes))?;
        writeln!(f, "file       {file}")
    }
}
