//! Nets and weights as users name them: one way to open them, one way to complain.
//!
//! It must not know what a net is for.

use crate::exit::WrongInput;
use engines::alphabeta::Evaluation;
use nets::nnue::NetFile;
use std::path::Path;

/// Opens the file of a net.
pub(crate) fn open(path: &Path) -> anyhow::Result<NetFile> {
    NetFile::open(path)
        .map_err(|error| WrongInput::new(format!("{}: {error}", path.display())).into())
}

/// The evaluation that an option names, or the one that the program comes with.
pub(crate) fn evaluation(name: Option<&Path>) -> anyhow::Result<Evaluation> {
    let Some(path) = name else {
        return Ok(Evaluation::default());
    };
    Evaluation::named(path)
        .map_err(|error| WrongInput::new(format!("{}: {error}", path.display())).into())
}
