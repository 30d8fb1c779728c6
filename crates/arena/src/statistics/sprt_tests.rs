use super::*;
use crate::statistics::{Histogram, Trinomial, elo_of_score};

fn sprt(elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.1, Model::Normalized).expect("a test")
}

/// As published: 0.50 against 0.55 needs 72 % of 75 games.
#[test]
fn a_binomial_test_counts_draws_as_halves() {
    let sprt = Sprt::new(0.0, elo_of_score(0.55), 0.05, 0.05, Model::Binomial).expect("a test");
    let judged = |wins, draws, losses| {
        let games = Trinomial {
            wins,
            draws,
            losses,
        };
        sprt.judge(&games)
    };
    assert_eq!(judged(54, 0, 21).decision, Decision::Continue);
    assert_eq!(judged(55, 0, 20).decision, Decision::AcceptElo1);
    assert!((judged(40, 30, 5).llr - judged(55, 0, 20).llr).abs() < 1e-12);
    let interval = Estimate::of_binomial(&Trinomial {
        wins: 30,
        draws: 40,
        losses: 30,
    });
    assert_eq!(interval.value, 0.0);
    assert!((interval.upper - elo_of_score(0.5 + 1.959_964 * 0.05)).abs() < 1e-3);
}

#[test]
fn bounds_follow_from_the_risks() {
    let [lower, upper] = sprt(0.0, 5.0).bounds();
    assert!((lower - (0.1f64 / 0.95).ln()).abs() < 1e-15);
    assert!((upper - (0.9f64 / 0.05).ln()).abs() < 1e-15);
}

#[test]
fn tests_decide_both_ways() {
    let decision = |counts| sprt(0.0, 50.0).judge(&Histogram::of_pairs(counts)).decision;
    assert_eq!(decision([0; 5]), Decision::Continue);
    assert_eq!(decision([1, 5, 20, 6, 1]), Decision::Continue);
    assert_eq!(decision([0, 30, 200, 90, 10]), Decision::AcceptElo1);
    assert_eq!(decision([10, 90, 200, 30, 0]), Decision::AcceptElo0);
}

#[test]
fn nothing_is_judged_without_games() {
    let judgement = sprt(0.0, 5.0).judge(&Histogram::of_games([0; 3]));
    assert_eq!(judgement.llr, 0.0);
    assert_eq!(sprt(0.0, 5.0).estimate(&Histogram::of_games([0; 3])), None);
}

#[test]
fn estimates_stand_on_a_spread_of_scores() {
    let estimate = |counts| sprt(0.0, 20.0).estimate(&Histogram::of_pairs(counts));
    for place in 0..5 {
        let mut counts = [0; 5];
        counts[place] = 9;
        assert_eq!(estimate(counts), None);
    }
    for counts in [[0, 8, 30, 16, 2], [2, 16, 30, 8, 0], [0, 1, 1, 0, 0]] {
        let found = estimate(counts).expect("a spread");
        assert!(found.elo.lower < found.elo.value, "{found:?}");
        assert!(found.elo.value < found.elo.upper, "{found:?}");
        assert!(found.elo.lower > -LARGEST_ELO && found.elo.upper < LARGEST_ELO);
        assert!((0.0..=1.0).contains(&found.los), "{found:?}");
    }
}

#[test]
fn a_match_that_went_on_is_not_the_end_of_a_test() {
    let estimate = |scale: u64| {
        let counts = [1, 30, 100, 44, 2].map(|count| count * scale);
        sprt(0.0, 20.0).estimate(&Histogram::of_pairs(counts))
    };
    assert!(estimate(1).is_some());
    assert_eq!(estimate(400), None);
}

#[test]
fn without_a_decision_the_estimate_is_nearly_the_plain_one() {
    // Bounds so wide that stopping has no effect.
    let wide = Sprt::new(-20.0, 20.0, 1e-12, 1e-12, Model::Logistic).expect("a test");
    let pairs = Histogram::of_pairs([3, 10, 40, 25, 6]);
    let plain = crate::statistics::Strength::of(&pairs);
    let found = wide.estimate(&pairs).expect("pairs");
    assert!((found.elo.value - plain.elo.value).abs() < 1e-6);
    assert!((found.elo.lower - plain.elo.lower).abs() < 1e-6);
    assert!((found.elo.upper - plain.elo.upper).abs() < 1e-6);
    assert!((found.los - plain.los).abs() < 1e-9);
}

#[test]
fn what_is_no_test_is_refused() {
    let refusal = |elo0, elo1, alpha, beta| {
        let refused = Sprt::new(elo0, elo1, alpha, beta, Model::Logistic);
        refused.expect_err("no test").to_string()
    };
    assert_eq!(
        refusal(5.0, 0.0, 0.05, 0.05),
        "elo0 is 5 and elo1 is 0; elo1 must be the greater"
    );
    assert_eq!(
        refusal(0.0, 5000.0, 0.05, 0.05),
        "a hypothesis of 5000 Elo is out of range; it must be from -1000 to 1000"
    );
    assert!(refusal(f64::NAN, 5.0, 0.05, 0.05).contains("NaN"));
    assert_eq!(
        refusal(0.0, 5.0, 0.0, 0.05),
        "alpha is 0, but must be above 0 and below 0.5"
    );
    assert!(refusal(0.0, 5.0, 0.05, f64::NAN).starts_with("beta is NaN"));
}

#[test]
fn tests_are_kept_in_json_and_checked_when_read() {
    let text = serde_json::to_string(&sprt(0.0, 5.0)).expect("JSON");
    assert_eq!(
        text,
        r#"{"elo0":0.0,"elo1":5.0,"alpha":0.05,"beta":0.1,"model":"normalized"}"#
    );
    let read: Sprt = serde_json::from_str(&text).expect("the same");
    assert_eq!(read, sprt(0.0, 5.0));
    let wrong = text.replace("5.0,", "-5.0,");
    let error = serde_json::from_str::<Sprt>(&wrong).expect_err("no test");
    assert!(error.to_string().contains("must be the greater"), "{error}");
}
