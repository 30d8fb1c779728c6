//! Policy shards and the published arrays: from positions, and from each other.

use super::super::inputs::Inputs;
use super::super::written::{WrittenReport, cannot_write};
use super::{Options, Report};
use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::output::Output;
use anyhow::Context;
use data::policy::{PolicyReader, PolicyRecord, PolicyWriter, read_npz, write_npz};
use data::position::Position;
use std::ops::ControlFlow;
use std::path::Path;

const SHARD: &str = "policy";
const ARRAYS: &str = "npz";
/// Centipawns per natural unit of the logistic curve, as in the default loss of trainings.
const SCALE: f32 = 400.0;
/// The maximum number of positions: dense arrays take 33 kB of memory for each while they are
/// built.
const MOST_POSITIONS: usize = 100_000;
/// The maximum size of a file of arrays, which is read as a whole.
const MOST_NPZ_BYTES: u64 = 1 << 29;

/// Whether a conversion involves policy shards or arrays.
pub(super) fn concerns(options: &Options) -> bool {
    let files = options.input.files.iter().chain([&options.out]);
    files
        .into_iter()
        .any(|path| is(path, SHARD) || is(path, ARRAYS))
}

fn is(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    if !is(&options.out, SHARD) && !is(&options.out, ARRAYS) {
        return Err(WrongInput::new(format!(
            "{}: policy shards and arrays can only be converted to each other; end the name with \
             .{SHARD} or .{ARRAYS}",
            options.out.display()
        ))
        .into());
    }
    let inputs = Inputs::open(&options.input, output)?;
    inputs.refuse(&options.out)?;
    let mut target = Target::begin(&options.out)?;
    let of_positions = |path: &&std::path::PathBuf| !is(path, SHARD) && !is(path, ARRAYS);
    let positions = options.input.files.iter().filter(of_positions).count();
    match positions {
        0 => {
            for path in &options.input.files {
                read_records(path, &mut target)?;
            }
        }
        count if count == options.input.files.len() => read_positions(&inputs, &mut target)?,
        _ => {
            let words = "files of positions cannot be mixed with policy shards and arrays; \
                convert them separately";
            return Err(WrongInput::new(words.to_owned()).into());
        }
    }
    drop(inputs);
    output.report(&Report(target.finish(&options.out)?))?;
    Ok(Exit::Good)
}

/// The file to which records are written.
enum Target {
    Shard(PolicyWriter),
    Arrays(Vec<PolicyRecord>),
}

impl Target {
    fn begin(path: &Path) -> anyhow::Result<Target> {
        match is(path, ARRAYS) {
            true => Ok(Target::Arrays(Vec::new())),
            false => PolicyWriter::begin(path)
                .map(Target::Shard)
                .with_context(|| cannot_write(path)),
        }
    }

    fn push(&mut self, record: PolicyRecord) -> anyhow::Result<()> {
        match self {
            Target::Shard(writer) => Ok(writer.push(&record)?),
            Target::Arrays(records) if records.len() >= MOST_POSITIONS => {
                Err(WrongInput::new(format!(
                    "one .{ARRAYS} file can hold at most {MOST_POSITIONS} positions: divide the \
                     data first, for example with tabia data split"
                ))
                .into())
            }
            Target::Arrays(records) => {
                records.push(record);
                Ok(())
            }
        }
    }

    fn finish(self, path: &Path) -> anyhow::Result<WrittenReport> {
        let positions = match self {
            Target::Shard(writer) => {
                let records = writer.records();
                writer.finish().with_context(|| cannot_write(path))?;
                records
            }
            Target::Arrays(records) => {
                // With results only, as the published program did.
                let bytes = write_npz(&records, 0.0)?;
                data::file::write(path, &bytes).with_context(|| cannot_write(path))?;
                records.len() as u64
            }
        };
        let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        Ok(WrittenReport {
            file: path.display().to_string(),
            positions,
            bytes,
        })
    }
}

fn read_records(path: &Path, target: &mut Target) -> anyhow::Result<()> {
    if is(path, ARRAYS) {
        let shown = path.display();
        let bytes = data::file::read(path, MOST_NPZ_BYTES)
            .with_context(|| format!("cannot read {shown}"))?;
        let records = read_npz(&bytes).map_err(|error| anyhow::anyhow!("{shown}: {error}"))?;
        return records
            .into_iter()
            .try_for_each(|record| target.push(record));
    }
    let mut reader = PolicyReader::open(path)?;
    while let Some(records) = reader.next_block()? {
        if interruption::requested() {
            return Err(Interrupted.into());
        }
        records
            .into_iter()
            .try_for_each(|record| target.push(record))?;
    }
    Ok(())
}

/// Marked positions are left out.
fn read_positions(inputs: &Inputs<'_>, target: &mut Target) -> anyhow::Result<()> {
    inputs.read(
        |reading, _| {
            let mut records = Vec::new();
            let mut before: Option<Position> = None;
            reading.try_for_each(|position, begins| {
                let last = before.replace(*position).filter(|_| !begins);
                if !position.is_marked() {
                    let step = double_step(last.as_ref(), position);
                    records.push(PolicyRecord::of_position(position, step, SCALE));
                }
                ControlFlow::Continue(())
            });
            records
        },
        |records| {
            records
                .into_iter()
                .try_for_each(|record| target.push(record))?;
            Ok(ControlFlow::Continue(()))
        },
    )
}

/// The file of a pawn's double step that led to a position.
fn double_step(last: Option<&Position>, position: &Position) -> Option<chess::File> {
    let last = last.filter(|last| last.is_followed_by(position));
    match last {
        Some(last) => nets::policy::double_step(&last.board, &position.board),
        None => position.board.en_passant().map(chess::Square::file),
    }
}
