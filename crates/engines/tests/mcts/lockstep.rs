//! Many games in lock-step: one thread, one model, batches that all searches fill.

use crate::support::{Scripted, game, small, sure};
use chess::Line;
use engines::mcts::{Options, Search};
use nets::policy::PolicyValue;

fn hashed(line: &Line, moves: &[chess::Move]) -> (engines::Chances, Vec<f32>) {
    let key = line.board().key();
    let mix = |bits: u64| (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f32 / 16_777_216.0;
    let logits = moves
        .iter()
        .map(|mv| 2.0 * mix(key ^ u64::from(mv.to_bits())));
    (sure(mix(key) - 0.5), logits.collect())
}

const GAMES: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
];

/// Searches all positions together, each at most so many at a time.
fn together(room: usize, fens: &[&str]) -> (Vec<String>, usize) {
    let mut model = Scripted::new(64, true, hashed);
    let options = Options { hash: 1, ..small() };
    let mut searches: Vec<Search> = fens
        .iter()
        .map(|fen| {
            let mut search = Search::new(options.clone());
            search.new_game(1);
            search.begin(&game(fen), &[], 400, &model);
            search
        })
        .collect();
    while searches.iter().any(|search| !search.is_done()) {
        let mut numbers = Vec::new();
        let mut count = 0;
        for search in &mut searches {
            numbers.push(count);
            count += search.gather(&mut model, room);
        }
        if count > 0 {
            model.run();
        }
        for (search, &first) in searches.iter_mut().zip(&numbers) {
            search.receive(&model, first);
        }
    }
    let answers = searches.iter_mut().zip(fens);
    let told = answers.map(|(search, fen)| format!("{:?}", search.answer(&game(fen))));
    (told.collect(), model.runs)
}

#[test]
fn company_changes_nothing_but_the_number_of_batches() {
    let (all, runs) = together(1, &GAMES);
    let mut alone_runs = 0;
    for (fen, together_with_others) in GAMES.iter().zip(&all) {
        let (alone, runs) = together(1, &[fen]);
        alone_runs += runs;
        assert_eq!(alone[0], *together_with_others, "{fen}");
    }
    assert!(runs * 3 < alone_runs, "{runs} batches, {alone_runs} alone");
    let (_, fewer) = together(8, &GAMES);
    assert!(fewer * 4 < runs, "{fewer} batches");
}
