//! Staged selection: which of many nets plays best.
//!
//! A gauntlet of all candidates against a baseline, a round robin of the best, a search
//! among the neighbours of the best epoch, and a test between the last two. After each
//! stage all games so far are fitted together, and the fit says how likely each
//! candidate is the best.
//!
//! - `settings` is the file, `presets` come with the program;
//! - `candidates` are found and opened, `standings` rate them, `chance` says who may
//!   be the best;
//! - `promotion` says who goes on, `allocation` who meets whom how often;
//! - `work` has the folder, `session` goes from stage to stage, `course` is what became
//!   of it;
//! - `report` shows it, `forecast` says before what it costs.

mod allocation;
mod candidates;
mod chance;
mod course;
mod forecast;
mod presets;
mod promotion;
mod report;
mod session;
mod settings;
mod standings;
mod work;

pub use candidates::{Candidate, CandidateSettings, Field, Outsider};
pub use course::{Choice, Course, Played, Reason, Stage};
pub use forecast::{Forecast, StageForecast, forecast};
pub use presets::PRESETS;
pub use settings::{
    Allocation, Final, GameSettings, Gauntlet, Peak, RoundRobin, Settings, from_table, read, schema,
};
pub use standings::{Met, Standing, Standings};
pub(crate) use work::SELECT_FILE;
pub use work::{News, Selection, final_journal, final_test, look};
