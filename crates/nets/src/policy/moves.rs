//! Move indices: which output of a net stands for which move.
//!
//! Every legal move has an index in either encoding. Castling is encoded as the king's
//! move to its target if that is at least two files away, where no other king's move
//! goes; else, in Chess960, as the king's move to its own rook.

use chess::{Move, PieceKind, Square, Wing};
use serde::{Deserialize, Serialize};

/// Planes of the second encoding: up to 7 steps in each of 8 directions, 8 knight's
/// moves, and 3 underpromotions in each of 3 directions.
pub(crate) const MOVE_PLANES: usize = 73;
const KNIGHT_PLANE: usize = 56;
const PROMOTION_PLANE: usize = 64;
/// Added to the logit of an underpromotion in 64 x 64, where it has no output of its own
/// and takes that of the queen: so it is always possible, but rarely searched.
const UNDER_PROMOTION: f32 = -5.0;
/// Steps of (file, rank), in the order of the planes.
const DIRECTIONS: [(i32, i32); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];
const JUMPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The encoding of moves.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
pub enum MoveIndex {
    /// By origin and target square: 4,096, as published.
    #[default]
    #[serde(rename = "64x64")]
    FromTo,
    /// By origin square and direction: 4,672, with outputs for underpromotions.
    #[serde(rename = "64x73")]
    FromPlane,
}

impl MoveIndex {
    /// How many outputs each origin square has.
    pub fn targets(self) -> usize {
        match self {
            MoveIndex::FromTo => 64,
            MoveIndex::FromPlane => MOVE_PLANES,
        }
    }

    /// How many indices there are.
    pub fn count(self) -> usize {
        64 * self.targets()
    }

    /// The index of a legal move, and an offset to add to its logit. `turned` says
    /// whether the board is flipped vertically.
    pub fn of(self, mv: Move, turned: bool) -> (usize, f32) {
        let turn = if turned { 56 } else { 0 };
        let (from, to) = (mv.from().index() ^ turn, target(mv).index() ^ turn);
        let under = mv.promotes_to().filter(|&kind| kind != PieceKind::Queen);
        match self {
            MoveIndex::FromTo => {
                let offset = under.map_or(0.0, |_| UNDER_PROMOTION);
                (from * 64 + to, offset)
            }
            MoveIndex::FromPlane => {
                let plane = match under {
                    Some(kind) => promotion_plane(from, to, kind.index() - 1),
                    None => plane(from, to),
                };
                (from * MOVE_PLANES + plane, 0.0)
            }
        }
    }
}

/// The target square that encodes the move.
fn target(mv: Move) -> Square {
    if !mv.is_castling() {
        return mv.to();
    }
    let (king, rook) = (mv.from(), mv.to());
    let file = Wing::of(king, rook).king_file();
    match king.file().index().abs_diff(file.index()) {
        0 | 1 => rook,
        _ => Square::new(file, king.rank()),
    }
}

/// The difference between two squares in files and ranks.
fn way(from: usize, to: usize) -> (i32, i32) {
    let part = |divide: fn(usize) -> usize| divide(to) as i32 - divide(from) as i32;
    (part(|square| square % 8), part(|square| square / 8))
}

/// The plane of a move of a queen or a knight.
pub(crate) fn plane(from: usize, to: usize) -> usize {
    let (files, ranks) = way(from, to);
    if let Some(jump) = JUMPS.iter().position(|&jump| jump == (files, ranks)) {
        return KNIGHT_PLANE + jump;
    }
    let step = (files.signum(), ranks.signum());
    let steps = files.abs().max(ranks.abs()) as usize;
    // Legal moves always have a direction; for others the first is as good as any.
    let direction = DIRECTIONS.iter().position(|&it| it == step).unwrap_or(0);
    7 * direction + steps.max(1) - 1
}

/// The plane of an underpromotion; `piece` is 0 to 2.
pub(crate) fn promotion_plane(from: usize, to: usize, piece: usize) -> usize {
    let (files, _) = way(from, to);
    PROMOTION_PLANE + 3 * (files + 1) as usize + piece
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Board, Color};
    use std::collections::BTreeSet;

    fn numbers(index: MoveIndex, fen: &str) -> Vec<(String, usize, f32)> {
        let board = Board::from_fen(fen).expect("a position");
        let turned = board.side_to_move() == Color::Black;
        let number = |mv: &Move| {
            let (number, offset) = index.of(*mv, turned);
            (format!("{mv:?}"), number, offset)
        };
        board.legal_moves().iter().map(number).collect()
    }

    #[test]
    fn the_published_formula() {
        // Row 1, column 2 to row 3, column 3.
        let mv = Move::normal(Square::from_index(10), Square::from_index(27));
        assert_eq!(MoveIndex::FromTo.of(mv, false), (10 * 64 + 27, 0.0));
        assert_eq!(
            MoveIndex::FromTo.of(mv, true),
            ((10 ^ 56) * 64 + (27 ^ 56), 0.0)
        );
    }

    #[test]
    fn moves_of_a_position_have_numbers_of_their_own() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "2r1k3/1P6/8/8/8/8/p7/1N2K3 w - - 0 1",
            "2r1k3/1P6/8/8/8/8/p7/1N2K3 b - - 0 1",
            // Chess960: kings beside their targets, and on them.
            "1rk1r3/8/8/8/8/8/8/1RK1R3 w BEbe - 0 1",
            "5rkr/8/8/8/8/8/8/5RKR b FHfh - 0 1",
            "rk4r1/8/8/8/8/8/8/RK4R1 w AGag - 0 1",
        ] {
            let board = Board::from_fen(fen).expect("a position");
            for index in [MoveIndex::FromTo, MoveIndex::FromPlane] {
                let numbers = numbers(index, fen);
                assert!(numbers.iter().all(|(_, number, _)| *number < index.count()));
                let distinct: BTreeSet<_> = numbers.iter().map(|(_, number, _)| number).collect();
                let under = board.legal_moves();
                let under = under.iter().filter(|mv| {
                    mv.promotes_to()
                        .is_some_and(|kind| kind != PieceKind::Queen)
                });
                let shared = match index {
                    MoveIndex::FromTo => under.count(),
                    MoveIndex::FromPlane => 0,
                };
                assert_eq!(distinct.len() + shared, numbers.len(), "{fen} {index:?}");
            }
        }
    }

    #[test]
    fn under_promotions_and_castling_have_their_places() {
        let all = numbers(MoveIndex::FromTo, "2r1k3/1P6/8/8/8/8/8/4K2R w K - 0 1");
        let find = |name: &str| {
            let found = all.iter().find(|(text, ..)| text == name).expect("a move");
            (found.1, found.2)
        };
        assert_eq!(find("b7c8q"), (49 * 64 + 58, 0.0));
        assert_eq!(find("b7c8n"), (49 * 64 + 58, UNDER_PROMOTION));
        // Castling is king to g1, as published.
        assert_eq!(find("e1h1"), (4 * 64 + 6, 0.0));
        let all = numbers(MoveIndex::FromPlane, "2r1k3/1P6/8/8/8/8/8/4K2R w K - 0 1");
        let find = |name: &str| {
            all.iter()
                .find(|(text, ..)| text == name)
                .expect("a move")
                .1
        };
        assert_eq!(find("b7c8q"), 49 * 73 + 7);
        assert_eq!(find("b7c8n"), 49 * 73 + 64 + 6);
        assert_eq!(find("b7b8r"), 49 * 73 + 64 + 3 + 2);
        assert_eq!(find("e1h1"), 4 * 73 + 15);
        // The king of Chess960 that would move one file takes its rook instead.
        let all = numbers(MoveIndex::FromTo, "4k3/8/8/8/8/8/8/5K1R w H - 0 1");
        let find = |name: &str| {
            all.iter()
                .find(|(text, ..)| text == name)
                .expect("a move")
                .1
        };
        assert_eq!((find("f1g1"), find("f1h1")), (5 * 64 + 6, 5 * 64 + 7));
    }
}
