//! The contents of a policy net's file.

use super::provenance_facts;
use crate::output::excerpt;
use nets::policy::PolicyFile;
use nets::policy::sparse::{INPUTS, ROWS};
use nets::{Model, Provenance};
use serde::Serialize;
use std::fmt::{self, Display};

/// A policy net.
#[derive(Serialize)]
pub(super) struct Report {
    name: String,
    kind: String,
    sha256: String,
    bytes: u64,
    shape: String,
    policy: PolicyNumbers,
    value: ValueNumbers,
    description: String,
    provenance: Provenance,
    layers: Vec<LayerReport>,
}

#[derive(Serialize)]
struct PolicyNumbers {
    inputs: usize,
    hidden: usize,
    rows: usize,
}

#[derive(Serialize)]
struct ValueNumbers {
    inputs: usize,
    king_buckets: usize,
    hidden: usize,
    activation: &'static str,
    output_buckets: usize,
}

#[derive(Serialize)]
struct LayerReport {
    layer: &'static str,
    count: usize,
    least: i32,
    most: i32,
    mean_magnitude: f64,
    zero_share: f64,
}

impl Report {
    pub(super) fn new(model: &Model, file: &PolicyFile) -> Report {
        let (net, shape) = (&file.net, file.net.shape());
        let (policy, value) = (net.policy(), net.value().weights());
        let inputs = &shape.value.inputs;
        let wide = |weights: &[i8]| -> Vec<i16> { weights.iter().map(|&w| w.into()).collect() };
        Report {
            name: model.name(),
            kind: model.kind().to_string(),
            sha256: file.hash(),
            bytes: file.size,
            shape: shape.to_string(),
            policy: PolicyNumbers {
                inputs: INPUTS,
                hidden: shape.hidden,
                rows: ROWS,
            },
            value: ValueNumbers {
                inputs: inputs.count(),
                king_buckets: inputs.bucket_count(),
                hidden: shape.value.hidden,
                activation: shape.value.activation.name(),
                output_buckets: shape.value.output_buckets / nets::nnue::OUTCOMES,
            },
            description: net.description().to_owned(),
            provenance: net.provenance().clone(),
            layers: vec![
                LayerReport::new("policy inputs", &policy.inputs),
                LayerReport::new("moves", &wide(&policy.moves)),
                LayerReport::new("value inputs", &value.transformer.weights),
                LayerReport::new("value outputs", &value.output_weights),
            ],
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![
            ("name", self.name.clone()),
            ("kind", self.kind.clone()),
            ("sha256", self.sha256.clone()),
            ("bytes", self.bytes.to_string()),
            ("shape", self.shape.clone()),
            ("description", excerpt(&self.description)),
        ];
        facts.extend(provenance_facts(&self.provenance));
        facts
    }
}

impl LayerReport {
    fn new(layer: &'static str, weights: &[i16]) -> LayerReport {
        let count = weights.len().max(1) as f64;
        let sizes = weights
            .iter()
            .map(|weight| f64::from(weight.unsigned_abs()));
        let zeros = weights.iter().filter(|&&weight| weight == 0).count();
        LayerReport {
            layer,
            count: weights.len(),
            least: weights.iter().copied().min().unwrap_or_default().into(),
            most: weights.iter().copied().max().unwrap_or_default().into(),
            mean_magnitude: sizes.sum::<f64>() / count,
            zero_share: zeros as f64 / count,
        }
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.facts() {
            writeln!(formatter, "{name:13}{value}")?;
        }
        writeln!(
            formatter,
            "\nlayer                weights            range      mean  zero %"
        )?;
        for layer in &self.layers {
            writeln!(
                formatter,
                "{:17}{:11}{:>17}{:10.1}{:8.2}",
                layer.layer,
                layer.count,
                format!("{} to {}", layer.least, layer.most),
                layer.mean_magnitude,
                100.0 * layer.zero_share,
            )?;
        }
        Ok(())
    }
}
