//! How a model plays, and how that is written: one grammar for files, options and command lines.
//!
//! [`PlayerSettings`] is what a user writes; [`resolve`] interprets it and fills in every default;
//! the result is a [`PlayerSpec`]: a name, a [`Recipe`] and a [`Pace`]. A recipe makes players. It
//! must not know games, nor who plays whom.

mod kinds;
mod mcts;
mod pace;
mod portable;
mod resolve;
mod sequence;
mod settings;
mod spec;
mod start;
#[cfg(test)]
mod tests;

pub use kinds::{AlphaBetaRecipe, ProgramRecipe, Recipe, RecipeKind};
pub use mcts::MctsRecipe;
pub use pace::{Pace, PaceError, Seconds, TimeControl};
pub use portable::{PortablePlayer, PortableRecipe, blob_name, blob_of_model, repeatable};
pub use resolve::{PlayerError, resolve};
pub use sequence::SequenceRecipe;
pub use settings::PlayerSettings;
pub use spec::PlayerSpec;
