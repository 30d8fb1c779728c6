//! `tabia data convert`: positions from one format into another.

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

Several files become one. Of games, positions take their scores from comments:
[%eval 0.25], which values the position after the move for White, or +0.25/12 as
`tabia match` writes it, which values the position before the move for its side.
Positions without a score are marked as not to be learned from; `tabia data
rescore` gives them one. Games without a result are left out.

A binpack cannot hold the castling of Chess960; plain text can. A binpack that is
read and written again is the same, byte for byte, if its writer made chunks as
Stockfish does.";

/// Convert between binpack and plain text, or take positions from games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    input: InputOptions,
    /// The file to write; its name ends with .binpack or .plain
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
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
