//! The error of evaluations with respect to the bounds that a search has proved.

use crate::network::{Change, Layout, Row, Sums, Trained};
use crate::search::{Bounds, Searcher};
use chess::{Board, Color, EXCHANGE_VALUES, MoveFilter, PieceKind};
use nets::classical::LARGEST_VALUE;
use nets::ntuple::NTuple;

/// The centipawns of a pawn: errors are measured in pawns, because squares of centipawns are hard
/// to read.
const PAWN: f64 = 100.0;

/// Computes errors and gradients of the positions in trees.
pub(super) struct Teacher<'a> {
    pub(super) layout: &'a Layout,
    /// The row's weights rounded: the network that the search has used.
    pub(super) network: &'a NTuple,
    pub(super) trained: Trained,
    /// The trained weights, in centipawns.
    pub(super) row: &'a Row,
    pub(super) depth: u32,
    /// Whether positions are skipped in which the side to move wins material.
    pub(super) quiet_boards: bool,
}

/// The results of one tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Tree {
    /// The number of positions that were not skipped.
    pub(super) boards: u64,
    /// The sum of their errors.
    pub(super) error: f64,
    /// The gradient of that sum.
    pub(super) slopes: Vec<Change>,
}

impl Teacher<'_> {
    /// Searches a position, and adds the errors of all positions in its tree.
    pub(super) fn tree(&self, searcher: &mut dyn Searcher, board: &Board, sums: &mut Sums) -> Tree {
        let mut tree = Tree::default();
        searcher.tree(board, self.depth, &mut |board, bounds| {
            if let Some(error) = self.add(board, bounds, sums) {
                tree.boards += 1;
                tree.error += error;
            }
        });
        tree.slopes = sums.take(1.0);
        tree
    }

    /// The error of a position, whose gradient is added to the sums; `None` if its value does not
    /// depend on weights, or if it is skipped.
    pub(super) fn add(&self, board: &Board, bounds: Bounds, sums: &mut Sums) -> Option<f64> {
        if board.in_check() || self.quiet_boards && wins_material(board) {
            return None;
        }
        let trace = self.network.trace(board)?;
        let (stage, scale) = (f64::from(trace.stage), f64::from(trace.scale));
        let sign = match board.side_to_move() {
            Color::White => 1.0,
            Color::Black => -1.0,
        };
        let [opening, endgame] = [sign * stage, sign * (1.0 - stage) * scale];
        let tempo = f64::from(self.network.weights().linear.parameters.tempo);
        let mut value = sign * f64::from(trace.value) + tempo;
        let mut used = Vec::new();
        let at = (board, &trace);
        self.layout.for_each(self.trained, at, |index, often| {
            // The parts of the weights that rounding has removed.
            let [lost_opening, lost_endgame] = self.lost(index);
            value += often * (opening * lost_opening + endgame * lost_endgame);
            used.push((index, often));
        });
        let missing = missing(value, bounds) / PAWN;
        if missing != 0.0 {
            let slope = -missing / PAWN;
            for (index, often) in used {
                let often = often * slope;
                sums.add(index, [often * opening, often * endgame]);
            }
        }
        Some(0.5 * missing * missing)
    }

    fn lost(&self, index: usize) -> [f64; 2] {
        let weight = &self.row[index];
        let rounded = self.layout.weight(self.network.weights(), index);
        [weight[0] - rounded[0], weight[1] - rounded[1]]
    }
}

/// Whether the side to move has a capture or promotion that gains at least a pawn. The value of
/// such a position comes from the one after the capture, so its own features are not to blame for
/// an error.
fn wins_material(board: &Board) -> bool {
    let mut wins = false;
    board.for_each_move(MoveFilter::Captures, |mv| {
        wins |= board.exchange_at_least(mv, EXCHANGE_VALUES[PieceKind::Pawn.index()]);
    });
    wins
}

/// How many centipawns a value lies below its bounds; negative if above. Bounds that are mate
/// scores are ignored, because no evaluation can reach them.
fn missing(value: f64, bounds: Bounds) -> f64 {
    let (lower, upper) = (f64::from(bounds.lower), f64::from(bounds.upper));
    if value < lower && bounds.lower <= LARGEST_VALUE {
        lower - value
    } else if value > upper && bounds.upper >= -LARGEST_VALUE {
        upper - value
    } else {
        0.0
    }
}
