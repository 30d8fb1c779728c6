//! A whole game in memory: tags, moves with their comments and variations, and the
//! result.
//!
//! This module must not know how games are read or written.

use chess::{Board, Move};

use super::{marks::GameResult, tags::Tags};

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    tags: Tags,
    start: Board,
    /// The main line.
    pub moves: Variation,
    /// The result after the moves.
    pub result: GameResult,
}

/// A line of play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<PlayedMove>,
}

/// A move with its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move, or `None` for a null move.
    pub mv: Option<Move>,
    /// The numeric annotations of the move.
    pub nags: Vec<u8>,
    /// The comments after the move.
    pub comments: Vec<String>,
    /// The variations that replace the move; each has at least one move.
    pub variations: Vec<Variation>,
}

impl PlayedMove {
    /// A move without annotations.
    pub fn new(mv: Option<Move>) -> Self {
        Self {
            mv,
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }
}

impl Game {
    /// A game without moves. The tags that give the start position are corrected if
    /// they disagree.
    pub fn new(start: Board, mut tags: Tags) -> Self {
        if !tell_start(&tags, &start) {
            if start == Board::start() {
                tags.remove("SetUp");
                tags.remove("FEN");
            } else {
                tags.set("SetUp", "1");
                tags.set("FEN", start.fen());
            }
        }
        Self {
            tags,
            start,
            moves: Variation::default(),
            result: GameResult::Unknown,
        }
    }

    /// The tags.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The position before the first move.
    pub fn start(&self) -> &Board {
        &self.start
    }
}

fn tell_start(tags: &Tags, start: &Board) -> bool {
    match tags.get("FEN").filter(|_| tags.get("SetUp") != Some("0")) {
        None => *start == Board::start(),
        Some(fen) => Board::from_fen(fen.trim()).is_ok_and(|board| board == *start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tags_tell_the_start() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let board = Board::from_fen(fen).unwrap();
        let game = Game::new(board, Tags::new());
        assert_eq!(game.tags().get("FEN"), Some(fen));
        assert_eq!(game.tags().get("SetUp"), Some("1"));
        let as_given: Tags = [("FEN", "4k3/8/8/8/8/8/4P3/4K3 w - -")]
            .into_iter()
            .collect();
        assert_eq!(*Game::new(board, as_given.clone()).tags(), as_given);
        assert_eq!(*Game::new(Board::start(), as_given).tags(), Tags::new());
    }
}
