//! `tabia data filter`: removes positions that are not worth learning from.

use super::counts::{Count, row};
use super::inputs::{InputOptions, Inputs};
use super::written::{Written, WrittenReport, format_of};
use crate::exit::Exit;
use crate::output::Output;
use clap::Args;
use data::binpack::EncodeError;
use data::filter::{
    Filter, FilterCounts, FilterKind, Filters, PieceCounts, Remembered, WrongFilter,
};
use data::position::Position;
use data::random;
use data::score;
use data::shard::{Encoded, Format, Reading, ShardEncoder};
use engines::words::meant;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

const EXAMPLES: &str = "\
Examples:
  tabia data filter train.binpack -o quiet.binpack \\
      --remove captures --remove in-check
  tabia data filter train.binpack -o some.binpack --remove random=3 --seed 1
  tabia data filter train.binpack -o marked.binpack --mark --remove early=16

Filters, which have the same names in training files:
  captures       positions in which a man is captured
  promotions     positions in which a pawn is promoted
  in-check       positions in check
  early=N        positions up to ply N
  ply=A..B       positions with plies outside this range
  score=A..B     positions whose absolute score is outside; mates are 31755
                 and more
  result         keeps each position with the probability of its result given
                 its score; 270 centipawns are a 50 % chance to win
  placeholders   positions with the score 0 in a game that was won, after a
                 score of more than a pawn: in some files 0 means no score
  random=N       N random positions for each one that is kept, on average
  pieces=X,Y,Z   thins out, tenfold at most, so that the frequencies of
                 positions with 0, 16 and 32 men have this ratio, others on
                 the parabola between
  duplicates=N   positions with the same men and side to move as an earlier
                 one, by a table of N MiB (default 32); entries may be
                 overwritten, so that some duplicates may stay, but no other
                 position is removed

Each removed position is counted for the first filter in the report that
matches it. Marked positions are removed too. Removing positions breaks
chains, which makes a binpack larger; --mark keeps them, but marks them so
that they are not learned from.";

/// Remove positions that are not worth learning from
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    input: InputOptions,
    /// The output file; its extension gives the format: .binpack or .plain
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// What to remove; may be repeated
    #[arg(long, value_name = "FILTER", value_parser = filter)]
    remove: Vec<Filter>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Mark positions instead of removing them
    #[arg(long)]
    mark: bool,
}

/// Parses a filter; for an unknown name, a similar one is suggested.
fn filter(text: &str) -> Result<Filter, String> {
    text.parse().map_err(|error: WrongFilter| {
        let word = text.split('=').next().unwrap_or_default();
        // Marked positions are always removed.
        let kinds = FilterKind::ALL
            .iter()
            .filter(|&&kind| kind != FilterKind::Marked);
        match (&error, meant(word, kinds.map(|kind| kind.name()))) {
            (WrongFilter::Unknown(_), Some(name)) => {
                format!("'{text}' is not a filter; did you mean '{name}'?")
            }
            _ => error.to_string(),
        }
    })
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let format = format_of(&options.out)?;
    let filters: Filters = options.remove.iter().copied().collect();
    let mut inputs = Inputs::open(&options.input, output)?;
    inputs.refuse(&options.out)?;
    let remembered = filters.remembered_mebibytes().map(Remembered::new);
    if remembered.is_some() {
        // Which of two equal positions is the first depends on their order.
        inputs = inputs.in_one_thread();
    }
    let sieve = Sieve {
        filters: &filters,
        seed: options.seed,
        format,
        marks: options.mark,
        remembered: remembered.map(Mutex::new),
    };
    let mut written = Written::begin(&options.out, format)?;
    let mut counts = FilterCounts::default();
    inputs.read(
        |reading, piece| sieve.sift(reading, piece),
        |sifted| {
            let (encoded, counted) = sifted?;
            counts += &counted;
            written.add(&encoded)?;
            Ok(ControlFlow::Continue(()))
        },
    )?;
    drop(inputs);
    output.report(&Report::new(&counts, &filters, written.finish()?))?;
    Ok(Exit::Good)
}

/// Filters the chunks of files.
struct Sieve<'a> {
    filters: &'a Filters,
    seed: u64,
    format: Format,
    marks: bool,
    /// The positions seen so far; with it, only one thread works.
    remembered: Option<Mutex<Remembered>>,
}

impl Sieve<'_> {
    fn sift(
        &self,
        reading: &mut Reading<'_>,
        piece: u64,
    ) -> Result<(Encoded, FilterCounts), EncodeError> {
        let generator = || random::generator(self.seed, piece);
        let mut run = self.filters.run(generator());
        if let Some(weights) = self.filters.piece_weights() {
            let mut counts: PieceCounts = [0; 33];
            reading.for_each(|position, _| {
                if run.keeps(position) {
                    counts[position.board.occupied().count() as usize] += 1;
                }
            });
            run = self.filters.run(generator());
            run.thin(weights, &counts);
        }
        let mut encoder = ShardEncoder::new(self.format);
        let mut duplicates = 0;
        let mut outcome = Ok(());
        reading.try_for_each(|position, _| {
            let mut is_kept = run.keeps(position);
            if is_kept && self.is_duplicate(position) {
                duplicates += 1;
                is_kept = false;
            }
            outcome = self.write(position, is_kept, &mut encoder);
            match outcome {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        outcome?;
        let mut counts = *run.counts();
        for _ in 0..duplicates {
            counts.remove(FilterKind::Duplicates);
        }
        Ok((encoder.finish(), counts))
    }

    fn is_duplicate(&self, position: &Position) -> bool {
        self.remembered.as_ref().is_some_and(|remembered| {
            let mut remembered = remembered.lock().unwrap_or_else(PoisonError::into_inner);
            remembered.meets_again(position.placement_key())
        })
    }

    fn write(
        &self,
        position: &Position,
        is_kept: bool,
        encoder: &mut ShardEncoder,
    ) -> Result<(), EncodeError> {
        if is_kept {
            encoder.push(position)
        } else if self.marks {
            encoder.push(&Position {
                score: score::MARK,
                ..*position
            })
        } else {
            Ok(())
        }
    }
}

/// The result of filtering.
#[derive(Serialize)]
struct Report {
    positions: u64,
    kept: u64,
    removed: BTreeMap<&'static str, u64>,
    #[serde(skip)]
    order: Vec<FilterKind>,
    written: WrittenReport,
}

impl Report {
    fn new(counts: &FilterCounts, filters: &Filters, written: WrittenReport) -> Self {
        let order: Vec<FilterKind> = std::iter::once(FilterKind::Marked)
            .chain(filters.list().iter().map(Filter::kind))
            .collect();
        let removed = order
            .iter()
            .map(|&kind| (kind.name(), counts.removed(kind)))
            .collect();
        Self {
            positions: counts.seen(),
            kept: counts.kept,
            removed,
            order,
            written,
        }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<18} {:>14}", "positions", Count(self.positions))?;
        for kind in &self.order {
            row(f, kind.name(), self.removed[kind.name()], self.positions)?;
        }
        row(f, "kept", self.kept, self.positions)?;
        writeln!(
            f,
            "{}: {} positions, {} bytes",
            self.written.file,
            Count(self.written.positions),
            Count(self.written.bytes)
        )
    }
}
