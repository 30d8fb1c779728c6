//! Where games begin in a file that only knows positions.

use crate::position::{Outcome, Position};

/// Tells where games begin, going by plies and results.
///
/// A chain may be a part of a game: positions that were left out break it. What
/// comes after with a later ply and the same winner is taken for the same game.
/// Two games may so be taken for one, which does no harm where games must stay
/// together; one is hardly ever taken for two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFinder {
    /// The ply and the result for White of the latest position.
    latest: Option<(u16, Outcome)>,
}

impl GameFinder {
    /// Whether a game begins with this position, which follows the one before
    /// in the file.
    #[inline]
    pub fn begins(&mut self, position: &Position) -> bool {
        let side = position.board.side_to_move();
        let now = (position.ply, position.result.seen_by(side));
        let before = self.latest.replace(now);
        before.is_none_or(|(ply, result)| position.ply <= ply || result != now.1)
    }
}
