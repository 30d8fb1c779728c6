//! Random plies after an opening turn few openings into many.

use super::Opening;
use chess::{Board, CastlingStyle, Game, Move};
use data::random::{self, Generator};

/// How often random plies are tried before a game begins without them: after some openings every
/// random move ends the game.
const MOST_TRIES: u32 = 100;

impl Opening {
    /// A game that begins with this opening and random plies that do not end it.
    pub fn wander(&self, plies: u32, generator: &mut Generator) -> Game {
        let opening = self.game();
        for _ in 0..MOST_TRIES {
            let mut game = opening.clone();
            for _ in 0..plies {
                let Some(mv) = random_move(game.board(), generator) else {
                    break;
                };
                // The move is legal, so the game accepts it.
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

/// A random legal move, all equally likely.
pub(crate) fn random_move(board: &Board, generator: &mut Generator) -> Option<Move> {
    let mut moves: Vec<Move> = board.legal_moves().iter().copied().collect();
    // Sorted by name, so that the order of move generation does not matter.
    moves.sort_unstable_by_key(|&mv| board.uci(mv, CastlingStyle::Chess960).to_string());
    let count = moves.len() as u64;
    (count > 0).then(|| moves[random::below(generator, count) as usize])
}
