//! The standings of candidates after all games so far: one joint fit, with each candidate's
//! probability of being the best.

use super::candidates::Field;
use super::chance::Worlds;
use crate::error::LabError;
use arena::ratings::{Anchor, JointRatings, Results, rate_jointly};
use arena::statistics::{Estimate, Pentanomial, Trinomial};
use serde::{Deserialize, Serialize};

/// The results of the games between two players in a round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Met {
    /// The index of the first player.
    pub first: usize,
    /// The index of the second player.
    pub second: usize,
    /// The games from White's point of view: those in which the first player had White, and the
    /// others.
    pub white: [Trinomial; 2],
    /// The pairs, from the first player's point of view.
    pub pairs: Pentanomial,
}

/// The standing of a candidate.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// Its index.
    pub candidate: usize,
    /// Elo above the baseline, with its interval.
    pub elo: Estimate,
    /// Its games, from its own point of view.
    pub results: Trinomial,
    /// The probability that it is the best of all that have played.
    pub chance: f64,
}

/// The standings of all candidates.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// The candidates that have played, best first.
    pub rows: Vec<Standing>,
    /// The number of games.
    pub games: u64,
    /// Their draw rate.
    pub draws: f64,
    /// A warning about the fit, if there is one.
    pub caveat: Option<String>,
    /// The fit, which has its own indices of players.
    #[serde(skip)]
    joint: JointRatings,
    /// The index of each player in the fit.
    #[serde(skip)]
    numbers: Vec<Option<usize>>,
}

impl Standings {
    /// Rates all players by these games.
    pub(super) fn of<'a>(
        field: &Field,
        games: impl Iterator<Item = &'a Met>,
        seed: u64,
    ) -> Result<Standings, LabError> {
        let mut results = Results::new();
        let mut all = Trinomial::default();
        for met in games {
            let (first, second) = (field.name(met.first), field.name(met.second));
            results.add(first, second, met.white[0]);
            results.add(second, first, met.white[1]);
            met.white.iter().for_each(|&games| all += games);
        }
        let anchor = Anchor {
            name: field.name(field.baseline).to_owned(),
            elo: 0.0,
        };
        let (list, joint) = rate_jointly(&results, &[anchor])?;
        let numbers: Vec<Option<usize>> = (0..field.players())
            .map(|player| results.find(field.name(player)))
            .collect();
        let candidates: Vec<usize> = (0..field.candidates.len())
            .filter(|&candidate| numbers[candidate].is_some())
            .collect();
        let mut standings = Standings {
            rows: Vec::new(),
            games: all.games(),
            draws: all.draw_ratio().unwrap_or_default(),
            caveat: list.caveat(),
            joint,
            numbers,
        };
        let chances = standings.worlds(&candidates).chances(seed);
        for rated in &list.players {
            let is_own = |&&candidate: &&usize| field.name(candidate) == rated.name;
            let place = candidates.iter().zip(&chances).find(|(own, _)| is_own(own));
            if let Some((&candidate, &chance)) = place {
                standings.rows.push(Standing {
                    candidate,
                    elo: rated.rating,
                    results: rated.results,
                    chance,
                });
            }
        }
        Ok(standings)
    }

    /// The distribution of the ratings of candidates that have played.
    pub(super) fn worlds(&self, candidates: &[usize]) -> Worlds {
        let numbers: Vec<usize> = candidates
            .iter()
            .filter_map(|&candidate| self.numbers[candidate])
            .collect();
        Worlds::new(&self.joint, &numbers)
    }

    /// The standing of a candidate, if it has played.
    pub fn of_candidate(&self, candidate: usize) -> Option<&Standing> {
        self.rows.iter().find(|row| row.candidate == candidate)
    }

    /// The difference in strength between two candidates, with its interval.
    pub fn difference(&self, one: usize, other: usize) -> Option<Estimate> {
        const Z_95: f64 = 1.959_963_984_540_054;
        let (row, column) = (*self.numbers.get(one)?, *self.numbers.get(other)?);
        let (row, column) = (row?, column?);
        let JointRatings {
            ratings,
            covariance,
        } = &self.joint;
        let value = ratings[row] - ratings[column];
        let variance =
            covariance[row][row] + covariance[column][column] - 2.0 * covariance[row][column];
        let margin = Z_95 * variance.max(0.0).sqrt();
        Some(Estimate {
            value,
            lower: value - margin,
            upper: value + margin,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::candidates::Candidate;
    use super::*;

    /// Candidates of these epochs, one of which is the baseline.
    pub(in super::super) fn field(epochs: &[u32], baseline: usize) -> Field {
        let candidate = |&epoch: &u32| Candidate {
            name: format!("epoch-{epoch:03}"),
            path: format!("epoch-{epoch:03}.tabianet").into(),
            epoch: Some(epoch),
            validation_loss: None,
            sha256: String::new(),
            net: String::new(),
            begins: true,
        };
        Field {
            candidates: epochs.iter().map(candidate).collect(),
            outsider: None,
            baseline,
        }
    }

    /// Games won, drawn and lost by the first player, half of them with White.
    pub(in super::super) fn met(first: usize, second: usize, wdl: [u64; 3]) -> Met {
        let [wins, draws, losses] = wdl;
        let half = Trinomial {
            wins,
            draws,
            losses,
        };
        Met {
            first,
            second,
            white: [half, half.turned()],
            pairs: Pentanomial {
                win_win: wins,
                draw_draw: draws,
                loss_loss: losses,
                ..Pentanomial::default()
            },
        }
    }

    #[test]
    fn candidates_are_rated_above_the_baseline() {
        let field = field(&[1, 2, 3], 2);
        let games = [met(2, 0, [10, 20, 30]), met(2, 1, [30, 20, 10])];
        let standings = Standings::of(&field, games.iter(), 1).expect("a fit");
        let order: Vec<usize> = standings.rows.iter().map(|row| row.candidate).collect();
        assert_eq!(order, [0, 2, 1]);
        let [best, baseline, worst] = &standings.rows[..] else {
            panic!("three candidates");
        };
        assert_eq!(baseline.elo.value, 0.0);
        assert_eq!(baseline.elo.margin(), 0.0);
        assert!((best.elo.value + worst.elo.value).abs() < 1e-6);
        assert!(best.elo.lower > 0.0 && best.chance > 0.99 && worst.chance < 0.001);
        assert_eq!((standings.games, standings.draws), (240, 1.0 / 3.0));
        assert_eq!(best.results.wins, 60);
        let difference = standings.difference(0, 1).expect("both have played");
        assert!((difference.value - 2.0 * best.elo.value).abs() < 1e-6);
        // The error of the difference has both errors; the baseline's is in both ratings.
        assert!(difference.margin() > 1.3 * best.elo.margin());
        let own = standings.difference(0, 2).expect("both have played");
        assert!((own.value - best.elo.value).abs() < 1e-9);
        assert!((own.margin() - best.elo.margin()).abs() < 1e-9);
        assert_eq!(standings.difference(0, 9), None);
    }

    #[test]
    fn a_baseline_outside_cannot_be_the_best() {
        let mut field = field(&[1, 2], 2);
        field.outsider = Some(super::super::candidates::Outsider {
            name: "classical".to_owned(),
            path: None,
            evaluation: "classical".to_owned(),
        });
        let games = [met(2, 0, [30, 20, 10]), met(2, 1, [30, 20, 10])];
        let standings = Standings::of(&field, games.iter(), 1).expect("a fit");
        assert_eq!(standings.rows.len(), 2);
        let chances: f64 = standings.rows.iter().map(|row| row.chance).sum();
        assert!((chances - 1.0).abs() < 1e-9);
        assert!(standings.rows[0].elo.value < 0.0);
    }
}
