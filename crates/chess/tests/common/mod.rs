//! What several test files share: a small random generator, walks through the
//! tree of legal moves, odd positions from random placement, and positions in
//! which rare rules matter.

#![allow(dead_code, unused_imports)] // Every test file uses its own part.

mod odd;
mod walk;

pub(crate) use odd::odd_board;
pub(crate) use walk::{Style, choose, random_start, walk};

use chess::{Board, BoardBuilder, Color, Piece, Square};

/// SplitMix64: a small generator with the same numbers on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `limit - 1`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// How much work to do: the variable `TABIA_LONG=1` asks for the long mode.
pub(crate) fn scaled(normal: usize, long: usize) -> usize {
    match std::env::var("TABIA_LONG").as_deref() {
        Ok("1") => long,
        _ => normal,
    }
}

/// Positions with checks, pins, promotions, castling and captures en passant.
pub(crate) const CORNERS: [&str; 24] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b KQkq a3 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    // The capture en passant would open the rank, the diagonal or the file.
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
    "7k/8/8/1b1pP3/8/3K4/8/8 w - d6 0 1",
    "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    // It answers the check of the pawn that has just moved, or of a slider.
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    // Two pawns may capture; one of two is pinned.
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    // Checks: by a knight, double, smothered, with a pinned defender.
    "4k3/8/8/8/8/3n4/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/1b6/3n4/8/R3K2R w KQ - 0 1",
    "4r1k1/8/8/8/8/8/4R3/r3K2R w K - 0 1",
    "3k4/3r4/8/3B4/3K4/8/8/8 w - - 0 1",
    // Castling in Chess960: a pinned rook, short ways, inner rooks.
    "4k3/8/8/8/8/8/8/rRK5 w B - 0 1",
    "4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1",
    "1rkr3r/2p5/8/8/8/8/2P5/RKR4R w CAdb - 0 1",
    "5rkr/8/8/8/8/8/8/RK5R b HAhf - 0 1",
    // Promotions with captures, also onto rooks that could castle.
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1",
];

pub(crate) fn corner_boards() -> impl Iterator<Item = Board> {
    CORNERS
        .into_iter()
        .map(|fen| Board::from_fen(fen).expect("the table holds positions"))
}

/// The same position with the colours exchanged and the board flipped vertically.
pub(crate) fn mirrored(board: &Board) -> Board {
    let mut builder = parts_of(board);
    builder.pieces = std::array::from_fn(|index| {
        let piece = board.piece_at(Square::from_index(index as u8 ^ 56))?;
        Some(Piece::new(!piece.color, piece.kind))
    });
    builder.side_to_move = !builder.side_to_move;
    for (color, _) in &mut builder.castling {
        *color = !*color;
    }
    builder.en_passant = builder
        .en_passant
        .map(|square| square.relative_to(Color::Black));
    build(&builder)
}

/// The parts of a board, read through its public methods.
pub(crate) fn parts_of(board: &Board) -> BoardBuilder {
    let mut builder = BoardBuilder::new();
    builder.pieces = std::array::from_fn(|index| board.piece_at(Square::from_index(index as u8)));
    builder.side_to_move = board.side_to_move();
    for color in Color::ALL {
        let rooks = board.castling().rooks(color);
        builder
            .castling
            .extend(rooks.into_iter().map(|rook| (color, rook.file())));
    }
    builder.en_passant = board.en_passant();
    builder.halfmove_clock = board.halfmove_clock();
    builder.fullmove_number = board.fullmove_number();
    builder
}

/// The board of valid parts, which must build without a warning.
pub(crate) fn build(builder: &BoardBuilder) -> Board {
    match builder.build() {
        Ok((board, warnings)) if warnings.is_empty() => board,
        other => panic!("parts of a board make a board: {other:?}"),
    }
}

/// Boards of all sorts: the table, random games in every style, odd ones.
pub(crate) fn sample_boards(seed: u64, count: usize) -> Vec<Board> {
    let mut random = Random::new(seed);
    let mut boards: Vec<Board> = corner_boards().collect();
    while boards.len() < count {
        let start = random_start(&mut random);
        let style = *random.pick(&Style::ALL);
        // Keep a few boards of each game, so that many games are seen.
        let mut visited = Vec::new();
        walk(start, 160, style, &mut random, |board| visited.push(*board));
        for _ in 0..8 {
            boards.push(*random.pick(&visited));
        }
        for _ in 0..4 {
            boards.push(odd_board(&mut random));
        }
    }
    boards
}
