//! ResNets: written with another description, or converted to safetensors and back, or to ONNX.

use super::{Options, Report, check_extension, refuse_store, target, write};
use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use anyhow::Context;
use nets::Model;
use nets::policy::resnet::{ResNetFile, ResNetSource, ResNetWeights};
use std::path::Path;

/// The extension of files of tensors for PyTorch.
pub(super) const TENSORS: &str = "safetensors";
/// The extension of nets for other runtimes.
const ONNX: &str = "onnx";
/// Far more than the tensors of any possible ResNet take.
const MOST_TENSOR_BYTES: u64 = 1 << 29;

/// Converts a ResNet.
pub(super) fn run(options: &Options, file: &ResNetFile, output: &Output) -> anyhow::Result<Exit> {
    match file.source() {
        ResNetSource::Own(weights) => convert(options, ResNetWeights::clone(weights), output),
        ResNetSource::Lc0(_) => {
            let path = options.input.display();
            Err(WrongInput::new(format!(
                "{path} is an lc0 net, which is used as it is and cannot be converted"
            ))
            .into())
        }
    }
}

/// Converts a file of tensors.
pub(super) fn run_tensors(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let path = options.input.display();
    let bytes = data::file::read(&options.input, MOST_TENSOR_BYTES)
        .with_context(|| format!("cannot read {path}"))?;
    let weights = ResNetWeights::from_safetensors(&bytes)
        .map_err(|error| WrongInput::new(format!("{path}: {error}")))?;
    convert(options, weights, output)
}

fn convert(options: &Options, mut weights: ResNetWeights, output: &Output) -> anyhow::Result<Exit> {
    refuse_store(options)?;
    if let Some(text) = &options.description {
        weights.description.clone_from(text);
    }
    let bytes = weights.to_bytes()?;
    let model = Model::from_bytes(&bytes).context("the converted net cannot be read back")?;
    let path = target(&options.out, model.name());
    check_extension(&path, &[model.extension(), TENSORS, ONNX])?;
    let written = match ending(&path) {
        Some(TENSORS) => weights.to_safetensors()?,
        Some(ONNX) => weights.to_onnx(),
        _ => bytes,
    };
    let same = std::fs::read(&options.input).is_ok_and(|original| original == written);
    write(&path, &written)?;
    output.report(&Report {
        file: path.display().to_string(),
        name: model.name(),
        sha256: model.hash(),
        bytes: written.len(),
        same,
    })?;
    Ok(Exit::Good)
}

/// The extension of a file name.
pub(super) fn ending(path: &Path) -> Option<&str> {
    path.extension().and_then(|ending| ending.to_str())
}
