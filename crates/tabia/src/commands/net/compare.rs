//! `tabia net compare`: the differences between two nets, in weights and in values.

mod positions;

use crate::exit::Exit;
use crate::output::Output;
use crate::player;
use chess::Board;
use clap::Args;
use nets::nnue::{Correlation, LayerDifference, Net};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia net compare epoch-009.nnue epoch-010.nnue
  tabia net compare a.tabianet b.nnue --positions valid.binpack

Weights are compared if both nets have the same shape. Values are in
centipawns for the side to move, as the search uses them, in the positions of
`tabia bench` or of a file: binpack, plain text, games with scores, or EPD (by
extension), of which the first 100,000 positions are used.";

/// How many of the largest differences are shown.
const SHOWN: usize = 10;

/// Show the differences of two nets, in weights and in values
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A net file
    #[arg(value_name = "A")]
    first: PathBuf,
    /// Another net file
    #[arg(value_name = "B")]
    second: PathBuf,
    /// Positions to compare values in [default: those of `tabia bench`]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let first = player::net(&options.first)?;
    let second = player::net(&options.second)?;
    let boards = positions::read(options.positions.as_deref())?;
    let layers = first.net.weight_differences(&second.net);
    output.report(&Report {
        nets: [&first, &second].map(|file| NetReport {
            name: file.usual_name(),
            shape: file.net.to_string(),
        }),
        layers: layers.map(|list| list.iter().map(LayerReport::new).collect()),
        values: ValueReport::new(&first.net, &second.net, &boards),
    })?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct Report {
    nets: [NetReport; 2],
    /// `None` if the shapes differ.
    layers: Option<Vec<LayerReport>>,
    values: ValueReport,
}

#[derive(Serialize)]
struct NetReport {
    name: String,
    shape: String,
}

#[derive(Serialize)]
struct LayerReport {
    layer: String,
    count: usize,
    different: usize,
    largest: u32,
    mean: f64,
    correlation: Option<f64>,
}

impl LayerReport {
    fn new(layer: &LayerDifference) -> LayerReport {
        let part = if layer.is_bias { " biases" } else { "" };
        LayerReport {
            layer: format!("{}{part}", layer.layer),
            count: layer.count,
            different: layer.different,
            largest: layer.largest,
            mean: layer.mean,
            correlation: layer.correlation,
        }
    }
}

/// The second net's values minus the first's.
#[derive(Serialize)]
struct ValueReport {
    positions: usize,
    mean: f64,
    mean_magnitude: f64,
    /// The standard deviation of the differences.
    spread: f64,
    correlation: Option<f64>,
    largest: Vec<PositionReport>,
}

#[derive(Serialize)]
struct PositionReport {
    fen: String,
    values: [i32; 2],
}

impl ValueReport {
    fn new(first: &Net, second: &Net, boards: &[Board]) -> ValueReport {
        let values: Vec<[i32; 2]> = boards
            .par_iter()
            .map(|board| [first, second].map(|net| net.centipawns(board)))
            .collect();
        let more = |[first, second]: [i32; 2]| f64::from(second - first);
        let count = values.len().max(1) as f64;
        let mean = values.iter().map(|&pair| more(pair)).sum::<f64>() / count;
        let magnitudes: f64 = values.iter().map(|&pair| more(pair).abs()).sum();
        let squares: f64 = values.iter().map(|&pair| (more(pair) - mean).powi(2)).sum();
        let mut correlation = Correlation::default();
        for &[first, second] in &values {
            correlation.add(f64::from(first), f64::from(second));
        }
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|&index| {
            let [first, second] = values[index];
            std::cmp::Reverse(first.abs_diff(second))
        });
        let shown = order.iter().take(SHOWN).map(|&index| PositionReport {
            fen: boards[index].fen().to_string(),
            values: values[index],
        });
        ValueReport {
            positions: values.len(),
            mean,
            mean_magnitude: magnitudes / count,
            spread: (squares / count).sqrt(),
            correlation: correlation.value(),
            largest: shown.collect(),
        }
    }
}

fn written(correlation: Option<f64>) -> String {
    correlation.map_or("-".to_owned(), |value| format!("{value:.6}"))
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (letter, net) in ["A", "B"].iter().zip(&self.nets) {
            writeln!(f, "{letter}  {}  {}", net.name, net.shape)?;
        }
        match &self.layers {
            None => writeln!(f, "\nThe shapes differ, so weights cannot be compared.")?,
            Some(layers) => {
                writeln!(
                    f,
                    "\nlayer                            numbers   different   largest       mean  correlation"
                )?;
                for layer in layers {
                    writeln!(
                        f,
                        "{:28}{:12}{:12}{:10}{:11.3}{:>13}",
                        layer.layer,
                        layer.count,
                        layer.different,
                        layer.largest,
                        layer.mean,
                        written(layer.correlation),
                    )?;
                }
            }
        }
        let values = &self.values;
        writeln!(
            f,
            "\nvalues of B less those of A, in centipawns, in {} positions\n\
             mean {:+.2}, mean size {:.2}, spread {:.2}, correlation {}\n\n{:>7}{:>8}  position",
            values.positions,
            values.mean,
            values.mean_magnitude,
            values.spread,
            written(values.correlation),
            "A",
            "B",
        )?;
        for PositionReport { fen, values } in &values.largest {
            writeln!(f, "{:+7}{:+8}  {fen}", values[0], values[1])?;
        }
        Ok(())
    }
}
