//! The ranges of numbers in run files, and in the files of selections, studies and ladders.
//!
//! `check` refuses numbers outside of them, and schemas show them to editors.

use data::range::Range;

/// A match with more games would take years.
pub(crate) const MOST_GAMES: f64 = 1e9;

/// Numbers of positions, games, nodes and steps.
pub(crate) const COUNT: Range = Range::closed(1.0, 1e12);
pub(crate) const DEPTH: Range = Range::closed(1.0, 200.0);
pub(crate) const GENERATIONS: Range = Range::closed(1.0, 10_000.0);
/// Intervals in generations.
pub(crate) const EVERY: Range = Range::closed(1.0, 1e6);
pub(crate) const HOURS: Range = Range::above(0.0, 10_000.0);
pub(crate) const MINUTES: Range = Range::above(0.0, 1e6);
pub(crate) const BATCH: Range = Range::closed(1.0, 1e9);
pub(crate) const SHARE: Range = Range::closed(0.0, 1.0);
/// Below 1: some drawn games always remain.
pub(crate) const DECISIVE: Range = Range::below(0.0, 1.0);
pub(crate) const RANDOM_PLIES: Range = Range::closed(0.0, 100.0);
pub(crate) const ELO: Range = Range::closed(-10_000.0, 10_000.0);
/// Games of a match that may be skipped, and of one that may not.
pub(crate) const GAMES: Range = Range::closed(0.0, MOST_GAMES);
pub(crate) const SOME_GAMES: Range = Range::closed(2.0, MOST_GAMES);
/// Probabilities of being the best below which a candidate is dropped.
pub(crate) const LEAST_CHANCE: Range = Range::below(0.0, 0.5);
pub(crate) const SURE: Range = Range::above(0.5, 1.0);
/// The number of rounds over which games are distributed.
pub(crate) const ROUNDS: Range = Range::closed(2.0, 1_000.0);
/// The number of participants.
pub(crate) const SIZE: Range = Range::closed(2.0, 1e6);
pub(crate) const EPOCHS: Range = Range::closed(1.0, 1e9);
/// The number of deciding rungs.
pub(crate) const RUNGS: Range = Range::closed(0.0, 100.0);
pub(crate) const PERCENT: Range = Range::closed(0.0, 100.0);
