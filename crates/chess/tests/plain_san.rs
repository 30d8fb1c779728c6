//! The fast path for plain SAN gives the same moves as the general parser.

use chess::{Board, Move, San, SanError};

const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K2R w K d6 0 1",
];

fn long_way(board: &Board, text: &str) -> Result<Move, SanError> {
    San::from_ascii(text.as_bytes()).and_then(|san| board.resolve_san(&san))
}

/// Reads, in every position after up to two plies, the moves of that position and of the
/// other positions, most of which are wrong there.
#[test]
fn both_ways_agree() {
    let mut boards = Vec::new();
    for fen in POSITIONS {
        let board = Board::from_fen(fen).expect("a sound position");
        boards.push(board);
        boards.extend(board.legal_moves().iter().map(|&mv| board.after(mv)));
    }
    let mut words: Vec<String> = ["e", "Kx", "Nx3", "xe4", "Z0", "Pe4", "e9", "Qh1+#", ""]
        .map(str::to_owned)
        .to_vec();
    for board in &boards {
        for &mv in &board.legal_moves() {
            let san = board.san(mv).to_string();
            assert_eq!(
                board.resolve_ascii(san.as_bytes()),
                Ok(mv),
                "{board:?} {san}"
            );
            words.push(san.replace('x', ""));
            words.push(san);
        }
    }
    words.sort();
    words.dedup();
    let mut legal = 0;
    for board in &boards {
        for word in &words {
            let found = board.resolve_ascii(word.as_bytes());
            assert_eq!(found, long_way(board, word), "{board:?} {word}");
            legal += usize::from(found.is_ok());
        }
    }
    assert!(legal > boards.len() * 20, "{legal} legal words");
}
