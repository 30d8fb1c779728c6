//! Experiments: nets that teach themselves, generation by generation, and what
//! that proves.
//!
//! A run has a folder. `settings` say what is compared, `experiment` goes through
//! arms and seeds, `generation` through the steps of one generation: self-play,
//! buffer, `training`, `matches`, `gate`. `state` notes each finished step, so
//! that a run that was stopped or killed goes on where it was. `verdict` says what
//! came of it by a rule that was written before; `report` shows it. `extension` gives a
//! run more seeds, generations or games. `selection` finds
//! the best of many nets in stages. `search` is what trainings need of the engines.
//! `study` compares evaluations that are trained once; `boards` draws them. `ladder` puts
//! players on rungs of known strength; `project` is what these three have in common. `catalog` finds all of these below a folder, for those
//! who only look; `cluster_status` is the cluster that works for one.
//!
//! This crate must not know terminals: what happens is told to a listener. It knows no
//! learner by name: those are handed in.

pub mod boards;
pub mod catalog;
pub mod cluster_status;
pub mod comparison;
mod error;
pub mod events;
mod experiment;
mod extension;
mod finals;
mod folder;
pub mod forecast;
pub mod games;
mod gate;
mod generation;
pub mod ladder;
mod machine;
mod manifest;
mod matches;
mod metrics;
pub mod presets;
mod project;
mod ranges;
mod ratings;
mod remarks;
mod report;
mod run_file;
pub mod runs;
mod search;
mod seeds;
pub mod selection;
pub mod sequential;
pub mod settings;
pub mod standings;
mod state;
mod step_runner;
mod steps;
pub mod study;
mod training;
pub mod verdict;
mod worker;

pub use error::LabError;
pub use events::Event;
pub use experiment::{Ending, Laboratory, Means};
pub use folder::{FileRecord, ModelRecord};
pub use manifest::Program;
pub use metrics::{Bench, Row};
pub use report::learning::Curve;
pub use report::training_pictures;
pub use search::training_search;
pub use state::{Place, Step};
