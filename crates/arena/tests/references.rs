//! The statistics against values that an independent program computed.
//!
//! The values come from the formulas of the public test server of Stockfish, run
//! with SciPy. They count scores that never happened as a thousandth everywhere,
//! which matters in one row.

use arena::statistics::{Histogram, Model, Sprt, Strength, Trinomial, bayes_elo_llr};

struct Row {
    pairs: [u64; 5],
    elo: [f64; 2],
    los: f64,
    normalized_elo: f64,
    /// Normalized [0, 2] and [-1.75, 0.25], logistic [0, 5].
    llr: [f64; 3],
}

const ROWS: [Row; 5] = [
    Row {
        pairs: [39, 2226, 31451, 2412, 40],
        elo: [0.9030, 0.6625],
        los: 0.996222,
        normalized_elo: 3.4508,
        llr: [2.936910, 5.033596, -68.718702],
    },
    Row {
        pairs: [379, 10170, 21828, 10640, 343],
        elo: [1.5946, 1.2087],
        los: 0.995139,
        normalized_elo: 3.0505,
        llr: [2.945495, 5.459734, -11.905989],
    },
    Row {
        pairs: [10789, 19328, 33806, 19402, 10543],
        elo: [-0.7736, 1.2776],
        los: 0.117659,
        normalized_elo: -0.9516,
        llr: [-6.070429, -0.627168, -38.514408],
    },
    Row {
        pairs: [0, 0, 7, 1, 0],
        elo: [21.7131, 40.3462],
        los: 0.855961,
        normalized_elo: 92.2570,
        llr: [0.016018, 0.016431, 0.113927],
    },
    Row {
        pairs: [3, 10, 40, 25, 6],
        elo: [43.6578, 33.4970],
        los: 0.995199,
        normalized_elo: 69.4210,
        llr: [0.177319, 0.182013, 0.638788],
    },
];

const GAMES: Trinomial = Trinomial {
    losses: 1908,
    draws: 4385,
    wins: 2049,
};

fn llr(counts: &Histogram, elo0: f64, elo1: f64, model: Model) -> f64 {
    let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a test");
    sprt.judge(counts).llr
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found}, expected {expected}"
    );
}

#[test]
fn strengths_of_pairs() {
    for row in &ROWS {
        let strength = Strength::of(&Histogram::of_pairs(row.pairs).regularised());
        assert_near(strength.elo.value, row.elo[0], 5.1e-5);
        assert_near(strength.elo.margin(), row.elo[1], 5.1e-5);
        assert_near(strength.los, row.los, 5.1e-7);
        assert_near(strength.normalized_elo.value, row.normalized_elo, 5.1e-5);
    }
}

#[test]
fn likelihood_ratios_of_pairs() {
    for row in &ROWS {
        let pairs = Histogram::of_pairs(row.pairs);
        assert_near(llr(&pairs, 0.0, 2.0, Model::Normalized), row.llr[0], 1e-6);
        assert_near(
            llr(&pairs, -1.75, 0.25, Model::Normalized),
            row.llr[1],
            1e-6,
        );
        assert_near(llr(&pairs, 0.0, 5.0, Model::Logistic), row.llr[2], 1e-6);
    }
}

#[test]
fn games_that_stand_alone() {
    let games = Histogram::of_games([GAMES.losses, GAMES.draws, GAMES.wins]);
    assert_near(llr(&games, 0.0, 2.0, Model::Normalized), 1.040300, 1e-6);
    assert_near(llr(&games, 0.0, 5.0, Model::Logistic), 2.457134, 1e-6);
    assert_near(bayes_elo_llr(&GAMES, 0.0, 5.0), 2.142685, 1e-6);
    let strength = Strength::of(&GAMES);
    assert_near(strength.elo.value, 5.8731, 5.1e-5);
    assert_near(strength.elo.margin(), 5.1352, 5.1e-5);
    assert_near(strength.los, 0.987525, 5.1e-7);
}

#[test]
fn strength_after_a_test() {
    let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, Model::Normalized).expect("a test");
    for (row, value, lower, upper, los) in [
        (&ROWS[0], 0.8174, 0.1252, 1.4960, 0.9894),
        (&ROWS[1], 1.4211, 0.1461, 2.6643, 0.9853),
    ] {
        let found = sprt
            .estimate(&Histogram::of_pairs(row.pairs))
            .expect("pairs");
        assert_near(found.elo.value, value, 5.1e-5);
        assert_near(found.elo.lower, lower, 5.1e-5);
        assert_near(found.elo.upper, upper, 5.1e-5);
        assert_near(found.los, los, 5.1e-5);
    }
}
