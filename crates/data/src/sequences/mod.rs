//! Games as sequences: the training data of models that predict the moves of people.
//!
//! A sequence file has the moves of a game and the facts from its tags, and nothing that
//! can be computed: boards and legal moves are recomputed when a game is read, which is
//! cheaper than reading them. `game` defines what is stored of a game, `file` is the
//! file format, `gather` converts games from PGN and splits them by date, and `order`
//! decides which games a batch has.
//!
//! Nothing here knows how a model sees a position or numbers moves.

mod file;
mod game;
mod gather;
mod order;

pub use file::{SequenceError, SequenceFile, SequenceWriter};
pub use game::{Outcome, SequenceGame};
pub use gather::{Dates, GatherError, GatherOptions, Gathered, Gatherer, WrittenSequences};
pub use order::{GameOrder, Held};

/// Which part of the data set a file has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// All games, without a split.
    All,
    /// Games for training.
    Train,
    /// Games for validation, by which a model is chosen.
    Valid,
    /// Games for the final test of a chosen model: no model may be chosen by them.
    Test,
}

impl Part {
    const ALL: [Part; 4] = [Part::All, Part::Train, Part::Valid, Part::Test];

    /// Its name, which is also used in file names.
    pub fn name(self) -> &'static str {
        match self {
            Part::All => "all",
            Part::Train => "train",
            Part::Valid => "valid",
            Part::Test => "test",
        }
    }
}

#[cfg(test)]
mod tests;
