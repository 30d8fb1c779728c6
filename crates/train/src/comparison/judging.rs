//! Measures how often a search finds the desired move.

use crate::labelled_position::LabelledPosition;
use crate::network::Crew;
use crate::search::{Compared, Search};
use nets::ntuple::NTuple;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The statistics of all positions with more than one legal move, by a search with this network.
pub(super) fn judge(
    positions: &[LabelledPosition],
    search: &dyn Search,
    network: &Arc<NTuple>,
    depth: u32,
) -> Tally {
    let crew = Crew::new(|| ());
    let found = crew.search_all(positions, search, network, |searcher, (), labelled| {
        let (board, desired) = labelled.with_move()?;
        let mut tally = Tally::default();
        tally.add(&searcher.compare(&board, desired, depth));
        Some(tally)
    });
    let tallies = found.iter().flatten();
    tallies.fold(Tally::default(), Tally::plus)
}

/// The statistics of the positions so far.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Tally {
    /// The number of positions with more than one legal move.
    pub(super) positions: u64,
    /// The sum of the probabilities that the desired move is chosen, if moves with the same value
    /// are chosen at random.
    agreement: f64,
    /// The sum of the ranks of the desired moves, from 1; equal moves share theirs.
    rank: f64,
    /// The sum of the numbers of moves with a higher value.
    better: u64,
}

impl Tally {
    pub(super) fn add(&mut self, found: &Compared) {
        self.positions += 1;
        if found.better.is_empty() {
            self.agreement += 1.0 / (1.0 + found.equal as f64);
        }
        self.rank += 1.0 + found.better.len() as f64 + 0.5 * found.equal as f64;
        self.better += found.better.len() as u64;
    }

    pub(super) fn plus(mut self, other: &Tally) -> Tally {
        self.positions += other.positions;
        self.agreement += other.agreement;
        self.rank += other.rank;
        self.better += other.better;
        self
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.positions.max(1) as f64
    }

    /// The share of positions in which the desired move is chosen.
    pub(super) fn agreement(&self) -> f64 {
        self.mean(self.agreement)
    }

    /// The mean rank of the desired move.
    pub(super) fn rank(&self) -> f64 {
        self.mean(self.rank)
    }

    /// The mean size of S.
    pub(super) fn better(&self) -> f64 {
        self.mean(self.better as f64)
    }
}
