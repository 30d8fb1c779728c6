//! The contents of a sequence model's file.

use super::provenance_facts;
use crate::output::excerpt;
use nets::sequence::{SequenceModelFile, SequenceShape};
use nets::{Model, Provenance};
use serde::Serialize;
use std::fmt::{self, Display};

/// A sequence model.
#[derive(Serialize)]
pub(super) struct Report {
    name: String,
    kind: String,
    sha256: String,
    bytes: u64,
    parameters: usize,
    shape: SequenceShape,
    description: String,
    provenance: Provenance,
    tensors: Vec<TensorReport>,
}

#[derive(Serialize)]
struct TensorReport {
    tensor: String,
    rows: usize,
    columns: usize,
    /// The root mean square.
    size: f64,
}

impl Report {
    pub(super) fn new(model: &Model, file: &SequenceModelFile) -> Report {
        let weights = &file.weights;
        let shapes = weights.shape().tensors();
        let tensors = shapes.iter().zip(weights.tensors());
        Report {
            name: model.name(),
            kind: model.kind().to_string(),
            sha256: file.hash(),
            bytes: file.size,
            parameters: weights.shape().weights(),
            shape: weights.shape().clone(),
            description: weights.description.clone(),
            provenance: weights.provenance.clone(),
            tensors: tensors
                .map(|(shape, values)| TensorReport {
                    tensor: shape.name.clone(),
                    rows: shape.rows,
                    columns: shape.columns,
                    size: size(values),
                })
                .collect(),
        }
    }
}

fn size(values: &[f32]) -> f64 {
    let squares: f64 = values.iter().map(|&value| f64::from(value).powi(2)).sum();
    (squares / values.len().max(1) as f64).sqrt()
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SequenceShape {
            width,
            layers,
            heads,
            ..
        } = self.shape;
        writeln!(f, "name         {}", self.name)?;
        writeln!(f, "kind         {}", self.kind)?;
        writeln!(f, "sha256       {}", self.sha256)?;
        writeln!(f, "bytes        {}", self.bytes)?;
        writeln!(
            f,
            "shape        {width} wide, {layers} layers, {heads} heads"
        )?;
        writeln!(
            f,
            "board        {:?}, view {:?}",
            self.shape.board, self.shape.view
        )?;
        writeln!(f, "parameters   {}", self.parameters)?;
        writeln!(f, "description  {}", excerpt(&self.description))?;
        for (name, fact) in provenance_facts(&self.provenance) {
            writeln!(f, "{name:<12} {fact}")?;
        }
        for tensor in &self.tensors {
            let TensorReport {
                tensor,
                rows,
                columns,
                size,
            } = tensor;
            writeln!(f, "{tensor:<18} {rows:>5} x {columns:<5} size {size:.4}")?;
        }
        Ok(())
    }
}
