//! The public interface of the hand-written evaluation.

use chess::{Board, Color};
use nets::classical::{
    Explanation, FEATURE_GROUPS, Group, Groups, LARGEST_VALUE, LINEAR_FEATURES, Score, Weights,
    explain, feature_group, features, trace,
};
use nets::{Classical, Evaluator};
use std::sync::Arc;

/// SplitMix64: enough for random walks.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Positions of random games, from the start to bare endgames, none in check.
fn positions(games: usize) -> Vec<Board> {
    let mut random = Random(games as u64);
    let mut boards = Vec::new();
    for _ in 0..games {
        let mut board = Board::start();
        for _ in 0..250 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.make(moves[random.below(moves.len())]);
            if !board.in_check() {
                boards.push(board);
            }
        }
    }
    boards
}

/// The position with colours exchanged.
fn flip(board: &Board) -> Board {
    let fen = board.fen();
    let fields: Vec<_> = fen.split(' ').collect();
    let swap_case = |text: &str| -> String {
        text.chars()
            .map(|letter| {
                if letter.is_ascii_uppercase() {
                    letter.to_ascii_lowercase()
                } else {
                    letter.to_ascii_uppercase()
                }
            })
            .collect()
    };
    let rows: Vec<_> = fields[0].split('/').rev().map(swap_case).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let passing = match fields[3].as_bytes() {
        [file, rank] => format!("{}{}", *file as char, if *rank == b'3' { 6 } else { 3 }),
        _ => "-".to_owned(),
    };
    let castling = swap_case(fields[2]);
    let text = format!("{} {side} {castling} {passing} 0 1", rows.join("/"));
    Board::from_fen(&text).unwrap()
}

/// The position with the files mirrored; only without castling rights.
fn mirror(board: &Board) -> Board {
    let fen = board.fen();
    let fields: Vec<_> = fen.split(' ').collect();
    let rows: Vec<String> = fields[0]
        .split('/')
        .map(|row| row.chars().rev().collect())
        .collect();
    let text = format!("{} {} - - 0 1", rows.join("/"), fields[1]);
    Board::from_fen(&text).unwrap()
}

fn tapered(explanation: &Explanation, opening: i32, endgame: i32) -> i32 {
    let stage = (explanation.stage * 256.0).round() as i32;
    let scale = (explanation.scale * 64.0).round() as i32;
    (opening * stage + endgame * (256 - stage) * scale / 64) / 256
}

#[test]
fn colours_are_treated_alike() {
    let mut classical = Classical::default();
    for board in positions(60) {
        let value = classical.evaluate(&board);
        assert_eq!(classical.evaluate(&flip(&board)), value, "{board:?}");
    }
}

#[test]
fn wings_are_treated_alike_without_castling() {
    let mut classical = Classical::default();
    let mut seen = 0;
    for board in positions(60) {
        if board.castling().any() || board.en_passant().is_some() {
            continue;
        }
        let value = classical.evaluate(&board);
        assert_eq!(classical.evaluate(&mirror(&board)), value, "{board:?}");
        seen += 1;
    }
    assert!(seen > 1000);
}

#[test]
fn memory_does_not_change_values() {
    let mut warm = Classical::default();
    let fresh = Classical::default();
    for (index, board) in positions(40).iter().enumerate() {
        let value = warm.evaluate(board);
        if index % 7 == 0 {
            assert_eq!(fresh.clone().evaluate(board), value, "{board:?}");
        }
    }
}

#[test]
fn linear_groups_are_the_dot_product_of_weights_and_features() {
    let weights = Arc::new(Weights::default());
    let mut linear = Classical::default().with_groups(Groups::LINEAR);
    for board in positions(40) {
        let mut opening = 0;
        let mut endgame = 0;
        for feature in features(&board, Groups::LINEAR) {
            assert!((feature.index as usize) < LINEAR_FEATURES);
            let weight = weights.get(feature.index as usize);
            opening += i32::from(feature.coefficient) * weight.0;
            endgame += i32::from(feature.coefficient) * weight.1;
        }
        let explanation = explain(&board, &weights, Groups::LINEAR);
        assert_eq!(explanation.total.opening(), opening, "{board:?}");
        assert_eq!(explanation.total.endgame(), endgame, "{board:?}");
        if explanation.endgame_function {
            continue;
        }
        let white = tapered(&explanation, opening, endgame);
        let own = match board.side_to_move() {
            Color::White => white,
            Color::Black => -white,
        };
        assert_eq!(
            linear.evaluate(&board),
            own + explanation.tempo,
            "{board:?}"
        );
    }
}

#[test]
fn each_group_changes_only_its_part() {
    let weights = Arc::new(Weights::default());
    for board in positions(4) {
        let all = explain(&board, &weights, Groups::ALL);
        assert_eq!(all.rows.len(), Group::ALL.len());
        for group in Group::ALL {
            let fewer = explain(&board, &weights, Groups::ALL.without(group));
            assert!(fewer.rows.iter().all(|row| row.group != group));
            for row in &fewer.rows {
                let same = all.rows.iter().find(|other| other.group == row.group);
                // The initiative is a correction of all other groups.
                if row.group != Group::Initiative {
                    assert_eq!(same.map(|other| other.total), Some(row.total));
                }
            }
        }
    }
}

#[test]
fn features_belong_to_the_groups_asked_for() {
    for board in positions(3) {
        for group in Group::ALL {
            let only = Groups::NONE.with(group);
            let found = features(&board, only);
            assert!(FEATURE_GROUPS.contains(group) || found.is_empty());
            for feature in found {
                assert_eq!(feature_group(feature.index as usize), Some(group));
            }
        }
    }
}

#[test]
fn a_trace_has_the_whole_value() {
    let weights = Weights::default();
    let mut classical = Classical::default();
    for board in positions(10) {
        let Some(trace) = trace(&board, &weights) else {
            continue;
        };
        let own = match board.side_to_move() {
            Color::White => trace.value,
            Color::Black => -trace.value,
        };
        let tempo = weights.parameters.tempo;
        assert_eq!(classical.evaluate(&board), own + tempo, "{board:?}");
    }
}

#[test]
fn values_stay_in_bounds() {
    let mut classical = Classical::default();
    let board = Board::from_fen("kr6/rr6/8/8/8/QQQQQQQ1/QQQQQQQQ/7K w - - 0 1").unwrap();
    let value = classical.evaluate(&board);
    assert!((2_000..=LARGEST_VALUE).contains(&value), "{value}");
    for board in positions(20) {
        assert!(classical.evaluate(&board).abs() <= LARGEST_VALUE);
    }
}

#[test]
fn the_start_is_about_even() {
    let value = Classical::default().evaluate(&Board::start());
    assert!(value.abs() <= 50, "{value}");
}

#[test]
fn explanation_has_a_line_for_each_group_and_term() {
    let explanation = explain(&Board::start(), &Arc::default(), Groups::ALL);
    let short = explanation.to_string();
    let long = format!("{explanation:#}");
    for group in Group::ALL {
        assert!(short.contains(group.name()), "{short}");
    }
    assert!(!short.contains("mobility.knight"), "{short}");
    assert!(long.contains("mobility.knight"), "{long}");
    for row in &explanation.rows {
        let terms = explanation.terms.iter();
        let of_group: Vec<_> = terms.filter(|term| term.group == row.group).collect();
        if let Some(sides) = row.sides.filter(|_| FEATURE_GROUPS.contains(row.group)) {
            let sum = |side: usize| {
                let start = Score::ZERO;
                of_group
                    .iter()
                    .fold(start, |sum, term| sum + term.sides[side])
            };
            assert_eq!(sides, [sum(0), sum(1)]);
        }
    }
}
