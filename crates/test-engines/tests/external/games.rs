//! Whole games of one player against itself.

use crate::program::choose;
use chess::{Board, Game};
use engines::external::External;
use engines::{Failure, Limits, Player};

/// Lets a player play both sides until it fails, and says at which move.
pub(crate) fn play_until_failure(player: &mut External) -> (usize, Failure) {
    let mut game = Game::new(Board::start());
    player.new_game(0).expect("it is ready");
    loop {
        match choose(player, &game, &Limits::nodes(10)) {
            Ok(answer) => {
                let best = answer.best.expect("a move");
                game.play(best).expect("a legal move");
            }
            Err(failure) => return (game.moves().len() + 1, failure),
        }
    }
}
