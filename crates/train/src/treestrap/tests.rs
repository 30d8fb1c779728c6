//! Compares the gradient of errors with finite differences.

use super::error::Teacher;
use crate::network::{Layout, Playing, Row, Sums, Trained};
use crate::search::Bounds;
use chess::Board;
use nets::classical::Groups;
use nets::nnue::Random;
use nets::ntuple::NTupleWeights;

const TRAINED: Trained = Trained {
    groups: Groups::LINEAR,
    tuples: true,
};

/// Above every value.
const NONE: i32 = 32_001;

/// Positions of a random game with bounds that a search could have proved: exact values, lower
/// bounds, upper bounds and mates.
fn boards() -> Vec<(Board, Bounds)> {
    let mut random = Random::new(7);
    let mut board = Board::start();
    let mut list = Vec::new();
    for number in 0..60 {
        let moves = board.legal_moves();
        board.make(moves[(random.number() % moves.len() as u64) as usize]);
        let value = random.up_to(600);
        let bounds = match number % 4 {
            0 => (value, value),
            1 => (value, NONE),
            2 => (-NONE, value),
            // Mate scores are ignored.
            _ => (31_990, 31_990),
        };
        list.push((
            board,
            Bounds {
                lower: bounds.0,
                upper: bounds.1,
            },
        ));
    }
    list
}

#[test]
fn slopes_are_those_of_the_error() {
    let tuples = ["Kp", "NB", "Pp", "R"].map(|name| name.parse().expect("a tuple"));
    let mut network = NTupleWeights::zeros(tuples.to_vec()).expect("tables");
    network.fill_randomly(3, 20);
    let layout = Layout::new(&network);
    // Weights between integers: the network has them rounded.
    let mut row: Row = layout.row(&network);
    for (index, weight) in row.iter_mut().enumerate() {
        let odd = (index % 9) as f64 / 10.0 - 0.4;
        *weight = [weight[0] + odd, weight[1] - odd];
    }
    let playing = Playing::new(network).expect("a network");
    let list = boards();
    let error = |row: &Row, sums: &mut Sums| -> (f64, u32) {
        let teacher = Teacher {
            layout: &layout,
            network: playing.network(),
            trained: TRAINED,
            row,
            depth: 1,
            quiet_boards: false,
        };
        let errors = list
            .iter()
            .filter_map(|(board, bounds)| teacher.add(board, *bounds, sums));
        errors.fold((0.0, 0), |(sum, count), error| (sum + error, count + 1))
    };
    let mut sums = Sums::new(layout.length());
    let (whole, count) = error(&row, &mut sums);
    // Positions in check are skipped.
    assert!(whole > 1.0 && (40..60).contains(&count), "{whole} {count}");
    let slopes = sums.take(1.0);
    assert!(slopes.len() > 300, "{}", slopes.len());
    let mut checked = 0;
    for change in slopes.iter().step_by(7) {
        for stage in 0..2 {
            let mut moved = row.clone();
            let step = 0.01;
            moved[change.index as usize][stage] += step;
            let above = error(&moved, &mut Sums::new(layout.length())).0;
            moved[change.index as usize][stage] -= 2.0 * step;
            let below = error(&moved, &mut Sums::new(layout.length())).0;
            let measured = (above - below) / (2.0 * step);
            let slope = change.by[stage];
            assert!(
                (measured - slope).abs() < 1e-4 * slope.abs() + 1e-7,
                "{}: {measured} {slope}",
                change.index
            );
            checked += usize::from(slope.abs() > 1e-4);
        }
    }
    assert!(checked > 50, "{checked}");
}

/// A value within its bounds has no error.
#[test]
fn values_within_their_bounds_have_no_error() {
    let network = NTupleWeights::zeros(Vec::new()).expect("tables");
    let layout = Layout::new(&network);
    let row = layout.row(&network);
    let playing = Playing::new(network).expect("a network");
    let teacher = Teacher {
        layout: &layout,
        network: playing.network(),
        trained: TRAINED,
        row: &row,
        depth: 1,
        quiet_boards: false,
    };
    let mut sums = Sums::new(layout.length());
    for (lower, upper) in [(-NONE, 500), (-500, NONE), (-500, 500), (31_000, NONE)] {
        let error = teacher.add(&Board::start(), Bounds { lower, upper }, &mut sums);
        assert_eq!(error, Some(0.0));
    }
    assert!(sums.take(1.0).is_empty());
    // The first move is worth 14 centipawns: 86 are missing.
    let bounds = Bounds {
        lower: 100,
        upper: NONE,
    };
    let error = teacher.add(&Board::start(), bounds, &mut sums);
    assert!((error.expect("a value") - 0.5 * 0.86 * 0.86).abs() < 1e-9);
}

/// A position with a hanging man is skipped, unless all positions are used.
#[test]
fn boards_on_which_material_is_won_are_left_out() {
    let network = NTupleWeights::zeros(Vec::new()).expect("tables");
    let layout = Layout::new(&network);
    let row = layout.row(&network);
    let playing = Playing::new(network).expect("a network");
    let hanging = "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3";
    let defended = "rnbqkbnr/pp2pppp/2p5/3p4/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 3";
    let bounds = Bounds {
        lower: 900,
        upper: NONE,
    };
    for (fen, quiet_boards, teaches) in [
        (hanging, false, true),
        (hanging, true, false),
        (defended, true, true),
    ] {
        let teacher = Teacher {
            layout: &layout,
            network: playing.network(),
            trained: TRAINED,
            row: &row,
            depth: 1,
            quiet_boards,
        };
        let board = Board::from_fen(fen).expect("a position");
        let error = teacher.add(&board, bounds, &mut Sums::new(layout.length()));
        assert_eq!(error.is_some(), teaches, "{fen}");
    }
}
