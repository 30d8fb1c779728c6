//! The likelihood ratio in BayesElo, for comparison with older testing tools: a model of wins,
//! draws and losses with one parameter for strength and one for draws.
//!
//! Its hypotheses are in BayesElo, which depends on the draw rate; the tests of this crate do not
//! use it.

use super::counts::{Counts, Trinomial};

/// The log-likelihood ratio of `elo1` to `elo0`, both in BayesElo, with the observed tendency to
/// draw; 0 without games.
pub fn bayes_elo_llr(games: &Trinomial, elo0: f64, elo1: f64) -> f64 {
    let histogram = games.histogram().regularised();
    let [loss, draw, win, ..] = histogram.shares();
    let draw_elo = 200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10();
    let [lower, upper] = [elo0, elo1].map(|elo| probabilities(elo, draw_elo));
    let term = |(share, index): (f64, usize)| share * (upper[index] / lower[index]).ln();
    let terms = [(loss, 0), (draw, 1), (win, 2)].map(term);
    if games.games() == 0 {
        return 0.0;
    }
    histogram.observations() * terms.iter().sum::<f64>()
}

/// The probabilities of loss, draw and win.
fn probabilities(elo: f64, draw_elo: f64) -> [f64; 3] {
    let beyond = |distance: f64| 1.0 / (1.0 + 10f64.powf(distance / 400.0));
    let (loss, win) = (beyond(draw_elo + elo), beyond(draw_elo - elo));
    [loss, 1.0 - loss - win, win]
}
