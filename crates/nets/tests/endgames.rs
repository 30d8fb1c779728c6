//! Endgames with their own function or scaling rule, on known positions.

use chess::Board;
use nets::classical::{Groups, explain};
use nets::{Classical, Evaluator};
use std::sync::Arc;

fn value(fen: &str) -> i32 {
    Classical::default().evaluate(&Board::from_fen(fen).unwrap())
}

fn assert_won(fen: &str) {
    let value = value(fen);
    assert!((2_000..=10_000).contains(&value), "{fen}: {value}");
}

/// The factor of the endgame value.
fn scale(fen: &str) -> f32 {
    let board = Board::from_fen(fen).unwrap();
    explain(&board, &Arc::default(), Groups::ALL).scale
}

#[test]
fn a_pawn_wins_or_draws_as_the_books_say() {
    assert_won("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
    assert_won("8/8/8/8/8/k7/6P1/K7 w - - 0 1");
    assert_won("8/1K6/8/P7/8/8/6k1/8 w - - 0 1");
    // Opposition.
    assert_eq!(value("4k3/8/4K3/8/4P3/8/8/8 b - - 0 1"), -2_590);
    assert_eq!(value("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"), 0);
    assert!(value("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1") < -2_000);
    // The rook's pawn.
    assert_eq!(value("k7/8/K7/P7/8/8/8/8 w - - 0 1"), 0);
    // Stalemate.
    assert_eq!(value("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"), 0);
    // Black's pawn.
    assert_won("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1");
}

#[test]
fn bare_kings_are_driven_to_the_edge() {
    let middle = "8/8/8/4k3/8/8/8/K6R w - - 0 1";
    let edge = "4k3/8/8/8/K7/8/8/7R w - - 0 1";
    let near = "4k3/8/4K3/8/8/8/8/7R w - - 0 1";
    assert_won(middle);
    assert!(value(middle) < value(edge) && value(edge) < value(near));
    assert_won("8/8/8/4k3/8/8/8/K5Q1 w - - 0 1");
    assert_won("8/8/8/4k3/8/8/8/K4BB1 w - - 0 1");
    assert_won("8/8/8/4k3/8/8/6P1/K6R w - - 0 1");
    assert!(value("8/8/8/4k3/8/8/8/K6R b - - 0 1") < -2_000);
}

#[test]
fn bishop_and_knight_mate_in_the_right_corner() {
    // f1 and h1 are light, and so is a8.
    let right = "k7/8/2K5/8/8/8/8/4NB2 w - - 0 1";
    let wrong = "7k/8/5K2/8/8/8/8/4NB2 w - - 0 1";
    assert_won(right);
    assert_won(wrong);
    assert!(value(right) > value(wrong) + 1_000);
}

#[test]
fn promotion_is_welcome() {
    assert!(value("8/4P3/4K3/8/8/8/8/k7 w - - 0 1") < value("4Q3/8/4K3/8/8/8/8/1k6 w - - 0 1"),);
}

#[test]
fn drawn_material_is_drawn() {
    for fen in [
        "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3BK3 w - - 0 1",
        "4kn2/8/8/8/8/8/8/3BK3 w - - 0 1",
        // Bishops of one colour.
        "4k3/8/8/8/8/8/6B1/3BK3 w - - 0 1",
        // The wrong bishop.
        "k7/8/8/P7/8/8/3K4/6B1 w - - 0 1",
        // A knight and a rook's pawn on the seventh.
        "k7/P7/8/8/3N4/8/3K4/8 w - - 0 1",
        // Stalemate.
        "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1",
        // Rook's pawn on the seventh against the queen.
        "8/8/8/8/8/8/pk6/4K2Q w - - 0 1",
    ] {
        let value = value(fen);
        assert!(value.abs() < 150, "{fen}: {value}");
    }
}

#[test]
fn pieces_win_where_they_should() {
    assert_won("8/8/8/8/8/1p6/1k6/4K2Q w - - 0 1");
    assert_won("k7/8/8/P7/8/8/3K4/5B2 w - - 0 1");
    assert_won("4k3/8/8/8/3r4/8/8/Q3K3 w - - 0 1");
    // A knight and a rook's pawn that is not on the seventh rank, for either side.
    assert_won("k7/5K2/P3N3/8/8/8/8/8 w - - 0 1");
    assert_won("8/8/8/8/8/p3n3/5k2/K7 b - - 0 1");
    assert!(value("8/8/8/8/8/p5k1/8/K6R w - - 0 1") > 400);
    assert!(value("6K1/8/8/8/8/8/1pk5/7R w - - 0 1") < 200);
    assert!(value("4k3/8/8/3b4/8/8/8/R3K3 w - - 0 1") < 200);
    assert!(value("4k3/8/8/3n4/8/8/8/R3K3 w - - 0 1") < 200);
}

#[test]
fn hopeless_advantages_are_scaled_down() {
    // The wrong bishop.
    assert!(scale("k7/8/6p1/P7/8/8/3K4/5B2 w - - 0 1") > 0.5);
    assert_eq!(scale("k7/8/6p1/P7/8/8/3K4/6B1 w - - 0 1"), 0.0);
    // Doubled rook's pawns.
    assert_eq!(scale("1k6/8/8/P7/P7/8/3K4/8 w - - 0 1"), 0.0);
    assert!(scale("8/8/8/P7/P7/8/3K2k1/8 w - - 0 1") > 0.5);
    // Philidor's defence.
    assert_eq!(scale("4k3/8/r7/3KP3/8/8/8/7R w - - 0 1"), 0.0);
    // Bishops of opposite colours.
    assert!(scale("4k3/4b3/8/8/3P4/3KP3/3B4/8 w - - 0 1") > 0.7);
    assert!(scale("4k3/4b3/8/8/3P4/3KP3/4B3/8 w - - 0 1") < 0.5);
    // An extra minor piece and no pawns.
    assert_eq!(scale("4k3/8/8/6p1/8/8/8/3BK3 w - - 0 1"), 0.0);
    assert!(scale("4kb2/8/8/6p1/8/8/8/3RK3 w - - 0 1") < 0.1);
}
