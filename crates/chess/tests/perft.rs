//! Exact counts of the tree of legal moves.
//!
//! The counts of the first table are well known and were checked with another
//! library, like those of the project's own positions and starts.

mod common;

use chess::perft::{divide, perft, perft_without_bulk};
use chess::{Board, MoveFilter, MoveList};
use common::sample_boards;

/// A FEN, a depth and the count.
type Count = (&'static str, u32, u64);

const KNOWN: [Count; 6] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
        4_865_609,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        4,
        422_333,
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        4,
        2_103_487,
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        4,
        3_894_594,
    ),
];

const CASTLING: [Count; 6] = [
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 4, 314_346),
    ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1", 4, 287_806),
    ("1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", 4, 334_705),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
    // Pawns may take the rooks that could castle.
    ("r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1", 4, 764_007),
];

const CHESS960_CASTLING: [Count; 6] = [
    // The rook is pinned on the rank, so the king's square is not safe.
    ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", 4, 12_489),
    // The king stays, or the rook does.
    ("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", 4, 14_632),
    // Inner rooks castle, outer ones do not.
    ("1rkr3r/2p5/8/8/8/8/2P5/RKR4R w CAdb - 0 1", 4, 19_252),
    // King and rook change places.
    ("5rkr/8/8/8/8/8/8/RK5R b HAhf - 0 1", 4, 220_320),
    ("2r1kr2/8/8/8/8/8/8/R3K1R1 w GAfc - 0 1", 4, 267_415),
    ("rkr5/8/8/8/8/8/8/5RKR w HFca - 0 1", 4, 231_403),
];

const EN_PASSANT: [Count; 7] = [
    // Both pawns leave the king's rank at once.
    ("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", 6, 921_406),
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
    // The captured pawn was a shield on a diagonal.
    ("7k/8/8/1b1pP3/8/3K4/8/8 w - d6 0 1", 6, 460_453),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
    ("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1_015_133),
    // The capture steps between the king and a queen.
    ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", 5, 94_099),
    // One of two capturing pawns is pinned.
    ("4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", 5, 100_228),
];

const PROMOTIONS: [Count; 6] = [
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 5, 266_199),
    ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
    ("8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1", 5, 1_745_545),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3_605_103),
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
    // The most moves of any position that a game can reach.
    (
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        3,
        19_073,
    ),
];

/// Numbers of Chess960 starts, their back ranks, and the count at depth 4.
const STARTS: [(u16, &str, u64); 13] = [
    (0, "BBQNNRKR", 201_143),
    (1, "BQNBNRKR", 198_393),
    (87, "NNBRKRQB", 160_541),
    (177, "BNRBNKRQ", 233_585),
    (284, "NBRKNRBQ", 199_222),
    (357, "NRBBKRQN", 136_775),
    (463, "RNNKQRBB", 197_708),
    (518, "RNBQKBNR", 197_281),
    (534, "RNBKQBNR", 197_281),
    (692, "RBBQKNNR", 199_685),
    (779, "QRKNBRNB", 198_248),
    (840, "RBKNBRQN", 167_806),
    (959, "RKRNNQBB", 201_143),
];

fn check(table: &[Count]) {
    for &(fen, depth, count) in table {
        let board = Board::from_fen(fen).expect("a position");
        assert_eq!(perft(&board, depth), count, "{fen} at depth {depth}");
    }
}

/// The three ways to count agree, and depth 0 is the position itself.
fn check_ways(board: &Board, depth: u32) {
    let count = perft(board, depth);
    assert_eq!(perft_without_bulk(board, depth), count, "{board:?}");
    let parts = divide(board, depth);
    let sum: u64 = parts.iter().map(|&(_, below)| below).sum();
    assert_eq!(sum, count, "{board:?}");
    assert_eq!(parts.len(), board.legal_moves().len(), "{board:?}");
    assert_eq!(perft(board, 0), 1);
    assert_eq!(perft_without_bulk(board, 0), 1);
}

#[test]
fn known_positions() {
    check(&KNOWN);
}

#[test]
fn castling_corners() {
    check(&CASTLING);
    check(&CHESS960_CASTLING);
}

#[test]
fn en_passant_pins() {
    check(&EN_PASSANT);
}

#[test]
fn promotions_of_every_kind() {
    check(&PROMOTIONS);
}

#[test]
fn chess960_starts() {
    for (number, row, count) in STARTS {
        let board = Board::chess960(number).expect("a start");
        let placement = format!(
            "{}/pppppppp/8/8/8/8/PPPPPPPP/{row} w ",
            row.to_ascii_lowercase()
        );
        assert!(board.fen().starts_with(&placement), "{number}: {board:?}");
        assert_eq!(perft(&board, 4), count, "start {number}");
    }
}

#[test]
fn double_chess960_starts_have_both_rows() {
    let board = Board::double_chess960(0, 959).expect("a start");
    let fen = "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    assert_eq!(board.fen(), fen);
    assert_eq!(
        board.shredder_fen(),
        "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1"
    );
    assert_eq!(Board::double_chess960(960, 0), None);
    assert_eq!(Board::double_chess960(0, 960), None);
}

#[test]
fn all_ways_to_count_agree() {
    for &(fen, depth, _) in KNOWN.iter().chain(&CHESS960_CASTLING).chain(&EN_PASSANT) {
        let board = Board::from_fen(fen).expect("a position");
        check_ways(&board, depth - 1);
    }
    for board in sample_boards(11, 2_000) {
        check_ways(&board, 2);
    }
}

#[test]
fn counts_equal_the_lengths_of_lists() {
    for board in sample_boards(12, 5_000) {
        let moves = board.legal_moves();
        let length = |filter| {
            let mut list = MoveList::new();
            board.generate(filter, &mut list);
            list.len()
        };
        assert_eq!(board.count_legal_moves() as usize, moves.len(), "{board:?}");
        assert_eq!(perft(&board, 1) as usize, moves.len(), "{board:?}");
        assert_eq!(board.has_legal_move(), !moves.is_empty(), "{board:?}");
        assert_eq!(
            length(MoveFilter::Captures) + length(MoveFilter::Quiets),
            moves.len(),
            "{board:?}"
        );
    }
}

/// All 960 numbers give different back ranks with bishops on both colours and the
/// king between its rooks.
#[test]
fn all_960_rows_are_right() {
    let mut rows = std::collections::BTreeSet::new();
    for number in 0..960 {
        let board = Board::chess960(number).expect("a start");
        let fen = board.fen();
        let (row, _) = fen.split_once('/').expect("ranks");
        let places =
            |letter: char| -> Vec<usize> { row.match_indices(letter).map(|(at, _)| at).collect() };
        let (bishops, rooks, king) = (places('b'), places('r'), places('k'));
        assert_eq!(bishops[0] % 2, (bishops[1] + 1) % 2, "{row}");
        assert!(rooks[0] < king[0] && king[0] < rooks[1], "{row}");
        assert_eq!((places('n').len(), places('q').len()), (2, 1), "{row}");
        assert!(fen.ends_with("w KQkq - 0 1"), "{fen}");
        rows.insert(row.to_owned());
    }
    assert_eq!(rows.len(), 960);
    assert_eq!(Board::chess960(960), None);
}
