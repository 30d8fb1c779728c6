//! Positions in 32 bytes each, for batches and for shuffling many in memory.
//!
//! They have only what nets need: men, side to move and labels, but neither the move nor
//! castling rights.

use chess::{Bitboard, Color, Piece, PieceKind, Square};

use crate::{
    position::{Outcome, Position},
    spread,
};

/// A position in 32 bytes.
///
/// ```
/// use chess::{Board, Color};
/// use data::packed::PackedPosition;
/// use data::position::{Outcome, Position};
///
/// let position = Position {
///     board: Board::start(),
///     mv: None,
///     score: 25,
///     result: Outcome::Win,
///     ply: 0,
/// };
/// let packed = PackedPosition::from(&position);
/// assert_eq!(packed.pieces().count(), 32);
/// assert_eq!(packed.side_to_move(), Color::White);
/// assert_eq!((packed.score(), packed.result()), (25, Outcome::Win));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct PackedPosition {
    occupied: Bitboard,
    /// Four bits for each man, from a1 to h8, low bits first: the kind, plus 8
    /// for Black.
    men: [u8; 16],
    score: i16,
    ply: u16,
    result: Outcome,
    side: Color,
    /// Plies since the last capture or move of a pawn.
    clock: u16,
}

const BLACK: u8 = 8;

impl From<&Position> for PackedPosition {
    #[inline]
    fn from(position: &Position) -> Self {
        let board = &position.board;
        let occupied = board.occupied();
        let kinds = |list: [PieceKind; 3]| {
            let [first, second, third] = list.map(|kind| board.kind(kind));
            first | second | third
        };
        // For each of the four bits, the set of men that have it.
        let planes = [
            kinds([PieceKind::Knight, PieceKind::Rook, PieceKind::King]),
            kinds([PieceKind::Bishop, PieceKind::Rook, PieceKind::Rook]),
            kinds([PieceKind::Queen, PieceKind::King, PieceKind::King]),
            board.color(Color::Black),
        ];
        let (mut low, mut high) = (0, 0);
        for (bit, plane) in planes.into_iter().enumerate() {
            const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;
            let men = spread::gather(plane.0, occupied.0);
            low |= spread::spread(men, EVERY_FOURTH) << bit;
            high |= spread::spread(men >> 16, EVERY_FOURTH) << bit;
        }
        let mut men = [0; 16];
        men[..8].copy_from_slice(&low.to_le_bytes());
        men[8..].copy_from_slice(&high.to_le_bytes());
        Self {
            occupied,
            men,
            score: position.score,
            ply: position.ply,
            result: position.result,
            side: board.side_to_move(),
            clock: board.halfmove_clock(),
        }
    }
}

impl PackedPosition {
    /// The men, from a1 to h8.
    #[inline]
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = (Square, Piece)> + '_ {
        self.occupied
            .into_iter()
            .enumerate()
            .map(|(index, square)| {
                let man = self.men[(index / 2) & 15] >> (index % 2 * 4);
                let kind = PieceKind::from_index(man & 7).unwrap_or(PieceKind::Pawn);
                let color = Color::ALL[usize::from(man & BLACK != 0)];
                (square, Piece { color, kind })
            })
    }

    /// How many men there are.
    #[inline(always)]
    pub fn piece_count(&self) -> u32 {
        self.occupied.count()
    }

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The score for the side to move.
    #[inline(always)]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// The result for the side to move.
    #[inline(always)]
    pub fn result(&self) -> Outcome {
        self.result
    }

    /// How many plies of the game came before.
    #[inline(always)]
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// Plies since the last capture or move of a pawn.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    #[test]
    fn men_survive() {
        assert_eq!(size_of::<PackedPosition>(), 32);
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 17 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            let board = Board::from_fen(fen).expect("a position");
            let packed = PackedPosition::from(&Position {
                board,
                mv: None,
                score: -32_000,
                result: Outcome::Loss,
                ply: 77,
            });
            let men: Vec<_> = packed.pieces().collect();
            let expected: Vec<_> = Square::all()
                .filter_map(|square| Some((square, board.piece_at(square)?)))
                .collect();
            assert_eq!(men, expected);
            assert_eq!(packed.piece_count() as usize, men.len());
            assert_eq!(packed.side_to_move(), board.side_to_move());
            let labels = (packed.score(), packed.result(), packed.ply());
            assert_eq!(labels, (-32_000, Outcome::Loss, 77));
            assert_eq!(packed.halfmove_clock(), board.halfmove_clock());
        }
    }
}
