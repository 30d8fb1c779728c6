//! A player with options that can be changed at any time: the interface that the UCI front uses.

use crate::Player;
use crate::options::{Declaration, OptionValue};
use nets::Model;

/// A player with options.
pub trait Engine: Player {
    /// Its options, in the order in which they are declared to a client; some may be [the
    /// front's](crate::options::FRONT).
    fn declarations(&self) -> Vec<Declaration>;

    /// Sets an option to a value that its declaration has parsed. Messages for the client go to
    /// `tell`, one line each.
    fn set_option(&mut self, name: &str, value: &OptionValue, tell: &mut dyn FnMut(String));

    /// The model that it currently plays with.
    fn model(&self) -> &Model;

    /// Lines for the client, to be sent before the answer to the last search.
    fn take_remarks(&mut self) -> Vec<String> {
        Vec::new()
    }
}
