//! `tabia data stats`: statistics of positions.

mod text;

use super::inputs::{InputOptions, Inputs};
use crate::exit::Exit;
use crate::output::Output;
use crate::picture::Picture;
use anyhow::Context;
use clap::Args;
use data::filter::Remembered;
use data::statistics::{Histogram, Statistics};
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia data stats train.binpack
  tabia data stats train.binpack --svg train.svg
  tabia data stats --json *.binpack | jq .results

Marked positions are counted, but otherwise ignored. Duplicates are positions
with the same men and side to move as an earlier one, within the limits of
--memory: for files with many more positions, the true number may be higher.";

/// Count results, scores, pieces, plies, sides, checks, duplicates and kings
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    input: InputOptions,
    /// Also draw the histograms to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Memory for finding duplicates, in MiB; 0 skips the search
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=65_536))]
    memory: u32,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let inputs = Inputs::open(&options.input, output)?;
    let mut total = Statistics::default();
    let mut remembered = (options.memory > 0).then(|| Remembered::new(options.memory));
    let mut duplicates = 0;
    let wants_keys = remembered.is_some();
    inputs.read(
        |reading, _| {
            let mut statistics = Statistics::default();
            let mut keys = Vec::new();
            reading.for_each(|position, begins_chain| {
                statistics.add(position, begins_chain);
                if wants_keys && !position.is_marked() {
                    keys.push(position.placement_key());
                }
            });
            (statistics, keys)
        },
        |(statistics, keys)| {
            total += &statistics;
            if let Some(remembered) = &mut remembered {
                let again = keys.iter().filter(|&&key| remembered.meets_again(key));
                duplicates += again.count() as u64;
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    drop(inputs);
    if let Some(path) = &options.svg {
        data::file::write(path, draw(&total).as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let duplicates = wants_keys.then_some(duplicates);
    output.report(&Report::new(&total, duplicates))?;
    Ok(Exit::Good)
}

/// The histograms as a picture.
fn draw(statistics: &Statistics) -> String {
    let histograms = [
        ("score in centipawns", &statistics.scores),
        ("men", &statistics.pieces),
        ("ply", &statistics.plies),
    ];
    let mut picture = Picture::new(6);
    for (name, histogram) in histograms {
        let last = histogram.first + histogram.width * histogram.counts.len() as i32;
        let remark = format!("{} to {last}", histogram.first);
        let frame = picture.chart(name, remark);
        picture.bars(frame, &histogram.counts);
    }
    let results = [
        ("loss, draw, win: side to move", &statistics.results[..]),
        ("loss, draw, win: White", &statistics.white_results[..]),
        (
            "pawns, knights, bishops, rooks, queens",
            &statistics.men[..5],
        ),
    ];
    for (name, counts) in results {
        let frame = picture.chart(name, "");
        picture.bars(frame, counts);
    }
    picture.finish()
}

/// The statistics.
#[derive(Serialize)]
struct Report {
    positions: u64,
    marked: u64,
    chains: u64,
    games: u64,
    /// `None` if duplicates were not searched for.
    duplicates: Option<u64>,
    white_to_move: u64,
    black_to_move: u64,
    /// Losses, draws and wins of the side to move.
    results: [u64; 3],
    white_results: [u64; 3],
    checks: u64,
    captures: u64,
    promotions: u64,
    castlings: u64,
    without_move: u64,
    decisive: u64,
    contradictions: u64,
    scores: HistogramReport,
    pieces: HistogramReport,
    plies: HistogramReport,
    /// By square, from a1 to h8.
    white_kings: Vec<u64>,
    black_kings: Vec<u64>,
}

#[derive(Serialize)]
struct HistogramReport {
    mean: Option<f64>,
    first: i32,
    width: i32,
    below: u64,
    counts: Vec<u64>,
    above: u64,
}

impl Report {
    fn new(statistics: &Statistics, duplicates: Option<u64>) -> Self {
        Self {
            positions: statistics.positions,
            marked: statistics.marked,
            chains: statistics.chains,
            games: statistics.games,
            duplicates,
            white_to_move: statistics.sides[0],
            black_to_move: statistics.sides[1],
            results: statistics.results,
            white_results: statistics.white_results,
            checks: statistics.checks,
            captures: statistics.captures,
            promotions: statistics.promotions,
            castlings: statistics.castlings,
            without_move: statistics.without_move,
            decisive: statistics.decisive,
            contradictions: statistics.contradictions,
            scores: HistogramReport::new(&statistics.scores),
            pieces: HistogramReport::new(&statistics.pieces),
            plies: HistogramReport::new(&statistics.plies),
            white_kings: statistics.kings[0].to_vec(),
            black_kings: statistics.kings[1].to_vec(),
        }
    }
}

impl HistogramReport {
    fn new(histogram: &Histogram) -> Self {
        Self {
            mean: histogram.mean(),
            first: histogram.first,
            width: histogram.width,
            below: histogram.below,
            counts: histogram.counts.clone(),
            above: histogram.above,
        }
    }
}
