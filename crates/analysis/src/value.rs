//! The value of a position from White's point of view.

use chess::Color;
use data::pgn;
use engines::score::Score;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of a position from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// Hundredths of a pawn.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Moves to mate, below 0 if Black mates.
    Mate(i32),
    /// This side has mated.
    Mated(#[serde(with = "winner")] Color),
}

impl Value {
    /// A score from the side to move's point of view.
    pub(crate) fn of(score: Score, to_move: Color) -> Value {
        let sign = match to_move {
            Color::White => 1,
            Color::Black => -1,
        };
        match score {
            Score::Centipawns(value) => Value::Centipawns(sign * value),
            // `Mate(0)` with legal moves left means that the side to move is mated by the next
            // move.
            Score::Mate(0) => Value::Mate(-sign),
            Score::Mate(moves) => Value::Mate(sign.saturating_mul(moves)),
        }
    }

    /// In the form that PGN has for it; `None` if the game has ended by mate.
    pub fn evaluation(self) -> Option<pgn::Evaluation> {
        let score = match self {
            Value::Centipawns(value) => pgn::Score::Centipawns(value),
            Value::Mate(moves) => pgn::Score::Mate(moves),
            Value::Mated(_) => return None,
        };
        Some(pgn::Evaluation { score, depth: None })
    }

    /// The side that mates, or has mated, if one does.
    pub fn mating_side(self) -> Option<Color> {
        match self {
            Value::Centipawns(_) => None,
            Value::Mate(moves) if moves > 0 => Some(Color::White),
            Value::Mate(_) => Some(Color::Black),
            Value::Mated(winner) => Some(winner),
        }
    }
}

/// As shown to people: `+0.35`, `#3`, `#-2`, and `mate` for a mate on the board.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Centipawns(0) => f.write_str("0.00"),
            Value::Centipawns(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            Value::Mate(moves) => write!(f, "#{moves}"),
            Value::Mated(_) => f.write_str("mate"),
        }
    }
}

mod winner {
    use chess::Color;
    use serde::{Deserialize, Deserializer, Serializer};

    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Name {
        White,
        Black,
    }

    pub(super) fn serialize<S: Serializer>(
        color: &Color,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(super::side_name(*color))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Color, D::Error> {
        Ok(match Name::deserialize(from)? {
            Name::White => Color::White,
            Name::Black => Color::Black,
        })
    }
}

/// The name of a side in JSON.
pub(crate) fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_turned_to_white() {
        assert_eq!(
            Value::of(Score::Centipawns(31), Color::Black),
            Value::Centipawns(-31)
        );
        assert_eq!(Value::of(Score::Mate(-2), Color::Black), Value::Mate(2));
        assert_eq!(Value::of(Score::Mate(0), Color::White), Value::Mate(-1));
    }

    #[test]
    fn people_and_programs_read_the_same() {
        for (value, words, json, command) in [
            (Value::Centipawns(35), "+0.35", r#"{"cp":35}"#, "0.35"),
            (Value::Centipawns(0), "0.00", r#"{"cp":0}"#, "0.00"),
            (Value::Centipawns(-120), "-1.20", r#"{"cp":-120}"#, "-1.20"),
            (Value::Mate(-3), "#-3", r#"{"mate":-3}"#, "#-3"),
        ] {
            assert_eq!(value.to_string(), words);
            assert_eq!(serde_json::to_string(&value).unwrap(), json);
            assert_eq!(serde_json::from_str::<Value>(json).unwrap(), value);
            assert_eq!(value.evaluation().unwrap().to_string(), command);
        }
        let mated = Value::Mated(Color::Black);
        assert_eq!(
            serde_json::to_string(&mated).unwrap(),
            r#"{"mated":"black"}"#
        );
        assert_eq!(
            (mated.evaluation(), mated.to_string()),
            (None, "mate".to_owned())
        );
    }
}
