//! N-tuple networks: look-up tables for combinations of men on their squares, added
//! to the hand-written evaluation.
//!
//! A network is a list of tuples. A tuple names n men, each by its side (own or
//! enemy) and kind; its table has one pair of weights, for the opening and for the
//! endgame, for every way in which these men can stand on n different squares. The value
//! of a position is the sum of the weights of all tuples that men of the board fill. It
//! is tapered by the stage of the hand-written evaluation, to whose linear groups it is
//! added; the other groups and the endgame functions can be switched off.
//!
//! Tuples are filled from the point of view of each side, and the sum for Black is
//! subtracted. So the value changes its sign when the colours are exchanged, and
//! tables exist for one colour only. The board is mirrored horizontally where that
//! brings the first man to the files a to d: it has 32 squares, the second man 63.
//!
//! **The published set** (Comparison Training of N-Tuple Networks for Chess) has "one
//! 2-tuple for each combination of two pieces", 72 in all, but does not say how
//! combinations are counted. Here it is read so: the first man is of one of the 6 own
//! kinds, the second of one of all 12 kinds, own or enemy. That is 6 x 12 = 72 tables of
//! 32 x 63 places, and 145,152 features, both as published. The order matters: own knight
//! and own bishop fill both tables `NB` and `BN`, which differ in the man whose file
//! decides about mirroring. The table `KK` is never used, as no side has two kings.
//!
//! `tuple` defines tuples, `weights` has the contents of a file, `container` is the file
//! format, `text` a text format. `pairs` combines all tuples of one and two men in one
//! table for play, `network` is a network for play, `evaluator` follows a line of play;
//! `explain` shows what counts most, `places` lists for trainers which weights a board uses.
//!
//! Nothing here knows how a network is trained or searched.

mod container;
mod error;
mod evaluator;
mod explain;
mod file;
mod network;
mod pairs;
mod places;
mod text;
mod tuple;
mod weights;

pub(crate) use container::MAGIC;
pub use error::NTupleError;
pub use evaluator::NTupleEvaluator;
pub use explain::{Combination, NTupleExplanation};
pub use file::NTupleFile;
pub use network::NTuple;
pub use places::Places;
pub use tuple::{LONGEST_TUPLE, Tuple, TupleError};
pub use weights::{LARGEST_WEIGHT, NTupleWeights, Sum, Table, TupleFeature, Weight};
