//! Experiments: nets that teach themselves, generation by generation, and what
//! that proves.
//!
//! A run has a folder. `settings` say what is compared, `experiment` goes through
//! arms and seeds, `generation` through the steps of one generation: self-play,
//! buffer, `training`, `matches`, `gate`. `state` notes each finished step, so
//! that a run that was stopped or killed goes on where it was. `verdict` says what
//! came of it by a rule that was written before; `report` shows it. `selection` finds
//! the best of many nets in stages.
//!
//! This crate must not know terminals: what happens is told to a listener.

mod desk;
mod error;
mod experiment;
mod folder;
mod gate;
mod generation;
mod machine;
mod manifest;
mod matches;
mod metrics;
mod news;
pub mod presets;
pub mod rehearsal;
mod report;
pub mod runs;
mod seeds;
pub mod selection;
pub mod settings;
mod state;
mod training;
pub mod verdict;

pub use error::LabError;
pub use experiment::{Ending, Laboratory, Program};
pub use folder::{FileRecord, NetRecord};
pub use metrics::{Bench, Row};
pub use news::News;
pub use state::{Place, Step};
