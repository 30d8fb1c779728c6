//! Models that say which moves are worth a look and what a position is worth: the
//! seam between them and the tree searches that play with them.
//!
//! `sparse` is the fast net for a CPU, `uniform` knows nothing.
//!
//! It must not know how a tree is searched, nor how anything here was trained.

mod expected;
mod explain;
mod heuristic;
pub mod lc0;
mod message;
mod moves;
mod planes;
pub mod resnet;
pub mod sparse;
mod uniform;
mod valued;

use chess::{Line, Move};
pub use expected::Expected;
pub use explain::{Explanation, explain};
pub use heuristic::Heuristic;
pub use moves::MoveIndex;
pub use planes::{Planes, Scene, View, double_step};
pub use sparse::{PolicyEvaluator, PolicyFile, PolicyNet, PolicyWeights};
pub use uniform::Uniform;
pub use valued::Valued;

/// The chances of a side, which sum to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// Of a win.
    pub win: f32,
    /// Of a draw.
    pub draw: f32,
    /// Of a loss.
    pub loss: f32,
}

impl Chances {
    /// A certain draw.
    pub const DRAW: Chances = Chances {
        win: 0.0,
        draw: 1.0,
        loss: 0.0,
    };

    /// What the side can expect, from -1 for a loss to 1 for a win.
    pub fn value(&self) -> f32 {
        self.win - self.loss
    }
}

/// What a search wants to know of a position.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// What it is worth.
    Value,
    /// What each of these legal moves is worth a look.
    Policy(&'a [Move]),
    /// Both.
    Both(&'a [Move]),
}

/// Priors over legal moves and a value, for positions one by one or many at once.
///
/// Positions are [put](PolicyValue::put) into a batch, which encodes them: the line
/// may change afterwards. [`run`](PolicyValue::run) computes the whole batch, whose
/// results can be read by the order in which positions were put, until the next one
/// is. An object is the state of one thread. What a position gets depends on
/// nothing but the position, its history and the model: not on what else is in the
/// batch, nor on what was asked before.
pub trait PolicyValue: Send {
    /// The largest batch; 1 for a model that gains nothing from company.
    fn capacity(&self) -> usize;

    /// Whether value and policy come out of one computation, so that who wants one
    /// of them should ask for both.
    fn is_joint(&self) -> bool;

    /// Adds the last position of the line to the batch; after a run, it is the first
    /// of a new one. The position has legal moves, and the batch is not full.
    fn put(&mut self, line: &Line, wanted: Wanted<'_>);

    /// Computes all positions of the batch.
    fn run(&mut self);

    /// The chances of the side to move, if they were wanted of this position.
    fn chances(&self, number: usize) -> Chances;

    /// The logits of the moves in the order in which they were given, if they were
    /// wanted of this position. Priors are their soft-max, whose temperature is the
    /// search's.
    fn logits(&self, number: usize) -> &[f32];
}
