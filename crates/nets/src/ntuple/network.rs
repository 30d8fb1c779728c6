//! An n-tuple network, prepared for play.

use super::error::NTupleError;
use super::pairs::{Men, Pairs};
use super::weights::{LARGEST_WEIGHT, NTupleWeights, Sum, Table, Weight};
use crate::classical::{Classical, Trace, Weights, trace_with};
use crate::nnue::delta::{Delta, Man};
use chess::{Bitboard, Board};
use std::fmt;
use std::sync::Arc;

/// A network that can be evaluated. A trainer with exclusive access can change its weights,
/// and the tables for play change with them.
pub struct NTuple {
    weights: NTupleWeights,
    linear: Arc<Weights>,
    pairs: Pairs,
    /// The tables of tuples of more than two men, which are not in `pairs`.
    longer: Vec<usize>,
}

impl NTuple {
    /// Prepares the weights for play.
    ///
    /// # Errors
    /// If a weight is too large.
    pub fn new(weights: NTupleWeights) -> Result<NTuple, NTupleError> {
        weights.check_bounds()?;
        let tables = weights.tables();
        let is_longer = |number: &usize| tables[*number].tuple().men().len() > 2;
        Ok(NTuple {
            pairs: Pairs::new(tables),
            longer: (0..tables.len()).filter(is_longer).collect(),
            linear: Arc::new(weights.linear.clone()),
            weights,
        })
    }

    /// The weights.
    pub fn weights(&self) -> &NTupleWeights {
        &self.weights
    }

    /// The hand-written evaluation to which the tables are added.
    pub fn classical(&self) -> Classical {
        Classical::with_weights(self.linear.clone())
            .with_groups(self.weights.groups)
            .with_endgame_functions(self.weights.endgame_functions)
    }

    /// What a trainer needs to know about a position: the features of the hand-written
    /// evaluation, and how the value follows from terms and tables; `None` if an endgame
    /// function decides it.
    pub fn trace(&self, board: &Board) -> Option<Trace> {
        trace_with(
            board,
            &self.linear,
            self.weights.groups,
            self.weights.endgame_functions,
            self.sum(board).score(),
        )
    }

    /// Sets the weight of a place, clamped to the bounds of weights. Evaluators that have
    /// used the old weights must be created again.
    pub fn set_weight(&mut self, table: usize, place: usize, weight: Weight) {
        let weight = weight.map(|it| it.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT));
        let changed = &mut self.weights.tables_mut()[table];
        let old = std::mem::replace(&mut changed.weights_mut()[place], weight);
        let change = Sum {
            opening: i32::from(weight[0]) - i32::from(old[0]),
            endgame: i32::from(weight[1]) - i32::from(old[1]),
        };
        self.pairs.shift(changed.tuple(), place, change);
    }

    /// Sets the weights of the hand-written evaluation. Evaluators that have used the old
    /// ones must be created again.
    pub fn set_linear(&mut self, linear: Weights) {
        self.linear = Arc::new(linear.clone());
        self.weights.linear = linear;
    }

    /// The sum of the tables for a board.
    pub fn sum(&self, board: &Board) -> Sum {
        let pairs = self.pairs.all(&Men::of(board, Bitboard::EMPTY));
        pairs + self.longer(board, board.occupied())
    }

    /// How the sum changes when a move is made.
    #[inline]
    pub(super) fn change(&self, parent: &Board, delta: &Delta, child: &Board) -> Sum {
        let gone = squares(delta.removed());
        let staying = Men::of(parent, gone);
        let change = self.pairs.joining(&staying, delta.added())
            - self.pairs.joining(&staying, delta.removed());
        if self.longer.is_empty() {
            return change;
        }
        change + self.longer(child, squares(delta.added())) - self.longer(parent, gone)
    }

    /// The sum of the tables for more than two men, for fillings with at least one man on these
    /// squares.
    fn longer(&self, board: &Board, among: Bitboard) -> Sum {
        let mut sum = Sum::default();
        for &number in &self.longer {
            let table: &Table = &self.weights.tables()[number];
            let tuple = table.tuple();
            tuple.for_each_filling(board, among, &mut |own, men| sum += table.sum(own, men));
        }
        sum
    }
}

fn squares(men: &[Man]) -> Bitboard {
    men.iter()
        .fold(Bitboard::EMPTY, |all, &(_, square)| all | square.into())
}

/// A short description, such as `72 tuples, 145152 places`.
impl fmt::Display for NTuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tuples, places) = (self.weights.tables().len(), self.weights.places());
        write!(f, "{tuples} tuples, {places} places")
    }
}

impl fmt::Debug for NTuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NTuple({self})")
    }
}
