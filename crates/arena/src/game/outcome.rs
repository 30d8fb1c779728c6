//! How games end, and why: the words that journals and reports use.

use chess::{Color, Termination};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl Outcome {
    /// The outcome with this winner; without one, a draw.
    pub fn of(winner: Option<Color>) -> Outcome {
        match winner {
            Some(Color::White) => Outcome::WhiteWins,
            Some(Color::Black) => Outcome::BlackWins,
            None => Outcome::Draw,
        }
    }

    /// The side that won.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::WhiteWins => Some(Color::White),
            Outcome::BlackWins => Some(Color::Black),
            Outcome::Draw => None,
        }
    }

    /// The result as in PGN.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Mate.
    Checkmate,
    /// No legal move, and not in check.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// Fifty moves without a capture or pawn move.
    FiftyMoves,
    /// Threefold repetition.
    Threefold,
    /// A side was lost by the scores.
    Resignation,
    /// Drawn by the scores.
    DrawByScore,
    /// A long time without a capture or pawn move, but less than the fifty-move rule requires.
    QuickDraw,
    /// The horizon was reached, which is a draw.
    Horizon,
    /// The horizon was reached, and the side with more material wins.
    Material,
    /// The horizon was reached, and the side with the clearly better score wins.
    Score,
    /// The result is known from tablebases.
    Tablebase,
    /// The loser overstepped the time limit.
    Time,
    /// The loser's program ended.
    Crash,
    /// The loser did not answer.
    Stall,
    /// The loser's move was illegal.
    IllegalMove,
    /// The loser answered without a move.
    NoMove,
}

impl Reason {
    /// Whether a player failed, so that the result says little about chess.
    pub fn is_failure(self) -> bool {
        matches!(
            self,
            Reason::Time | Reason::Crash | Reason::Stall | Reason::IllegalMove | Reason::NoMove
        )
    }

    /// The value of the PGN tag `Termination`.
    pub fn pgn_termination(self) -> &'static str {
        match self {
            Reason::Checkmate
            | Reason::Stalemate
            | Reason::InsufficientMaterial
            | Reason::FiftyMoves
            | Reason::Threefold => "normal",
            Reason::Resignation
            | Reason::DrawByScore
            | Reason::QuickDraw
            | Reason::Horizon
            | Reason::Material
            | Reason::Score
            | Reason::Tablebase => "adjudication",
            Reason::Time => "time forfeit",
            Reason::Crash | Reason::Stall => "abandoned",
            Reason::IllegalMove | Reason::NoMove => "rules infraction",
        }
    }

    /// The end of a game in words: `Black loses on time`.
    pub fn in_words(self, outcome: Outcome) -> String {
        let Some(winner) = outcome.winner() else {
            let cause = match self {
                Reason::Stalemate => "stalemate",
                Reason::InsufficientMaterial => "insufficient material",
                Reason::FiftyMoves => "the fifty-move rule",
                Reason::Threefold => "threefold repetition",
                Reason::DrawByScore => "the scores of both",
                Reason::QuickDraw => "many quiet moves",
                Reason::Horizon => "the horizon",
                Reason::Material => "equal material at the horizon",
                Reason::Score => "a level score at the horizon",
                Reason::Tablebase => "the tablebases",
                _ => "agreement",
            };
            return format!("draw by {cause}");
        };
        let loser = !winner;
        match self {
            Reason::Checkmate => format!("{winner} mates"),
            Reason::Resignation => format!("{winner} wins by the scores"),
            Reason::Material => format!("{winner} has more material at the horizon"),
            Reason::Score => format!("{winner} has the better score at the horizon"),
            Reason::Tablebase => format!("{winner} wins by the tablebases"),
            Reason::Time => format!("{loser} loses on time"),
            Reason::Crash => format!("{loser} crashes"),
            Reason::Stall => format!("{loser} stalls"),
            Reason::IllegalMove => format!("{loser} makes an illegal move"),
            Reason::NoMove => format!("{loser} makes no move"),
            _ => format!("{winner} wins"),
        }
    }
}

/// The name that journals use: `illegal-move`.
impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

impl From<Termination> for Reason {
    fn from(termination: Termination) -> Reason {
        match termination {
            Termination::Checkmate { .. } => Reason::Checkmate,
            Termination::Stalemate => Reason::Stalemate,
            Termination::InsufficientMaterial => Reason::InsufficientMaterial,
            Termination::FiftyMoves => Reason::FiftyMoves,
            Termination::Threefold => Reason::Threefold,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_by_the_rules_are_called_as_the_rules_call_them() {
        for termination in [
            Termination::Checkmate {
                winner: Color::White,
            },
            Termination::Stalemate,
            Termination::InsufficientMaterial,
            Termination::FiftyMoves,
            Termination::Threefold,
        ] {
            let reason = Reason::from(termination);
            let name = serde_json::to_string(&reason).expect("a name");
            assert_eq!(name, format!("\"{}\"", termination.name()));
            let outcome = Outcome::of(termination.winner());
            assert_eq!(outcome.as_str(), termination.result());
            assert_eq!(reason.in_words(outcome), termination.to_string());
        }
    }
}
