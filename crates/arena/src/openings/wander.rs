//! Random plies after an opening: few openings become many.

use super::Opening;
use chess::{Board, CastlingStyle, Game, Move};
use data::random::{self, Generator};

/// How often random plies are tried before a game begins without them: some
/// openings allow only such that end the game.
const MOST_TRIES: u32 = 100;

impl Opening {
    /// The game that begins so and goes on with random plies, which do not end
    /// it.
    pub fn wander(&self, plies: u32, generator: &mut Generator) -> Game {
        let opening = self.game();
        for _ in 0..MOST_TRIES {
            let mut game = opening.clone();
            for _ in 0..plies {
                let Some(mv) = random_move(game.board(), generator) else {
                    break;
                };
                // It is legal, so the game takes it.
                if game.play(mv).is_err() || game.termination().is_some() {
                    break;
                }
            }
            if game.termination().is_none() {
                return game;
            }
        }
        opening
    }
}

/// Any legal move, all equally likely.
pub(crate) fn random_move(board: &Board, generator: &mut Generator) -> Option<Move> {
    let mut moves: Vec<Move> = board.legal_moves().iter().copied().collect();
    // By name, so that the order in which moves are found does not matter.
    moves.sort_unstable_by_key(|&mv| board.uci(mv, CastlingStyle::Chess960).to_string());
    let count = moves.len() as u64;
    (count > 0).then(|| moves[random::below(generator, count) as usize])
}
