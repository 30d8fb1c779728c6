//! Compares the search with plain minimax, which has neither windows nor move ordering.

use super::*;
use nets::Classical;
use std::collections::HashSet;

/// Positions, and the depth to which minimax is fast enough there.
const POSITIONS: [(&str, u32); 8] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        2,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3),
    // Exchanges, a promotion, checks, en passant.
    ("4k3/1P3r2/2n5/3b4/4P3/2N5/5R2/4K3 w - - 0 1", 2),
    ("2r3k1/5ppp/8/3pP3/8/8/2Q2PPP/6K1 w - d6 0 1", 2),
    (
        "r3k2r/ppp2ppp/2n5/3q4/3P4/5N2/PP3PPP/R2QK2R b KQkq - 0 1",
        1,
    ),
    (
        "r1bq1rk1/pp2bppp/2n1pn2/8/3P4/2NB1N2/PP3PPP/R1BQ1RK1 b - - 0 9",
        1,
    ),
    // A mate in one, and a stalemate to be avoided.
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 3),
    ("7k/5Q2/8/8/8/8/5PPP/6K1 w - - 0 1", 3),
];

/// The value of a position by definition, and all leaves that have it.
struct Minimax(Classical);

impl Minimax {
    fn node(&mut self, board: &Board, depth: u32, ply: usize) -> (i32, Vec<Board>) {
        if depth == 0 {
            return self.quiescence(board, ply);
        }
        let moves = board.legal_moves();
        if moves.is_empty() {
            let value = if board.in_check() {
                score::mated_in(ply)
            } else {
                DRAW
            };
            return (value, vec![*board]);
        }
        let children = moves.iter().map(|&mv| {
            let (value, leaves) = self.node(&board.after(mv), depth - 1, ply + 1);
            (-value, leaves)
        });
        best(children.collect())
    }

    fn quiescence(&mut self, board: &Board, ply: usize) -> (i32, Vec<Board>) {
        let stand = match board.in_check() {
            true => score::mated_in(ply),
            false => self.0.evaluate(board),
        };
        let mut lines = vec![(stand, vec![*board])];
        for &mv in board.legal_moves().iter() {
            let is_noisy = board.is_capture(mv) || mv.promotes_to().is_some();
            if board.in_check() || is_noisy && order::is_worth_a_look(board, mv) {
                let (value, leaves) = self.quiescence(&board.after(mv), ply + 1);
                lines.push((-value, leaves));
            }
        }
        best(lines)
    }
}

fn best(lines: Vec<(i32, Vec<Board>)>) -> (i32, Vec<Board>) {
    let value = lines.iter().map(|line| line.0).max().expect("a line");
    let leaves = lines.into_iter().filter(|line| line.0 == value);
    (value, leaves.flat_map(|line| line.1).collect())
}

fn board(fen: &str) -> Board {
    Board::from_fen(fen).expect("a position")
}

#[test]
fn moves_compare_as_minimax_says() {
    let mut exact = Exact::new(Classical::default());
    let mut minimax = Minimax(Classical::default());
    for (fen, most) in POSITIONS {
        let (board, depth) = (board(fen), most);
        let moves = board.legal_moves();
        let lines: Vec<_> = moves
            .iter()
            .map(|&mv| {
                let (value, leaves) = minimax.node(&board.after(mv), depth - 1, 1);
                (mv, -value, leaves)
            })
            .collect();
        for (desired, value, leaves) in lines.iter().step_by(7) {
            let found = exact.compare(&board, *desired, depth);
            assert_eq!(found.desired.value, *value, "{fen} {depth}");
            assert!(leaves.contains(&found.desired.leaf), "{fen} {depth}");
            let others = || lines.iter().filter(|line| line.0 != *desired);
            let expected: HashSet<_> = others()
                .filter(|line| line.1 > *value)
                .map(|line| (line.0, line.1))
                .collect();
            let better: HashSet<_> = found.better.iter().map(|it| (it.mv, it.value)).collect();
            assert_eq!(better, expected, "{fen} {depth}");
            let equal = others().filter(|line| line.1 == *value).count();
            assert_eq!(found.equal, equal, "{fen} {depth}");
            for variation in &found.better {
                let line = lines.iter().find(|line| line.0 == variation.mv);
                assert!(line.is_some_and(|line| line.2.contains(&variation.leaf)));
            }
        }
    }
}

#[test]
fn trees_have_the_value_of_minimax() {
    let mut exact = Exact::new(Classical::default());
    let mut minimax = Minimax(Classical::default());
    for (fen, depth) in POSITIONS {
        let board = board(fen);
        let (value, leaves) = minimax.node(&board, depth, 0);
        let found = exact.tree(&board, depth, |_, _| {});
        assert_eq!(found, value, "{fen}");
        assert!(leaves.contains(&exact.leaves[0]), "{fen}");
    }
}

#[test]
fn bounds_hold() {
    let mut exact = Exact::new(Classical::default());
    let mut minimax = Minimax(Classical::default());
    let [mut exactly, mut once] = [0; 2];
    for (fen, _) in POSITIONS.into_iter().filter(|(_, depth)| *depth > 1) {
        let board = board(fen);
        let mut nodes = Vec::new();
        let value = exact.tree(&board, 2, |board, bounds| nodes.push((*board, bounds)));
        let (last, bounds) = nodes.pop().expect("a root");
        assert_eq!((last, bounds.lower, bounds.upper), (board, value, value));
        for (board, bounds) in nodes {
            let (value, _) = minimax.node(&board, 1, 1);
            assert!(bounds.lower <= value && value <= bounds.upper, "{fen}");
            match bounds.lower == bounds.upper {
                true => exactly += 1,
                false => once += 1,
            }
        }
    }
    // First moves are searched with an open window; most later ones are refuted.
    assert!(exactly >= 5 && once > 3 * exactly, "{exactly} {once}");
}

#[test]
fn a_search_depends_on_its_position_alone() {
    let mut used = Exact::new(Classical::default());
    for (fen, _) in POSITIONS {
        let board = board(fen);
        let mv = board.legal_moves()[0];
        let found = used.compare(&board, mv, 3);
        assert_eq!(found, used.compare(&board, mv, 3));
        let fresh = Exact::new(Classical::default()).compare(&board, mv, 3);
        assert_eq!(found, fresh, "{fen}");
    }
}
