//! Games judged by an engine, for those who played them.
//!
//! A text of games goes a straight way: `search` asks an engine about every position,
//! `review` judges the moves by what it found, `annotate`, `report` and `page` show
//! that as PGN, as data and as pages, and `package` puts everything into one folder.
//! `work` does the first step for many games at once and keeps it in a `journal`;
//! everything after it is made anew each time. It must not know terminals, nor how
//! engines search.

mod accuracy;
mod annotate;
mod chance;
mod conditions;
mod engine;
mod finding;
mod journal;
mod opening;
mod package;
mod page;
mod report;
mod review;
mod search;
mod summary;
mod value;
mod work;

pub use annotate::annotated;
pub use chance::Judgement;
pub use conditions::{Conditions, Limit};
pub use data::journal::JournalError;
pub use engine::{EngineFacts, introduce};
pub use finding::{Finding, Findings, FoundLine};
pub use opening::{EcoError, EcoTable, Opening};
pub use package::{PackageError, Story, write_package};
pub use review::{JudgedMove, Review, Side};
pub use summary::Summary;
pub use value::Value;
pub use work::{News, Work, WorkError};
