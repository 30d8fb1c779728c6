//! The values of n-tuple networks: known values, symmetries, and the evaluation to which they
//! are added.

use crate::positions::quiet;
use crate::{named, network, published};
use chess::{Board, Square};
use nets::classical::{self, Groups, LARGEST_VALUE, Score};
use nets::ntuple::{LARGEST_WEIGHT, NTupleEvaluator, NTupleWeights, Sum, Tuple};
use nets::{Classical, Evaluator};
use std::sync::Arc;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).expect("a position")
}

fn square(name: &str) -> Square {
    let [file, rank] = name.as_bytes() else {
        panic!("{name}");
    };
    Square::from_ascii(*file, *rank).expect("a square")
}

/// Sets the weight of one place.
fn set(weights: &mut NTupleWeights, tuple: &str, squares: &[&str], weight: [i16; 2]) {
    let squares: Vec<_> = squares.iter().map(|name| square(name)).collect();
    let mut tables = weights.tables_mut().iter_mut();
    let table = tables.find(|table| table.tuple().to_string() == tuple);
    table.expect("a table").weights_mut()[Tuple::place(&squares)] = weight;
}

fn value(weights: &NTupleWeights, board: &Board) -> i32 {
    let mut evaluator = NTupleEvaluator::new(network(weights.clone()));
    evaluator.reset(board);
    evaluator.evaluate(board)
}

/// The position without castling and en passant, and its mirror image: flipped vertically with
/// exchanged colours, or flipped horizontally.
fn mirrored(board: &Board, other_side: bool) -> [Board; 2] {
    let fen = board.fen();
    let fields: Vec<_> = fen.split(' ').collect();
    let mut rows: Vec<String> = fields[0].split('/').map(str::to_owned).collect();
    let mut side = fields[1];
    if other_side {
        rows.reverse();
        side = if side == "w" { "b" } else { "w" };
    }
    for row in &mut rows {
        *row = match other_side {
            true => row.chars().map(exchanged).collect(),
            false => row.chars().rev().collect(),
        };
    }
    [
        format!("{} {} - - 0 1", fields[0], fields[1]),
        format!("{} {side} - - 0 1", rows.join("/")),
    ]
    .map(|fen| self::board(&fen))
}

fn exchanged(letter: char) -> char {
    match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    }
}

#[test]
fn known_sums() {
    let mut weights = published(0, 0);
    set(&mut weights, "Nq", &["f3", "d8"], [10, -3]);
    set(&mut weights, "Qn", &["d1", "f6"], [100, 40]);
    set(&mut weights, "NP", &["f3", "e4"], [1, 2]);
    set(&mut weights, "PN", &["e4", "f3"], [5, 7]);
    let sum = |fen: &str| weights.sum(&board(fen));
    let expected = |opening, endgame| Sum { opening, endgame };
    // The knight and the enemy queen, from each side's point of view; then on the other wing.
    assert_eq!(
        sum("3qk3/8/8/8/8/5N2/8/4K3 w - - 0 1"),
        expected(10 - 100, -3 - 40)
    );
    assert_eq!(
        sum("3kq3/8/8/8/8/2N5/8/4K3 w - - 0 1"),
        expected(10 - 100, -3 - 40)
    );
    assert_eq!(sum("3kq3/8/8/8/8/5N2/8/4K3 w - - 0 1"), Sum::default());
    // The same with Black's knight.
    assert_eq!(
        sum("4k3/8/5n2/8/8/8/8/3QK3 w - - 0 1"),
        expected(100 - 10, 40 + 3)
    );
    // A knight and a pawn fill a table with either as the first man.
    assert_eq!(sum("4k3/8/8/8/4P3/5N2/8/4K3 w - - 0 1"), expected(6, 9));
}

#[test]
fn the_sum_is_added_to_the_groups_and_tapered() {
    let mut weights = published(0, 0);
    weights.groups = Groups::LINEAR;
    set(&mut weights, "Nr", &["b1", "a8"], [50, 400]);
    // Both sides have the same at the start; then one of White's knights lacks the rook
    // on a8, while Black's two have both rooks before them.
    assert_eq!(weights.sum(&Board::start()), Sum::default());
    let board = board("1nbqk1nr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQk - 0 1");
    let plain = classical::explain(&board, &Arc::default(), Groups::LINEAR);
    let with = network(weights.clone()).explain(&board).groups;
    assert_eq!(with.tuples, Some(Score::new(-50, -400)));
    assert_eq!(with.total, plain.total + Score::new(-50, -400));
    assert_eq!(with.scale, 1.0);
    assert!((0.5..1.0).contains(&with.stage));
    let stage = (256.0 * with.stage) as i32;
    let sum = with.total.opening() * stage + with.total.endgame() * (256 - stage);
    assert_eq!(value(&weights, &board), sum / 256 + with.tempo);
}

#[test]
fn tables_of_zeros_add_nothing() {
    let boards = quiet(600);
    for groups in [Groups::ALL, Groups::LINEAR] {
        for endgame_functions in [true, false] {
            let mut weights = published(0, 0);
            weights.groups = groups;
            weights.endgame_functions = endgame_functions;
            let mut evaluator = NTupleEvaluator::new(network(weights));
            let mut classical = Classical::default()
                .with_groups(groups)
                .with_endgame_functions(endgame_functions);
            for board in &boards {
                evaluator.reset(board);
                assert_eq!(evaluator.evaluate(board), classical.evaluate(board));
            }
        }
    }
}

#[test]
fn an_endgame_function_decides_alone_or_not_at_all() {
    // Rook against bare king.
    let board = board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let mut weights = published(0, 0);
    let (mut with, mut off) = (Vec::new(), Vec::new());
    for weight in [[0, 0], [90, 90]] {
        set(&mut weights, "RK", &["a1", "e1"], weight);
        weights.endgame_functions = true;
        with.push(value(&weights, &board));
        weights.endgame_functions = false;
        off.push(value(&weights, &board));
    }
    assert_eq!(with[0], with[1]);
    assert_eq!(off[1] - off[0], 90);
}

#[test]
fn colours_are_treated_alike() {
    let mut evaluator = NTupleEvaluator::new(network(published(7, 60)));
    let mut three = NTupleEvaluator::new(network(named(&["K", "KPp", "Nbq"], 8, 300)));
    for board in quiet(1_500) {
        for evaluator in [&mut evaluator, &mut three] {
            let values = mirrored(&board, true).map(|board| {
                evaluator.reset(&board);
                let sum = evaluator.sum();
                (evaluator.evaluate(&board), sum)
            });
            assert_eq!(values[0].0, values[1].0, "{board:?}");
            let negative = Sum {
                opening: -values[1].1.opening,
                endgame: -values[1].1.endgame,
            };
            assert_eq!(values[0].1, negative, "{board:?}");
        }
    }
}

#[test]
fn wings_are_treated_alike() {
    let weights = published(9, 60);
    for board in quiet(300) {
        let [sum, other] = mirrored(&board, false).map(|board| weights.sum(&board));
        assert_eq!(sum, other, "{board:?}");
    }
}

#[test]
fn features_sum_up_to_the_value() {
    let weights = published(10, 100);
    for board in quiet(100) {
        let mut sum = Sum::default();
        let features = weights.features(&board);
        let men = board.occupied().count() as usize;
        // Every two men fill two tables of the published set.
        assert_eq!(features.len(), men * (men - 1));
        for feature in features {
            let weight = weights.tables()[feature.table].weights()[feature.place];
            let sign = if feature.own == chess::Color::White {
                1
            } else {
                -1
            };
            sum.opening += sign * i32::from(weight[0]);
            sum.endgame += sign * i32::from(weight[1]);
        }
        assert_eq!(sum, weights.sum(&board));
    }
}

#[test]
fn values_stay_in_bounds() {
    let mut weights = published(0, 0);
    for weight in weights
        .tables_mut()
        .iter_mut()
        .flat_map(|table| table.weights_mut())
    {
        *weight = [LARGEST_WEIGHT; 2];
    }
    let board = board("kr6/rr6/8/8/8/QQQQQQQ1/QQQQQQQQ/7K w - - 0 1");
    assert!(weights.sum(&board).opening > 32_767);
    assert_eq!(value(&weights, &board), LARGEST_VALUE);
    let mut passed = board;
    passed.make_null();
    assert_eq!(value(&weights, &passed), -LARGEST_VALUE);
}

#[test]
fn an_explanation_names_men_and_squares() {
    let mut weights = published(0, 0);
    set(&mut weights, "Nq", &["f3", "d8"], [10, 10]);
    set(&mut weights, "NP", &["f3", "e4"], [-20, -20]);
    set(&mut weights, "PN", &["e4", "f3"], [-5, -5]);
    let board = board("3qk3/8/8/8/4P3/5N2/8/4K3 w - - 0 1");
    let explanation = network(weights).explain(&board);
    let text = explanation.to_string();
    assert!(text.contains("2 of 2 combinations of men"), "{text}");
    assert!(
        text.contains("  -0.25  -0.25  -0.25  white knight f3, white pawn e4\n"),
        "{text}"
    );
    assert!(
        text.contains("  +0.10  +0.10  +0.10  white knight f3, black queen d8\n"),
        "{text}"
    );
    assert!(text.contains("tuples "), "{text}");
    let sum = explanation.groups.tuples.expect("a sum");
    assert_eq!((sum.opening(), sum.endgame()), (-15, -15));
    assert!(explanation.combinations[0].tapered == -25);
}
