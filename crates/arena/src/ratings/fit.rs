//! The maximum-likelihood strengths, found by Newton's method.

use super::davidson::{DrawTendency, ELO_PER_UNIT, Evidence};
use super::matrix::{Matrix, Singular, Triangle};
use super::results::Results;

/// If there is a maximum, about ten steps find it.
const MOST_STEPS: usize = 100;
/// A step is halved at most this often to make the likelihood rise.
const MOST_HALVINGS: u32 = 40;
/// The fit ends when a step changes no unknown by more than this.
const PRECISION: f64 = 1e-11;

/// A prior for the unknowns, for games that do not bound all of them: standard deviations in units
/// of strength.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    strength: f64,
    white_advantage: f64,
    draws: f64,
}

/// The standard deviation of strengths under the weak prior, in Elo.
pub(super) const PRIOR_ELO: f64 = 1000.0;

impl Prior {
    /// So weak that it only matters where the games say nothing.
    pub(super) const WEAK: Prior = Prior {
        strength: PRIOR_ELO / ELO_PER_UNIT,
        white_advantage: 0.1 * PRIOR_ELO / ELO_PER_UNIT,
        draws: 3.0,
    };
}

/// The results to be fitted.
pub(super) struct Problem<'a> {
    pub(super) results: &'a Results,
    /// The strength of each player whose rating is fixed.
    pub(super) fixed: &'a [Option<f64>],
    pub(super) prior: Option<Prior>,
}

/// The fitted strengths and their uncertainty.
pub(super) struct Fit {
    /// The strength of each player.
    pub(super) strengths: Vec<f64>,
    pub(super) white_advantage: f64,
    pub(super) draws: DrawTendency,
    /// The covariance of the unknowns.
    covariance: Matrix,
    unknowns: Unknowns,
}

/// The index of each unknown in vectors and matrices.
struct Unknowns {
    players: Vec<Option<usize>>,
    white_advantage: usize,
    draws: Option<usize>,
    count: usize,
}

/// The likelihood at some point, with its gradient and information.
struct Slope {
    log_likelihood: f64,
    gradient: Vec<f64>,
    information: Matrix,
}

/// Values of all unknowns.
#[derive(Clone)]
struct Point {
    strengths: Vec<f64>,
    white_advantage: f64,
    draws: DrawTendency,
}

impl Problem<'_> {
    /// The most likely strengths; `None` if the likelihood has no maximum.
    pub(super) fn solve(&self) -> Option<Fit> {
        let unknowns = self.unknowns();
        let mut point = self.start(&unknowns);
        for _ in 0..MOST_STEPS {
            let slope = self.slope(&point, &unknowns);
            let triangle = slope.information.triangle().ok()?;
            let step = triangle.solve(&slope.gradient);
            let largest = step
                .iter()
                .fold(0.0, |most: f64, part| most.max(part.abs()));
            point = self.advance(&point, &step, slope.log_likelihood, &unknowns);
            if largest < PRECISION {
                return self.finish(point, unknowns).ok();
            }
        }
        None
    }

    fn finish(&self, point: Point, unknowns: Unknowns) -> Result<Fit, Singular> {
        let slope = self.slope(&point, &unknowns);
        let triangle: Triangle = slope.information.triangle()?;
        Ok(Fit {
            strengths: point.strengths,
            white_advantage: point.white_advantage,
            draws: point.draws,
            covariance: triangle.inverse(),
            unknowns,
        })
    }

    fn unknowns(&self) -> Unknowns {
        let mut count = 0;
        let mut next = || {
            count += 1;
            count - 1
        };
        let players: Vec<_> = self
            .fixed
            .iter()
            .map(|fixed| fixed.is_none().then(&mut next))
            .collect();
        let white_advantage = next();
        // Without draws, the most likely tendency to draw is minus infinity.
        let has_draws = self.results.pairings().any(|(_, _, games)| games.draws > 0);
        let draws = has_draws.then(&mut next);
        Unknowns {
            players,
            white_advantage,
            draws,
            count,
        }
    }

    fn start(&self, unknowns: &Unknowns) -> Point {
        let center = self.center();
        let strengths = self.fixed.iter().map(|fixed| fixed.unwrap_or(center));
        Point {
            strengths: strengths.collect(),
            white_advantage: 0.0,
            draws: DrawTendency(match unknowns.draws {
                Some(_) => 0.0,
                None => f64::NEG_INFINITY,
            }),
        }
    }

    /// The centre of the prior, and the start of the fit: the mean of the fixed strengths.
    fn center(&self) -> f64 {
        let fixed: Vec<f64> = self.fixed.iter().flatten().copied().collect();
        fixed.iter().sum::<f64>() / fixed.len().max(1) as f64
    }

    /// The point after the step, which is halved until the likelihood does not fall.
    fn advance(&self, from: &Point, step: &[f64], before: f64, unknowns: &Unknowns) -> Point {
        let mut share = 1.0;
        for _ in 0..MOST_HALVINGS {
            let to = from.moved(step, share, unknowns);
            // Near the maximum, a gain is lost in rounding.
            if self.log_likelihood(&to) >= before - 1e-9 * before.abs() {
                return to;
            }
            share *= 0.5;
        }
        from.clone()
    }

    fn log_likelihood(&self, point: &Point) -> f64 {
        let games: f64 = self
            .results
            .pairings()
            .map(|(white, black, games)| {
                let difference = point.difference(white, black);
                Evidence::of(games, difference, point.draws).log_likelihood
            })
            .sum();
        games + self.log_prior(point)
    }

    fn log_prior(&self, point: &Point) -> f64 {
        let Some(prior) = self.prior else {
            return 0.0;
        };
        let term = |value: f64, deviation: f64| -0.5 * (value / deviation).powi(2);
        let center = self.center();
        let free = point
            .strengths
            .iter()
            .zip(self.fixed)
            .filter(|(_, fixed)| fixed.is_none());
        let strengths: f64 = free
            .map(|(strength, _)| term(strength - center, prior.strength))
            .sum();
        let DrawTendency(draws) = point.draws;
        let draws = if draws.is_finite() {
            term(draws, prior.draws)
        } else {
            0.0
        };
        strengths + term(point.white_advantage, prior.white_advantage) + draws
    }

    fn slope(&self, point: &Point, unknowns: &Unknowns) -> Slope {
        let mut slope = Slope {
            log_likelihood: self.log_prior(point),
            gradient: vec![0.0; unknowns.count],
            information: Matrix::new(unknowns.count),
        };
        for (white, black, games) in self.results.pairings() {
            let evidence = Evidence::of(games, point.difference(white, black), point.draws);
            slope.add(&evidence, white, black, unknowns);
        }
        self.add_prior(&mut slope, point, unknowns);
        if self.fixed.iter().all(Option::is_none) {
            // Games only determine differences; this keeps the mean where it is.
            for row in 0..self.fixed.len() {
                for column in 0..=row {
                    slope.information.add(row, column, 1.0);
                }
            }
        }
        slope
    }

    fn add_prior(&self, slope: &mut Slope, point: &Point, unknowns: &Unknowns) {
        let Some(prior) = self.prior else {
            return;
        };
        let mut pull = |unknown: usize, value: f64, deviation: f64| {
            slope.gradient[unknown] -= value / deviation.powi(2);
            slope.information.add(unknown, unknown, deviation.powi(-2));
        };
        let center = self.center();
        for (unknown, strength) in unknowns.players.iter().zip(&point.strengths) {
            if let Some(unknown) = *unknown {
                pull(unknown, strength - center, prior.strength);
            }
        }
        pull(
            unknowns.white_advantage,
            point.white_advantage,
            prior.white_advantage,
        );
        if let Some(unknown) = unknowns.draws {
            pull(unknown, point.draws.0, prior.draws);
        }
    }
}

impl Slope {
    /// Adds the evidence of one pairing. The difference of strength is White's minus Black's plus
    /// White's advantage.
    fn add(&mut self, evidence: &Evidence, white: usize, black: usize, unknowns: &Unknowns) {
        self.log_likelihood += evidence.log_likelihood;
        let parts = [
            (unknowns.players[white], 1.0),
            (unknowns.players[black], -1.0),
            (Some(unknowns.white_advantage), 1.0),
        ];
        for (index, &(row, sign)) in parts.iter().enumerate() {
            let Some(row) = row else { continue };
            self.gradient[row] += sign * evidence.slope;
            for &(column, other) in &parts[..=index] {
                let Some(column) = column else { continue };
                self.information
                    .add(row, column, sign * other * evidence.information);
            }
            if let Some(draws) = unknowns.draws {
                self.information
                    .add(row, draws, sign * evidence.shared_information);
            }
        }
        if let Some(draws) = unknowns.draws {
            self.gradient[draws] += evidence.draw_slope;
            self.information
                .add(draws, draws, evidence.draw_information);
        }
    }
}

impl Point {
    fn difference(&self, white: usize, black: usize) -> f64 {
        self.strengths[white] - self.strengths[black] + self.white_advantage
    }

    fn moved(&self, step: &[f64], share: f64, unknowns: &Unknowns) -> Point {
        let mut point = self.clone();
        for (strength, unknown) in point.strengths.iter_mut().zip(&unknowns.players) {
            if let Some(unknown) = *unknown {
                *strength += share * step[unknown];
            }
        }
        point.white_advantage += share * step[unknowns.white_advantage];
        if let Some(unknown) = unknowns.draws {
            point.draws.0 += share * step[unknown];
        }
        point
    }
}

impl Fit {
    /// The covariance of two strengths; 0 if one of them is fixed.
    pub(super) fn covariance(&self, player: usize, other: usize) -> f64 {
        match (self.unknowns.players[player], self.unknowns.players[other]) {
            (Some(row), Some(column)) => self.covariance.get(row, column),
            _ => 0.0,
        }
    }

    /// The standard deviation of the difference of two strengths.
    pub(super) fn deviation_of_difference(&self, player: usize, other: usize) -> f64 {
        let variance = self.covariance(player, player) + self.covariance(other, other)
            - 2.0 * self.covariance(player, other);
        variance.max(0.0).sqrt()
    }

    /// The standard deviation of White's advantage.
    pub(super) fn deviation_of_white_advantage(&self) -> f64 {
        let unknown = self.unknowns.white_advantage;
        self.covariance.get(unknown, unknown).sqrt()
    }
}
