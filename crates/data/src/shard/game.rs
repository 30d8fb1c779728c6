//! Where games begin in a file that has only positions.

use crate::position::{Outcome, Position};

/// Finds where games begin, judging by plies and results.
///
/// A chain may be only a part of a game, because missing positions split it. A chain
/// with a later ply and the same result is taken for the same game. So two games may be
/// taken for one, which is harmless where games must stay together; one is hardly ever
/// taken for two.
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
