//! A player that can be set up while it lives: what the UCI front talks to.

use crate::Player;
use crate::options::{Declaration, OptionValue};
use nets::Model;

/// A player with options.
pub trait Engine: Player {
    /// Its options, in the order in which a client hears of them; some may be
    /// [the front's](crate::options::FRONT).
    fn declarations(&self) -> Vec<Declaration>;

    /// Sets an option to a value that its declaration has read. What the client
    /// should know of it goes to `tell`, a line each.
    fn set_option(&mut self, name: &str, value: &OptionValue, tell: &mut dyn FnMut(String));

    /// The model with which it plays now.
    fn model(&self) -> &Model;

    /// Lines that the client should hear before the answer to the last search.
    fn take_remarks(&mut self) -> Vec<String> {
        Vec::new()
    }
}
