//! How far the evaluation of boards is from what a search has proved of them.

use crate::network::{Change, Layout, Row, Sums, Trained};
use crate::search::{Bounds, Searcher};
use chess::{Board, Color, EXCHANGE_VALUES, MoveFilter, PieceKind};
use nets::classical::LARGEST_VALUE;
use nets::ntuple::NTuple;

/// Centipawns of a pawn: errors are squared, and squares of centipawns are hard to read.
const PAWN: f64 = 100.0;

/// What the boards of trees teach.
pub(super) struct Teacher<'a> {
    pub(super) layout: &'a Layout,
    /// The weights of the row, rounded: what the search has played with.
    pub(super) network: &'a NTuple,
    pub(super) trained: Trained,
    /// The weights that are learned, in centipawns.
    pub(super) row: &'a Row,
    pub(super) depth: u32,
    /// Whether boards on which the side to move wins material teach nothing.
    pub(super) quiet_boards: bool,
}

/// What one tree gave.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Tree {
    /// Boards that have a value of their own.
    pub(super) boards: u64,
    /// The sum of their errors.
    pub(super) error: f64,
    /// The slope of that sum in each weight.
    pub(super) slopes: Vec<Change>,
}

impl Teacher<'_> {
    /// Searches a board and learns from all boards of its tree.
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

    /// The error of a board, whose slope is added to the sums; `None` if it has no value
    /// that weights decide.
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
            // What was lost by rounding.
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

/// Whether the side to move has a capture or promotion that gains at least a pawn. The
/// value of such a board is that of another one: no weight of this one is to blame.
fn wins_material(board: &Board) -> bool {
    let mut wins = false;
    board.for_each_move(MoveFilter::Captures, |mv| {
        wins |= board.exchange_at_least(mv, EXCHANGE_VALUES[PieceKind::Pawn.index()]);
    });
    wins
}

/// How many centipawns a value lies below its bounds; negative if it lies above. Proofs of
/// a mate are no values that an evaluation could have.
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
