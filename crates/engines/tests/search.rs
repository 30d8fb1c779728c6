//! What a search promises: the same answer for the same limit, exact counts of
//! nodes, legal lines, and mates that are mates.

use chess::{Board, Game, Move};
use engines::alphabeta::{AlphaBeta, Options};
use engines::score::Score;
use engines::{Answer, Limits, Report, StopSignal};
use nets::Classical;

const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
];

fn player() -> AlphaBeta<Classical> {
    let options = Options {
        hash: 4,
        ..Options::default()
    };
    AlphaBeta::new(Classical::default(), options)
}

fn game(fen: &str) -> Game {
    Game::new(Board::from_fen(fen).expect("a position"))
}

fn search(player: &mut AlphaBeta<Classical>, fen: &str, limits: &Limits) -> (Answer, Vec<Report>) {
    let mut reports = Vec::new();
    let stop = StopSignal::new();
    let answer = player.think(&game(fen), limits, &stop, &mut |report| {
        // Time is the one thing that may differ.
        reports.push(Report {
            time: std::time::Duration::ZERO,
            ..report.clone()
        });
    });
    (answer, reports)
}

#[test]
fn equal_limits_give_equal_searches() {
    let mut used = player();
    for limits in [Limits::nodes(20_000), Limits::depth(7)] {
        for fen in POSITIONS {
            let fresh = search(&mut player(), fen, &limits);
            used.forget();
            assert_eq!(search(&mut used, fen, &limits), fresh, "{fen}");
        }
    }
}

#[test]
fn a_limit_of_nodes_is_kept_exactly() {
    for threads in [1, 2] {
        let mut player = player();
        player.set_options(Options {
            threads,
            ..player.options().clone()
        });
        for nodes in [1, 2, 511, 512, 513, 10_000] {
            let (answer, _) = search(&mut player, POSITIONS[1], &Limits::nodes(nodes));
            assert_eq!(answer.nodes, nodes, "{threads} threads");
            assert!(answer.best.is_some());
        }
    }
}

/// Plays a line; whether its end is mate.
fn ends_in_mate(fen: &str, line: &[Move]) -> bool {
    let mut board = Board::from_fen(fen).expect("a position");
    for &mv in line {
        assert!(board.is_legal(mv), "{mv:?} in {board:?}");
        board = board.after(mv);
    }
    board.in_check() && !board.has_legal_move()
}

#[test]
fn lines_are_legal_to_their_end() {
    for fen in POSITIONS {
        let (answer, reports) = search(&mut player(), fen, &Limits::nodes(30_000));
        for report in &reports {
            ends_in_mate(fen, &report.line);
        }
        let last = reports.last().expect("a report");
        assert_eq!(answer.best, last.line.first().copied());
    }
}

/// Problems whose keys are quiet, one of them a defence, and their lengths.
const MATES: [(&str, i32); 6] = [
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1),
    ("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - - 0 1", 2),
    (
        "2rB4/1b1n1pp1/pn4Rp/1Q2NB2/2pK1k1r/3RN1pr/4P3/8 w - - 0 1",
        3,
    ),
    ("8/5N2/8/p5pp/p2B2kr/P5Np/4P2K/8 b - - 0 1", -3),
    (
        "1n2B3/q5p1/2pQ3b/n3p3/2P1k2p/p2bp2N/4R1P1/R3K3 b Q - 0 1",
        -4,
    ),
    ("2b5/1p1p4/1P1Kp3/4P3/1BPkPNpN/P2B2p1/4P3/8 b - - 0 1", -3),
];

#[test]
fn a_mate_that_is_asked_for_is_proved_with_its_line() {
    for (fen, moves) in MATES {
        let limits = Limits {
            mate: Some(moves.unsigned_abs()),
            nodes: Some(1_000_000),
            ..Limits::default()
        };
        let (answer, reports) = search(&mut player(), fen, &limits);
        assert_eq!(answer.score, Score::Mate(moves), "{fen}");
        let line = &reports.last().expect("a report").line;
        let plies = 2 * moves.unsigned_abs() - u32::from(moves > 0);
        assert_eq!(line.len() as u32, plies, "{fen}");
        assert!(ends_in_mate(fen, line), "{fen}");
    }
}

#[test]
fn no_mate_is_claimed_that_is_too_short() {
    for (fen, moves) in MATES {
        for asked in 1..moves.unsigned_abs() {
            let limits = Limits {
                mate: Some(asked),
                nodes: Some(20_000),
                ..Limits::default()
            };
            let (answer, _) = search(&mut player(), fen, &limits);
            if let Score::Mate(found) = answer.score {
                assert_eq!(found.signum(), moves.signum(), "{fen}");
                assert!(found.abs() >= moves.abs(), "{fen}: {found}");
            }
        }
    }
}

#[test]
fn a_loss_is_not_told_before_all_moves_are_tried() {
    // Captures and promotions without end, and White mates in both: the first
    // iteration takes tens of thousands of nodes, and begins with a move that
    // loses at once.
    for fen in [
        "2BB4/1PPPPPPP/5Nk1/K1bqnnpb/8/8/p4p2/1r6 w - - 0 1",
        "N7/PPPPPPPP/K1k3rB/b1pnnb1p/8/1r6/pp3p2/7q w - - 0 1",
    ] {
        for nodes in [1, 10, 100, 1_000, 10_000] {
            let (answer, _) = search(&mut player(), fen, &Limits::nodes(nodes));
            assert!(
                !matches!(answer.score, Score::Mate(moves) if moves < 0),
                "{:?} after {nodes} nodes of {fen}",
                answer.score
            );
        }
    }
}

#[test]
fn a_proof_keeps_to_the_moves_that_were_named() {
    let fen = MATES[0].0;
    let board = Board::from_fen(fen).expect("a position");
    let mv = board.parse_uci("g1f1").expect("a move");
    let limits = Limits {
        mate: Some(1),
        nodes: Some(5_000),
        search_moves: vec![mv],
        ..Limits::default()
    };
    let (answer, _) = search(&mut player(), fen, &limits);
    assert_eq!(answer.best, Some(mv));
    assert_ne!(answer.score, Score::Mate(1));
}

#[test]
fn the_last_lines_of_several_are_different_and_complete() {
    let mut player = player();
    player.set_options(Options {
        hash: 4,
        lines: 5,
        ..Options::default()
    });
    // Searches that end within an iteration, at many places of it.
    for fen in POSITIONS {
        for nodes in (10_000..40_000).step_by(1_777) {
            let (answer, reports) = search(&mut player, fen, &Limits::nodes(nodes));
            let last: Vec<&Report> = (1..=5)
                .filter_map(|rank| reports.iter().rfind(|report| report.rank == rank))
                .collect();
            assert_eq!(last.len(), 5, "{fen} {nodes}");
            assert_eq!(last[0].line.first().copied(), answer.best, "{fen} {nodes}");
            let mut moves: Vec<String> = last
                .iter()
                .map(|report| format!("{:?}", report.line[0]))
                .collect();
            moves.sort();
            moves.dedup();
            assert_eq!(moves.len(), 5, "{fen} {nodes}");
        }
    }
}
