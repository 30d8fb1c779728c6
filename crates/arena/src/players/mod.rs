//! Who plays, and how long each may think.
//!
//! [`PlayerSettings`] is what a user says, in a file or in one line;
//! [`PlayerSpec`] is what it means, with every default filled in. It must not
//! know games, nor who meets whom.

mod pace;
mod resolve;
mod settings;
mod spec;
mod start;

pub use pace::{Pace, PaceError, Seconds, TimeControl};
pub use resolve::{PlayerError, resolve};
pub use settings::PlayerSettings;
pub use spec::{Engine, Evaluation, Inside, PlayerSpec, Program};
