//! `tabia net info`: everything a file says about a model.

mod ntuple;
mod policy;
mod resnet;
mod sequence;

use crate::exit::Exit;
use crate::output::{Flush, Output, Table, excerpt};
use crate::player;
use anyhow::Context;
use clap::Args;
use nets::classical::Weights;
use nets::nnue::{LayerStatistics, Net, NetFile, SimpleScales, Statistics};
use nets::{Model, Provenance, WeightsFile};
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia net info                          the built-in net
  tabia net info nn-ad9b42354671.nnue
  tabia net info --json my.tabianet
  tabia net info pairs.ntuple             tables and strongest combinations

Dead neurons were never above 0 in positions of random games, saturated values
were clipped at the maximum there; saturated weights have the largest value
that the file can hold (tables of n-tuple networks: 511 centipawns).";

/// Show the shape, description, provenance and weights of a model
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The model file [default: the built-in net]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let model = match &options.file {
        Some(path) => player::model(path)?,
        None => Model::Nnue(
            nets::nnue::embedded()
                .context("this program was built without a net: give the name of a file")?
                .clone(),
        ),
    };
    match &model {
        Model::Nnue(file) => {
            super::convert::warn_of_skip(&file.net, output);
            output.report(&Report::new(file))?;
        }
        Model::Classical(file) => output.report(&WeightsReport::new(&model, file))?,
        Model::NTuple(file) => output.report(&ntuple::Report::new(&model, file))?,
        Model::Policy(file) => output.report(&policy::Report::new(&model, file))?,
        Model::ResNet(file) => output.report(&resnet::Report::new(&model, file))?,
        Model::Sequence(file) => output.report(&sequence::Report::new(&model, file))?,
        Model::Heuristic => output.report(&PlainReport::new(&model))?,
    }
    Ok(Exit::Good)
}

/// A model without weights.
#[derive(Serialize)]
struct PlainReport {
    name: String,
    kind: String,
    description: String,
}

impl PlainReport {
    fn new(model: &Model) -> PlainReport {
        PlainReport {
            name: model.name(),
            kind: model.kind().to_string(),
            description: model.description(),
        }
    }
}

impl Display for PlainReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "name         {}", self.name)?;
        writeln!(formatter, "kind         {}", self.description)
    }
}

/// Weights of the hand-written evaluation.
#[derive(Serialize)]
struct WeightsReport {
    name: String,
    kind: String,
    sha256: String,
    /// The number of weights that differ from the program's own.
    changed: usize,
    all: usize,
}

impl WeightsReport {
    fn new(model: &Model, file: &WeightsFile) -> WeightsReport {
        let lines = |weights: &Weights| -> Vec<String> {
            weights.write().lines().map(str::to_owned).collect()
        };
        let (own, usual) = (lines(&file.weights), lines(&Weights::default()));
        WeightsReport {
            name: model.name(),
            kind: model.kind().to_string(),
            sha256: model.hash(),
            changed: own
                .iter()
                .zip(&usual)
                .filter(|(own, usual)| own != usual)
                .count(),
            all: own.iter().filter(|line| line.contains('=')).count(),
        }
    }
}

impl Display for WeightsReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WeightsReport {
            name,
            sha256,
            changed,
            all,
            ..
        } = self;
        writeln!(formatter, "name         {name}")?;
        writeln!(
            formatter,
            "kind         weights of the hand-written evaluation"
        )?;
        writeln!(formatter, "sha256       {sha256}")?;
        writeln!(
            formatter,
            "weights      {all}, of which {changed} are not the program's"
        )
    }
}

#[derive(Serialize)]
struct Report {
    name: String,
    sha256: String,
    bytes: u64,
    /// `nnue` or `tabianet`.
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stored: Option<&'static str>,
    shape: String,
    #[serde(flatten)]
    shape_numbers: ShapeNumbers,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<Provenance>,
    layers: Vec<LayerReport>,
    neurons: NeuronReport,
}

/// The shape for programs.
#[derive(Serialize)]
struct ShapeNumbers {
    inputs: usize,
    king_buckets: usize,
    hidden: usize,
    activation: &'static str,
    output_buckets: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    scales: Option<SimpleScales>,
}

#[derive(Serialize)]
struct LayerReport {
    layer: &'static str,
    count: usize,
    least: i32,
    most: i32,
    mean_magnitude: f64,
    zero_share: f64,
    saturated_share: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    biases: Option<[i32; 2]>,
}

#[derive(Serialize)]
struct NeuronReport {
    count: usize,
    dead: usize,
    active_share: f64,
    saturated_share: f64,
    positions: usize,
}

impl Report {
    fn new(file: &NetFile) -> Self {
        let Statistics { layers, neurons } = file.net.statistics();
        let (format, shape_numbers, description, provenance) = match &file.net {
            Net::Sfnn(net) => {
                let weights = net.weights();
                let inputs = weights.shape().inputs();
                let numbers = ShapeNumbers {
                    inputs: inputs.count(),
                    king_buckets: inputs.bucket_count(),
                    hidden: weights.shape().l1(),
                    activation: "pairwise",
                    output_buckets: nets::nnue::SfnnShape::BUCKETS,
                    scales: None,
                };
                let description = String::from_utf8_lossy(&weights.description).into_owned();
                ("nnue", numbers, description, None)
            }
            Net::Simple(net) => {
                let weights = net.weights();
                let shape = weights.shape();
                let numbers = ShapeNumbers {
                    inputs: shape.inputs.count(),
                    king_buckets: shape.inputs.bucket_count(),
                    hidden: shape.hidden,
                    activation: shape.activation.name(),
                    output_buckets: shape.output_buckets,
                    scales: Some(shape.scales),
                };
                let description = weights.description.clone();
                (
                    "tabianet",
                    numbers,
                    description,
                    Some(weights.provenance.clone()),
                )
            }
        };
        Self {
            name: file.usual_name(),
            sha256: file.hash(),
            bytes: file.size,
            format,
            stored: file.compression.map(|compression| compression.name()),
            shape: file.net.to_string(),
            shape_numbers,
            description,
            provenance,
            layers: layers.iter().map(LayerReport::new).collect(),
            neurons: NeuronReport {
                count: neurons.count,
                dead: neurons.dead,
                active_share: neurons.active_share,
                saturated_share: neurons.saturated_share,
                positions: neurons.positions,
            },
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![
            ("name", self.name.clone()),
            ("sha256", self.sha256.clone()),
            ("bytes", self.bytes.to_string()),
        ];
        if let Some(stored) = self.stored {
            facts.push(("stored", stored.to_owned()));
        }
        facts.push(("shape", self.shape.clone()));
        if let Some(scales) = self.shape_numbers.scales {
            let SimpleScales {
                one,
                output,
                value,
                output_bits,
            } = scales;
            let bits = u8::from(output_bits);
            let words =
                format!("activation {one}, output {output} in {bits} bits, {value} centipawns");
            facts.push(("scales", words));
        }
        facts.push(("description", excerpt(&self.description)));
        facts.extend(self.provenance.iter().flat_map(provenance_facts));
        facts
    }

    fn layer_table(&self) -> Table {
        let mut table = Table::new(1, &COLUMNS);
        for layer in &self.layers {
            let biases = layer
                .biases
                .map(|[least, most]| format!("{least} to {most}"));
            table.push(vec![
                layer.layer.to_owned(),
                layer.count.to_string(),
                format!("{} to {}", layer.least, layer.most),
                format!("{:.1}", layer.mean_magnitude),
                format!("{:.2}", 100.0 * layer.zero_share),
                format!("{:.3}", 100.0 * layer.saturated_share),
                biases.unwrap_or_default(),
            ]);
        }
        table
    }
}

/// The columns of the table of layers.
const COLUMNS: [(&str, Flush); 7] = [
    ("layer", Flush::Left),
    ("weights", Flush::Right),
    ("range", Flush::Right),
    ("mean", Flush::Right),
    ("zero %", Flush::Right),
    ("saturated %", Flush::Right),
    ("biases", Flush::Right),
];

/// Where a model comes from, as names and values.
fn provenance_facts(provenance: &Provenance) -> [(&'static str, String); 4] {
    let seed = provenance.seed.map(|seed| seed.to_string());
    let Provenance {
        run, data, parent, ..
    } = provenance;
    [
        ("run", run),
        ("seed", &seed),
        ("data", data),
        ("parent", parent),
    ]
    .map(|(name, value)| {
        let value = value.as_deref().map_or("unknown".to_owned(), excerpt);
        (name, value)
    })
}

impl LayerReport {
    fn new(layer: &LayerStatistics) -> Self {
        Self {
            layer: layer.name,
            count: layer.count,
            least: layer.weights[0],
            most: layer.weights[1],
            mean_magnitude: layer.mean_magnitude,
            zero_share: layer.zero_share,
            saturated_share: layer.saturated_share,
            biases: layer.biases,
        }
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.facts() {
            writeln!(formatter, "{name:13}{value}")?;
        }
        write!(formatter, "\n{}", self.layer_table())?;
        let neurons = &self.neurons;
        writeln!(
            formatter,
            "\nneurons      {} of {} dead, {:.1} % active, {:.2} % of values saturated in {} positions",
            neurons.dead,
            neurons.count,
            100.0 * neurons.active_share,
            100.0 * neurons.saturated_share,
            neurons.positions,
        )
    }
}
