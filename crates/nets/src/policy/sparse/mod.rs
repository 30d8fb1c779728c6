//! The fast net for a CPU: a sparse policy, of which only the rows of legal moves are
//! computed, beside an NNUE whose outputs are the chances of a win, a draw and a loss.
//!
//! `inputs` says what the policy sees, `rows` which row a move has; `shape` and
//! `weights` are what a file holds, `container` the file, `file` a net with its hash.
//! `net` is what is evaluated, `evaluator` the state of one thread for a search;
//! `embedded` is the net that the program was built with.
//!
//! Nothing here knows how a net is trained or searched.

mod container;
mod embedded;
mod evaluator;
mod file;
mod inputs;
mod net;
mod rows;
mod shape;
mod weights;

pub(crate) use container::MAGIC;
pub use embedded::embedded;
pub use evaluator::PolicyEvaluator;
pub use file::PolicyFile;
pub use inputs::{INPUTS, MOST_ACTIVE, Seen};
pub use net::PolicyNet;
pub use rows::{MOVES, ROWS};
pub use shape::{PolicyShape, PolicyShapeError};
pub use weights::{PolicyLayers, PolicyWeights};
