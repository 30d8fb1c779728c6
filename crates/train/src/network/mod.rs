//! The weights of an n-tuple network in the form that trainings use: floats in one row, first the
//! terms of the hand-written evaluation, then the entries of tables.
//!
//! `start` reads the network with which a training begins, `layout` lists the weights that a board
//! uses, `playing` is the network in whole centipawns that a search plays with and that is updated
//! from the row; `sums` adds up features, `crew` lets threads search many positions at once. It
//! must not know how the row is changed.

mod crew;
mod layout;
mod playing;
mod start;
mod sums;

pub(crate) use crew::Crew;
pub(crate) use layout::{Layout, Trained, for_each_term};
pub(crate) use playing::{Playing, norm};
pub(crate) use start::{names_of, read_groups, read_tuples, starting_network};
pub(crate) use sums::{Change, Sums};

/// An opening and an endgame weight for each term and each table entry.
pub(crate) type Row = Vec<[f64; 2]>;
