//! Games made of random moves, for tests that need positions.

use chess::{Board, Move};
use data::position::{Outcome, Position};

/// A small generator: the same numbers on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Starts that soon lead to castling, promotions and captures en passant.
const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/PPP1P1PP/8/8/8/8/ppp1p1pp/4K3 w - - 0 1",
    "4k3/pppppppp/8/PPPPPPPP/8/8/8/4K3 b - - 3 20",
    "r3k2r/8/3Q4/8/8/3q4/8/R3K2R w KQkq - 98 60",
];

/// The positions of a random game.
pub(crate) fn game(seed: u64, plies: usize) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut board = Board::from_fen(STARTS[seed as usize % STARTS.len()]).expect("a position");
    let mut result = Outcome::ALL[random.below(3)];
    let first = (board.fullmove_number() - 1) * 2 + board.side_to_move() as u16;
    let mut score = 0;
    let mut positions = Vec::new();
    for ply in 0..plies {
        let Some(mv) = choose(&board, &mut random) else {
            break;
        };
        positions.push(Position {
            board,
            mv: Some(mv),
            score: score as i16,
            result,
            ply: first + ply as u16,
        });
        board.make(mv);
        result = result.reversed();
        let spread = [20, 600, 40_000][random.below(3)];
        score = (-score + random.below(spread) as i32 - spread as i32 / 2).clamp(-32_000, 32_002);
    }
    positions
}

fn choose(board: &Board, random: &mut Random) -> Option<Move> {
    let moves = board.legal_moves();
    // Rare moves are preferred to random ones.
    let rare = |mv: &&Move| mv.is_castling() || mv.is_en_passant();
    if let Some(&mv) = moves.iter().find(rare) {
        return Some(mv);
    }
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}
