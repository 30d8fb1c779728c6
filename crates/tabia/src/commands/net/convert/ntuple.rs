//! N-tuple networks: written with another description, or as text.

use super::{Options, Report, check_extension, refuse_store, target, write};
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Context;
use nets::Model;
use nets::ntuple::NTupleFile;

/// The extension for a text of all weights.
const TEXT: &str = "txt";

pub(super) fn run(options: &Options, file: &NTupleFile, output: &Output) -> anyhow::Result<Exit> {
    refuse_store(options)?;
    let mut weights = file.network.weights().clone();
    if let Some(text) = &options.description {
        weights.description.clone_from(text);
    }
    let bytes = weights.to_bytes()?;
    let model = Model::from_bytes(&bytes).context("the converted network cannot be read back")?;
    let path = target(&options.out, model.name());
    check_extension(&path, &[NTupleFile::EXTENSION, TEXT])?;
    let written = match path.extension().is_some_and(|extension| extension == TEXT) {
        true => weights.to_text().into_bytes(),
        false => bytes,
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
