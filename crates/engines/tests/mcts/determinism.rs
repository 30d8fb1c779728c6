//! With one thread, a search by simulations is a function of game and seed.

use crate::support::{Scripted, game, heuristic, search, small, sure};
use chess::{Game, Line};
use engines::mcts::{Mcts, Options};
use engines::{Answer, Player};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Plays a few moves and gives all answers.
fn moves(player: &mut Mcts, seed: u64) -> Vec<Answer> {
    player.new_game(seed).expect("it is ready");
    let mut game: Game = game(START);
    (0..12)
        .map(|_| {
            let answer = search(player, &game, 300);
            game.play(answer.best.expect("a move")).expect("legal");
            answer
        })
        .collect()
}

fn noisy() -> Options {
    Options {
        noise_epsilon: 0.25,
        temperature: 1.0,
        ..small()
    }
}

fn hashed(line: &Line, moves: &[chess::Move]) -> (engines::Chances, Vec<f32>) {
    let mix = |bits: u64| (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f32 / 16_777_216.0;
    let key = line.board().key();
    let logits = moves
        .iter()
        .map(|mv| 2.0 * mix(key ^ u64::from(mv.to_bits())));
    (sure(mix(key) - 0.5), logits.collect())
}

fn batched(options: Options) -> Mcts {
    Mcts::new(
        Box::new(|| Box::new(Scripted::new(32, true, hashed))),
        options,
    )
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for options in [
        small(),
        noisy(),
        Options {
            gumbel_moves: 8,
            ..small()
        },
    ] {
        for make in [heuristic, batched] {
            let first = moves(&mut make(options.clone()), 3);
            let mut used = make(options.clone());
            moves(&mut used, 8);
            assert_eq!(first, moves(&mut used, 3), "{options:?}");
        }
    }
}

#[test]
fn another_seed_gives_another_game_where_chance_has_a_say() {
    for options in [
        noisy(),
        Options {
            gumbel_moves: 8,
            ..small()
        },
    ] {
        let chosen = |seed| -> Vec<_> {
            let answers = moves(&mut heuristic(options.clone()), seed);
            answers.into_iter().map(|answer| answer.best).collect()
        };
        assert_ne!(chosen(1), chosen(2));
    }
}

#[test]
fn company_in_a_batch_changes_only_the_order() {
    // One at a time and in batches: other visits, but all are counted, and no leaf is
    // computed twice at once.
    for batch in [1, 4, 32] {
        let mut player = batched(Options { batch, ..small() });
        let answer = search(&mut player, &game(START), 2_000);
        assert_eq!(answer.nodes, 2_000);
        let visits: u32 = answer.moves.iter().map(|found| found.visits).sum();
        assert_eq!(visits, 1_999);
    }
}
