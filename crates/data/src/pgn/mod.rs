//! Game files: reading and writing PGN.
//!
//! The way of a game from a file to a board, each step a module that knows
//! only the one before it:
//!
//! - `source` opens files and decompresses them;
//! - `batches` cuts them into batches of whole games, with `boundary`;
//! - `lexer` finds the tokens of a text, with `tag` and `marks`;
//! - `games` tells which tokens belong to which game;
//! - `replay` plays the moves on a board and tells a [`Visitor`];
//! - `builder` is a visitor that keeps the whole game, `writer` writes it.
//!
//! `crate::workers` gives the batches to threads and puts what they make of them
//! in order. On these stand the tasks: [`Reader`] for whole games one by one, [`check`]
//! and [`Converter`] for files of any size, [`Salvager`] for what there is of every game.

mod annotations;
mod batches;
mod boundary;
mod builder;
mod check;
mod convert;
mod frequent;
mod game;
mod games;
mod lexer;
mod marks;
mod problem;
mod reader;
mod reading;
mod replay;
mod salvage;
mod source;
mod start;
mod tag;
mod tags;
mod text;
mod time_control;
mod wrap;
mod writer;

pub use annotations::{Annotations, Evaluation, Score};
pub use batches::{Batch, Batches, Limits, PassedOver};
pub use builder::GameBuilder;
pub use check::{CheckStep, Checked, ContradictedGame, Witness, check};
pub use convert::{
    ConvertError, ConvertOptions, Converted, Converter, Date, DateError, Filter, Split, WrittenFile,
};
pub use frequent::{Frequencies, Frequent};
pub use game::{Game, PlayedMove, Variation};
pub use games::Games;
pub use lexer::Token;
pub use marks::GameResult;
pub use problem::{BrokenGame, Place, Problem};
pub use reader::{ReadError, Reader};
pub use replay::{Ending, Replayer, Stop, Visitor};
pub use salvage::{Damage, Salvaged, SalvagedBatch, Salvager, salvage};
pub use source::{Meter, Source, SourceError};
pub use tag::Tag;
pub use tags::Tags;
pub use time_control::TimeControl;

pub(crate) use convert::Facts;
pub(crate) use reading::{BatchReport, Counted, read_batch};
pub(crate) use text::{comment_text, excerpt};

#[cfg(test)]
mod properties;
#[cfg(test)]
mod round_trip;
