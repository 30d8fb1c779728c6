//! The inputs of the policy: every man on its square, with whether the enemy attacks it
//! and whether the side to move defends it.
//!
//! The side to move sees the board from its own edge, and the board is mirrored
//! horizontally if its king stands on the files a to d.

use chess::{Bitboard, Board, Color, PieceKind};

const SQUARES: usize = 64;
/// How many combinations of side, kind and square there are.
const MEN: usize = 2 * PieceKind::ALL.len() * SQUARES;
/// How many inputs there are: men, attacked or not, defended or not.
pub const INPUTS: usize = 4 * MEN;
/// The most inputs that can be active at once: one for each man.
pub const MOST_ACTIVE: usize = 32;
/// XORed to a square, flips it vertically, as in Black's view.
const TURNED: u8 = 56;
/// XORed to a square, mirrors it horizontally.
const MIRRORED: u8 = 7;

/// A board as its side to move sees it.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// XORed to a square, gives its place in the view.
    pub(super) flip: u8,
    /// Squares that the enemy attacks.
    pub(super) attacked: Bitboard,
    /// Squares that the side to move attacks.
    defended: Bitboard,
}

impl Seen {
    /// The view of the side to move.
    #[inline]
    pub fn of(board: &Board) -> Seen {
        let us = board.side_to_move();
        let turned = match us {
            Color::White => 0,
            Color::Black => TURNED,
        };
        let mirrored = match board.king(us).file().index() < 4 {
            true => MIRRORED,
            false => 0,
        };
        let occupied = board.occupied();
        Seen {
            flip: turned ^ mirrored,
            attacked: board.attacked_by(!us, occupied),
            defended: board.attacked_by(us, occupied),
        }
    }

    /// Passes each active input of the board to `take` once; all are below [`INPUTS`].
    #[inline]
    pub fn inputs(&self, board: &Board, mut take: impl FnMut(usize)) {
        let us = board.side_to_move();
        for (side, color) in [us, !us].into_iter().enumerate() {
            for kind in PieceKind::ALL {
                let first = (side * PieceKind::ALL.len() + kind.index()) * SQUARES;
                for square in board.pieces(color, kind) {
                    let bit = Bitboard::from(square);
                    let is_attacked = usize::from(self.attacked.meets(bit));
                    let is_defended = usize::from(self.defended.meets(bit));
                    let place = square.index() ^ usize::from(self.flip);
                    take(first + place + MEN * (is_attacked + 2 * is_defended));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(fen: &str) -> Vec<usize> {
        let board = Board::from_fen(fen).expect("a position");
        let mut inputs = Vec::new();
        Seen::of(&board).inputs(&board, |input| inputs.push(input));
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn known_inputs() {
        // White's king on g1 stays where it is and defends the pawn on g2, which a
        // bishop on b7 attacks; the king on g8 and the bishop are neither.
        let king = 5 * 64 + 6;
        let pawn = 14 + MEN * 3;
        let bishop = (6 + 2) * 64 + 49;
        let enemy = (6 + 5) * 64 + 62;
        let mut expected = vec![king, pawn, bishop, enemy];
        expected.sort_unstable();
        assert_eq!(inputs("6k1/1b6/8/8/8/8/6P1/6K1 w - - 0 1"), expected);
    }

    #[test]
    fn the_mover_sees_its_own_board() {
        let position = inputs("r3k3/1pp2p2/2n5/8/3P4/1B2P3/P5P1/4K2R w K - 0 1");
        // The same position with colours exchanged and the board flipped.
        assert_eq!(
            position,
            inputs("4k2r/p5p1/1b2p3/3p4/8/2N5/1PP2P2/R3K3 b k - 0 1")
        );
        // The same position mirrored: the king stands on the wing that is mirrored back.
        assert_eq!(
            position,
            inputs("3k3r/2p2pp1/5n2/8/4P3/3P2B1/1P5P/R2K4 w - - 0 1")
        );
        assert!(position.iter().all(|&input| input < INPUTS));
    }
}
