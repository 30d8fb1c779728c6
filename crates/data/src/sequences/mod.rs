//! Games as sequences: what a model learns from that predicts the next move of people.
//!
//! A file of sequences keeps what a game *was*, moves and what its tags tell, and
//! nothing that can be computed: boards and legal moves are made anew when a game is
//! read, which costs less than reading them would. `game` says what is kept of a game,
//! `file` is the format, `gather` takes games from PGN and divides them by date,
//! `order` says which games a batch has.
//!
//! It must not know how a model sees a position, nor what a move is called there.

mod file;
mod game;
mod gather;
mod order;

pub use file::{SequenceError, SequenceFile, SequenceWriter};
pub use game::{Outcome, SequenceGame};
pub use gather::{Dates, GatherError, GatherOptions, Gathered, Gatherer, WrittenSequences};
pub use order::{GameOrder, Held};

/// Which part of the games a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// All of them: nobody has divided them.
    All,
    /// Those to learn from.
    Train,
    /// Those by which a model is chosen.
    Valid,
    /// Those by which a chosen model is judged, once: no model may be chosen by them.
    Test,
}

impl Part {
    const ALL: [Part; 4] = [Part::All, Part::Train, Part::Valid, Part::Test];

    /// The word for it, which file names have, too.
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
