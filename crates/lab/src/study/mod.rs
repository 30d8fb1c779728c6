//! Studies: several evaluations, each given or trained once on the same positions, a table
//! of matches between them, and claims that these decide by a rule written before.
//!
//! It has the folder, the state and the report of a run, but no generations. `settings` is
//! the file, `work` goes from data to arms to matches, `arms` makes a model, `examination`
//! judges all of them on test positions, `claims` has the rule, `conclusion` what is known so
//! far, and `report` shows it.

mod arms;
mod claims;
mod conclusion;
mod examination;
mod presets;
mod report;
mod settings;
mod work;

pub use claims::{Expectation, Ruling};
pub use conclusion::{ArmRow, ClaimRow, Conclusion, MatchRow};
pub use examination::Marks;
pub use presets::PRESETS;
pub use settings::{
    Arm, Claim, DataSettings, Meeting, SelfPlaySettings, Settings, from_table, read, schema,
};
pub(crate) use work::STUDY_FILE;
pub use work::{News, Study, look};
