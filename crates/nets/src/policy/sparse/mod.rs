//! The fast net for a CPU: a sparse policy, of which only the rows of legal moves are
//! computed, and a separate NNUE for the probabilities of win, draw and loss.
//!
//! `inputs` defines what the policy sees, `rows` which row a move has; `shape` and
//! `weights` are the contents of a file, `container` the file format, `file` a net with
//! its hash. `net` is packed for evaluation, `evaluator` is the state of one thread of a
//! search, and `embedded` is the net that the program was built with.
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
