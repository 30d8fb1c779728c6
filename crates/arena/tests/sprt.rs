//! Sequential tests on simulated matches.

mod simulation;

use arena::statistics::{Decision, Model, Sprt};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use simulation::Pairs;

/// How many of 600 simulated tests were wrong, and how many estimates after
/// them were below the truth.
fn wrong_and_below(model: Model, hypothesis: usize) -> (u32, u32) {
    let sprt = Sprt::new(-10.0, 40.0, 0.05, 0.1, model).expect("a test");
    let elo = sprt.hypotheses()[hypothesis];
    let pairs = Pairs::with_strength([0.04, 0.2, 0.5, 0.22, 0.04], model, elo);
    let truth = arena::statistics::elo_of_score(pairs.mean());
    let right = [Decision::AcceptElo0, Decision::AcceptElo1][hypothesis];
    let (mut wrong, mut below) = (0, 0);
    for seed in 0..600 {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        let finished = pairs.play_test(&sprt, &mut generator);
        wrong += u32::from(finished.decision != right);
        let estimate = sprt.estimate(&finished.pairs);
        below += u32::from(estimate.is_some_and(|found| found.elo.value < truth));
    }
    (wrong, below)
}

/// The seeds are fixed; the margins are three standard deviations, and one more
/// for what the test gives away by stepping beyond its bounds.
#[test]
fn risks_are_kept_and_estimates_are_in_the_middle() {
    for model in [Model::Normalized, Model::Logistic] {
        let (wrong, below) = wrong_and_below(model, 0);
        assert!((10..=46).contains(&wrong), "{model:?}: {wrong} for 30");
        assert!((245..=355).contains(&below), "{model:?}: {below} for 300");
        let (wrong, below) = wrong_and_below(model, 1);
        assert!((30..=82).contains(&wrong), "{model:?}: {wrong} for 60");
        assert!((245..=355).contains(&below), "{model:?}: {below} for 300");
    }
}
