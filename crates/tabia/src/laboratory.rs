//! What the commands about runs have in common: where runs lie, how they are named,
//! and what is told when one cannot be used.
//!
//! It must not know how a run works.

use crate::exit::WrongInput;
use crate::version;
use lab::{LabError, Program};
use std::path::{Path, PathBuf};

/// The folder of all runs.
pub(crate) const ROOT: &str = "runs";

/// The program, for manifests.
pub(crate) fn program() -> Program {
    Program {
        version: version::short(),
    }
}

/// What a user can put right is told as such.
pub(crate) fn explained(error: LabError) -> anyhow::Error {
    match error.is_wrong_input() {
        true => WrongInput::new(error.to_string()).into(),
        false => error.into(),
    }
}

/// The folder of a run, by its name or its path.
pub(crate) fn folder_of(name: &Path) -> PathBuf {
    let below = Path::new(ROOT).join(name);
    match name.components().count() == 1 && below.is_dir() {
        true => below,
        false => name.to_owned(),
    }
}

/// A folder as it is named on the command line.
pub(crate) fn name_of(folder: &Path) -> String {
    let short = folder.strip_prefix(ROOT).unwrap_or(folder);
    let text = short.display().to_string();
    match shlex::try_quote(&text) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => text,
    }
}
