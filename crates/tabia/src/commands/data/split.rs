//! `tabia data split`: holds out games for validation.

use super::counts::Count;
use super::inputs::{InputOptions, Inputs};
use super::written::{Written, WrittenReport, format_of};
use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use clap::Args;
use data::arrange::Split;
use data::binpack::EncodeError;
use data::shard::ShardEncoder;
use serde::Serialize;
use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia data split all.binpack --train train.binpack --valid valid.binpack
  tabia data split *.binpack --train t.binpack --valid v.binpack \\
      --share 0.01 --seed 3

Whole games are held out, so that no validation position has neighbours in the
training set: positions with a later ply and the same winner count as the same
game. Which games are held out depends on the seed, not on the number of
threads.";

/// Hold out whole games for validation
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    input: InputOptions,
    /// Output file of the training games
    #[arg(long, value_name = "FILE")]
    train: PathBuf,
    /// Output file of the validation games
    #[arg(long, value_name = "FILE")]
    valid: PathBuf,
    /// Share of the games to hold out, approximately
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = parse_share)]
    share: f64,
    /// Random seed of the choice of games
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

fn parse_share(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("not a number from 0 to 1, such as 0.02"),
    }
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let paths = [&options.train, &options.valid];
    if paths[0] == paths[1] {
        let words = "--train and --valid name the same file; give two different names";
        return Err(WrongInput::new(words).into());
    }
    let formats = [format_of(paths[0])?, format_of(paths[1])?];
    let inputs = Inputs::open(&options.input, output)?;
    for path in paths {
        inputs.refuse(path)?;
    }
    let mut written = [
        Written::begin(paths[0], formats[0])?,
        Written::begin(paths[1], formats[1])?,
    ];
    inputs.read(
        |reading, piece| {
            let mut split = Split::new(options.share, options.seed, piece);
            let mut encoders = formats.map(ShardEncoder::new);
            let mut outcome: Result<(), EncodeError> = Ok(());
            reading.try_for_each(|position, _| {
                let side = usize::from(split.holds_out(position));
                outcome = encoders[side].push(position);
                match outcome {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
            outcome.map(|()| encoders.map(|mut encoder| encoder.finish()))
        },
        |encoded| {
            for (written, encoded) in written.iter_mut().zip(encoded?) {
                written.add(&encoded)?;
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    drop(inputs);
    let [train, valid] = written;
    let (train, valid) = (train.finish()?, valid.finish()?);
    if valid.positions == 0 {
        output.warn("no game was held out; raise --share or change --seed");
    }
    output.report(&Report { train, valid })?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct Report {
    train: WrittenReport,
    valid: WrittenReport,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, written) in [("train", &self.train), ("valid", &self.valid)] {
            let positions = Count(written.positions);
            writeln!(f, "{name}  {positions:>14} positions  {}", written.file)?;
        }
        Ok(())
    }
}
