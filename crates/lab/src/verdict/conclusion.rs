//! The conclusion from the matches of final models.

use super::rule::{Condition, Contrast, Rule, Side};
use arena::statistics::{Estimate, Mean, Pentanomial, Strength, elo_of_score};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A match between final models, or of one against its generation 0.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Meeting {
    /// The seed of both.
    pub seed: u64,
    /// The arm from whose point of view results are given.
    pub arm: String,
    /// The opponent's arm; `None` for generation 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// The pairs of games.
    pub counts: Pentanomial,
    /// The difference between these two models.
    pub elo: Estimate,
    /// Whether both models are the same one, so that games say nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub same_net: bool,
}

impl Meeting {
    /// The difference in words.
    pub fn in_words(&self) -> String {
        match self.same_net {
            true => "the same net".to_owned(),
            false => format!("{:.0}", self.elo),
        }
    }
}

/// A mean over seeds in words. A single seed has no interval; seeds with equal results, by chance
/// or because every game was won, give no variance.
pub fn over_seeds(mean: &Estimate) -> String {
    match mean.upper.is_finite() && mean.lower < mean.upper {
        true => format!("{mean:.0}"),
        false => format!("{:+.0}, interval unknown", mean.value + 0.0),
    }
}

/// The strength of an arm against its generation 0, over all seeds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ArmStrength {
    /// The arm.
    pub arm: String,
    /// The Elo of each seed.
    pub by_seed: Vec<(u64, f64)>,
    /// Their mean, with the interval from the variance between seeds.
    pub mean: Estimate,
    /// The standard deviation between seeds.
    pub deviation: f64,
    /// Whether nothing was promoted with any seed, so that the final models are those of generation
    /// 0.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub promoted_nothing: bool,
}

impl ArmStrength {
    /// The mean in words.
    pub fn in_words(&self) -> String {
        match self.promoted_nothing {
            true => "nothing was promoted".to_owned(),
            false => over_seeds(&self.mean),
        }
    }
}

/// A difference between arms, over all seeds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "WrittenEffect")]
pub struct Effect {
    /// Its name.
    pub name: String,
    /// The arms that are compared.
    pub contrast: String,
    /// The Elo of each seed.
    pub by_seed: Vec<(u64, f64)>,
    /// Their mean, with the interval from the variance between seeds.
    pub mean: Estimate,
    /// The standard deviation between seeds.
    pub deviation: f64,
}

/// The fields of an effect that are read: mean and deviation are derived from the seeds, since they
/// may be infinite, which JSON cannot express.
#[derive(Deserialize)]
struct WrittenEffect {
    name: String,
    contrast: String,
    by_seed: Vec<(u64, f64)>,
}

impl From<WrittenEffect> for Effect {
    fn from(written: WrittenEffect) -> Effect {
        let mean = mean(&written.by_seed);
        let nothing = Estimate {
            value: 0.0,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
        };
        Effect {
            name: written.name,
            contrast: written.contrast,
            by_seed: written.by_seed,
            mean: mean.as_ref().map_or(nothing, |mean| mean.estimate),
            deviation: mean.map_or(0.0, |mean| mean.deviation),
        }
    }
}

/// The verdict of the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// The claim was reproduced.
    Reproduced,
    /// The claim was refuted.
    Refuted,
    /// Neither.
    Inconclusive,
    /// There is no rule.
    NoRule,
    /// Matches are missing.
    Unfinished,
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Ruling::Reproduced => "reproduced",
            Ruling::Refuted => "refuted",
            Ruling::Inconclusive => "inconclusive",
            Ruling::NoRule => "no rule",
            Ruling::Unfinished => "unfinished",
        })
    }
}

/// The conclusion of an experiment, or what is known of it so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Conclusion {
    /// The seeds whose matches are all played.
    pub seeds: Vec<u64>,
    /// All matches played so far.
    pub meetings: Vec<Meeting>,
    /// Each arm against its generation 0.
    pub arms: Vec<ArmStrength>,
    /// The difference that the experiment tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Effect>,
    /// Further differences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// The verdict of the rule.
    pub ruling: Ruling,
    /// The reason.
    pub reason: String,
}

/// The Elo of a match, kept finite by half a point, so that means are finite.
pub fn bounded_elo(counts: &Pentanomial) -> f64 {
    let games = counts.games();
    let least = 0.5 / games.games().max(1) as f64;
    let score = games.score().unwrap_or(0.5);
    elo_of_score(score.clamp(least, 1.0 - least))
}

/// The result of a final match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinalMatch {
    /// The pairs of games.
    pub counts: Pentanomial,
    /// Whether both models are the same one.
    pub same_net: bool,
}

/// The final match of a seed and an arm, against another arm or generation 0.
type Lookup<'a> = &'a dyn Fn(u64, &str, Option<&str>) -> Option<FinalMatch>;

/// The arms and seeds of an experiment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The arms, by name.
    pub arms: Vec<String>,
    /// The seeds.
    pub seeds: Vec<u64>,
}

/// Each two arms, in the order of their names.
pub(crate) fn pairs(arms: &[String]) -> Vec<[&str; 2]> {
    let mut pairs = Vec::new();
    for (index, first) in arms.iter().enumerate() {
        let others = arms[index + 1..].iter();
        pairs.extend(others.map(|second| [first.as_str(), second.as_str()]));
    }
    pairs
}

impl Conclusion {
    /// The conclusion from these matches.
    pub fn of(field: &Field, rule: &Rule, played: Lookup<'_>) -> Conclusion {
        let meetings = meetings(field, played);
        let is_complete = |seed: &u64| {
            let wanted = pairs(&field.arms).len() + field.arms.len();
            let is_of_seed = |meeting: &&Meeting| meeting.seed == *seed;
            meetings.iter().filter(is_of_seed).count() == wanted
        };
        let seeds: Vec<u64> = (field.seeds.iter().copied()).filter(is_complete).collect();
        let arms = (field.arms.iter())
            .filter_map(|arm| ArmStrength::of(arm, &seeds, &meetings))
            .collect();
        let table = Table {
            arms: field.arms.len(),
            seeds: &seeds,
            meetings: &meetings,
        };
        let effect = |name: &str, contrast: &Contrast| table.effect(name, contrast);
        let mut conclusion = Conclusion {
            difference: (rule.difference.as_ref())
                .and_then(|contrast| effect("difference", contrast)),
            effects: (rule.effects.iter())
                .filter_map(|(name, contrast)| effect(name, contrast))
                .collect(),
            arms,
            ruling: Ruling::NoRule,
            reason: String::new(),
            seeds: Vec::new(),
            meetings: Vec::new(),
        };
        let all = field.seeds.len();
        (conclusion.ruling, conclusion.reason) = conclusion.judged(rule, seeds.len(), all);
        Conclusion {
            seeds,
            meetings,
            ..conclusion
        }
    }

    fn judged(&self, rule: &Rule, seeds: usize, all: usize) -> (Ruling, String) {
        if rule.reproduced_if.is_empty() && rule.refuted_if.is_empty() {
            return (Ruling::NoRule, "the run file has no rule".to_owned());
        }
        if seeds < all {
            let reason = format!("{seeds} of {all} seeds are finished");
            return (Ruling::Unfinished, reason);
        }
        let holds = |conditions: &[Condition]| {
            !conditions.is_empty() && conditions.iter().all(|condition| self.holds(condition))
        };
        match (holds(&rule.reproduced_if), holds(&rule.refuted_if)) {
            (true, false) => (
                Ruling::Reproduced,
                "the condition for reproduced is met".to_owned(),
            ),
            (false, true) => (
                Ruling::Refuted,
                "the condition for refuted is met".to_owned(),
            ),
            (true, true) => (
                Ruling::Inconclusive,
                "both rules hold: there is an effect, but not the claimed one".to_owned(),
            ),
            (false, false) if seeds < 2 => (
                Ruling::Inconclusive,
                "one seed says nothing about the spread between training runs".to_owned(),
            ),
            (false, false) => (
                Ruling::Inconclusive,
                "neither the condition for reproduced nor that for refuted is met".to_owned(),
            ),
        }
    }

    fn holds(&self, condition: &Condition) -> bool {
        let lies = |side: &Side, lower: f64, upper: f64, bound: f64| match side {
            Side::Above => lower > bound,
            Side::Below => upper < bound,
        };
        let difference = self.difference.as_ref().map(|effect| effect.mean);
        match condition {
            Condition::Interval(side, bound) => {
                difference.is_some_and(|mean| lies(side, mean.lower, mean.upper, *bound))
            }
            Condition::Mean(side, bound) => {
                difference.is_some_and(|mean| lies(side, mean.value, mean.value, *bound))
            }
            Condition::Arm(name, side) => {
                let arm = self.arms.iter().find(|strength| strength.arm == *name);
                arm.is_some_and(|arm| lies(side, arm.mean.lower, arm.mean.upper, 0.0))
            }
        }
    }
}

fn meetings(field: &Field, played: Lookup<'_>) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for &seed in &field.seeds {
        let pairs = pairs(&field.arms).into_iter();
        let pairs = pairs.map(|[arm, other]| (arm, Some(other)));
        let finals = field.arms.iter().map(|arm| (arm.as_str(), None));
        for (arm, other) in pairs.chain(finals) {
            let Some(FinalMatch { counts, same_net }) = played(seed, arm, other) else {
                continue;
            };
            meetings.push(Meeting {
                seed,
                arm: arm.to_owned(),
                other: other.map(str::to_owned),
                elo: Strength::of(&counts).elo,
                counts,
                same_net,
            });
        }
    }
    meetings
}

impl ArmStrength {
    fn of(arm: &str, seeds: &[u64], meetings: &[Meeting]) -> Option<ArmStrength> {
        let own: Vec<&Meeting> = meetings
            .iter()
            .filter(|meeting| meeting.arm == arm && meeting.other.is_none())
            .filter(|meeting| seeds.contains(&meeting.seed))
            .collect();
        let by_seed: Vec<(u64, f64)> = (own.iter())
            .map(|meeting| (meeting.seed, bounded_elo(&meeting.counts)))
            .collect();
        let mean = mean(&by_seed)?;
        Some(ArmStrength {
            promoted_nothing: own.iter().all(|meeting| meeting.same_net),
            arm: arm.to_owned(),
            by_seed,
            mean: mean.estimate,
            deviation: mean.deviation,
        })
    }
}

fn mean(by_seed: &[(u64, f64)]) -> Option<Mean> {
    let numbers: Vec<f64> = by_seed.iter().map(|(_, number)| *number).collect();
    Mean::of(&numbers)
}

/// All matches of all seeds.
struct Table<'a> {
    arms: usize,
    seeds: &'a [u64],
    meetings: &'a [Meeting],
}

impl Table<'_> {
    fn effect(&self, name: &str, contrast: &Contrast) -> Option<Effect> {
        let by_seed: Vec<(u64, f64)> = (self.seeds.iter())
            .map(|&seed| {
                let side = |arms: &[String]| {
                    let sum: f64 = arms.iter().map(|arm| self.standing(seed, arm)).sum();
                    sum / arms.len().max(1) as f64
                };
                // Avoids a negative zero.
                (seed, side(&contrast.plus) - side(&contrast.minus) + 0.0)
            })
            .collect();
        let mean = mean(&by_seed)?;
        Some(Effect {
            name: name.to_owned(),
            contrast: contrast.to_string(),
            by_seed,
            mean: mean.estimate,
            deviation: mean.deviation,
        })
    }

    /// An arm's Elo above the mean of all arms: its mean Elo against all arms, itself included. If
    /// all arms met each other, this is the least-squares estimate.
    fn standing(&self, seed: u64, arm: &str) -> f64 {
        let meetings = self.meetings.iter().filter(|meeting| meeting.seed == seed);
        let sum: f64 = meetings
            .filter_map(|meeting| {
                let other = meeting.other.as_deref()?;
                match (meeting.arm == arm, other == arm) {
                    (true, _) => Some(bounded_elo(&meeting.counts)),
                    (_, true) => Some(-bounded_elo(&meeting.counts)),
                    _ => None,
                }
            })
            .sum();
        sum / self.arms as f64
    }
}
