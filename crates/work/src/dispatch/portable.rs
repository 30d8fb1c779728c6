//! Jobs that other processes can do: how a job is written down, how it is made
//! again from that, and how results from elsewhere are judged.
//!
//! It must not know how anything is sent, nor to whom.

use super::{Job, Piece};
use std::collections::BTreeMap;

/// A job written down. Whoever reads it makes a job with the same results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The name of its [`Kind`].
    pub kind: &'static str,
    /// Its settings, as a text of that kind.
    pub settings: String,
    /// The names of the blobs that the settings speak of, such as models. A name
    /// belongs to one content only, so it is, or contains, a hash.
    pub blobs: Vec<String>,
    /// Where a piece that is done twice has the same result.
    pub repeatable: Repeatable,
    /// Whether clocks limit the work, so that the speed of a machine matters.
    pub is_timed: bool,
}

/// Where a piece that is done twice has the same result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeatable {
    /// On every machine.
    Everywhere,
    /// On machines that calculate in the same way: floats are involved.
    WithSameArithmetic,
    /// Nowhere: clocks or several threads are involved.
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
    /// Makes a job from its settings and blobs. An error is told in words.
    pub make: fn(settings: &str, blobs: &Blobs) -> Result<BoxedJob, String>,
}

/// How carefully a result is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Care {
    /// Whether it can be a result of this piece, as far as that is seen at once.
    Usual,
    /// Every detail that can be checked without doing the work again.
    Thorough,
}

/// A job that can be written down.
pub trait Portable: Sync {
    /// The job written down. An error says in words why this one cannot be.
    fn description(&self) -> Result<Description, String>;

    /// The content of a blob that the description names.
    fn blob(&self, name: &str) -> Result<Vec<u8>, String>;

    /// How many pieces belong together and are done by one worker, such as the two
    /// games of a pair.
    fn together(&self) -> usize {
        1
    }

    /// Says what is wrong with a result that somebody else has sent.
    fn check(&self, piece: &Piece, result: &[u8], care: Care) -> Result<(), String>;

    /// The part of a result that is the same whenever a piece is done again: all but
    /// its times. Only called for results that passed [`Portable::check`].
    fn essence(&self, result: &[u8]) -> Vec<u8> {
        result.to_vec()
    }

    /// Into which of a few classes the results of pieces that belong together fall,
    /// such as won, drawn and lost. Honest workers share them out alike.
    fn class(&self, _results: &[&[u8]]) -> Option<usize> {
        None
    }
}
