//! Times perft of five well-known positions.
use chess::{Board, perft};
use std::time::Instant;
const POSITIONS: [(&str, u32, u64); 5] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
        119_060_324,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
];
fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut b = board.clone();
                b.play_unchecked(mv);
                nodes += cozy(&b, depth - 1);
            }
            false
        });
    }
    nodes
}
fn main() {
    for _ in 0..3 {
        let (mut ta, mut tb) = (0.0, 0.0);
        for (fen, depth, want) in POSITIONS {
            let board = Board::from_fen(fen).unwrap();
            let t = Instant::now();
            let n = perft::perft(&board, depth);
            let a = t.elapsed().as_secs_f64();
            let b = fen.parse::<cozy_chess::Board>().unwrap();
            let t = Instant::now();
            let m = cozy(&b, depth);
            let c = t.elapsed().as_secs_f64();
            ta += a;
            tb += c;
            println!(
                "{} {n} {:.0} cozy {:.0} ratio {:.2}",
                n == want && m == want,
                n as f64 / a / 1e6,
                m as f64 / c / 1e6,
                c / a
            );
        }
        println!("all ratio {:.3}  ours {:.0}", tb / ta, 671.29 / ta);
    }
}
