//! From shards to nets: the trainers.
//!
//! A trainer turns positions into weights. It knows nets, whose shapes and files
//! it must not define itself, and nothing of playing.

pub mod classical;
pub mod nnue;
mod sealed;
mod sources;

use serde::{Deserialize, Serialize};

/// What is trained, as files of settings name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A net.
    #[default]
    Nnue,
    /// The weights of the hand-written evaluation.
    Classical,
}
