//! From the value of a net to that of a search.
//!
//! A search counts in centipawns of the hand-written evaluation, and prefers
//! lines that keep material while it is ahead: a lead is worth more the more
//! there is to play with.

use chess::{Board, PieceKind};

/// How the values of a net become those of a search; the one place for its
/// constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scaling {
    /// Centipawns of [`unit`](Scaling::unit) of the net's values.
    pub centipawns: i32,
    /// See above.
    pub unit: i32,
}

/// The factor of a bare board, in 1024ths.
const LEAST: i32 = 840;
/// What each man adds, pawns to queens, in 1024ths; a full board gives about 1.
const ADDS: [i32; 5] = [3, 8, 8, 13, 24];

impl Scaling {
    /// Values that are centipawns already.
    pub const CENTIPAWNS: Scaling = Scaling {
        centipawns: 1,
        unit: 1,
    };

    /// Stockfish's units: at 361 a win is as likely as not, as it is at 130
    /// centipawns of the hand-written evaluation.
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
