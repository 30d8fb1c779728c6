//! Studies: several evaluations, each given or trained once on the same positions, a table of
//! matches between them, and claims that these decide by a rule written in advance.
//!
//! A study has the folder, the state and the report of a project. `settings` reads its file, `work`
//! goes from data to arms to matches, `arms` makes a model, `examination` judges all models on test
//! positions, `claims` has the rule, `conclusion` holds the results so far, and `report` shows
//! them.

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
