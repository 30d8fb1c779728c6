//! Ladders: the strength of players, measured against rungs of known strength.
//!
//! Rungs are levels of Stockfish and fixed players of this program. Each player meets them from the
//! lowest up for a few games each, which find the deciding rungs, and then plays many games there;
//! one fit rates all players by all games. A ladder has the folder, the state and the report of a
//! project. `settings` reads its file, `levels` knows Stockfish's levels, `work` plays, `standing`
//! sums up the results so far, and `report` shows them.

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
