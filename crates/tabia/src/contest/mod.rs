//! What matches, tests and tournaments have in common: the options, the settings file, and the run
//! with its live results.
//!
//! Commands say what is played and show the results; `duel` does so for two players. This module
//! must not know how games are played.

mod book;
mod document;
mod dry_run;
mod duel;
mod kind;
mod options;
mod run;
mod setup;
mod summary;

pub(crate) use book::Book;
pub(crate) use document::{CONCURRENCY, schema};
pub(crate) use dry_run::DryRun;
pub(crate) use duel::Duel;
pub(crate) use kind::Kind;
pub(crate) use options::{ContestOptions, OpeningOptions};
pub(crate) use run::{Showing, exit_of, play, same_command};
pub(crate) use setup::{Contest, usual_concurrency};
pub(crate) use summary::Summary;
