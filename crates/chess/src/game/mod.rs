//! Games: the history of a position, how games end, and the environment for learners.
//!
//! Three layers: [`Line`] is a stack of boards for search, [`Termination`] says
//! how a game ended, [`Game`] joins them into an environment that checks every
//! action. Nothing here knows the players' clocks, engines or files.

mod environment;
mod line;
mod material;
mod start960;
mod termination;
mod upcoming;
mod views;

pub use environment::{Action, ActionError, Game, Promotion, Step};
pub use line::Line;
pub use termination::Termination;
pub use views::{PLANE_VALUES, PLANES};
