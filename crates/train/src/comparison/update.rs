//! The weight update of one position: formula (3) in its form for tapered weights.

use crate::network::{Change, Layout, Sums, Trained, for_each_term};
use crate::search::{Compared, Leaf};
use chess::{Bitboard, Board, Color, PieceKind};
use nets::classical::Trace;
use nets::ntuple::NTuple;

/// What determines which weights change.
pub(super) struct Rule<'a> {
    pub(super) layout: &'a Layout,
    pub(super) network: &'a NTuple,
    pub(super) trained: Trained,
}

impl Rule<'_> {
    /// The change of the weights by the result of a search, for the side to move.
    ///
    /// Products are added in 64 bits and divided at the end. So what two leaves of one stage share
    /// cancels exactly, and tuples that they share need not be visited.
    pub(super) fn changes(&self, side: Color, found: &Compared, sums: &mut Sums) -> Vec<Change> {
        if found.better.is_empty() {
            return Vec::new();
        }
        let sign = match side {
            Color::White => 1.0,
            Color::Black => -1.0,
        };
        let desired = self.seen(&found.desired);
        for leaf in &found.better {
            let better = self.seen(leaf);
            let changed = match (&desired, &better) {
                (Some(one), Some(other)) if one.stage == other.stage => {
                    changed(&found.desired.board, &leaf.board)
                }
                _ => Bitboard(!0),
            };
            self.add(sign, (&found.desired, desired.as_ref()), changed, sums);
            self.add(-sign, (leaf, better.as_ref()), changed, sums);
        }
        sums.take(found.better.len() as f64)
    }

    /// The features of a leaf; `None` for a mate or a stalemate, whose value does not come from
    /// features.
    fn seen(&self, leaf: &Leaf) -> Option<Trace> {
        match leaf.board.has_legal_move() {
            true => self.network.trace(&leaf.board),
            false => None,
        }
    }

    /// Adds the features of a leaf: all terms, and the tuples with at least one man on these
    /// squares.
    fn add(
        &self,
        sign: f64,
        (leaf, trace): (&Leaf, Option<&Trace>),
        among: Bitboard,
        sums: &mut Sums,
    ) {
        let Some(trace) = trace else {
            return;
        };
        let [opening, endgame] = stages(trace.stage).map(|share| sign * share);
        let mut visit = |index: usize, often: f64| {
            sums.add(index, [opening * often, endgame * often]);
        };
        for_each_term(self.trained, trace, &mut visit);
        if self.trained.tuples {
            self.layout.for_each_place(&leaf.board, among, &mut visit);
        }
    }
}

/// The squares on which two boards differ.
fn changed(one: &Board, other: &Board) -> Bitboard {
    let differs = |set: Bitboard, other: Bitboard| Bitboard(set.0 ^ other.0);
    let kinds = PieceKind::ALL.map(|kind| differs(one.kind(kind), other.kind(kind)));
    let colors = Color::ALL.map(|color| differs(one.color(color), other.color(color)));
    let sets = kinds.into_iter().chain(colors);
    sets.fold(Bitboard::EMPTY, |all, set| all | set)
}

/// The factors with which features count for the opening and for the endgame weight.
fn stages(alpha: f32) -> [f64; 2] {
    // Computed in 32 bits, so that small multiples of it are exact in 64.
    let beta = 1.0 - alpha;
    let length = alpha * alpha + beta * beta;
    [alpha / length, beta / length].map(f64::from)
}
