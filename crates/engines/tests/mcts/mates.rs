//! Mates in one to four, and their lengths.

use crate::support::{game, heuristic, search, small, uniform};
use chess::Board;
use engines::score::Score;
use engines::{Limits, StopSignal};

/// Positions with a mate, and the moves that it takes.
const MATES: [(&str, i32); 7] = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        1,
    ),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("8/8/8/8/8/5k2/6r1/7K b - - 0 1", 3),
    ("7k/8/8/5K2/8/8/8/6R1 w - - 0 1", 3),
];

/// Whether the side to move mates in at most so many moves, by looking at everything.
fn mates_in(board: &Board, moves: i32) -> bool {
    board.legal_moves().iter().any(|&mv| {
        let child = board.after(mv);
        let replies = child.legal_moves();
        match replies.is_empty() {
            true => child.in_check(),
            false => {
                moves > 1
                    && replies
                        .iter()
                        .all(|&reply| mates_in(&child.after(reply), moves - 1))
            }
        }
    })
}

#[test]
fn short_mates_are_proved() {
    for (fen, moves) in MATES {
        let position = game(fen);
        assert!(mates_in(position.board(), moves), "{fen}");
        assert!(
            moves == 1 || !mates_in(position.board(), moves - 1),
            "{fen}"
        );
        for lines in [1, 2] {
            let options = engines::mcts::Options { lines, ..small() };
            let mut player = heuristic(options);
            let answer = search(&mut player, &position, 100_000);
            let Score::Mate(found) = answer.score else {
                panic!("{fen}: no mate but {} after {}", answer.score, answer.nodes);
            };
            assert!(
                (moves..=moves + 2).contains(&found),
                "{fen}: mate in {found}"
            );
            let child = position.board().after(answer.best.expect("a move"));
            let replies = child.legal_moves();
            let is_kept = |mv: &chess::Move| mates_in(&child.after(*mv), found - 1);
            assert!(found > 3 || replies.iter().all(is_kept), "{fen}");
            let chances = answer.chances.expect("chances");
            assert_eq!((chances.win, chances.loss), (1.0, 0.0));
        }
    }
}

#[test]
fn a_mate_in_four_is_proved_without_knowledge() {
    // King and rook against the king on the edge.
    let mut player = uniform(engines::mcts::Options {
        hash: 64,
        ..small()
    });
    let answer = search(
        &mut player,
        &game("8/8/8/8/8/4K3/R7/4k3 w - - 0 1"),
        200_000,
    );
    assert!(
        matches!(answer.score, Score::Mate(1..=4)),
        "{}",
        answer.score
    );
    let answer = search(&mut player, &game("k7/8/2K5/8/8/8/8/7R w - - 0 1"), 300_000);
    assert!(
        matches!(answer.score, Score::Mate(2..=4)),
        "{}",
        answer.score
    );
}

#[test]
fn being_mated_is_seen_from_the_other_side() {
    // Whatever Black does, White mates.
    let mut player = heuristic(small());
    let answer = search(&mut player, &game("k7/8/1K6/8/8/8/8/7R b - - 0 1"), 5_000);
    assert_eq!(answer.score, Score::Mate(-1));
    assert_eq!(answer.chances.expect("chances").loss, 1.0);
}

#[test]
fn the_line_of_a_mate_ends_with_it() {
    let mut player = heuristic(small());
    let game = game("7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
    let mut lines = Vec::new();
    let limits = Limits::nodes(60_000);
    player.think(&game, &limits, &StopSignal::new(), &mut |report| {
        lines.push(report.clone());
    });
    let last = lines.last().expect("a report");
    assert!(matches!(last.score, Score::Mate(_)));
    let mut board = *game.board();
    for &mv in &last.line {
        assert!(board.is_legal(mv));
        board.make(mv);
    }
    assert!(
        board.in_check() && !board.has_legal_move(),
        "{:?}",
        last.line
    );
    assert_eq!(last.wdl, [1000, 0, 0]);
}

#[test]
fn the_end_of_a_game_has_no_move() {
    let mut player = heuristic(small());
    let mated = game("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    let answer = search(&mut player, &mated, 100);
    assert_eq!((answer.best, answer.score), (None, Score::Mate(0)));
    let stalemate = game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let answer = search(&mut player, &stalemate, 100);
    assert_eq!((answer.best, answer.score), (None, Score::Centipawns(0)));
}
