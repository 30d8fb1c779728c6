//! A player with everything resolved, nothing left open.

use super::kinds::Recipe;
use super::pace::Pace;
use serde::Serialize;

/// A player with all that is to be known of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerSpec {
    /// Its name, which no other player has.
    pub name: String,
    /// How it plays.
    #[serde(flatten)]
    pub recipe: Recipe,
    /// How long it may think.
    #[serde(flatten)]
    pub pace: Pace,
}

impl PlayerSpec {
    /// Whether its games can be repeated move by move: no clock, one thread,
    /// inside this program.
    pub fn is_repeatable(&self) -> bool {
        self.recipe.is_repeatable() && !self.pace.is_timed()
    }
}
