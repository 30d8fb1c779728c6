//! What options change.

use crate::support::{best, game, heuristic, search, small};
use engines::mcts::Options;
use engines::{Limits, StopSignal};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const TACTICAL: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn visited(options: Options, simulations: u64) -> usize {
    let answer = search(&mut heuristic(options), &game(START), simulations);
    answer.moves.iter().filter(|found| found.visits > 0).count()
}

#[test]
fn filters_narrow_the_root() {
    let wide = Options {
        cpuct: 10.0,
        ..small()
    };
    assert_eq!(visited(wide.clone(), 1_000), 20);
    let top = Options {
        top_k: 5,
        ..wide.clone()
    };
    assert_eq!(visited(top, 1_000), 5);
    let widening = Options {
        widening: 1.0,
        widening_exponent: 0.33,
        ..wide.clone()
    };
    assert_eq!(visited(widening, 1_000), 9);
    let tail = Options { tail: 0.5, ..wide };
    assert!(visited(tail, 1_000) < 12);
}

#[test]
fn gumbel_considers_as_many_moves_as_it_is_told() {
    let options = Options {
        gumbel_moves: 4,
        ..small()
    };
    let mut player = heuristic(options);
    let answer = search(&mut player, &game(TACTICAL), 65);
    let mut visits: Vec<u32> = answer.moves.iter().map(|found| found.visits).collect();
    visits.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(visits[..5], [24, 24, 8, 8, 0]);
    let sum: f32 = answer.moves.iter().map(|found| found.policy).sum();
    assert!((sum - 1.0).abs() < 1e-3);
    // The target has support everywhere, unlike the visits.
    assert!(
        answer
            .moves
            .iter()
            .filter(|found| found.policy > 0.0)
            .count()
            > 4
    );
}

#[test]
fn an_early_stop_ends_a_decided_search() {
    // One move takes a queen for nothing.
    let decided = game("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1");
    let options = Options {
        early_stop_share: 0.7,
        early_stop_visits: 80,
        ..small()
    };
    let answer = search(&mut heuristic(options), &decided, 100_000);
    assert!((80..20_000).contains(&answer.nodes), "{}", answer.nodes);
    assert_eq!(best(&answer), "d1d8");
}

#[test]
fn temperature_draws_and_none_does_not() {
    let hot = Options {
        temperature: 3.0,
        ..small()
    };
    let drawn = |options: Options| {
        let mut found = std::collections::BTreeSet::new();
        for seed in 0..12 {
            let mut player = heuristic(options.clone());
            engines::Player::new_game(&mut player, seed).expect("it is ready");
            found.insert(best(&search(&mut player, &game(TACTICAL), 200)));
        }
        found.len()
    };
    assert!(drawn(hot) > 2);
    assert_eq!(drawn(small()), 1);
}

/// The visits of a move that repeats a position, in the game of a winner who went there
/// and back once.
fn visits_of_the_repetition(options: Options, simulations: u64) -> u32 {
    let mut position = game("8/8/8/4k3/8/8/3QK3/8 w - - 0 1");
    for text in ["d2d3", "e5e6", "d3d2", "e6e5"] {
        let mv = position.board().parse_uci(text).expect(text);
        position.play(mv).expect("legal");
    }
    let repeating = position.board().parse_uci("d2d3").expect("legal");
    let answer = search(&mut heuristic(options), &position, simulations);
    let found = answer.moves.iter().find(|found| found.mv == repeating);
    found.expect("a move").visits
}

#[test]
fn a_penalty_keeps_a_winner_from_repeating() {
    let visits = |repetition_penalty: f32| {
        let options = Options {
            repetition_penalty,
            ..small()
        };
        visits_of_the_repetition(options, 2_000)
    };
    assert!(visits(1.0) < visits(0.0), "{} {}", visits(1.0), visits(0.0));
}

#[test]
fn a_penalty_holds_for_all_simulations_of_all_threads() {
    // So high a fine that the move is never looked at.
    for threads in [1, 3] {
        let options = Options {
            repetition_penalty: 100.0,
            threads,
            ..small()
        };
        for simulations in [60, 2_000] {
            assert_eq!(visits_of_the_repetition(options.clone(), simulations), 0);
        }
    }
}

#[test]
fn only_wanted_moves_are_searched() {
    let position = game(START);
    let wanted: Vec<_> = ["a2a3", "h2h4"]
        .map(|text| position.board().parse_uci(text).expect(text))
        .to_vec();
    let limits = Limits {
        search_moves: wanted.clone(),
        ..Limits::nodes(300)
    };
    let mut player = heuristic(small());
    let answer = player.think(&position, &limits, &StopSignal::new(), &mut |_| {});
    assert_eq!(answer.moves.len(), 2);
    assert!(wanted.contains(&answer.best.expect("a move")));
    // The narrow tree is not taken for the whole one.
    let answer = search(&mut player, &position, 300);
    assert_eq!(answer.moves.len(), 20);
}

#[test]
fn several_lines_have_several_moves() {
    let mut player = heuristic(Options {
        lines: 3,
        verbose: true,
        ..small()
    });
    let mut reports = Vec::new();
    let limits = Limits::nodes(1_000);
    player.think(
        &game(TACTICAL),
        &limits,
        &StopSignal::new(),
        &mut |report| {
            reports.push(report.clone());
        },
    );
    let last = &reports[reports.len() - 3..];
    assert_eq!(
        last.iter().map(|line| line.rank).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert!(last[0].line[0] != last[1].line[0] && last[1].line[0] != last[2].line[0]);
    assert!(last.iter().all(|line| line.wdl.iter().sum::<u32>() == 1000));
    let lines = player.take_remarks();
    assert_eq!(lines.len(), 48 + 1);
    assert!(lines[47].contains("N: ") && lines[47].contains("(P: ") && lines[47].contains("(Q: "));
    assert!(lines[48].starts_with("node  N:    1000"), "{}", lines[48]);
}
