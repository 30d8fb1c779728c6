//! Jobs that other processes can do: how a job is described, how it is rebuilt from its
//! description, and how results from elsewhere are checked.
//!
//! It must not know how anything is sent, nor to whom.

use super::{Job, Piece};
use std::collections::BTreeMap;

/// A description from which any process can make a job with the same results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The name of its [`Kind`].
    pub kind: &'static str,
    /// Its settings, as text in the format of that kind.
    pub settings: String,
    /// The names of the blobs that the settings refer to, such as models. A name stands for one
    /// content only, so it is, or contains, a hash.
    pub blobs: Vec<String>,
    /// Where repeating a piece gives the same result.
    pub repeatable: Repeatable,
    /// Whether clocks limit the work, so that the speed of a machine matters.
    pub is_timed: bool,
}

/// Where repeating a piece gives the same result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeatable {
    /// On every machine.
    Everywhere,
    /// On machines with the same floating-point arithmetic.
    WithSameArithmetic,
    /// Nowhere: the result depends on clocks or on several threads.
    Nowhere,
}

/// A job that any thread may own.
pub type BoxedJob = Box<dyn Job + Send>;

/// The contents of blobs, by name.
pub type Blobs = BTreeMap<String, Vec<u8>>;

/// A kind of job that can be made from its description.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name, as in [`Description::kind`].
    pub name: &'static str,
    /// Makes a job from its settings and blobs; an error is a message for the user.
    pub make: fn(settings: &str, blobs: &Blobs) -> Result<BoxedJob, String>,
}

/// How carefully a result is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Care {
    /// Only what is cheap to see: whether it can be a result of this piece at all.
    Usual,
    /// Every detail that can be checked without doing the work again.
    Thorough,
}

/// A job that can be described and sent to other processes.
pub trait Portable: Sync {
    /// The description. An error is a message that says why this job has none.
    fn description(&self) -> Result<Description, String>;

    /// The content of a blob that the description names.
    fn blob(&self, name: &str) -> Result<Vec<u8>, String>;

    /// How many consecutive pieces one worker must do together, such as the two games of a pair.
    fn together(&self) -> usize {
        1
    }

    /// Checks a result that came from elsewhere; an error says what is wrong with it.
    fn check(&self, piece: &Piece, result: &[u8], care: Care) -> Result<(), String>;

    /// The part of a result that is the same whenever a piece is repeated: everything but its
    /// times. Only called for results that passed [`Portable::check`].
    fn essence(&self, result: &[u8]) -> Vec<u8> {
        result.to_vec()
    }

    /// Which of a few classes the results of pieces that belong together fall into, such as won,
    /// drawn and lost. Honest workers have similar frequencies of each.
    fn class(&self, _results: &[&[u8]]) -> Option<usize> {
        None
    }
}
