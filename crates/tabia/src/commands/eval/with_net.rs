//! The report of a net's evaluation: its integers for programs, pawns for people.

use chess::Color;
use nets::nnue::{Bucket, Explanation};
use serde::Serialize;
use std::fmt::{self, Display};

/// The evaluation by a net, for the side to move unless it says otherwise.
#[derive(Serialize)]
pub(super) struct NetReport {
    fen: String,
    net: String,
    side_to_move: &'static str,
    /// In the net's units.
    value: i32,
    /// As a search sees it.
    centipawns: i32,
    /// Units that are called a pawn.
    units_per_pawn: i32,
    /// The bucket that counts.
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
    /// Sums, of which 16 are a unit; the value is their sum over 16.
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

/// What a man adds for White, in units.
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
