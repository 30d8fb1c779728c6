//! Games judged by an engine, for those who played them.
//!
//! Each game takes the same path: `games` reads it, `search` asks an engine about every position,
//! `review` judges the moves by the findings, `annotate`, `report` and `page` show the result as
//! PGN, as data and as pages, and `package` puts everything into one folder. `work` searches many
//! games at once and keeps the findings in a `journal`; `judged` derives everything else from it
//! again each time, game by game, so that memory does not grow with the number of games. This crate
//! must not know terminals, nor how engines search.

mod accuracy;
mod annotate;
mod chance;
mod conditions;
mod engine;
mod error;
mod finding;
mod games;
mod journal;
mod judged;
mod opening;
mod package;
mod page;
mod personal;
mod report;
mod review;
mod search;
mod summary;
mod sums;
mod value;
mod work;

pub use annotate::annotated;
pub use chance::Judgement;
pub use conditions::{Conditions, Limit};
pub use data::journal::JournalError;
pub use engine::{EngineFacts, introduce, without_folders};
pub use error::AnalysisError;
pub use finding::{Finding, Findings, FoundLine};
pub use games::{Games, GamesError, Survey};
pub use journal::Found;
pub use judged::Judged;
pub use opening::{EcoError, EcoTable, Opening};
pub use package::{Story, is_package, write_file, write_package};
pub use personal::{Personal, Phase};
pub use review::{JudgedMove, Review, Side};
pub use summary::Summary;
pub use value::Value;
pub use work::{News, Work};
