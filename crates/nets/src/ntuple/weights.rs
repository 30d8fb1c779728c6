//! The weights of an n-tuple network in the order of its file: the tables, and the
//! weights of the hand-written evaluation to which they are added.

use super::error::NTupleError;
use super::tuple::Tuple;
use crate::Provenance;
use crate::classical::{Groups, Score, Weights};
use crate::nnue::Random;
use chess::{Board, Color, Square};
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// The weight of a place in the opening and in the endgame, in centipawns.
pub type Weight = [i16; 2];

/// The largest weight. The weights of one man with all others are summed in 16 bits: two
/// for each of 31 other men, and one for itself.
pub const LARGEST_WEIGHT: i16 = 511;
const _: () = assert!((2 * 31 + 1) * LARGEST_WEIGHT as i32 <= i16::MAX as i32);

/// The bound of the tables' sum, so that its sum with the terms of the hand-written
/// evaluation fits 16 bits.
const LARGEST_SUM: i32 = 15_000;

/// A sum of weights from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sum {
    /// In the opening.
    pub opening: i32,
    /// In the endgame.
    pub endgame: i32,
}

impl Sum {
    /// The sum in the form that the hand-written evaluation adds.
    #[inline(always)]
    pub fn score(self) -> Score {
        Score::new(
            self.opening.clamp(-LARGEST_SUM, LARGEST_SUM),
            self.endgame.clamp(-LARGEST_SUM, LARGEST_SUM),
        )
    }
}

impl From<Score> for Sum {
    #[inline(always)]
    fn from(score: Score) -> Sum {
        Sum {
            opening: score.opening(),
            endgame: score.endgame(),
        }
    }
}

impl Add for Sum {
    type Output = Sum;

    #[inline(always)]
    fn add(self, other: Sum) -> Sum {
        Sum {
            opening: self.opening + other.opening,
            endgame: self.endgame + other.endgame,
        }
    }
}

impl Sub for Sum {
    type Output = Sum;

    #[inline(always)]
    fn sub(self, other: Sum) -> Sum {
        Sum {
            opening: self.opening - other.opening,
            endgame: self.endgame - other.endgame,
        }
    }
}

impl AddAssign for Sum {
    #[inline(always)]
    fn add_assign(&mut self, other: Sum) {
        *self = *self + other;
    }
}

impl SubAssign for Sum {
    #[inline(always)]
    fn sub_assign(&mut self, other: Sum) {
        *self = *self - other;
    }
}

/// A tuple and its weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    tuple: Tuple,
    weights: Vec<Weight>,
}

impl Table {
    /// The tuple.
    pub fn tuple(&self) -> &Tuple {
        &self.tuple
    }

    /// The weights by [place](Tuple::place).
    pub fn weights(&self) -> &[Weight] {
        &self.weights
    }

    /// The weights by place, mutable.
    pub fn weights_mut(&mut self) -> &mut [Weight] {
        &mut self.weights
    }

    /// The weight for men on these squares of the board, from White's point of view.
    pub(super) fn sum(&self, own: Color, squares: &[Square]) -> Sum {
        let [opening, endgame] = self.weights[place(own, squares)].map(i32::from);
        let sum = Sum { opening, endgame };
        match own {
            Color::White => sum,
            Color::Black => Sum::default() - sum,
        }
    }

    /// The name of a place, such as `Nq.f3.d8`; squares are seen from the own side.
    pub fn place_name(&self, place: usize) -> String {
        let squares = self.tuple.squares(place);
        let places = squares.iter().map(|square| format!(".{square}"));
        format!("{}{}", self.tuple, places.collect::<String>())
    }
}

/// The place of men on squares of the board.
pub(super) fn place(own: Color, squares: &[Square]) -> usize {
    let mut seen = [Square::from_index(0); super::LONGEST_TUPLE];
    for (seen, square) in seen.iter_mut().zip(squares) {
        *seen = square.relative_to(own);
    }
    Tuple::place(&seen[..squares.len()])
}

/// A place of a table that men of a position fill, as a feature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TupleFeature {
    /// The number of the table.
    pub table: usize,
    /// The place in the table.
    pub place: usize,
    /// The side from whose point of view it is filled: Black's count negative.
    pub own: Color,
    /// The squares of the men on the board, in the order of the tuple.
    pub squares: Vec<Square>,
}

/// The contents of an n-tuple network's file.
#[derive(Clone, Debug)]
pub struct NTupleWeights {
    tables: Vec<Table>,
    /// The weights of the hand-written evaluation to which the tables are added.
    pub linear: Weights,
    /// The groups of terms that are switched on.
    pub groups: Groups,
    /// Whether endgame functions alone decide the value of the endgames that they know.
    pub endgame_functions: bool,
    /// Free text.
    pub description: String,
    /// Where it comes from.
    pub provenance: Provenance,
}

impl NTupleWeights {
    /// Tables of zeros, added to the hand-written evaluation with all its groups.
    ///
    /// # Errors
    /// If a tuple occurs twice.
    pub fn zeros(tuples: Vec<Tuple>) -> Result<NTupleWeights, NTupleError> {
        let twice = |(index, tuple): &(usize, &Tuple)| tuples[..*index].contains(tuple);
        if let Some((_, tuple)) = tuples.iter().enumerate().find(twice) {
            return Err(NTupleError::Twice(tuple.clone()));
        }
        let table = |tuple: Tuple| Table {
            weights: vec![[0; 2]; tuple.places()],
            tuple,
        };
        Ok(NTupleWeights {
            tables: tuples.into_iter().map(table).collect(),
            linear: Weights::default(),
            groups: Groups::ALL,
            endgame_functions: true,
            description: String::new(),
            provenance: Provenance::default(),
        })
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The tables, mutable to change their weights.
    pub fn tables_mut(&mut self) -> &mut [Table] {
        &mut self.tables
    }

    /// How many places all tables have.
    pub fn places(&self) -> usize {
        self.tables.iter().map(|table| table.weights.len()).sum()
    }

    /// Fills the tables with random weights up to `most`.
    pub fn fill_randomly(&mut self, seed: u64, most: i16) {
        let mut random = Random::new(seed);
        for weight in self.tables.iter_mut().flat_map(|table| &mut table.weights) {
            *weight = [0; 2].map(|_: i16| random.up_to(most.into()) as i16);
        }
    }

    /// All places that the men of a board fill.
    pub fn features(&self, board: &Board) -> Vec<TupleFeature> {
        let mut features = Vec::new();
        for (number, table) in self.tables.iter().enumerate() {
            let mut visit = |own: Color, squares: &[Square]| {
                features.push(TupleFeature {
                    table: number,
                    place: place(own, squares),
                    own,
                    squares: squares.to_vec(),
                });
            };
            table
                .tuple
                .for_each_filling(board, board.occupied(), &mut visit);
        }
        features
    }

    /// The sum of the tables for a board, computed table by table: slow, and the reference
    /// for the fast computation.
    pub fn sum(&self, board: &Board) -> Sum {
        let mut sum = Sum::default();
        for table in &self.tables {
            table
                .tuple
                .for_each_filling(board, board.occupied(), &mut |own, squares| {
                    sum += table.sum(own, squares);
                });
        }
        sum
    }

    /// Checks that no weight is too large.
    ///
    /// # Errors
    /// The first weight that is.
    pub fn check_bounds(&self) -> Result<(), NTupleError> {
        for table in &self.tables {
            for (place, weight) in table.weights.iter().enumerate() {
                let too_large = |value: &&i16| value.unsigned_abs() > LARGEST_WEIGHT as u16;
                if let Some(&value) = weight.iter().find(too_large) {
                    let name = table.place_name(place);
                    return Err(NTupleError::OutOfRange { name, value });
                }
            }
        }
        Ok(())
    }
}
