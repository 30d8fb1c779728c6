//! The options that the front end itself handles, whichever engine plays.

use super::info::Style;
use crate::options::{CHESS960, Declaration, FRONT, OptionValue, SHOW_WDL};
use chess::CastlingStyle;

impl Style {
    /// Sets an option if it belongs to the front end; returns false if it is for the player.
    pub(super) fn set(&mut self, declaration: Declaration, value: &OptionValue) -> bool {
        let is_on = *value == OptionValue::Check(true);
        if declaration == CHESS960 {
            self.castling = match is_on {
                true => CastlingStyle::Chess960,
                false => CastlingStyle::Standard,
            };
        } else if declaration == SHOW_WDL {
            self.shows_wdl = is_on;
        }
        FRONT.contains(&declaration)
    }
}
