//! The published mistakes: each changes what it should, and none is there unless asked for.

use crate::support::{Scripted, game, search, small, sure};
use engines::mcts::{Flaws, Mcts, Options};

const WHITE: &str = "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1";
const BLACK: &str = "4k3/8/8/8/8/8/3P4/4K3 b - - 0 1";

/// What a search thinks of a position whose every leaf is good for White, as a model knows.
fn value(fen: &str, is_joint: bool, flaws: Flaws) -> f32 {
    let models = move || {
        let model = Scripted::new(8, is_joint, |line, moves| {
            let is_white = line.board().side_to_move() == chess::Color::White;
            let value = if is_white { 0.5 } else { -0.5 };
            (sure(value), vec![0.0; moves.len()])
        });
        Box::new(model) as Box<dyn nets::policy::PolicyValue>
    };
    let options = Options { flaws, ..small() };
    let mut player = Mcts::new(Box::new(models), options);
    let answer = search(&mut player, &game(fen), 200);
    answer.chances.expect("chances").value()
}

#[test]
fn right_signs_are_the_default() {
    for is_joint in [false, true] {
        let plain = Flaws::default();
        assert!((value(WHITE, is_joint, plain) - 0.5).abs() < 0.05);
        assert!((value(BLACK, is_joint, plain) + 0.5).abs() < 0.05);
    }
}

#[test]
fn a_leaf_can_be_taken_for_the_view_of_the_root() {
    let flaws = Flaws {
        leaf_for_root: true,
        ..Flaws::default()
    };
    for is_joint in [false, true] {
        // Where the opponent moves at the leaf, a good position looks bad.
        let found = value(WHITE, is_joint, flaws);
        assert!(found < 0.4, "{found}");
    }
}

#[test]
fn values_can_be_turned_about_for_black() {
    let flaws = Flaws {
        turned_for_black: true,
        ..Flaws::default()
    };
    for is_joint in [false, true] {
        // All leaves seem to be good for their side to move.
        let found = [WHITE, BLACK].map(|fen| value(fen, is_joint, flaws));
        assert!(found[0] < 0.4 && found[1] > -0.4, "{found:?}");
    }
}

#[test]
fn noise_can_come_upon_a_tree_that_is_used_again() {
    let visits = |noisy_reuse: bool| {
        let options = Options {
            noise_epsilon: 0.5,
            flaws: Flaws {
                noisy_reuse,
                ..Flaws::default()
            },
            ..small()
        };
        let mut player = crate::support::heuristic(options);
        let mut game = game(WHITE);
        let first = search(&mut player, &game, 400);
        game.play(first.best.expect("a move")).expect("legal");
        let reply = first.ponder.expect("a reply");
        game.play(reply).expect("legal");
        let second = search(&mut player, &game, 100);
        second.moves.iter().map(|found| found.visits).sum::<u32>()
    };
    // The visits of the last search are still there.
    assert!(visits(true) > visits(false));
}
