//! Policy nets: written with another description.

use super::{Options, Report, check_extension, refuse_store, target, write};
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Context;
use nets::Model;
use nets::policy::PolicyWeights;

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    refuse_store(options)?;
    let original = std::fs::read(&options.input)
        .with_context(|| format!("cannot read {}", options.input.display()))?;
    let mut weights = PolicyWeights::read(&original)?;
    if let Some(text) = &options.description {
        weights.description.clone_from(text);
    }
    let bytes = weights.to_bytes()?;
    let model = Model::from_bytes(&bytes).context("the converted net cannot be read back")?;
    let path = target(&options.out, model.name());
    check_extension(&path, &[model.extension()])?;
    write(&path, &bytes)?;
    output.report(&Report {
        file: path.display().to_string(),
        name: model.name(),
        sha256: model.hash(),
        bytes: bytes.len(),
        same: bytes == original,
    })?;
    Ok(Exit::Good)
}
