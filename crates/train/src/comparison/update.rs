//! The update that one position gives: formula (3) with its form for tapered weights.

use crate::network::{Change, Layout, Sums, Trained};
use crate::search::{Compared, Leaf};
use chess::Color;
use nets::ntuple::NTuple;

/// What decides which weights move.
pub(super) struct Rule<'a> {
    pub(super) layout: &'a Layout,
    pub(super) network: &'a NTuple,
    pub(super) trained: Trained,
}

impl Rule<'_> {
    /// How the weights change by what a search found for the side to move.
    ///
    /// Products are added in 64 bits and divided at the end: features that all leaves of
    /// one stage have cancel out exactly.
    pub(super) fn changes(&self, side: Color, found: &Compared, sums: &mut Sums) -> Vec<Change> {
        let count = found.better.len() as f64;
        if found.better.is_empty() {
            return Vec::new();
        }
        self.add(side, &found.desired, count, sums);
        for leaf in &found.better {
            self.add(side, leaf, -1.0, sums);
        }
        sums.take(count)
    }

    /// Adds the features of a leaf so many times.
    fn add(&self, side: Color, leaf: &Leaf, times: f64, sums: &mut Sums) {
        // A mate or a stalemate has its value of itself.
        if !leaf.board.has_legal_move() {
            return;
        }
        let Some(trace) = self.network.trace(&leaf.board) else {
            return;
        };
        let sign = match side {
            Color::White => times,
            Color::Black => -times,
        };
        let [opening, endgame] = stages(trace.stage).map(|share| sign * share);
        let at = (&leaf.board, &trace);
        self.layout
            .for_each(self.network, self.trained, at, |index, often| {
                sums.add(index, [opening * often, endgame * often]);
            });
    }
}

/// How much features count for the opening and for the endgame weight.
fn stages(alpha: f32) -> [f64; 2] {
    // In 32 bits, so that a few times it is exact in 64.
    let beta = 1.0 - alpha;
    let length = alpha * alpha + beta * beta;
    [alpha / length, beta / length].map(f64::from)
}
