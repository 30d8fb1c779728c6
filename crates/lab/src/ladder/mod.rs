//! Ladders: how strong players are against rungs of known strength.
//!
//! Rungs are levels of Stockfish and fixed players inside this program. Each player meets
//! them from the lowest on in a few games, which find the rungs that decide, and plays many
//! games there; one fit rates everybody by all games. A ladder has the folder, the state and
//! the report of a run. `settings` is the file, `levels` says what a level of Stockfish is,
//! `work` plays, `standing` says what is known so far, and `report` shows it.

mod levels;
mod presets;
mod report;
mod settings;
mod standing;
#[cfg(test)]
mod tests;
mod work;

pub use presets::PRESETS;
pub use settings::{Settings, StockfishSettings, from_table, read, schema};
pub use standing::{Meeting, PlayerRow, RungRow, Standing};
pub use work::{Ladder, News, look};
