//! The report of a net's evaluation: integers for programs, pawns for people.

use chess::Color;
use nets::nnue::{Bucket, Explanation};
use serde::Serialize;
use std::fmt::{self, Display};

/// A net's evaluation, from the side to move's point of view unless stated otherwise.
#[derive(Serialize)]
pub(super) struct NetReport {
    fen: String,
    net: String,
    side_to_move: &'static str,
    /// In the net's units.
    value: i32,
    /// The value that a search gets.
    centipawns: i32,
    /// The number of the net's units per pawn.
    units_per_pawn: i32,
    /// The bucket that is used.
    bucket: usize,
    buckets: Vec<BucketReport>,
    men: Vec<ManReport>,
    #[serde(skip)]
    text: String,
}

/// The integers of a bucket.
#[derive(Serialize)]
#[serde(untagged)]
enum BucketReport {
    /// Sums in sixteenths of a unit; the value is their total divided by 16.
    Sfnn {
        psqt: i32,
        positional: i32,
        value: i32,
    },
    Simple {
        sum: i64,
        value: i32,
    },
}

/// What a man contributes for White, in units.
#[derive(Serialize)]
struct ManReport {
    square: String,
    piece: char,
    adds: i32,
}

impl NetReport {
    pub(super) fn new(fen: String, net: String, explanation: &Explanation) -> Self {
        let bucket = |bucket: &Bucket| match *bucket {
            Bucket::Sfnn(parts) => BucketReport::Sfnn {
                psqt: parts.psqt,
                positional: parts.positional,
                value: parts.value(),
            },
            Bucket::Simple { sum, value } => BucketReport::Simple { sum, value },
        };
        Self {
            fen,
            net,
            side_to_move: match explanation.side_to_move {
                Color::White => "white",
                Color::Black => "black",
            },
            value: explanation.value,
            centipawns: explanation.centipawns,
            units_per_pawn: explanation.pawn,
            bucket: explanation.bucket,
            buckets: explanation.buckets.iter().map(bucket).collect(),
            men: explanation
                .men
                .iter()
                .map(|(square, piece, adds)| ManReport {
                    square: square.to_string(),
                    piece: piece.letter(),
                    adds: *adds,
                })
                .collect(),
            text: explanation.to_string(),
        }
    }
}

impl Display for NetReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}
