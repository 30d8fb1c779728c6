//! Staged selection: finds the best of many models.
//!
//! The stages are a gauntlet of all candidates against a baseline, a round robin of the best, a
//! search among the neighbours of the best epoch, and a test between the last two. After each
//! stage, all games so far are fitted together, and the fit gives each candidate's probability of
//! being the best.
//!
//! - `settings` reads its file, `presets` come with the program;
//! - `candidates` finds and opens the models, `standings` rates them, `chance` computes the
//!   probabilities;
//! - `promotion` decides who reaches the next stage, `allocation` how many games each pairing gets;
//! - `work` has the folder, `session` goes from stage to stage, `course` holds the results;
//! - `report` shows them, `forecast` estimates the cost in advance.

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
