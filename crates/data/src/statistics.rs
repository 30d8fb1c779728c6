//! Statistics of positions: counts and histograms that can be added up.

use std::ops::AddAssign;

use chess::{Color, PieceKind};

use crate::{
    position::{Outcome, Position},
    score,
    shard::GameFinder,
};

/// Counts of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// All positions, including marked ones.
    pub positions: u64,
    /// Marked positions, which only keep a chain together; the counts below ignore them.
    pub marked: u64,
    /// Runs of positions that follow each other.
    pub chains: u64,
    /// Games, as far as their starts can be recognised.
    pub games: u64,
    /// Positions by side to move, White first.
    pub sides: [u64; 2],
    /// Positions by result for the side to move: losses, draws, wins.
    pub results: [u64; 3],
    /// Positions by result for White: losses, draws, wins.
    pub white_results: [u64; 3],
    /// Positions in check.
    pub checks: u64,
    /// Positions whose move is a capture.
    pub captures: u64,
    /// Positions whose move is a promotion.
    pub promotions: u64,
    /// Positions whose move is castling.
    pub castlings: u64,
    /// Positions without a move.
    pub without_move: u64,
    /// Positions with the score of a mate or another proof.
    pub decisive: u64,
    /// Positions whose score and result contradict each other: a winning score
    /// of a pawn or more for the side that lost.
    pub contradictions: u64,
    /// Positions by number of men.
    pub pieces: Histogram,
    /// Positions by ply.
    pub plies: Histogram,
    /// Positions by score, without decisive ones.
    pub scores: Histogram,
    /// How often each side's king stands on each square, White's first.
    pub kings: [[u64; 64]; 2],
    /// How often each kind of man is on the board, pawns to kings.
    pub men: [u64; 6],
    finder: GameFinder,
}

/// The smallest score that a loss contradicts.
const CONTRADICTION: i16 = 100;

impl Default for Statistics {
    fn default() -> Self {
        Self {
            positions: 0,
            marked: 0,
            chains: 0,
            games: 0,
            sides: [0; 2],
            results: [0; 3],
            white_results: [0; 3],
            checks: 0,
            captures: 0,
            promotions: 0,
            castlings: 0,
            without_move: 0,
            decisive: 0,
            contradictions: 0,
            pieces: Histogram::new(2, 1, 31),
            plies: Histogram::new(0, 10, 40),
            scores: Histogram::new(-2000, 100, 40),
            kings: [[0; 64]; 2],
            men: [0; 6],
            finder: GameFinder::default(),
        }
    }
}

impl Statistics {
    /// Counts a position, which may begin a chain.
    pub fn add(&mut self, position: &Position, begins_chain: bool) {
        self.positions += 1;
        self.chains += u64::from(begins_chain);
        self.games += u64::from(self.finder.begins(position));
        if position.is_marked() {
            self.marked += 1;
            return;
        }
        self.add_labels(position);
        self.add_board(position);
    }

    fn add_labels(&mut self, position: &Position) {
        let side = position.board.side_to_move();
        self.sides[side.index()] += 1;
        self.results[index(position.result)] += 1;
        self.white_results[index(position.result.seen_by(side))] += 1;
        let (value, result) = (position.score, position.result);
        if score::is_decisive(value) {
            self.decisive += 1;
        } else {
            self.scores.add(i32::from(value));
        }
        let is_contradicted = value >= CONTRADICTION && result == Outcome::Loss
            || value <= -CONTRADICTION && result == Outcome::Win;
        self.contradictions += u64::from(is_contradicted);
        self.plies.add(i32::from(position.ply));
    }

    fn add_board(&mut self, position: &Position) {
        let board = &position.board;
        self.checks += u64::from(board.in_check());
        self.captures += u64::from(position.is_capture());
        match position.mv {
            None => self.without_move += 1,
            Some(mv) => {
                self.promotions += u64::from(mv.promotes_to().is_some());
                self.castlings += u64::from(mv.is_castling());
            }
        }
        self.pieces.add(board.occupied().count() as i32);
        for kind in PieceKind::ALL {
            self.men[kind.index()] += u64::from(board.kind(kind).count());
        }
        for color in Color::ALL {
            self.kings[color.index()][board.king(color).index()] += 1;
        }
    }

    /// The number of training positions, which are not marked.
    pub fn learnable(&self) -> u64 {
        self.positions - self.marked
    }
}

fn index(result: Outcome) -> usize {
    (result.number() + 1) as usize
}

impl AddAssign<&Statistics> for Statistics {
    fn add_assign(&mut self, other: &Statistics) {
        for (sum, count) in [
            (&mut self.positions, other.positions),
            (&mut self.marked, other.marked),
            (&mut self.chains, other.chains),
            (&mut self.games, other.games),
            (&mut self.checks, other.checks),
            (&mut self.captures, other.captures),
            (&mut self.promotions, other.promotions),
            (&mut self.castlings, other.castlings),
            (&mut self.without_move, other.without_move),
            (&mut self.decisive, other.decisive),
            (&mut self.contradictions, other.contradictions),
        ] {
            *sum += count;
        }
        add_all(&mut self.sides, &other.sides);
        add_all(&mut self.results, &other.results);
        add_all(&mut self.white_results, &other.white_results);
        add_all(&mut self.men, &other.men);
        for (sum, counts) in self.kings.iter_mut().zip(&other.kings) {
            add_all(sum, counts);
        }
        self.pieces += &other.pieces;
        self.plies += &other.plies;
        self.scores += &other.scores;
    }
}

fn add_all(sums: &mut [u64], counts: &[u64]) {
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}

/// A histogram with bins of the same width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Where the first bin begins.
    pub first: i32,
    /// The width of a bin.
    pub width: i32,
    /// How often a number was in each bin.
    pub counts: Vec<u64>,
    /// How often a number was below the first bin.
    pub below: u64,
    /// How often a number was above the last bin.
    pub above: u64,
    sum: i64,
}

impl Histogram {
    fn new(first: i32, width: i32, bins: usize) -> Self {
        Self {
            first,
            width,
            counts: vec![0; bins],
            below: 0,
            above: 0,
            sum: 0,
        }
    }

    fn add(&mut self, number: i32) {
        self.sum += i64::from(number);
        let bin = (number - self.first).div_euclid(self.width);
        match usize::try_from(bin) {
            Err(_) => self.below += 1,
            Ok(bin) => match self.counts.get_mut(bin) {
                Some(count) => *count += 1,
                None => self.above += 1,
            },
        }
    }

    /// How many numbers were counted.
    pub fn total(&self) -> u64 {
        self.below + self.above + self.counts.iter().sum::<u64>()
    }

    /// The mean of all numbers; `None` if there are none.
    pub fn mean(&self) -> Option<f64> {
        match self.total() {
            0 => None,
            total => Some(self.sum as f64 / total as f64),
        }
    }
}

impl AddAssign<&Histogram> for Histogram {
    fn add_assign(&mut self, other: &Histogram) {
        add_all(&mut self.counts, &other.counts);
        self.below += other.below;
        self.above += other.above;
        self.sum += other.sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    #[test]
    fn histograms_count_their_bins() {
        let mut histogram = Histogram::new(-20, 10, 4);
        for number in [-21, -20, -11, -10, 0, 9, 19, 20, 500] {
            histogram.add(number);
        }
        assert_eq!(histogram.counts, [2, 1, 2, 1]);
        assert_eq!((histogram.below, histogram.above), (1, 2));
        assert_eq!(histogram.total(), 9);
        assert_eq!(histogram.mean(), Some(486.0 / 9.0));
        assert_eq!(Histogram::new(0, 1, 1).mean(), None);
        let mut twice = histogram.clone();
        twice += &histogram;
        assert_eq!((twice.total(), twice.mean()), (18, histogram.mean()));
    }

    #[test]
    fn positions_are_counted() {
        let position = |fen: &str, mv: &str, score, result, ply| {
            let board = Board::from_fen(fen).expect("a position");
            let mv = board.parse_uci(mv).ok();
            Position {
                board,
                mv,
                score,
                result,
                ply,
            }
        };
        let mut statistics = Statistics::default();
        let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
        let black = "4k3/8/8/8/8/8/8/4K2R b K - 0 1";
        statistics.add(&position(castling, "e1g1", 400, Outcome::Win, 0), true);
        statistics.add(&position(black, "", -400, Outcome::Win, 1), true);
        statistics.add(&position(check, "e1e2", 31_999, Outcome::Draw, 2), true);
        statistics.add(
            &position(check, "e1e2", score::MARK, Outcome::Draw, 4),
            false,
        );
        let mut sum = statistics.clone();
        sum += &Statistics::default();
        for counted in [&statistics, &sum] {
            assert_eq!(counted.positions, 4);
            assert_eq!((counted.marked, counted.learnable()), (1, 3));
            assert_eq!((counted.chains, counted.games), (3, 3));
            assert_eq!(counted.sides, [2, 1]);
            assert_eq!(counted.results, [0, 1, 2]);
            assert_eq!(counted.white_results, [1, 1, 1]);
            assert_eq!((counted.checks, counted.captures), (1, 1));
            assert_eq!((counted.castlings, counted.promotions), (1, 0));
            assert_eq!(counted.without_move, 1);
            assert_eq!((counted.decisive, counted.contradictions), (1, 1));
            assert_eq!(counted.pieces.counts[1], 3);
            assert_eq!(counted.scores.total(), 2);
            assert_eq!(counted.kings[0][chess::squares::E1.index()], 3);
            assert_eq!(counted.men, [0, 0, 0, 3, 0, 6]);
        }
    }
}
