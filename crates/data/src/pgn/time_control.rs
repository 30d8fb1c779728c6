//! The time controls of games, as far as they are simple.

use std::fmt;
use std::str::FromStr;

/// A simple time control: one time for all moves, and an increment for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Seconds at the beginning.
    pub base: u32,
    /// Seconds that a move adds.
    pub increment: u32,
}

impl TimeControl {
    /// How many moves a game is assumed to have, for the time of a player.
    const USUAL_MOVES: u32 = 40;

    /// The seconds that a player has for a game of usual length.
    pub fn seconds(self) -> u32 {
        let added = self.increment.saturating_mul(Self::USUAL_MOVES);
        self.base.saturating_add(added)
    }
}

/// Reads `180+2` or `600`, as in the tag TimeControl.
impl FromStr for TimeControl {
    type Err = ();

    fn from_str(text: &str) -> Result<TimeControl, ()> {
        let (base, increment) = text.trim().split_once('+').unwrap_or((text.trim(), "0"));
        Ok(TimeControl {
            base: base.parse().map_err(|_| ())?,
            increment: increment.parse().map_err(|_| ())?,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}+{}", self.base, self.increment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_clocks_are_read_and_all_others_are_not() {
        let seconds = |text: &str| text.parse().map(TimeControl::seconds);
        assert_eq!(seconds("180+2"), Ok(260));
        assert_eq!(seconds(" 600 "), Ok(600));
        for text in ["", "-", "?", "40/7200", "*60", "180+", "180+2.5", "-3+1"] {
            assert_eq!(seconds(text), Err(()), "{text}");
        }
        let huge = TimeControl {
            base: 7,
            increment: u32::MAX,
        };
        assert_eq!(huge.seconds(), u32::MAX);
    }
}
