//! The rating list.

use super::davidson::ELO_PER_UNIT;
use super::fit::{Fit, Prior, Problem};
use super::obstacles::{self, Obstacle};
use super::results::Results;
use crate::statistics::{Estimate, Trinomial, Z_95, probability_below};
use serde::Serialize;

/// The work grows with the third power of the number of players; this many take less than a second.
const MOST_PLAYERS: usize = 1000;
/// The largest fixed rating.
const LARGEST_ANCHOR: f64 = 10_000.0;
/// The scale depends on the draw rate, and with several anchors their strengths depend on the
/// scale; a few rounds make them agree.
const MOST_ROUNDS: usize = 50;

/// A player whose rating is fixed.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchor {
    /// The player's name.
    pub name: String,
    /// The fixed rating.
    pub elo: f64,
}

/// What ratings and their intervals are relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reference {
    /// The mean of all players is 0.
    Mean,
    /// The players with fixed ratings.
    Anchors,
}

/// All players, the strongest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatingList {
    /// The players.
    pub players: Vec<RatedPlayer>,
    /// What the ratings are relative to.
    pub reference: Reference,
    /// The advantage of the white pieces, in Elo.
    pub white_advantage: Estimate,
    /// The draw rate between equals, without White's advantage.
    pub draw_rate: f64,
    /// Why the games alone did not bound the ratings, so that a weak prior was used; empty if they
    /// did.
    pub obstacles: Vec<Obstacle>,
}

impl RatingList {
    /// What a reader must know about the list, in one line; `None` if the games bound all ratings.
    pub fn caveat(&self) -> Option<String> {
        obstacles::caveat(&self.obstacles)
    }
}

/// A player with a rating.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatedPlayer {
    /// The name.
    pub name: String,
    /// The rating; its interval is relative to the [`Reference`].
    pub rating: Estimate,
    /// The number of games.
    pub games: u64,
    /// Their results.
    #[serde(flatten)]
    pub results: Trinomial,
    /// The share of the points.
    pub score: f64,
    /// The likelihood of superiority over the next player of the list.
    pub los: Option<f64>,
}

/// Why players cannot be rated.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RatingError {
    /// There are no games.
    #[error("there are no finished games between two different players")]
    NoGames,
    /// There are more players than can be fitted together.
    #[error(
        "{players} players are too many, at most {MOST_PLAYERS} can be rated at once; exclude \
         those with few games"
    )]
    TooManyPlayers {
        /// How many there are.
        players: usize,
    },
    /// A player with a fixed rating has no games.
    #[error("{0}, whose rating is fixed, has no games")]
    UnknownAnchor(String),
    /// A player has two fixed ratings.
    #[error("the rating of {0} is fixed twice")]
    RepeatedAnchor(String),
    /// A fixed rating is out of range.
    #[error(
        "the rating {elo} of {name} is out of range; it must be from -{LARGEST_ANCHOR} to \
        {LARGEST_ANCHOR}"
    )]
    WrongAnchor {
        /// The player.
        name: String,
        /// The rating.
        elo: f64,
    },
    /// No maximum was found, even with a prior.
    #[error("the fit of the results does not converge")]
    NoFit,
}

/// The ratings with their covariances, in the order of [`Results::names`].
#[derive(Clone, PartialEq, Debug)]
pub struct JointRatings {
    /// The ratings.
    pub ratings: Vec<f64>,
    /// Their covariance in Elo squared, row by row; 0 for fixed ratings. If no rating is fixed,
    /// only differences of ratings are meaningful.
    pub covariance: Vec<Vec<f64>>,
}

/// Rates all players together.
pub fn rate(results: &Results, anchors: &[Anchor]) -> Result<RatingList, RatingError> {
    rate_jointly(results, anchors).map(|(list, _)| list)
}

/// Rates all players, and returns the covariance of their ratings too.
pub fn rate_jointly(
    results: &Results,
    anchors: &[Anchor],
) -> Result<(RatingList, JointRatings), RatingError> {
    let players = results.names().len();
    if players == 0 {
        return Err(RatingError::NoGames);
    }
    if players > MOST_PLAYERS {
        return Err(RatingError::TooManyPlayers { players });
    }
    let fixed = fixed_ratings(results, anchors)?;
    let mut obstacles = obstacles::find(results, &|player| fixed[player].is_some());
    let unbiased = obstacles.is_empty().then(|| fit(results, &fixed, None));
    let fit = match unbiased.flatten() {
        Some(fit) => fit,
        None => {
            if obstacles.is_empty() {
                obstacles.push(Obstacle::Unbounded);
            }
            fit(results, &fixed, Some(Prior::WEAK)).ok_or(RatingError::NoFit)?
        }
    };
    let scaled = Scaled::new(&fit, &fixed);
    Ok((scaled.list(results, obstacles), scaled.joint()))
}

/// The fixed rating of each player, if there is one.
fn fixed_ratings(results: &Results, anchors: &[Anchor]) -> Result<Vec<Option<f64>>, RatingError> {
    let mut fixed = vec![None; results.names().len()];
    for Anchor { name, elo } in anchors {
        let player = results
            .find(name)
            .ok_or_else(|| RatingError::UnknownAnchor(name.clone()))?;
        if !(-LARGEST_ANCHOR..=LARGEST_ANCHOR).contains(elo) {
            let (name, elo) = (name.clone(), *elo);
            return Err(RatingError::WrongAnchor { name, elo });
        }
        if fixed[player].replace(*elo).is_some() {
            return Err(RatingError::RepeatedAnchor(name.clone()));
        }
    }
    Ok(fixed)
}

/// The rating at which the strength is 0.
fn zero(fixed: &[Option<f64>]) -> f64 {
    fixed.iter().flatten().next().copied().unwrap_or(0.0)
}

fn fit(results: &Results, fixed: &[Option<f64>], prior: Option<Prior>) -> Option<Fit> {
    let zero = zero(fixed);
    let mut stretch = 1.0;
    let mut found = None;
    for _ in 0..MOST_ROUNDS {
        let strength = |elo: f64| (elo - zero) / ELO_PER_UNIT * stretch;
        let strengths: Vec<_> = fixed.iter().map(|elo| elo.map(strength)).collect();
        let problem = Problem {
            results,
            fixed: &strengths,
            prior,
        };
        let fit = problem.solve()?;
        let change = fit.draws.stretch() / stretch - 1.0;
        stretch = fit.draws.stretch();
        found = Some(fit);
        if strengths.iter().flatten().all(|&known| known == 0.0) || change.abs() < 1e-12 {
            break;
        }
    }
    found
}

/// A fit converted to Elo.
struct Scaled<'a> {
    fit: &'a Fit,
    elo_per_unit: f64,
    /// Added to every strength after conversion to Elo.
    shift: f64,
    is_anchored: bool,
}

impl Scaled<'_> {
    fn new<'a>(fit: &'a Fit, fixed: &[Option<f64>]) -> Scaled<'a> {
        let elo_per_unit = ELO_PER_UNIT / fit.draws.stretch();
        let is_anchored = fixed.iter().any(Option::is_some);
        let mean = fit.strengths.iter().sum::<f64>() / fit.strengths.len() as f64;
        Scaled {
            fit,
            elo_per_unit,
            shift: if is_anchored {
                zero(fixed)
            } else {
                -mean * elo_per_unit
            },
            is_anchored,
        }
    }

    fn list(&self, results: &Results, obstacles: Vec<Obstacle>) -> RatingList {
        let mut order: Vec<usize> = (0..results.names().len()).collect();
        let strength = |player: usize| self.fit.strengths[player];
        order.sort_by(|&a, &b| strength(b).total_cmp(&strength(a)));
        let totals = results.totals();
        let deviations = self.deviations();
        let player = |(rank, &player): (usize, &usize)| {
            let value = strength(player) * self.elo_per_unit + self.shift;
            let total = totals[player];
            RatedPlayer {
                name: results.names()[player].clone(),
                rating: estimate(value, deviations[player] * self.elo_per_unit),
                games: total.games(),
                results: total,
                score: total.score().unwrap_or(0.5),
                los: order.get(rank + 1).map(|&next| self.los(player, next)),
            }
        };
        let advantage = self.fit.white_advantage * self.elo_per_unit;
        let doubt = self.fit.deviation_of_white_advantage() * self.elo_per_unit;
        RatingList {
            players: order.iter().enumerate().map(player).collect(),
            reference: if self.is_anchored {
                Reference::Anchors
            } else {
                Reference::Mean
            },
            white_advantage: estimate(advantage, doubt),
            draw_rate: self.fit.draws.rate(),
            obstacles,
        }
    }

    fn joint(&self) -> JointRatings {
        let players = 0..self.fit.strengths.len();
        let square = self.elo_per_unit * self.elo_per_unit;
        let row = |player: usize| {
            let others = players.clone();
            others
                .map(|other| square * self.fit.covariance(player, other))
                .collect()
        };
        JointRatings {
            ratings: (self.fit.strengths.iter())
                .map(|strength| strength * self.elo_per_unit + self.shift)
                .collect(),
            covariance: players.clone().map(row).collect(),
        }
    }

    /// The standard deviation of each strength relative to the reference.
    fn deviations(&self) -> Vec<f64> {
        let count = self.fit.strengths.len();
        let own = |player| self.fit.covariance(player, player);
        if self.is_anchored {
            return (0..count)
                .map(|player| own(player).max(0.0).sqrt())
                .collect();
        }
        let with_mean: Vec<f64> = (0..count)
            .map(|player| {
                let all = (0..count).map(|other| self.fit.covariance(player, other));
                all.sum::<f64>() / count as f64
            })
            .collect();
        let of_mean = with_mean.iter().sum::<f64>() / count as f64;
        let variance = |player: usize| own(player) - 2.0 * with_mean[player] + of_mean;
        (0..count)
            .map(|player| variance(player).max(0.0).sqrt())
            .collect()
    }

    /// The likelihood that a player is stronger than another.
    fn los(&self, player: usize, other: usize) -> f64 {
        let difference = self.fit.strengths[player] - self.fit.strengths[other];
        let deviation = self.fit.deviation_of_difference(player, other);
        if deviation == 0.0 {
            return if difference > 0.0 { 1.0 } else { 0.5 };
        }
        probability_below(difference / deviation)
    }
}

fn estimate(value: f64, deviation: f64) -> Estimate {
    Estimate {
        value,
        lower: value - Z_95 * deviation,
        upper: value + Z_95 * deviation,
    }
}
