//! Whether sequential tests keep what they promise.
//!
//! `cargo bench -p tabia-arena --bench sprt_promise` simulates many matches
//! between players whose strength is exactly one of the two hypotheses, judged
//! once after each pair, and prints how often the test was wrong beside the
//! risk that was stated, the mean number of games beside the planned one, and
//! how often the true strength lay in the intervals, plain and corrected.

#[path = "../tests/simulation/mod.rs"]
mod simulation;

use arena::statistics::{Decision, Model, Sprt, Strength, elo_of_score};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rayon::prelude::*;
use simulation::Pairs;
use std::time::Instant;

const MATCHES: u64 = 10_000;
const RISK: f64 = 0.05;

/// Shapes of the distribution of points of a pair.
const SHAPES: [(&str, [f64; 5]); 2] = [
    ("drawish", [0.01, 0.14, 0.70, 0.14, 0.01]),
    ("sharp", [0.10, 0.22, 0.36, 0.22, 0.10]),
];

/// What came of one match.
#[derive(Clone, Copy, Default)]
struct Tally {
    wrong: u64,
    games: f64,
    plain_holds: u64,
    corrected_holds: u64,
    corrected_below: u64,
    corrected: u64,
}

fn main() {
    println!("{MATCHES} matches a row, alpha = beta = {RISK}, intervals of 95 %");
    println!(
        "{:33} {:21} {:16} {:15} estimate",
        "test, pairs, truth", "wrong", "games (planned)", "interval holds"
    );
    println!("{:33} {:21} {:16} plain corrected too low", "", "", "");
    let begin = Instant::now();
    for model in [Model::Normalized, Model::Logistic] {
        for (name, shape) in SHAPES {
            for hypothesis in 0..2 {
                row(model, name, shape, hypothesis);
            }
        }
    }
    println!("{:.0} s", begin.elapsed().as_secs_f64());
}

fn row(model: Model, name: &str, shape: [f64; 5], hypothesis: usize) {
    let (elo0, elo1) = (0.0, 20.0);
    let sprt = Sprt::new(elo0, elo1, RISK, RISK, model).expect("a test");
    let elo = sprt.hypotheses()[hypothesis];
    let pairs = Pairs::with_strength(shape, model, elo);
    let tally = (0..MATCHES)
        .into_par_iter()
        .map(|number| play(&sprt, &pairs, hypothesis, number))
        .reduce(Tally::default, Tally::plus);
    let planned = sprt.prospect(pairs.mean(), pairs.game_deviation());
    let (low, high) = wilson(tally.wrong, MATCHES);
    let percent = |count: u64, of: u64| 100.0 * count as f64 / of as f64;
    println!(
        "{:33} {:.2} % [{:.2}, {:.2}]   {:4.0} ({:4.0})      {:.1} % {:.1} %  {:.1} %",
        format!("{model:?} [{elo0}, {elo1}], {name}, {elo}"),
        percent(tally.wrong, MATCHES),
        100.0 * low,
        100.0 * high,
        tally.games / MATCHES as f64,
        planned.mean_games,
        percent(tally.plain_holds, MATCHES),
        percent(tally.corrected_holds, tally.corrected),
        percent(tally.corrected_below, tally.corrected),
    );
}

fn play(sprt: &Sprt, pairs: &Pairs, hypothesis: usize, number: u64) -> Tally {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(number);
    let finished = pairs.play_test(sprt, &mut generator);
    let truth = elo_of_score(pairs.mean());
    let plain = Strength::of(&finished.pairs).elo;
    let right = [Decision::AcceptElo0, Decision::AcceptElo1][hypothesis];
    let mut tally = Tally {
        wrong: u64::from(finished.decision != right),
        games: finished.pairs.games(),
        plain_holds: u64::from(plain.lower <= truth && truth <= plain.upper),
        ..Tally::default()
    };
    if let Some(estimate) = sprt.estimate(&finished.pairs) {
        tally.corrected = 1;
        let elo = estimate.elo;
        tally.corrected_holds = u64::from(elo.lower <= truth && truth <= elo.upper);
        tally.corrected_below = u64::from(elo.value < truth);
    }
    tally
}

impl Tally {
    fn plus(self, other: Tally) -> Tally {
        Tally {
            wrong: self.wrong + other.wrong,
            games: self.games + other.games,
            plain_holds: self.plain_holds + other.plain_holds,
            corrected_holds: self.corrected_holds + other.corrected_holds,
            corrected_below: self.corrected_below + other.corrected_below,
            corrected: self.corrected + other.corrected,
        }
    }
}

/// Wilson's interval of 95 % for a share.
fn wilson(count: u64, of: u64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let (share, n) = (count as f64 / of as f64, of as f64);
    let center = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let spread = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    (center - spread, center + spread)
}
