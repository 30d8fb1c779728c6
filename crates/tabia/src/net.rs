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

/// Opens the file of a net or of weights of the hand-written evaluation.
pub(crate) fn open_evaluation(path: &Path) -> anyhow::Result<Evaluation> {
    Evaluation::open(path)
        .map_err(|error| WrongInput::new(format!("{}: {error}", path.display())).into())
}
