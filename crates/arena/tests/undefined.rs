//! Whatever was counted and whatever is asked, no answer is undefined.

use arena::statistics::{Estimate, Histogram, Model, Prospect, Sprt, Strength, Trinomial};
use arena::statistics::{bayes_elo_llr, pair_draw_ratio, pairs_ratio};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

struct Wishes(Xoshiro256PlusPlus);

impl Wishes {
    /// A number from 0 to 1.
    fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Nothing, a few, or very many.
    fn count(&mut self) -> u64 {
        match self.0.next_u64() % 3 {
            0 => 0,
            1 => self.0.next_u64() % 5,
            _ => 10f64.powf(12.0 * self.share()) as u64,
        }
    }

    /// Of any size, with any sign.
    fn elo(&mut self) -> f64 {
        let size = 10f64.powf(9.0 * self.share() - 6.0);
        if self.share() < 0.5 { size } else { -size }
    }

    fn sprt(&mut self) -> Sprt {
        let (one, other) = (self.elo(), self.elo());
        let model = if self.share() < 0.5 {
            Model::Normalized
        } else {
            Model::Logistic
        };
        let (alpha, beta) = (0.5 * self.share(), 0.5 * self.share());
        Sprt::new(one.min(other), one.max(other), alpha, beta, model).expect("a test")
    }
}

#[track_caller]
fn assert_ordered(estimate: Estimate) {
    assert!(estimate.lower <= estimate.value, "{estimate:?}");
    assert!(estimate.value <= estimate.upper, "{estimate:?}");
}

#[test]
fn strengths_and_tests_of_any_counts() {
    let mut wishes = Wishes(Xoshiro256PlusPlus::seed_from_u64(1));
    for _ in 0..5000 {
        let five = [(); 5].map(|()| wishes.count());
        let three = [five[0], five[2], five[4]];
        let sprt = wishes.sprt();
        for counts in [Histogram::of_pairs(five), Histogram::of_games(three)] {
            let strength = Strength::of(&counts);
            assert_ordered(strength.elo);
            assert_ordered(strength.normalized_elo);
            assert!((0.0..=1.0).contains(&strength.los), "{strength:?}");
            let judgement = sprt.judge(&counts);
            assert!(judgement.llr.is_finite(), "{counts:?} {sprt:?}");
            if let Some(found) = sprt.estimate(&counts) {
                assert_ordered(found.elo);
                assert!((0.0..=1.0).contains(&found.los), "{found:?}");
            }
        }
        for ratio in [pair_draw_ratio(five), pairs_ratio(five)] {
            assert!(!ratio.is_some_and(f64::is_nan));
        }
        let games = Trinomial {
            losses: three[0],
            draws: three[1],
            wins: three[2],
        };
        let [elo0, elo1] = sprt.hypotheses();
        assert!(!bayes_elo_llr(&games, elo0, elo1).is_nan(), "{games:?}");
    }
}

#[test]
fn plans_of_any_match() {
    let mut wishes = Wishes(Xoshiro256PlusPlus::seed_from_u64(2));
    let mut planned = 0;
    for _ in 0..5000 {
        let (elo, draw_rate) = (wishes.elo(), wishes.share());
        let Ok(prospect) = Prospect::new(elo, draw_rate) else {
            continue;
        };
        planned += 1;
        let expected = prospect.sprt(&wishes.sprt());
        assert!(
            (0.0..=1.0).contains(&expected.pass_probability),
            "{expected:?}"
        );
        assert!(expected.mean_games >= 0.0, "{expected:?}");
        assert!((0.0..=1.0).contains(&prospect.power(1e6 * wishes.share())));
        assert!(prospect.games_for_power(wishes.share()) >= 0.0);
        assert!(prospect.games_for_margin(wishes.elo().abs()) > 0.0);
        assert!(prospect.normalized_elo().is_finite());
    }
    assert!(planned > 2000, "{planned}");
}
