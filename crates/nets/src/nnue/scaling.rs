//! From the value of a net to the value for a search.
//!
//! A search counts in centipawns of the hand-written evaluation. Values are scaled
//! up with the material on the board, so that the side that is ahead prefers lines
//! that keep material.

use chess::{Board, PieceKind};

/// How the values of a net become those of a search; the only place for these
/// constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scaling {
    /// How many centipawns a net's value of [`unit`](Scaling::unit) is.
    pub centipawns: i32,
    /// The net's value that is worth [`centipawns`](Scaling::centipawns).
    pub unit: i32,
}

/// The factor for bare kings, in 1024ths.
const LEAST: i32 = 840;
/// What each man adds to the factor, pawns to queens, in 1024ths; at the start of a game it
/// is about 1.
const ADDS: [i32; 5] = [3, 8, 8, 13, 24];

impl Scaling {
    /// For values that are centipawns already.
    pub const CENTIPAWNS: Scaling = Scaling {
        centipawns: 1,
        unit: 1,
    };

    /// For Stockfish's units: the probability of a win is 50 % at 361 of them, and at
    /// 130 centipawns of the hand-written evaluation.
    pub const STOCKFISH: Scaling = Scaling {
        centipawns: 130,
        unit: 361,
    };

    /// The value for a search.
    #[inline(always)]
    pub fn apply(self, value: i32, board: &Board) -> i32 {
        let centipawns = i64::from(value) * i64::from(self.centipawns) / i64::from(self.unit);
        (centipawns * i64::from(material_factor(board)) / 1024) as i32
    }
}

#[inline(always)]
fn material_factor(board: &Board) -> i32 {
    let count = |kind: PieceKind| board.kind(kind).count() as i32;
    let kinds = &PieceKind::ALL[..ADDS.len()];
    let added = kinds
        .iter()
        .zip(ADDS)
        .map(|(&kind, adds)| adds * count(kind));
    LEAST + added.sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_worth_more_with_more_men() {
        let start = Board::start();
        assert_eq!(material_factor(&start), 840 + 48 + 32 + 32 + 52 + 48);
        let bare = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").expect("a position");
        assert_eq!(material_factor(&bare), 843);
        assert_eq!(Scaling::STOCKFISH.apply(361, &start), 130 * 1052 / 1024);
        assert_eq!(Scaling::STOCKFISH.apply(-361, &start), -130 * 1052 / 1024);
        assert_eq!(Scaling::CENTIPAWNS.apply(1024, &bare), 843);
    }
}
