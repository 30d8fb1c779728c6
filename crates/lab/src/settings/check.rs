//! Checks what the format of a run file cannot.

use super::{Arm, Experiment, FirstSettings};
use crate::ranges::{self, COUNT, DEPTH};
use crate::verdict::Rule;
use arena::selfplay::ByGeneration;
use data::range::Range;
use std::fmt;

/// An invalid setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wrong {
    /// The keys that lead to it.
    pub(crate) path: Vec<String>,
    problem: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.join("."), self.problem)
    }
}

pub(crate) fn wrong(path: &str, problem: impl ToString) -> Wrong {
    Wrong {
        path: path.split('.').map(str::to_owned).collect(),
        problem: problem.to_string(),
    }
}

/// Folders of a run that are not those of arms.
const TAKEN: [&str; 2] = ["finals", "plots"];

pub(super) fn check(experiment: &Experiment) -> Result<(), Wrong> {
    let generations = f64::from(experiment.generations);
    within("generations", generations, ranges::GENERATIONS)?;
    if let Some(hours) = experiment.hours {
        within("hours", hours, ranges::HOURS)?;
    }
    if experiment.seeds.is_empty() {
        return Err(wrong("seeds", "give at least one, such as [1]"));
    }
    let mut seeds = experiment.seeds.clone();
    seeds.sort_unstable();
    if seeds.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(wrong("seeds", "a repeated seed would repeat the same run"));
    }
    if experiment.arms.is_empty() {
        return Err(wrong("arms", "there are no arms; leave out the table"));
    }
    for (name, arm) in &experiment.arms {
        check_name(name)?;
        check_arm(arm).map_err(|problem| below_arm(name, problem))?;
    }
    let verdict = &experiment.verdict;
    check_games("verdict.games", verdict.games, 0)?;
    for (key, value, range) in [
        ("depth", verdict.depth.map(f64::from), DEPTH),
        ("nodes", verdict.nodes.map(|nodes| nodes as f64), COUNT),
        (
            "random_plies",
            verdict.random_plies.map(f64::from),
            ranges::RANDOM_PLIES,
        ),
    ] {
        if let Some(value) = value {
            within(&format!("verdict.{key}"), value, range)?;
        }
    }
    let arms = experiment.field().arms;
    Rule::of(&experiment.verdict, &arms).map_err(|error| wrong(error.key, error.problem))?;
    Ok(())
}

fn check_name(name: &str) -> Result<(), Wrong> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    if name.is_empty() || name.starts_with('-') || !name.chars().all(is_letter) {
        return Err(wrong(
            "arms",
            format!("'{name}' names a folder: use letters, digits, - and _"),
        ));
    }
    match TAKEN.contains(&name) {
        true => Err(wrong("arms", format!("'{name}' is the name of a folder"))),
        false => Ok(()),
    }
}

/// The path of a problem in the file: in the arm's own table, or at the top level.
fn below_arm(name: &str, problem: Wrong) -> Wrong {
    let mut path = vec!["arms".to_owned(), name.to_owned()];
    path.extend(problem.path.iter().cloned());
    match name == super::ONLY_ARM {
        true => problem,
        false => Wrong { path, ..problem },
    }
}

/// Refuses a number that lies outside of its range.
pub(crate) fn within(key: &str, value: f64, range: Range) -> Result<(), Wrong> {
    range
        .problem(value)
        .map_or(Ok(()), |problem| Err(wrong(key, problem)))
}

/// Checks the games of a match: an even number, and at least `least`.
pub(crate) fn check_games(key: &str, games: u64, least: u64) -> Result<(), Wrong> {
    let most = ranges::MOST_GAMES;
    within(key, games as f64, Range::closed(least as f64, most))?;
    match games.is_multiple_of(2) {
        true => Ok(()),
        false => Err(wrong(
            key,
            "every opening is played twice: give an even number",
        )),
    }
}

fn check_arm(arm: &Arm) -> Result<(), Wrong> {
    arm.selfplay
        .check()
        .map_err(|error| wrong(&format!("selfplay.{}", error.key), error.problem))?;
    check_amount(arm)?;
    if let Some(explore) = &arm.explore {
        (explore.check())
            .map_err(|error| wrong(&format!("explore.{}", error.key), error.problem))?;
        if arm.buffer.decisive.is_some() {
            let problem = "games of exploration are not rebalanced";
            return Err(wrong("buffer.decisive", problem));
        }
    }
    if let Some(generations) = arm.buffer.generations {
        within("buffer.generations", f64::from(generations), ranges::EVERY)?;
    }
    if !arm.buffer.positions.makes_sense() {
        return Err(wrong("buffer.positions", "must be at least 1"));
    }
    if let Some(share) = arm.buffer.decisive {
        within("buffer.decisive", share, ranges::DECISIVE)?;
    }
    check_training(arm)?;
    check_gate(arm)?;
    check_eval(arm)?;
    let explore = arm.explore.as_ref().map(|explore| &explore.option);
    for (key, options) in [
        ("explore.option", explore),
        ("gate.option", Some(&arm.gate.option)),
        ("eval.option", Some(&arm.eval.option)),
    ] {
        if let Some(problem) = options.and_then(|options| arm.player.problem_with(options)) {
            return Err(wrong(key, problem));
        }
    }
    Ok(())
}

fn check_eval(arm: &Arm) -> Result<(), Wrong> {
    let eval = &arm.eval;
    check_games("eval.games", eval.games, 0)?;
    within("eval.every", f64::from(eval.every), ranges::EVERY)?;
    if let Some(nodes) = eval.nodes {
        within("eval.nodes", nodes as f64, COUNT)?;
    }
    match eval.games > 0 && arm.explore.is_none() {
        true => Err(wrong(
            "eval.games",
            "only learners that learn from their own searches play evaluation games",
        )),
        false => Ok(()),
    }
}

fn check_amount(arm: &Arm) -> Result<(), Wrong> {
    let amount = &arm.amount;
    let said = [
        amount.positions.is_some(),
        amount.games.is_some(),
        amount.minutes.is_some(),
    ];
    if said.into_iter().filter(|is_said| *is_said).count() > 1 {
        return Err(wrong(
            "selfplay",
            "give one of positions, games and minutes",
        ));
    }
    let is_none = |positions: &ByGeneration| !positions.makes_sense();
    if amount.positions.as_ref().is_some_and(is_none) || amount.games == Some(0) {
        return Err(wrong("selfplay", "0 games give no training data"));
    }
    amount.minutes.map_or(Ok(()), |minutes| {
        within("selfplay.minutes", minutes, ranges::MINUTES)
    })
}

fn check_training(arm: &Arm) -> Result<(), Wrong> {
    let checked = arm.learner.check();
    checked.map_err(|error| wrong(&error.key, error.problem))?;
    let Some(first) = &arm.generation_0 else {
        return Ok(());
    };
    if first.lambda.is_some() && arm.explore.is_none() {
        let problem = "only learners that learn from their own searches have this key";
        return Err(wrong("generation_0.lambda", problem));
    }
    check_first(first)
}

fn check_first(first: &FirstSettings) -> Result<(), Wrong> {
    if first.model.is_some() && first.data.is_some() {
        return Err(wrong(
            "generation_0.data",
            "the model of generation_0.model is used as it is: give either data or model",
        ));
    }
    if first.random_weights && first.file().is_none() {
        return Err(wrong(
            "generation_0.random_weights",
            "weights are random anyway, unless generation_0.model is the file of a model",
        ));
    }
    if let Some(lambda) = first.lambda {
        within("generation_0.lambda", lambda, ranges::SHARE)?;
    }
    for (key, number, range) in [
        ("generation_0.games", first.games as f64, COUNT),
        ("generation_0.positions", first.positions as f64, COUNT),
        ("generation_0.batch", first.batch as f64, ranges::BATCH),
        ("generation_0.depth", f64::from(first.depth), DEPTH),
    ] {
        within(key, number, range)?;
    }
    Ok(())
}

fn check_gate(arm: &Arm) -> Result<(), Wrong> {
    let gate = &arm.gate;
    check_games("gate.games", gate.games(), 0)?;
    check_games("gate.baseline_games", gate.baseline_games(), 0)?;
    for (key, number, range) in [
        ("gate.depth", gate.depth.map(f64::from), DEPTH),
        ("gate.nodes", gate.nodes.map(|nodes| nodes as f64), COUNT),
        (
            "gate.soft_nodes",
            gate.soft_nodes.map(|nodes| nodes as f64),
            COUNT,
        ),
        (
            "gate.random_plies",
            Some(f64::from(gate.random_plies)),
            ranges::RANDOM_PLIES,
        ),
    ] {
        number.map_or(Ok(()), |number| within(key, number, range))?;
    }
    if gate.against == super::Opponent::Baseline && gate.baseline_games() == 0 {
        return Err(wrong("gate.baseline_games", "the gate needs this match"));
    }
    if gate.games() == 0 && (gate.elo_above.is_some() || gate.sprt.is_some()) {
        return Err(wrong("gate.games", "a gate needs games"));
    }
    match (&gate.elo_above, &gate.sprt) {
        (Some(_), Some(_)) => Err(wrong("gate.sprt", "give either elo_above or sprt")),
        (Some(list), None) if list.is_empty() => Err(wrong(
            "gate.elo_above",
            "must be numbers, such as [-20, -5]",
        )),
        (Some(list), None) => {
            (list.iter()).try_for_each(|elo| within("gate.elo_above", *elo, ranges::ELO))
        }
        _ => Ok(()),
    }
}
