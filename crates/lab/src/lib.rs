//! Experiments: models that teach themselves, generation by generation, and the statistics of their
//! results.
//!
//! A run has a folder. `settings` read its run file; `experiment` goes through arms and seeds,
//! `generation` through the steps of one generation: self-play, buffer, `training`, `matches`,
//! `gate`. `state` records each finished step, so that a run that was stopped or killed can be
//! resumed. `verdict` draws the conclusion by a rule that was written in advance, and `report`
//! shows it. `extension` gives a run more seeds, generations or games. `search` gives trainings
//! access to the engines' search.
//!
//! `selection` finds the best of many models in stages. `study` compares evaluations that are
//! trained once; `boards` draws them. `ladder` rates players against rungs of known strength;
//! `project` is what these three have in common. `catalog` lists the work below a folder, for
//! reading only; `cluster_status` is the status of the cluster that works for a folder.
//!
//! This crate must not know terminals: progress goes to a listener. It knows no learner by name:
//! learners are passed in.

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
