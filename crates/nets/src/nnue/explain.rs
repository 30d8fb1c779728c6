//! How the value of a position comes about: the outputs of every bucket, and what
//! each man contributes.

use super::accumulators::Accumulated;
use super::file::Net;
use super::fresh::{self, Fresh};
use super::network::Network;
use super::sfnn::Parts;
use super::shape::SfnnShape;
use super::simd::Kernels;
use chess::{Board, Color, Piece, PieceKind, Square};
use std::fmt;

/// The value of a position and its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The side from whose point of view all numbers are, except the contributions.
    pub side_to_move: Color,
    /// The bucket that this position uses.
    pub bucket: usize,
    /// All buckets, in the net's integers.
    pub buckets: Vec<Bucket>,
    /// The value in the net's units.
    pub value: i32,
    /// The value as a search sees it, in centipawns.
    pub centipawns: i32,
    /// How many units of the value are called a pawn: for Stockfish's shape the value
    /// at which the probability of a win is 50 %, else 100.
    pub pawn: i32,
    /// What each man except the kings contributes, in units of the value and from
    /// White's point of view: the value minus that of the position without the man.
    pub men: Vec<(Square, Piece, i32)>,
}

/// The output of a bucket, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bucket {
    /// The parts of the value, in sums of the last layer: 16 are a unit of the value.
    Sfnn(Parts),
    /// The sum of the output layer, and the value in centipawns.
    Simple {
        /// The sum.
        sum: i64,
        /// Its value.
        value: i32,
    },
}

impl Bucket {
    /// The value in the net's units.
    pub fn value(self) -> i32 {
        match self {
            Bucket::Sfnn(parts) => parts.value(),
            Bucket::Simple { value, .. } => value,
        }
    }
}

/// The value at which Stockfish 15.1 expects to win with a probability of 50 %, and
/// which it calls a pawn.
const STOCKFISH_PAWN: i32 = 361;

impl Net {
    /// How the value of a position comes about.
    pub fn explain(&self, board: &Board) -> Explanation {
        let kernels = Kernels::best();
        let us = board.side_to_move();
        let men = fresh::men(board);
        let fresh = Fresh::new(self.transformer(), kernels, &men);
        let sums = fresh.seen_by(us);
        let buckets: Vec<Bucket> = (0..self.bucket_count())
            .map(|bucket| self.bucket(kernels, &sums, bucket))
            .collect();
        let bucket = self.bucket_of(men.len());
        let value = buckets[bucket].value();
        let for_white = |value: i32| if us == Color::White { value } else { -value };
        let contribution = |&(piece, square): &(Piece, Square)| {
            let others = men.iter().filter(|&&(_, other)| other != square);
            let others: Vec<_> = others.copied().collect();
            (square, piece, for_white(value - self.value_of(&others, us)))
        };
        Explanation {
            side_to_move: us,
            bucket,
            value,
            centipawns: self.scaling().apply(value, board),
            pawn: match self {
                Net::Sfnn(_) => STOCKFISH_PAWN,
                Net::Simple(_) => 100,
            },
            men: men
                .iter()
                .filter(|(piece, _)| piece.kind != PieceKind::King)
                .map(contribution)
                .collect(),
            buckets,
        }
    }

    /// The value of a position with these men, both kings among them, for the side to
    /// move, in the net's units; computed from scratch.
    pub fn value_of(&self, men: &[(Piece, Square)], side_to_move: Color) -> i32 {
        let kernels = Kernels::best();
        let fresh = Fresh::new(self.transformer(), kernels, men);
        let sums = fresh.seen_by(side_to_move);
        self.bucket(kernels, &sums, self.bucket_of(men.len()))
            .value()
    }

    /// The value of a board as a search sees it, in centipawns; computed from scratch.
    pub fn centipawns(&self, board: &Board) -> i32 {
        let value = self.value_of(&fresh::men(board), board.side_to_move());
        self.scaling().apply(value, board)
    }

    fn bucket_of(&self, men: usize) -> usize {
        match self {
            Net::Sfnn(_) => SfnnShape::bucket(men as u32),
            Net::Simple(net) => net.weights().shape().bucket(men as u32),
        }
    }

    fn bucket_count(&self) -> usize {
        match self {
            Net::Sfnn(_) => SfnnShape::BUCKETS,
            Net::Simple(net) => net.weights().shape().output_buckets,
        }
    }

    fn bucket(&self, kernels: &Kernels, sums: &Accumulated<'_>, bucket: usize) -> Bucket {
        match self {
            Net::Sfnn(net) => Bucket::Sfnn(net.parts(kernels, sums, bucket)),
            Net::Simple(net) => {
                let sum = net.sum(kernels, sums, bucket);
                let value = net.value_of(sum);
                Bucket::Simple { sum, value }
            }
        }
    }

    fn transformer(&self) -> &super::Transformer {
        match self {
            Net::Sfnn(net) => net.transformer(),
            Net::Simple(net) => net.transformer(),
        }
    }

    fn scaling(&self) -> super::Scaling {
        match self {
            Net::Sfnn(net) => net.scaling(),
            Net::Simple(net) => net.scaling(),
        }
    }
}

/// A text for people, in pawns: the men on their squares, then the buckets.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |units: i32| f64::from(units) / f64::from(self.pawn);
        writeln!(f, "What each man adds for White, in pawns")?;
        for rank in (0..8).rev() {
            for file in 0..8 {
                let square = Square::from_index(8 * rank + file);
                match self.men.iter().find(|(place, ..)| *place == square) {
                    Some((_, piece, units)) => {
                        write!(f, "  {} {:+6.2}", piece.letter(), pawns(*units))?;
                    }
                    None => write!(f, "  .       ")?,
                }
            }
            writeln!(f)?;
        }
        writeln!(f, "\nFor {}, the side to move, in pawns", self.side_to_move)?;
        match self.buckets[0] {
            Bucket::Sfnn(_) => writeln!(f, "bucket      material  positional       total")?,
            Bucket::Simple { .. } => writeln!(f, "bucket         value")?,
        }
        for (number, bucket) in self.buckets.iter().enumerate() {
            match *bucket {
                Bucket::Sfnn(parts) => {
                    let [material, positional] = [parts.psqt, parts.positional]
                        .map(|sum| pawns(sum / SfnnShape::OUTPUT_SCALE));
                    let total = pawns(parts.value());
                    write!(
                        f,
                        "{number:6}  {material:+12.2}{positional:+12.2}{total:+12.2}"
                    )?;
                }
                Bucket::Simple { value, .. } => write!(f, "{number:6}  {:+12.2}", pawns(value))?,
            }
            let mark = if number == self.bucket {
                "  <- counts"
            } else {
                ""
            };
            writeln!(f, "{mark}")?;
        }
        writeln!(f, "\nvalue          {:+.2}", pawns(self.value))?;
        let for_the_search = f64::from(self.centipawns) / 100.0;
        writeln!(f, "for the search {for_the_search:+.2}")
    }
}
