//! Policy nets, described otherwise.

use super::{Options, Report, refuse_store, target, write};
use crate::exit::{Exit, WrongInput};
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
    if path.extension().is_some_and(|ending| ending == "nnue") {
        return Err(WrongInput::new(format!(
            "{}: this net cannot be stored as a .nnue file; end the name with .{}",
            path.display(),
            model.extension(),
        ))
        .into());
    }
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
