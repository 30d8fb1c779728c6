//! The contents of a ResNet's file.

use super::provenance_facts;
use crate::output::excerpt;
use nets::policy::resnet::{ResNetFile, ResNetSource, ResNetWeights, TensorKind};
use nets::{Model, Provenance};
use serde::Serialize;
use std::fmt::{self, Display};

/// A ResNet, ours or lc0's.
#[derive(Serialize)]
pub(super) struct Report {
    name: String,
    kind: String,
    sha256: String,
    bytes: u64,
    shape: String,
    #[serde(flatten)]
    own: Option<OwnReport>,
}

/// What only our own format has.
#[derive(Serialize)]
struct OwnReport {
    parameters: usize,
    description: String,
    provenance: Provenance,
    tensors: Vec<TensorReport>,
}

#[derive(Serialize)]
struct TensorReport {
    tensor: String,
    lengths: Vec<usize>,
    least: f32,
    most: f32,
    /// The root mean square.
    size: f64,
}

impl Report {
    pub(super) fn new(model: &Model, file: &ResNetFile) -> Report {
        Report {
            name: model.name(),
            kind: model.kind().to_string(),
            sha256: file.hash(),
            bytes: file.size,
            shape: file.to_string(),
            own: match file.source() {
                ResNetSource::Own(weights) => Some(OwnReport::new(weights)),
                ResNetSource::Lc0(_) => None,
            },
        }
    }
}

impl OwnReport {
    fn new(weights: &ResNetWeights) -> OwnReport {
        let shapes = weights.shape().tensors();
        let tensors = shapes.iter().zip(weights.tensors());
        // The normalisation layers are many and not interesting.
        let weighty = |kind| matches!(kind, TensorKind::Convolution | TensorKind::Linear);
        OwnReport {
            parameters: weights.shape().parameters(),
            description: weights.description.clone(),
            provenance: weights.provenance.clone(),
            tensors: tensors
                .filter(|(shape, _)| weighty(shape.kind))
                .map(|(shape, values)| TensorReport {
                    tensor: shape.name.clone(),
                    lengths: shape.lengths.clone(),
                    least: values.iter().copied().fold(f32::MAX, f32::min),
                    most: values.iter().copied().fold(f32::MIN, f32::max),
                    size: {
                        let squares = values.iter().map(|&value| f64::from(value).powi(2));
                        (squares.sum::<f64>() / values.len().max(1) as f64).sqrt()
                    },
                })
                .collect(),
        }
    }

    fn write_tensors(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "\ntensor                               lengths               range          size"
        )?;
        for tensor in &self.tensors {
            let lengths: Vec<String> = tensor.lengths.iter().map(usize::to_string).collect();
            writeln!(
                formatter,
                "{:37}{:16}{:>20}{:10.4}",
                tensor.tensor,
                lengths.join(" x "),
                format!("{:.3} to {:.3}", tensor.least, tensor.most),
                tensor.size,
            )?;
        }
        Ok(())
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut facts = vec![
            ("name", self.name.clone()),
            ("sha256", self.sha256.clone()),
            ("bytes", self.bytes.to_string()),
            ("shape", self.shape.clone()),
        ];
        if let Some(own) = &self.own {
            facts.push(("parameters", own.parameters.to_string()));
            facts.push(("description", excerpt(&own.description)));
            facts.extend(provenance_facts(&own.provenance));
        }
        for (name, value) in facts {
            writeln!(formatter, "{name:13}{value}")?;
        }
        match &self.own {
            Some(own) => own.write_tensors(formatter),
            None => Ok(()),
        }
    }
}
