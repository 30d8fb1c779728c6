//! What is stored of a game, and how it is replayed.

use crate::pgn::{Date, TimeControl};
use chess::{Board, Move};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Black won.
    BlackWins,
    /// The game was drawn.
    Draw,
    /// White won.
    WhiteWins,
}

/// A game from the usual starting position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SequenceGame {
    /// Its moves.
    pub moves: Vec<Move>,
    /// How it ended, if that is known.
    pub outcome: Option<Outcome>,
    /// Whether a tag says that the game was lost on time.
    pub lost_on_time: bool,
    /// The ratings of White and Black, as far as they are known.
    pub ratings: [Option<u16>; 2],
    /// The time control, if it is known and simple.
    pub time_control: Option<TimeControl>,
    /// When it was played.
    pub date: Option<Date>,
    /// Numbers that stand for the names of White and Black; 0 if there is no name.
    pub players: [u32; 2],
    /// What the mover's clock showed after each move, in seconds; empty if that is not
    /// known for every move.
    pub clocks: Vec<u16>,
}

impl SequenceGame {
    /// Calls `visit` with each position and its move, in order; stops and returns false
    /// at a move that is not legal.
    #[must_use]
    pub fn replay(&self, mut visit: impl FnMut(&Board, Move)) -> bool {
        let mut board = Board::start();
        for &mv in &self.moves {
            if !board.is_legal(mv) {
                return false;
            }
            visit(&board, mv);
            board.make(mv);
        }
        true
    }

    /// How many seconds the move at a ply took, if the clocks are known.
    pub fn seconds(&self, ply: usize) -> Option<u32> {
        let before = self.clocks.get(ply.checked_sub(2)?)?;
        let after = self.clocks.get(ply)?;
        let increment = self.time_control.map_or(0, |control| control.increment);
        Some((u32::from(*before) + increment).saturating_sub(u32::from(*after)))
    }

    /// The last ply of the player who resigned: one who lost, but was not mated and, as far as
    /// tags say, did not lose on time.
    pub fn resigned_at(&self) -> Option<usize> {
        let loser = match self.outcome? {
            Outcome::WhiteWins => 1,
            Outcome::BlackWins => 0,
            Outcome::Draw => return None,
        };
        let mut last = Board::start();
        let is_legal = self.replay(|board, mv| last = board.after(mv));
        if self.lost_on_time || !is_legal || !last.has_legal_move() {
            return None;
        }
        (0..self.moves.len()).rev().find(|ply| ply % 2 == loser)
    }

    /// The mean of both ratings, if both are known.
    pub fn mean_rating(&self) -> Option<u16> {
        let [white, black] = self.ratings;
        Some(u16::midpoint(white?, black?))
    }
}

/// A hash of a player's name, the same in every file, ignoring case and surrounding spaces;
/// 0 if there is no name.
pub(super) fn player_number(name: &str) -> u32 {
    let name = name.trim().to_lowercase();
    if name.is_empty() || name == "?" {
        return 0;
    }
    let hash = blake3::hash(name.as_bytes());
    let [a, b, c, d, ..] = *hash.as_bytes();
    u32::from_le_bytes([a, b, c, d]).max(1)
}
