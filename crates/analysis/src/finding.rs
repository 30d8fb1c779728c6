//! What an engine found in the positions of a game: all that is kept of its searches.

use crate::value::Value;
use chess::{Board, Move};
use data::pgn::Game;
use serde::{Deserialize, Serialize};

/// The findings of a game: for the first position, and for the position after each move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Findings(pub Vec<Finding>);

/// What was found in a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Finding {
    /// Iterations of the search.
    pub depth: u32,
    /// Positions it visited.
    pub nodes: u64,
    /// The best lines, best first; empty if there is no legal move.
    pub lines: Vec<FoundLine>,
}

/// A line of play and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FoundLine {
    /// Its value.
    pub value: Value,
    /// Its moves; there is at least one.
    #[serde(with = "bits")]
    pub moves: Vec<Move>,
}

impl Findings {
    /// Whether they can belong to this game: one for each position, every line legal.
    pub(crate) fn fit(&self, game: &Game) -> bool {
        let boards = boards(game);
        boards.len() == self.0.len()
            && boards.iter().zip(&self.0).all(|(board, finding)| {
                finding.lines.is_empty() != board.has_legal_move()
                    && finding
                        .lines
                        .iter()
                        .all(|line| is_legal(board, &line.moves))
            })
    }
}

fn is_legal(board: &Board, moves: &[Move]) -> bool {
    let mut board = *board;
    !moves.is_empty()
        && moves.iter().all(|&mv| {
            let is_legal = board.is_legal(mv);
            if is_legal {
                board.make(mv);
            }
            is_legal
        })
}

/// The positions of the main line, from the first to the one after the last move.
pub(crate) fn boards(game: &Game) -> Vec<Board> {
    let mut board = *game.start();
    let mut boards = vec![board];
    for played in &game.moves.moves {
        match played.mv {
            Some(mv) => board.make(mv),
            None => board.make_null(),
        }
        boards.push(board);
    }
    boards
}

/// Moves stored as integers; whether they are legal is checked later.
mod bits {
    use chess::Move;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        moves: &[Move],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(moves.iter().map(|mv| mv.to_bits()))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Move>, D::Error> {
        let bits: Vec<u16> = Vec::deserialize(from)?;
        Ok(bits.into_iter().map(Move::from_bits).collect())
    }
}
