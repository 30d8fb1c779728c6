//! Tuples: the men that they name, and the numbering of the places of their tables.
//!
//! This module must not know weights.

use chess::{Bitboard, Board, Color, Piece, PieceKind, Square};
use std::fmt;
use std::str::FromStr;

/// The most men of a tuple. Each further man makes a table sixty times as large, and lets a
/// move change thirty times as many of its places.
pub const LONGEST_TUPLE: usize = 3;

/// How many squares the first man has: the right half of the board is mirrored onto the left.
const FOLDED_SQUARES: usize = 32;
/// How many files the mirrored board has.
const FOLDED_FILES: usize = 4;
/// How many squares the board has.
const SQUARES: usize = 64;
/// XORed to the index of a square, mirrors it horizontally.
pub(super) const MIRROR: u8 = 7;

/// One to three men; the first belongs to the own side.
///
/// Its text has a letter for each, upper case for own men, lower case for the enemy's:
/// `Nq` is an own knight and an enemy queen.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tuple {
    /// White stands for the own side.
    men: Vec<Piece>,
}

/// The text is not a tuple.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is not a tuple: expected 1 to {LONGEST_TUPLE} of the letters PNBRQK for own and pnbrqk \
     for enemy men, an own one first"
)]
pub struct TupleError(pub String);

impl Tuple {
    /// The 72 published tuples of two men; see the header of `ntuple`.
    pub fn published() -> Vec<Tuple> {
        let own = PieceKind::ALL.map(|kind| Piece::new(Color::White, kind));
        let all = Color::ALL.map(|side| PieceKind::ALL.map(|kind| Piece::new(side, kind)));
        let pairs = own.iter().flat_map(|&first| {
            all.as_flattened()
                .iter()
                .map(move |&second| [first, second])
        });
        pairs.map(|men| Tuple { men: men.to_vec() }).collect()
    }

    /// The men; White stands for the own side.
    pub fn men(&self) -> &[Piece] {
        &self.men
    }

    /// How many places its table has: 32 for one man, 32 x 63 for two, 32 x 63 x 62 for
    /// three.
    pub fn places(&self) -> usize {
        (1..self.men.len()).fold(FOLDED_SQUARES, |places, taken| places * (SQUARES - taken))
    }

    /// The place of men on these squares, seen from the own side. There must be one
    /// square for each man, and all must differ.
    #[inline]
    pub fn place(squares: &[Square]) -> usize {
        let first = squares[0];
        let mirror = match first.file().index() < FOLDED_FILES {
            true => 0,
            false => MIRROR,
        };
        let number = |square: Square| square.index() ^ usize::from(mirror);
        let folded = number(first) % 8 + first.rank().index() * FOLDED_FILES;
        (1..squares.len()).fold(folded, |place, index| {
            let here = number(squares[index]);
            let earlier = &squares[..index];
            // Squares of earlier men are not counted.
            let below = earlier.iter().filter(|&&other| number(other) < here);
            place * (SQUARES - index) + here - below.count()
        })
    }

    /// The squares of a place, the first on the left half of the board; the reverse of
    /// [`place`](Tuple::place).
    pub fn squares(&self, place: usize) -> Vec<Square> {
        self.square_array(place)[..self.men.len()].to_vec()
    }

    /// The same; entries after the last man are meaningless.
    pub(super) fn square_array(&self, place: usize) -> [Square; LONGEST_TUPLE] {
        let men = self.men.len();
        let mut rest = place;
        let mut numbers = [0; LONGEST_TUPLE];
        for index in (1..men).rev() {
            numbers[index] = rest % (SQUARES - index);
            rest /= SQUARES - index;
        }
        numbers[0] = rest / FOLDED_FILES * 8 + rest % FOLDED_FILES;
        for index in 1..men {
            let mut taken = numbers;
            taken[..index].sort_unstable();
            // Squares of earlier men were not counted.
            for &other in &taken[..index] {
                numbers[index] += usize::from(other <= numbers[index]);
            }
        }
        numbers.map(|number| Square::from_index(number as u8))
    }

    /// Calls `visit` for each way in which men of the board fill the tuple, with the own
    /// side and the squares of the board, if at least one of them is in `among`.
    pub(super) fn for_each_filling(
        &self,
        board: &Board,
        among: Bitboard,
        visit: &mut impl FnMut(Color, &[Square]),
    ) {
        for own in Color::ALL {
            let filling = Filling {
                tuple: self,
                board,
                own,
                among,
            };
            let mut squares = [Square::from_index(0); LONGEST_TUPLE];
            filling.fill(&mut squares, 0, false, visit);
        }
    }
}

/// A tuple that is being filled from one side's point of view.
struct Filling<'a> {
    tuple: &'a Tuple,
    board: &'a Board,
    own: Color,
    among: Bitboard,
}

impl Filling<'_> {
    /// Fills the men after the first `filled`; `touched` says whether one of those stands on
    /// a square of `among`.
    fn fill(
        &self,
        squares: &mut [Square; LONGEST_TUPLE],
        filled: usize,
        touched: bool,
        visit: &mut impl FnMut(Color, &[Square]),
    ) {
        let Some(man) = self.tuple.men.get(filled) else {
            visit(self.own, &squares[..filled]);
            return;
        };
        let side = match man.color {
            Color::White => self.own,
            Color::Black => !self.own,
        };
        let mut candidates = self.board.pieces(side, man.kind);
        if filled + 1 == self.tuple.men.len() && !touched {
            candidates &= self.among;
        }
        for square in candidates {
            if !squares[..filled].contains(&square) {
                squares[filled] = square;
                let touched = touched || self.among.contains(square);
                self.fill(squares, filled + 1, touched, visit);
            }
        }
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.men
            .iter()
            .try_for_each(|man| write!(f, "{}", man.letter()))
    }
}

impl FromStr for Tuple {
    type Err = TupleError;

    fn from_str(text: &str) -> Result<Tuple, TupleError> {
        let men: Option<Vec<_>> = text.bytes().map(Piece::from_letter).collect();
        men.filter(|men| men.len() <= LONGEST_TUPLE)
            .filter(|men| men.first().is_some_and(|man| man.color == Color::White))
            .map(|men| Tuple { men })
            .ok_or_else(|| TupleError(text.chars().take(LONGEST_TUPLE + 1).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_published_set_has_the_published_size() {
        let tuples = Tuple::published();
        assert_eq!(tuples.len(), 72);
        assert!(tuples.iter().all(|tuple| tuple.places() == 32 * 63));
        assert_eq!(tuples.iter().map(Tuple::places).sum::<usize>(), 145_152);
        let names: HashSet<_> = tuples.iter().map(Tuple::to_string).collect();
        assert_eq!(names.len(), 72);
        assert!(names.contains("NB") && names.contains("BN") && names.contains("Pk"));
    }

    #[test]
    fn names_are_read_back() {
        for tuple in Tuple::published() {
            assert_eq!(tuple.to_string().parse(), Ok(tuple));
        }
        for name in ["P", "KPp"] {
            assert_eq!(
                name.parse::<Tuple>().map(|tuple| tuple.to_string()),
                Ok(name.to_owned())
            );
        }
        for name in ["", "p", "nB", "KPpp", "PX", "P\u{e9}"] {
            assert!(name.parse::<Tuple>().is_err(), "{name}");
        }
    }

    #[test]
    fn places_are_numbered_without_gaps() {
        let one: Tuple = "K".parse().expect("a tuple");
        let two: Tuple = "Kq".parse().expect("a tuple");
        let three: Tuple = "Kqr".parse().expect("a tuple");
        for tuple in [one, two, three] {
            for place in 0..tuple.places() {
                let squares = tuple.squares(place);
                assert_eq!(
                    squares.iter().collect::<HashSet<_>>().len(),
                    tuple.men().len()
                );
                assert_eq!(Tuple::place(&squares), place);
                let mirrored = squares
                    .iter()
                    .map(|square| Square::from_index(square.index() as u8 ^ 7));
                assert_eq!(Tuple::place(&mirrored.collect::<Vec<_>>()), place);
            }
        }
    }

    #[test]
    fn known_places() {
        let square = |number| Square::from_index(number);
        // a1 and b1; d8 and h8; e1, which is mirrored to d1, and a1, which is then h1.
        assert_eq!(Tuple::place(&[square(0), square(1)]), 0);
        assert_eq!(Tuple::place(&[square(59), square(63)]), 32 * 63 - 1);
        assert_eq!(Tuple::place(&[square(4), square(0)]), 3 * 63 + 6);
    }
}
