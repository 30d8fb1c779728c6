//! Winning chances, and how bad it is to lose some of one: the only place for these numbers.
//!
//! The formula is the one that lichess.org publishes on its page about accuracy:
//! `Win% = 50 + 50 * (2 / (1 + exp(-0.00368208 * centipawns)) - 1)`, fitted there to
//! games of its players. A mate counts as [`CEILING`] centipawns.

use crate::value::Value;
use chess::Color;
use serde::{Deserialize, Serialize};

/// Advantages are capped at this many centipawns.
pub(crate) const CEILING: i32 = 1000;

/// How steeply the winning chance grows with centipawns.
const STEEPNESS: f64 = 0.003_682_08;

/// The loss of winning chance, in percentage points, from which a move is an inaccuracy, a mistake
/// or a blunder.
const INACCURACY: f64 = 5.0;
const MISTAKE: f64 = 10.0;
const BLUNDER: f64 = 15.0;

/// White's winning chance in percent.
pub(crate) fn winning_chance(value: Value) -> f64 {
    let centipawns = f64::from(bounded_centipawns(value));
    50.0 + 50.0 * (2.0 / (1.0 + libm::exp(-STEEPNESS * centipawns)) - 1.0)
}

/// The winning chance of one side in percent.
pub(crate) fn chance_of(value: Value, side: Color) -> f64 {
    match side {
        Color::White => winning_chance(value),
        Color::Black => 100.0 - winning_chance(value),
    }
}

/// The value for White in centipawns, at most [`CEILING`] either way.
pub(crate) fn bounded_centipawns(value: Value) -> i32 {
    match (value, value.mating_side()) {
        (Value::Centipawns(value), _) => value.clamp(-CEILING, CEILING),
        (_, Some(Color::White)) => CEILING,
        _ => -CEILING,
    }
}

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Judgement {
    /// The judgement of a move that loses this much winning chance, in percentage points.
    pub fn of(loss: f64) -> Option<Judgement> {
        if loss >= BLUNDER {
            Some(Judgement::Blunder)
        } else if loss >= MISTAKE {
            Some(Judgement::Mistake)
        } else if loss >= INACCURACY {
            Some(Judgement::Inaccuracy)
        } else {
            None
        }
    }

    /// The NAG that stands for it in PGN.
    pub fn nag(self) -> u8 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }

    /// The mark after a move.
    pub fn mark(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "Inaccuracy",
            Judgement::Mistake => "Mistake",
            Judgement::Blunder => "Blunder",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_published_formula() {
        let chance = |centipawns| winning_chance(Value::Centipawns(centipawns));
        assert_eq!(chance(0), 50.0);
        for (centipawns, expected) in [(100, 59.1026), (-100, 40.8974), (300, 75.1126)] {
            assert!((chance(centipawns) - expected).abs() < 1e-3, "{centipawns}");
        }
        assert_eq!(chance(5000), chance(CEILING));
        assert_eq!(winning_chance(Value::Mate(4)), chance(CEILING));
        assert_eq!(winning_chance(Value::Mate(-1)), chance(-CEILING));
        assert_eq!(winning_chance(Value::Mated(Color::Black)), chance(-CEILING));
        let both = chance_of(Value::Centipawns(70), Color::White)
            + chance_of(Value::Centipawns(70), Color::Black);
        assert_eq!(both, 100.0);
    }

    #[test]
    fn judgements_grow_with_the_loss() {
        for (loss, judgement) in [
            (-3.0, None),
            (4.99, None),
            (5.0, Some(Judgement::Inaccuracy)),
            (10.0, Some(Judgement::Mistake)),
            (14.99, Some(Judgement::Mistake)),
            (15.0, Some(Judgement::Blunder)),
            (95.0, Some(Judgement::Blunder)),
        ] {
            assert_eq!(Judgement::of(loss), judgement, "{loss}");
        }
    }
}
