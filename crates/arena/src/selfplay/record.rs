//! Finished games of self-play, one line each, in the order in which they ended.
//!
//! A line holds the positions of its game, so that a game is kept by one write. Lines reach the
//! disk within a second. This module must not know how games are played.

use super::explore::Explored;
use crate::game::{Outcome, Reason};
use data::journal::{Journal, Kind, Syncing};
use serde::{Deserialize, Serialize};

pub(super) static KIND: Kind = Kind {
    work: "self-play",
    line: "game",
    remedy: "delete it to start over",
    syncing: Syncing::EverySecond,
};

/// The record of games with the same fingerprint.
pub(super) type Record = Journal<Header, GameRecord>;

/// The first line.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct Header {
    /// A digest that is unique to the settings of the games.
    pub(super) fingerprint: String,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number.
    pub game: u64,
    /// Who won.
    pub result: Outcome,
    /// Why it ended.
    pub reason: Reason,
    /// The number of plies after the opening.
    pub plies: u32,
    /// How many positions can be learned from.
    pub positions: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// How long the player thought, in seconds.
    pub thinking_seconds: f64,
    /// When it ended, in seconds of work since the first game began.
    pub at: f64,
    /// Its positions as binpack chains, in hexadecimal digits; empty for a game of exploration.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) chains: String,
    /// What a game of exploration adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explored: Option<Explored>,
}

impl GameRecord {
    /// An error if its counts cannot be right.
    pub(super) fn check_counts(&self) -> Result<(), String> {
        match self.positions > u64::from(self.plies) {
            true => Err(format!("game {} has more positions than plies", self.game)),
            false => Ok(()),
        }
    }
}

/// Bytes as hexadecimal digits.
pub(super) fn to_digits(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

/// Bytes from hexadecimal digits; `None` if the text is anything else.
pub(super) fn from_digits(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => Some((digit(*high)? * 16 + digit(*low)?) as u8),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_bytes() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(from_digits(&to_digits(&bytes)), Some(bytes));
        assert_eq!(from_digits("0"), None);
        assert_eq!(from_digits("0g"), None);
    }
}
