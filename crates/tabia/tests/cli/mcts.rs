//! The tree search as a player of every command: bench, matches, explanations.

use crate::program::{folder, run};
use insta::assert_snapshot;

#[test]
fn the_bench_counts_simulations() {
    let last = || {
        let transcript = run(&["bench", "--depth", "3", "--player", "mcts hash=1"]);
        let line = transcript.lines().last().unwrap_or_default().to_owned();
        let nodes = line.split(' ').next().unwrap_or_default().to_owned();
        assert!(line.ends_with(" nps"), "{transcript}");
        nodes
    };
    let nodes: u64 = last().parse().expect("a number");
    // Sixty-four for each of the forty-two positions, less where a result is proved.
    assert!((2_000..=64 * 42).contains(&nodes), "{nodes}");
    assert_eq!(last(), nodes.to_string());
}

#[test]
fn both_kinds_of_players_meet() {
    let out = folder("mcts-match");
    let transcript = run(&[
        "match",
        "--player",
        "name=tree kind=mcts option.CPuct=2 nodes=100",
        "--player",
        "name=table model=classical nodes=200",
        "--games",
        "4",
        "--out",
        &out.display().to_string(),
    ]);
    assert!(transcript.starts_with("exit 0"), "{transcript}");
    assert!(transcript.contains("tree"), "{transcript}");
}

#[test]
fn chances_and_priors_are_shown() {
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    assert_snapshot!(run(&["eval", "--model", "heuristic", fen]));
    assert_snapshot!(run(&["net", "info", "heuristic"]), @"
    exit 0
    --- stdout
    name         heuristic
    kind         the hand-written policy and value
    ");
}
