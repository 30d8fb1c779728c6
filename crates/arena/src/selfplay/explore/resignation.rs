//! Resignations, and whether they would have been right.

use super::settings::{Counts, ResignSettings};
use crate::game::Outcome;
use chess::Color;
use serde::{Deserialize, Serialize};

/// A resignation, whether it ended the game or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Resignation {
    /// Who resigned.
    pub side: Side,
    /// The ply of the game.
    pub ply: u32,
    /// Whether the game was played out nevertheless.
    pub played_on: bool,
}

/// A side in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl Resignation {
    /// Whether the side would have given away half a point or more.
    pub fn is_false(&self, result: Outcome) -> bool {
        let lost = match self.side {
            Side::White => Outcome::BlackWins,
            Side::Black => Outcome::WhiteWins,
        };
        result != lost
    }
}

/// Counts bad values in a row.
#[derive(Clone, Debug)]
pub(super) struct Resigning {
    settings: Option<ResignSettings>,
    /// Whether this game is played out.
    plays_on: bool,
    rows: [u32; 2],
    pub(super) first: Option<Resignation>,
}

impl Resigning {
    pub(super) fn new(settings: Option<ResignSettings>, plays_on: bool) -> Resigning {
        Resigning {
            settings,
            plays_on,
            rows: [0; 2],
            first: None,
        }
    }

    /// Takes the value that a side found for itself before its move; returns whether the game ends.
    pub(super) fn hear(&mut self, mover: Color, value: f32, ply: u32) -> bool {
        let Some(settings) = self.settings else {
            return false;
        };
        let place = match settings.counts {
            Counts::EachSide => mover.index(),
            Counts::EveryPly => 0,
        };
        let is_bad = f64::from(value) < -settings.value;
        self.rows[place] = if is_bad { self.rows[place] + 1 } else { 0 };
        let resigns = ply >= settings.from_ply && self.rows[place] >= settings.moves;
        if !resigns || self.first.is_some() {
            return false;
        }
        self.first = Some(Resignation {
            side: mover.into(),
            ply,
            played_on: self.plays_on,
        });
        !self.plays_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resigning(counts: Counts) -> Resigning {
        let settings = ResignSettings {
            value: 0.9,
            moves: 3,
            from_ply: 4,
            play_through: 0.0,
            counts,
        };
        Resigning::new(Some(settings), false)
    }

    /// The ply at which a game ends in which White is lost and both sides know it.
    fn end_of_lost_game(counts: Counts) -> Option<u32> {
        let mut resigning = resigning(counts);
        let sides = [(Color::White, -0.99), (Color::Black, 0.99)];
        (0..100).find(|&ply| {
            let (mover, value) = sides[ply as usize % 2];
            resigning.hear(mover, value, ply)
        })
    }

    #[test]
    fn each_side_counts_for_itself() {
        assert_eq!(end_of_lost_game(Counts::EachSide), Some(4));
        // Counted as the published program did, there are never two bad values in a row.
        assert_eq!(end_of_lost_game(Counts::EveryPly), None);
    }

    #[test]
    fn a_good_value_breaks_the_row() {
        let mut resigning = resigning(Counts::EachSide);
        for (ply, value) in [(0, -0.95), (2, -0.95), (4, -0.5), (6, -0.95), (8, -0.95)] {
            assert!(!resigning.hear(Color::White, value, ply));
        }
        assert!(resigning.hear(Color::White, -0.95, 10));
    }

    #[test]
    fn a_game_that_is_played_on_shows_whether_it_was_right() {
        let mut resigning = resigning(Counts::EachSide);
        resigning.plays_on = true;
        for ply in [0, 2, 4, 6] {
            assert!(!resigning.hear(Color::White, -1.0, ply));
        }
        let first = resigning.first.expect("it would have resigned");
        assert_eq!(
            (first.side, first.ply, first.played_on),
            (Side::White, 4, true)
        );
        assert!(!first.is_false(Outcome::BlackWins));
        assert!(first.is_false(Outcome::Draw) && first.is_false(Outcome::WhiteWins));
    }
}
