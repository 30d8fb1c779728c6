//! Policy-value models, which give priors for moves and a value for a position, and their
//! interface to tree searches, [`PolicyValue`].
//!
//! `sparse` is the fast net for a CPU, `resnet` and `lc0` are convolutional nets, `heuristic`
//! is hand-written, and `uniform` knows nothing. `valued` makes a policy-value model of any
//! evaluation, `expected` an evaluation of any policy-value model.
//!
//! Nothing here knows how a tree is searched or how a model is trained.

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

/// A side's probabilities of the results, which sum to 1.
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

    /// The expected result, from -1 for a loss to 1 for a win.
    pub fn value(&self) -> f32 {
        self.win - self.loss
    }
}

/// What a search wants to know about a position.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// The probabilities of the results.
    Value,
    /// The logits of these legal moves.
    Policy(&'a [Move]),
    /// Both.
    Both(&'a [Move]),
}

/// Priors over legal moves and a value, for single positions or batches.
///
/// Positions are [put](PolicyValue::put) into a batch, which encodes them, so that the
/// line may change afterwards. [`run`](PolicyValue::run) computes the whole batch. Its
/// results are read by the index of the position in the batch, until the next position
/// is put. An object is the state of one thread. Results depend only on the position,
/// its history and the model: not on other positions in the batch or before it.
pub trait PolicyValue: Send {
    /// The largest batch; 1 for a model that gains nothing from batches.
    fn capacity(&self) -> usize;

    /// Whether value and policy come from one computation, so that a search that
    /// needs one of them should ask for both.
    fn is_joint(&self) -> bool;

    /// Adds the last position of the line to the batch; after a run, it is the first
    /// of a new batch. The position must have legal moves, and the batch must not be
    /// full.
    fn put(&mut self, line: &Line, wanted: Wanted<'_>);

    /// Computes all positions of the batch.
    fn run(&mut self);

    /// The probabilities of the results for the side to move, if they were wanted for
    /// this position.
    fn chances(&self, number: usize) -> Chances;

    /// The logits of the moves in the order in which they were given, if they were
    /// wanted for this position. Priors are their softmax, whose temperature the
    /// search chooses.
    fn logits(&self, number: usize) -> &[f32];
}
