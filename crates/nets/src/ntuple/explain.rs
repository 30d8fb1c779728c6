//! What an n-tuple network sees in one position, for people.

use super::network::NTuple;
use super::weights::Sum;
use crate::classical::{self, Score, pawns};
use chess::{Board, Color, Piece, PieceKind, Square};
use std::collections::BTreeMap;
use std::fmt;

/// How many combinations of men are shown as text.
const SHOWN: usize = 12;

/// Men on their squares, and the sum for White of all tuples that exactly these men fill.
#[derive(Clone, Debug)]
pub struct Combination {
    /// The men, by square.
    pub men: Vec<(Piece, Square)>,
    /// For the opening and the endgame.
    pub score: Score,
    /// Tapered by the stage of the position.
    pub tapered: i32,
}

/// The evaluation of a position from White's point of view, in centipawns.
#[derive(Clone, Debug)]
pub struct NTupleExplanation {
    /// The groups of terms and the sum of the tables.
    pub groups: classical::Explanation,
    /// All combinations of men that add something, the largest first.
    pub combinations: Vec<Combination>,
}

impl NTuple {
    /// Explains the value of a position.
    pub fn explain(&self, board: &Board) -> NTupleExplanation {
        let added = self.sum(board).score();
        let groups = classical::explain_with(board, &self.classical(), Some(added));
        let mut sums: BTreeMap<Vec<Square>, Sum> = BTreeMap::new();
        for feature in self.weights().features(board) {
            let table = &self.weights().tables()[feature.table];
            let mut squares = feature.squares.clone();
            squares.sort_unstable();
            *sums.entry(squares).or_default() += table.sum(feature.own, &feature.squares);
        }
        let men_on = |squares: Vec<Square>| {
            let men = squares.into_iter();
            men.filter_map(|square| Some((board.piece_at(square)?, square)))
        };
        let mut combinations: Vec<_> = sums
            .into_iter()
            .filter(|(_, sum)| *sum != Sum::default())
            .map(|(squares, sum)| Combination {
                men: men_on(squares).collect(),
                score: sum.score(),
                tapered: groups.tapered(sum.score()),
            })
            .collect();
        combinations.sort_by_key(|combination| -combination.tapered.abs());
        NTupleExplanation {
            groups,
            combinations,
        }
    }
}

impl fmt::Display for NTupleExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.groups)?;
        let all = self.combinations.len();
        if all == 0 {
            return writeln!(f, "\nall weights of these combinations of men are 0");
        }
        let shown = all.min(SHOWN);
        writeln!(
            f,
            "\n{shown} of {all} combinations of men, by what they add for White, in pawns"
        )?;
        writeln!(f, "{:>7} {:>6} {:>6}", "tapered", "open", "end")?;
        for combination in &self.combinations[..shown] {
            let score = combination.score;
            let values = [combination.tapered, score.opening(), score.endgame()];
            let [tapered, opening, endgame] = values.map(pawns);
            let men: Vec<_> = combination.men.iter().map(|man| name(*man)).collect();
            writeln!(
                f,
                "{tapered:>7} {opening:>6} {endgame:>6}  {}",
                men.join(", ")
            )?;
        }
        Ok(())
    }
}

fn name((piece, square): (Piece, Square)) -> String {
    let side = match piece.color {
        Color::White => "white",
        Color::Black => "black",
    };
    let kind = match piece.kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Knight => "knight",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::Queen => "queen",
        PieceKind::King => "king",
    };
    format!("{side} {kind} {square}")
}
