//! Game files: reading and writing PGN.
//!
//! The steps from a file to a board, each a module that knows only the one before it:
//!
//! - `source` opens and decompresses files;
//! - `batches` splits them into batches of whole games, with `boundary`;
//! - `lexer` splits a text into tokens, with `tag` and `marks`;
//! - `games` decides which tokens belong to which game;
//! - `replay` plays the moves on a board and reports them to a [`Visitor`];
//! - `builder` is a visitor that keeps the whole game, `writer` writes it.
//!
//! `crate::workers` passes the batches to threads and delivers their results in order.
//! The public tasks are built on these: [`Reader`] reads whole games one by one, [`check`]
//! and [`Converter`] handle files of any size, [`Salvager`] keeps broken games as far as
//! they can be played.

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
