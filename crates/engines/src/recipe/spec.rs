//! A player with all defaults filled in.

use super::kinds::Recipe;
use super::pace::Pace;
use serde::Serialize;

/// All settings of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerSpec {
    /// Its name, which is unique.
    pub name: String,
    /// How it plays.
    #[serde(flatten)]
    pub recipe: Recipe,
    /// How long it may think.
    #[serde(flatten)]
    pub pace: Pace,
}

impl PlayerSpec {
    /// Whether its games can be repeated move by move: no clock, one thread, and built in.
    pub fn is_repeatable(&self) -> bool {
        self.recipe.is_repeatable() && !self.pace.is_timed()
    }
}
