use super::*;
use crate::settings::{Experiment, read};
use arena::statistics::Pentanomial;
use std::collections::HashMap;
use train::learners;

fn experiment(verdict: &str, seeds: usize, arms: &[&str]) -> Experiment {
    let seeds: Vec<usize> = (1..=seeds).collect();
    let mut text = format!("seeds = {seeds:?}\n[verdict]\n{verdict}\n");
    for arm in arms {
        text += &format!("[arms.{arm}]\n");
    }
    read(&text, &learners()).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn rule(experiment: &Experiment) -> Rule {
    Rule::of(&experiment.verdict, &experiment.field().arms).expect("a rule")
}

/// The pairs of a thousand games with this score.
fn scored(score: f64) -> Pentanomial {
    let won = (500.0 * score).round() as u64;
    Pentanomial {
        win_win: won,
        loss_loss: 500 - won,
        ..Pentanomial::default()
    }
}

/// A match of two different models with these pairs.
fn different(counts: Pentanomial) -> FinalMatch {
    FinalMatch {
        counts,
        same_net: false,
    }
}

/// The Elo of this score.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The scores of final matches, by seed, arm, and other arm or generation 0.
type Scores = HashMap<(u64, &'static str, Option<&'static str>), f64>;

fn conclude(experiment: &Experiment, scores: &Scores) -> Conclusion {
    let rule = rule(experiment);
    Conclusion::of(&experiment.field(), &rule, &|seed, arm, other| {
        let found = scores.iter().find(|((number, name, opponent), _)| {
            *number == seed && *name == arm && *opponent == other
        });
        found.map(|(_, &score)| different(scored(score)))
    })
}

/// Two arms: the scores of the control against the curriculum, and of the curriculum against
/// generation 0.
fn two_arms(heads: &[f64], finals: &[f64]) -> Scores {
    let mut scores = Scores::new();
    for (index, (&head, &last)) in heads.iter().zip(finals).enumerate() {
        let seed = index as u64 + 1;
        scores.insert((seed, "control", Some("curriculum")), head);
        scores.insert((seed, "curriculum", None), last);
        scores.insert((seed, "control", None), 0.5);
    }
    scores
}

const RULES: &str = "reproduced_if = 'interval above 0 and curriculum above generation 0'\n\
                     refuted_if = 'interval below 36'";
const ARMS: [&str; 2] = ["control", "curriculum"];

fn ruling(heads: &[f64], finals: &[f64]) -> (Ruling, String) {
    let experiment = experiment(RULES, heads.len(), &ARMS);
    let conclusion = conclude(&experiment, &two_arms(heads, finals));
    (conclusion.ruling, conclusion.reason)
}

#[test]
fn the_claim_decides_which_difference_is_meant() {
    let named = rule(&experiment(RULES, 1, &ARMS)).difference;
    let named = named.expect("two arms");
    assert_eq!(named.to_string(), "curriculum - control");
    let other = "reproduced_if = 'control above generation 0'";
    let named = rule(&experiment(other, 1, &ARMS)).difference;
    assert_eq!(named.expect("two arms").to_string(), "control - curriculum");
    assert_eq!(rule(&experiment("", 1, &["alone"])).difference, None);
}

#[test]
fn means_and_intervals_are_those_of_the_seeds() {
    let experiment = experiment(RULES, 3, &ARMS);
    let heads = [0.4, 0.42, 0.38];
    let conclusion = conclude(&experiment, &two_arms(&heads, &[0.9; 3]));
    let effect = conclusion.difference.expect("two arms");
    let seeds: Vec<f64> = effect.by_seed.iter().map(|(_, elo)| *elo).collect();
    for (found, score) in seeds.iter().zip(heads) {
        assert!((found + elo(score)).abs() < 1e-9, "{found}");
    }
    let mean = seeds.iter().sum::<f64>() / 3.0;
    let squares: f64 = seeds.iter().map(|elo| (elo - mean).powi(2)).sum();
    let deviation = (squares / 2.0).sqrt();
    assert!((effect.mean.value - mean).abs() < 1e-9);
    assert!((effect.deviation - deviation).abs() < 1e-9);
    let margin = 4.302_652_73 * deviation / 3f64.sqrt();
    assert!((effect.mean.margin() - margin).abs() < 1e-6);
}

#[test]
fn every_ruling_has_its_case() {
    let strong = [0.9; 4];
    let close = |score: f64| [score, score + 0.002, score, score - 0.002];
    // The curriculum is clearly better: the control scores 40 %.
    assert_eq!(ruling(&close(0.4), &strong).0, Ruling::Reproduced);
    // Just as clear, but it does not beat generation 0.
    let (found, reason) = ruling(&close(0.4), &[0.5, 0.6, 0.4, 0.5]);
    assert_eq!(
        (found, reason.as_str()),
        (
            Ruling::Inconclusive,
            "neither the condition for reproduced nor that for refuted is met"
        )
    );
    // Equal, or worse.
    assert_eq!(ruling(&close(0.5), &strong).0, Ruling::Refuted);
    assert_eq!(ruling(&close(0.6), &strong).0, Ruling::Refuted);
    // Too much variance.
    assert_eq!(
        ruling(&[0.3, 0.6, 0.4, 0.7], &strong).0,
        Ruling::Inconclusive
    );
    // Better, but by far less than was claimed.
    let (found, reason) = ruling(&close(0.48), &strong);
    assert_eq!(found, Ruling::Inconclusive);
    assert!(reason.starts_with("both rules hold"), "{reason}");
    // A single seed, however clear.
    let (found, reason) = ruling(&[0.1], &[0.99]);
    assert_eq!(found, Ruling::Inconclusive);
    assert!(reason.starts_with("one seed says nothing"), "{reason}");
}

#[test]
fn without_all_matches_there_is_no_ruling() {
    let experiment = experiment(RULES, 3, &ARMS);
    let conclusion = conclude(&experiment, &two_arms(&[0.4, 0.4], &[0.9, 0.9]));
    assert_eq!(conclusion.ruling, Ruling::Unfinished);
    assert_eq!(conclusion.seeds, [1, 2]);
    assert_eq!(conclusion.reason, "2 of 3 seeds are finished");
    assert_eq!(conclusion.difference.expect("some seeds").by_seed.len(), 2);
    let quiet = super::tests::experiment("", 1, &ARMS);
    let conclusion = conclude(&quiet, &two_arms(&[0.4], &[0.9]));
    assert_eq!(conclusion.ruling, Ruling::NoRule);
}

#[test]
fn four_arms_give_effects_that_add_up() {
    let verdict = "difference = 'sm - ld'\n[verdict.effects]\n\
                   horizon = 'sm + sd - lm - ld'\nadjudication = 'sm + lm - sd - ld'";
    let experiment = experiment(verdict, 2, &["ld", "lm", "sd", "sm"]);
    // Strengths of 0, 10, 20 and 50 Elo, which every match reflects exactly.
    let strengths = [("ld", 0.0), ("lm", 10.0), ("sd", 20.0), ("sm", 50.0)];
    let mut matches: HashMap<(u64, String, String), Pentanomial> = HashMap::new();
    for seed in [1, 2] {
        for (index, (one, own)) in strengths.iter().enumerate() {
            for (other, theirs) in &strengths[index + 1..] {
                let score = 1.0 / (1.0 + 10f64.powf((theirs - own) / 400.0));
                let won = (1e9 * score).round() as u64;
                let counts = Pentanomial {
                    win_win: won,
                    loss_loss: 1_000_000_000 - won,
                    ..Pentanomial::default()
                };
                matches.insert((seed, (*one).to_owned(), (*other).to_owned()), counts);
            }
        }
    }
    let conclusion = Conclusion::of(
        &experiment.field(),
        &rule(&experiment),
        &|seed, arm, other| match other {
            Some(other) => matches
                .get(&(seed, arm.to_owned(), other.to_owned()))
                .copied()
                .map(different),
            None => Some(different(scored(0.5))),
        },
    );
    let value = |effect: &Effect| (1000.0 * effect.mean.value).round() / 1000.0;
    assert_eq!(
        value(conclusion.difference.as_ref().expect("a difference")),
        50.0
    );
    let effects: Vec<(&str, f64)> = conclusion
        .effects
        .iter()
        .map(|effect| (effect.name.as_str(), value(effect)))
        .collect();
    assert_eq!(effects, [("adjudication", 20.0), ("horizon", 30.0)]);
}

#[test]
fn only_wins_are_kept_finite() {
    let won = Pentanomial {
        win_win: 50,
        ..Pentanomial::default()
    };
    // Half a point of 100 games.
    assert!((bounded_elo(&won) - elo(0.995)).abs() < 1e-9);
    assert_eq!(bounded_elo(&Pentanomial::default()), 0.0);
}

#[test]
fn what_is_no_rule_is_named() {
    for (verdict, words) in [
        ("difference = 'control'", "write arms with signs"),
        (
            "difference = 'control curriculum'",
            "'curriculum' is not a sign",
        ),
        ("difference = 'control - '", "write arms with signs"),
        ("difference = 'control - x'", "there is no arm 'x'"),
        (
            "reproduced_if = 'x above generation 0'",
            "there is no arm 'x'",
        ),
        (
            "reproduced_if = 'interval over 0'",
            "'interval over 0' is not a condition",
        ),
        (
            "refuted_if = 'mean below x'",
            "'mean below x' is not a condition",
        ),
        ("refuted_if = 'mean below 3 and'", "'' is not a condition"),
    ] {
        let text = format!("[verdict]\n{verdict}\n[arms.control]\n[arms.curriculum]\n");
        let error = read(&text, &learners()).expect_err(verdict).to_string();
        assert!(error.contains(words), "{verdict}: {error}");
    }
}

#[test]
fn what_is_not_known_is_said_in_words() {
    let experiment = experiment("", 1, &["a", "b"]);
    let rule = rule(&experiment);
    let conclusion = Conclusion::of(&experiment.field(), &rule, &|_, arm, other| {
        Some(FinalMatch {
            counts: scored(0.5),
            same_net: arm == "b" && other.is_none(),
        })
    });
    let words: Vec<String> = conclusion.arms.iter().map(ArmStrength::in_words).collect();
    assert_eq!(words, ["+0, interval unknown", "nothing was promoted"]);
    let words: Vec<String> = conclusion.meetings.iter().map(Meeting::in_words).collect();
    assert_eq!(words[2], "the same net");
    assert!(words[0].starts_with("+0 ["), "{words:?}");
}
