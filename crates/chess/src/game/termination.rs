//! How a game ends by the rules.

use crate::{Board, Color};
use std::fmt;

/// Plies without a capture or pawn move after which the game is a draw.
const FIFTY_MOVES: u16 = 100;

/// How a game ended by the rules. A draw ends the game at once, without a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that mates.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side can mate by any play.
    InsufficientMaterial,
    /// Fifty moves of each side without a capture or pawn move.
    FiftyMoves,
    /// The position has occurred three times.
    Threefold,
}

impl Termination {
    /// The side that won, if one did.
    pub fn winner(self) -> Option<Color> {
        match self {
            Termination::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// A short fixed name for files and settings.
    pub fn name(self) -> &'static str {
        match self {
            Termination::Checkmate { .. } => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::InsufficientMaterial => "insufficient-material",
            Termination::FiftyMoves => "fifty-moves",
            Termination::Threefold => "threefold",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Checkmate { winner } => write!(f, "{winner} mates"),
            Termination::Stalemate => f.write_str("draw by stalemate"),
            Termination::InsufficientMaterial => f.write_str("draw by insufficient material"),
            Termination::FiftyMoves => f.write_str("draw by the fifty-move rule"),
            Termination::Threefold => f.write_str("draw by threefold repetition"),
        }
    }
}

impl Board {
    /// How the game ends here, as far as the board alone can tell: everything
    /// but repetition. Mate and stalemate take precedence over the fifty-move rule.
    pub fn termination(&self) -> Option<Termination> {
        if !self.has_legal_move() {
            return Some(if self.in_check() {
                Termination::Checkmate {
                    winner: !self.side_to_move(),
                }
            } else {
                Termination::Stalemate
            });
        }
        if self.has_insufficient_material() {
            return Some(Termination::InsufficientMaterial);
        }
        (self.halfmove_clock() >= FIFTY_MOVES).then_some(Termination::FiftyMoves)
    }
}
