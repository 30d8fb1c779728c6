use super::*;

const MODELS: [Model; 2] = [Model::Normalized, Model::Logistic];

/// Many and few observations, one-sided and balanced ones.
fn histograms() -> Vec<Histogram> {
    let mut all = vec![
        Histogram::of_pairs([39, 2226, 31451, 2412, 40]),
        Histogram::of_pairs([3, 10, 40, 25, 6]),
        Histogram::of_pairs([10, 0, 0, 0, 10]),
        Histogram::of_pairs([0, 0, 0, 0, 1000]),
        Histogram::of_games([19, 43, 20]),
        Histogram::of_games([0, 0, 5]),
        Histogram::of_games([0, 1000, 0]),
    ];
    for place in 0..5 {
        let mut counts = [0; 5];
        counts[place] = 1;
        all.push(Histogram::of_pairs(counts));
    }
    all
}

#[test]
fn the_most_likely_distribution_meets_its_condition() {
    for histogram in histograms().into_iter().map(Histogram::regularised) {
        let (scores, observed) = (histogram.scores(), histogram.shares());
        for elo in [-700.0, -50.0, -1.0, 0.0, 2.0, 90.0, 1000.0] {
            for model in MODELS {
                let factors = match model {
                    Model::Normalized => normalized_factors(&histogram, elo),
                    Model::Logistic | Model::Binomial => logistic_factors(&histogram, elo),
                };
                let mut shares = [0.0; MOST_SCORES];
                for index in 0..scores.len() {
                    shares[index] = observed[index] / factors[index];
                    assert!(shares[index] > 0.0);
                }
                let total: f64 = shares.iter().sum();
                let mean = mean(scores, &shares);
                let variance = crate::statistics::histogram::variance(scores, &shares);
                let deviation = (variance * histogram.games_per_observation()).sqrt();
                let missed = mean - model.score(elo, deviation);
                let case = format!("{histogram:?} {elo} {model:?}: {total} {missed}");
                assert!((total - 1.0).abs() < 1e-8, "{case}");
                assert!(missed.abs() < 1e-8, "{case}");
            }
        }
    }
}

/// The most likely distribution of games by another method: for each draw rate the condition leaves
/// only one distribution, and the best draw rate is searched for.
fn best_log_likelihood(shares: &Shares, model: Model, elo: f64) -> f64 {
    let log_likelihood = |draws: f64| {
        let target = elo / NORMALIZED_ELO_OF_DEVIATION;
        let lead = match model {
            Model::Normalized => target * ((1.0 - draws) / (1.0 + target * target)).sqrt(),
            Model::Logistic | Model::Binomial => 2.0 * expected_score(elo) - 1.0,
        };
        let (win, loss) = (0.5 * (1.0 - draws + lead), 0.5 * (1.0 - draws - lead));
        let sum = shares[0] * loss.ln() + shares[1] * draws.ln() + shares[2] * win.ln();
        if sum.is_nan() { f64::NEG_INFINITY } else { sum }
    };
    let (mut low, mut high) = (0.0, 1.0);
    while high - low > 1e-9 {
        let step = (high - low) / 100.0;
        let rate = |index: i32| low + f64::from(index) * step;
        let best = (0..=100)
            .map(rate)
            .max_by(|a, b| log_likelihood(*a).total_cmp(&log_likelihood(*b)));
        let best = best.expect("a hundred rates");
        (low, high) = ((best - 2.0 * step).max(0.0), (best + 2.0 * step).min(1.0));
    }
    log_likelihood(0.5 * (low + high))
}

#[test]
fn no_other_distribution_is_more_likely() {
    for counts in [[1908, 4385, 2049], [30, 40, 90], [5, 1, 2], [1, 0, 0]] {
        let histogram = Histogram::of_games(counts);
        let shares = histogram.regularised().shares();
        for model in MODELS {
            for (elo0, elo1) in [(0.0, 5.0), (-20.0, 60.0), (-300.0, -100.0)] {
                let best = |elo| best_log_likelihood(&shares, model, elo);
                let games = histogram.regularised().observations();
                let expected = games * (best(elo1) - best(elo0));
                let found = log_likelihood_ratio(&histogram, model, elo0, elo1);
                let case = format!("{counts:?} {model:?} {elo0}: {found} {expected}");
                assert!((found - expected).abs() < 1e-9 * games.max(100.0), "{case}");
            }
        }
    }
}

#[test]
fn ratios_add_up_and_change_sign_with_the_view() {
    for histogram in histograms() {
        for model in MODELS {
            let llr = |elo0, elo1| log_likelihood_ratio(&histogram, model, elo0, elo1);
            let (parts, whole) = (llr(-30.0, 5.0) + llr(5.0, 80.0), llr(-30.0, 80.0));
            assert!((parts - whole).abs() <= 1e-9 * whole.abs().max(1.0));
            let mut turned = histogram;
            turned.reverse();
            let other = log_likelihood_ratio(&turned, model, -80.0, 30.0);
            assert!((whole + other).abs() <= 1e-9 * whole.abs().max(1.0));
        }
    }
}

#[test]
fn few_games_or_far_hypotheses_give_numbers() {
    for histogram in histograms() {
        for model in MODELS {
            for elo in [0.01, 1.0, 30.0, 300.0, 1000.0] {
                let up = log_likelihood_ratio(&histogram, model, 0.0, elo);
                let down = log_likelihood_ratio(&histogram, model, -elo, 0.0);
                assert!(up.is_finite() && down.is_finite(), "{histogram:?} {elo}");
            }
        }
    }
    let won = Histogram::of_pairs([0, 0, 0, 0, 3]);
    assert!(log_likelihood_ratio(&won, Model::Normalized, 0.0, 10.0) > 0.0);
    let lost = Histogram::of_pairs([3, 0, 0, 0, 0]);
    assert!(log_likelihood_ratio(&lost, Model::Normalized, 0.0, 10.0) < 0.0);
}
