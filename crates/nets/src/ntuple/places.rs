//! Which places of all tables a board fills, for trainers. For the tables of one and two men
//! it goes through the men of the board, not through the tables, which is several times as
//! fast.

use super::tuple::{MIRROR, Tuple};
use super::weights::NTupleWeights;
use chess::{Bitboard, Board, Color, Piece};

/// Stands for "no table".
const NONE: usize = usize::MAX;
/// How many kinds of men there are.
const KINDS: usize = 6;
/// How many files the mirrored board has.
const FOLDED_FILES: usize = 4;
/// How many squares a second man has.
const OTHER_SQUARES: usize = 63;

/// The places of all tables, numbered table after table.
#[derive(Clone, Debug)]
pub struct Places {
    /// Where the tables of one man begin, by its kind.
    singles: [usize; KINDS],
    /// Where those of two men begin, by the kind of the first man and the kind of the second,
    /// own kinds first.
    pairs: [[usize; 2 * KINDS]; KINDS],
    /// The tuples of more men and where their tables begin.
    longer: Vec<(Tuple, usize)>,
}

/// A man on its square.
type Man = (Piece, chess::Square);

impl Places {
    /// The places of a network.
    pub fn new(weights: &NTupleWeights) -> Places {
        let mut places = Places {
            singles: [NONE; KINDS],
            pairs: [[NONE; 2 * KINDS]; KINDS],
            longer: Vec::new(),
        };
        let mut begin = 0;
        for table in weights.tables() {
            match *table.tuple().men() {
                [man] => places.singles[man.kind.index()] = begin,
                [first, second] => {
                    let second = second.color.index() * KINDS + second.kind.index();
                    places.pairs[first.kind.index()][second] = begin;
                }
                _ => places.longer.push((table.tuple().clone(), begin)),
            }
            begin += table.weights().len();
        }
        places
    }

    /// Calls `visit` for every place that men of the board fill, at least one of them on these
    /// squares, with the side from whose point of view: Black's count negative.
    #[inline]
    pub fn for_each(&self, board: &Board, among: Bitboard, mut visit: impl FnMut(usize, Color)) {
        let mut men = [(Piece::new(Color::White, chess::PieceKind::Pawn), FIRST); 32];
        let mut count = 0;
        for square in board.occupied() {
            if let Some(piece) = board.piece_at(square) {
                men[count % 32] = (piece, square);
                count += 1;
            }
        }
        let men = &men[..count.min(32)];
        for man in men {
            let is_among = among.contains(man.1);
            let others = match is_among {
                true => Bitboard(!0),
                false => among,
            };
            self.of_first(man, men, others, &mut visit);
            let single = self.singles[man.0.kind.index()];
            if is_among && single != NONE {
                let square = man.1.relative_to(man.0.color);
                visit(single + folded(square.index()).0, man.0.color);
            }
        }
        for (tuple, begin) in &self.longer {
            tuple.for_each_filling(board, among, &mut |own, squares| {
                visit(begin + super::weights::place(own, squares), own);
            });
        }
    }

    /// The pairs of a first man with others on these squares.
    #[inline(always)]
    fn of_first(
        &self,
        &(first, square): &Man,
        men: &[Man],
        others: Bitboard,
        visit: &mut impl FnMut(usize, Color),
    ) {
        let row = &self.pairs[first.kind.index()];
        let own = first.color;
        let at = square.relative_to(own).index();
        let (begin, mirror) = folded(at);
        let at = at ^ mirror;
        for &(second, other) in men {
            if other == square || !others.contains(other) {
                continue;
            }
            let side = usize::from(second.color != own);
            let table = row[side * KINDS + second.kind.index()];
            if table == NONE {
                continue;
            }
            let to = other.relative_to(own).index() ^ mirror;
            let place = begin * OTHER_SQUARES + to - usize::from(to > at);
            visit(table + place, own);
        }
    }
}

const FIRST: chess::Square = chess::squares::A1;

/// The index of a square on the mirrored board, and what to XOR to a square for it.
#[inline(always)]
fn folded(square: usize) -> (usize, usize) {
    let mirror = match square % 8 < FOLDED_FILES {
        true => 0,
        false => usize::from(MIRROR),
    };
    let square = square ^ mirror;
    (square / 8 * FOLDED_FILES + square % 8, mirror)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Random;

    #[test]
    fn places_are_those_of_the_tables() {
        let mut tuples = Tuple::published();
        tuples.extend(["N", "K", "KPp"].map(|name| name.parse().expect("a tuple")));
        let weights = NTupleWeights::zeros(tuples).expect("tables");
        let places = Places::new(&weights);
        let begins: Vec<usize> = weights
            .tables()
            .iter()
            .scan(0, |begin, table| {
                *begin += table.weights().len();
                Some(*begin - table.weights().len())
            })
            .collect();
        let (mut random, mut board) = (Random::new(4), Board::start());
        for _ in 0..80 {
            let among = Bitboard(random.number() & random.number());
            for among in [Bitboard(!0), among, Bitboard(0)] {
                let mut found = Vec::new();
                places.for_each(&board, among, |place, own| found.push((place, own)));
                let features = weights.features(&board).into_iter();
                let features = features
                    .filter(|it| it.squares.iter().any(|&square| among.contains(square)))
                    .map(|it| (begins[it.table] + it.place, it.own));
                let mut expected: Vec<_> = features.collect();
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.make(moves[(random.number() % moves.len() as u64) as usize]);
        }
    }
}
