//! All tuples of one and two men combined in one table for play.
//!
//! Every two men on their squares have one packed weight: the sum over all tuples that they
//! fill from either side's point of view. The weights of one man with all others form a row,
//! so moving a man costs look-ups in two rows of 3 KB, one in each for each other man.

use super::tuple::{MIRROR, Tuple};
use super::weights::{Sum, Table};
use crate::classical::Score;
use chess::{Bitboard, Board, Color, Piece, Square};
use std::ops::Add;

/// How many combinations of man and square there are: 12 kinds on 64 squares.
const STANDINGS: usize = 12 * 64;
/// The length at which rows are viewed, beyond their end into the next row: a power of two,
/// so that a mask of the index replaces a bounds check.
const ROW_VIEW: usize = STANDINGS.next_power_of_two();
/// The most men on a board.
const MOST_MEN: usize = 32;

/// A man on a square, as a number below [`STANDINGS`].
type Standing = u16;

#[inline(always)]
fn standing(piece: Piece, square: Square) -> Standing {
    ((piece.color.index() * 6 + piece.kind.index()) * 64 + square.index()) as Standing
}

/// Men on their squares.
pub(super) struct Men {
    standings: [Standing; MOST_MEN],
    count: usize,
}

impl Men {
    /// All men of a board except those on the squares `without`.
    #[inline(always)]
    pub(super) fn of(board: &Board, without: Bitboard) -> Men {
        let mut men = Men {
            standings: [0; MOST_MEN],
            count: 0,
        };
        for color in Color::ALL {
            for square in board.color(color).without(without) {
                if let Some(kind) = board.kind_at(square) {
                    // A board has at most 32 men; the mask replaces a check.
                    men.standings[men.count % MOST_MEN] = standing(Piece::new(color, kind), square);
                    men.count += 1;
                }
            }
        }
        men
    }

    #[inline(always)]
    fn standings(&self) -> &[Standing] {
        &self.standings[..self.count.min(MOST_MEN)]
    }
}

/// The weight of every two men on their squares, and of every man with itself.
pub(super) struct Pairs {
    scores: Vec<Score>,
}

impl Pairs {
    /// Combines the tables of tuples of one and two men; others are ignored.
    pub(super) fn new(tables: &[Table]) -> Pairs {
        let mut pairs = Pairs {
            scores: vec![Score::ZERO; (STANDINGS - 1) * STANDINGS + ROW_VIEW],
        };
        for table in tables {
            for own in Color::ALL {
                match *table.tuple().men() {
                    [man] => pairs.add_single(table, own, man),
                    [first, second] => pairs.add_pair(table, own, [first, second]),
                    _ => {}
                }
            }
        }
        pairs
    }

    fn add_single(&mut self, table: &Table, own: Color, man: Piece) {
        for square in Square::all() {
            let standing = standing(seen_by(own, man), square);
            self.add(standing, standing, table.sum(own, &[square]));
        }
    }

    fn add_pair(&mut self, table: &Table, own: Color, men: [Piece; 2]) {
        let [first, second] = men.map(|man| seen_by(own, man));
        for square in Square::all() {
            for other in Square::all().filter(|other| *other != square) {
                let sum = table.sum(own, &[square, other]);
                let pair = [standing(first, square), standing(second, other)];
                self.add(pair[0], pair[1], sum);
                self.add(pair[1], pair[0], sum);
            }
        }
    }

    /// Changes all pairs of men that fill this place of a tuple's table: from either side's
    /// point of view, on the board and its mirror image.
    pub(super) fn shift(&mut self, tuple: &Tuple, place: usize, change: Sum) {
        let men = tuple.men();
        if men.len() > 2 {
            return;
        }
        let squares = tuple.square_array(place);
        for own in Color::ALL {
            let sum = match own {
                Color::White => change,
                Color::Black => Sum::default() - change,
            };
            for mirror in [0, MIRROR] {
                let at = |index: usize| {
                    let square = Square::from_index(squares[index].index() as u8 ^ mirror);
                    standing(seen_by(own, men[index]), square.relative_to(own))
                };
                let (first, last) = (at(0), at(men.len() - 1));
                self.add(first, last, sum);
                if first != last {
                    self.add(last, first, sum);
                }
            }
        }
    }

    fn add(&mut self, row: Standing, column: Standing, sum: Sum) {
        let place = usize::from(row) * STANDINGS + usize::from(column);
        self.scores[place] += Score::new(sum.opening, sum.endgame);
    }

    #[inline(always)]
    fn row(&self, man: Standing) -> &[Score; ROW_VIEW] {
        self.scores[usize::from(man) * STANDINGS..]
            .first_chunk()
            .expect("the last row has room behind it")
    }

    /// The sum of the weights of a man with itself and with each of the others.
    #[inline(always)]
    fn of_man(&self, man: Standing, others: &[Standing]) -> Sum {
        let row = self.row(man);
        let own = row[usize::from(man) % ROW_VIEW];
        let sum = others
            .iter()
            .fold(own, |sum, &other| sum + row[usize::from(other) % ROW_VIEW]);
        sum.into()
    }

    /// How much the sum grows when `joining` join the other men one after another.
    #[inline(always)]
    pub(super) fn joining(&self, men: &Men, joining: &[(Piece, Square)]) -> Sum {
        let mut sum = Sum::default();
        for (index, &(piece, square)) in joining.iter().enumerate() {
            let man = standing(piece, square);
            sum += self.of_man(man, men.standings());
            for &(piece, square) in &joining[..index] {
                let other = usize::from(standing(piece, square));
                sum += self.row(man)[other % ROW_VIEW].into();
            }
        }
        sum
    }

    /// The sum over all men of a board.
    pub(super) fn all(&self, men: &Men) -> Sum {
        let standings = men.standings();
        let sums = standings
            .iter()
            .enumerate()
            .map(|(index, &man)| self.of_man(man, &standings[..index]));
        sums.fold(Sum::default(), Sum::add)
    }
}

/// The man of the board that stands for a man of a tuple, by the own side.
fn seen_by(own: Color, man: Piece) -> Piece {
    match man.color {
        Color::White => Piece::new(own, man.kind),
        Color::Black => Piece::new(!own, man.kind),
    }
}
