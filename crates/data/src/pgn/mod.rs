//! Game files: reading and writing PGN.

mod batches;
mod boundary;
mod games;
mod lexer;
mod marks;
mod problem;
mod replay;
mod source;
mod start;
mod tag;
mod text;

pub use batches::{Batch, Batches, Limits, PassedOver};
pub use games::Games;
pub use lexer::{Lexer, Token};
pub use marks::GameResult;
pub use problem::{BrokenGame, Place, Problem};
pub use replay::{Ending, Replayer, Stop, Visitor};
pub use source::{Source, SourceError};
pub use tag::Tag;

#[cfg(test)]
mod properties;
