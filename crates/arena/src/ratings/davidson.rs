//! Davidson's model: the odds of win, draw and loss, and the likelihood of games.

use crate::statistics::Trinomial;

/// One unit of the model's strength in Elo, if there are no draws.
pub(super) const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The tendency to draw: the logarithm of the odds of a draw against a win between equals. Minus
/// infinity if no game is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct DrawTendency(pub(super) f64);

impl DrawTendency {
    /// The share of draws between equals.
    pub(super) fn rate(self) -> f64 {
        1.0 / (1.0 + 2.0 * (-self.0).exp())
    }

    /// How many units of strength change the score, between equals, as much as one unit does
    /// without draws.
    pub(super) fn stretch(self) -> f64 {
        1.0 + 0.5 * self.0.exp()
    }
}

/// The likelihood of one pairing's games and its derivatives, at some point of the model: by the
/// difference of strength (White's advantage included) and by the tendency to draw.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Evidence {
    /// The logarithm of the likelihood.
    pub(super) log_likelihood: f64,
    /// Its derivative by the difference.
    pub(super) slope: f64,
    /// Its derivative by the tendency to draw.
    pub(super) draw_slope: f64,
    /// The Fisher information on the difference.
    pub(super) information: f64,
    /// The Fisher information on the tendency to draw.
    pub(super) draw_information: f64,
    /// The mixed term of the information.
    pub(super) shared_information: f64,
}

impl Evidence {
    /// The evidence of games, counted from White's point of view.
    pub(super) fn of(games: &Trinomial, difference: f64, draws: DrawTendency) -> Evidence {
        let half = 0.5 * difference;
        let DrawTendency(tendency) = draws;
        // The largest odds are factored out, so that no exponential overflows.
        let largest = half.abs().max(tendency);
        let odds = [-half, tendency, half].map(|odds| (odds - largest).exp());
        let total: f64 = odds.iter().sum();
        let [loss, draw, win] = odds.map(|odds| odds / total);
        let Trinomial {
            losses,
            draws,
            wins,
        } = *games;
        let (lead, count) = (wins as f64 - losses as f64, games.games() as f64);
        let expected_lead = win - loss;
        // If no game was drawn, draws contribute nothing, even if the tendency is minus infinity.
        let drawn = if draws == 0 {
            0.0
        } else {
            draws as f64 * tendency
        };
        Evidence {
            log_likelihood: lead * half + drawn - count * (largest + total.ln()),
            slope: 0.5 * (lead - count * expected_lead),
            draw_slope: draws as f64 - count * draw,
            information: 0.25 * count * (win + loss - expected_lead * expected_lead),
            draw_information: count * draw * (1.0 - draw),
            shared_information: -0.5 * count * expected_lead * draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: Trinomial = Trinomial {
        losses: 3,
        draws: 5,
        wins: 9,
    };

    #[test]
    fn slopes_and_information_are_derivatives() {
        let at =
            |difference: f64, draws: f64| Evidence::of(&GAMES, difference, DrawTendency(draws));
        let step = 1e-5;
        for (x, d) in [(0.0, 0.0), (0.7, -1.2), (-2.0, 1.5)] {
            let here = at(x, d);
            let derivative = |of: &dyn Fn(Evidence) -> f64| {
                let along_x = of(at(x + step, d)) - of(at(x - step, d));
                let along_d = of(at(x, d + step)) - of(at(x, d - step));
                (along_x / (2.0 * step), along_d / (2.0 * step))
            };
            let (slope, draw_slope) = derivative(&|found| found.log_likelihood);
            assert!((slope - here.slope).abs() < 1e-8);
            assert!((draw_slope - here.draw_slope).abs() < 1e-8);
            let (curve, shared) = derivative(&|found| found.slope);
            assert!((curve + here.information).abs() < 1e-8);
            assert!((shared + here.shared_information).abs() < 1e-8);
            let (_, draw_curve) = derivative(&|found| found.draw_slope);
            assert!((draw_curve + here.draw_information).abs() < 1e-8);
        }
    }

    #[test]
    fn without_draws_the_model_is_the_logistic_one() {
        let never = DrawTendency(f64::NEG_INFINITY);
        assert_eq!((never.rate(), never.stretch()), (0.0, 1.0));
        let won = Trinomial {
            losses: 0,
            draws: 0,
            wins: 1,
        };
        let found = Evidence::of(&won, 100.0 / ELO_PER_UNIT, never);
        let expected = crate::statistics::expected_score(100.0);
        assert!((found.log_likelihood - expected.ln()).abs() < 1e-12);
        assert!((found.information - expected * (1.0 - expected)).abs() < 1e-12);
    }

    #[test]
    fn stretched_differences_mean_the_score_of_elo() {
        for tendency in [-1.0, 0.0, 1.5] {
            let draws = DrawTendency(tendency);
            let score = |elo: f64| {
                let one = Trinomial {
                    losses: 0,
                    draws: 0,
                    wins: 1,
                };
                let x = elo / ELO_PER_UNIT * draws.stretch();
                // The slope of a win is half of what its expected lead lacks to a full lead.
                1.0 - Evidence::of(&one, x, draws).slope
            };
            for (elo, tolerance) in [(1.0, 1e-7), (30.0, 3e-4), (200.0, 0.03)] {
                let difference = score(elo) - crate::statistics::expected_score(elo);
                assert!(
                    difference.abs() < tolerance,
                    "{tendency} {elo}: {difference}"
                );
            }
            assert!((score(0.0) - 0.5).abs() < 1e-15);
        }
    }

    #[test]
    fn far_differences_stay_numbers() {
        for difference in [-5000.0, 5000.0] {
            let found = Evidence::of(&GAMES, difference, DrawTendency(0.0));
            assert!(found.log_likelihood.is_finite() && found.information == 0.0);
        }
    }
}
