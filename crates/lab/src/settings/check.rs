//! What the format of a run file cannot refuse.

use super::{Arm, Experiment, FirstSettings};
use crate::verdict::Rule;
use arena::selfplay::ByGeneration;
use std::fmt;

/// A setting that makes no sense.
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

/// Folders of a run that are no arms.
const TAKEN: [&str; 2] = ["finals", "plots"];

pub(super) fn check(experiment: &Experiment) -> Result<(), Wrong> {
    if !(1..=10_000).contains(&experiment.generations) {
        return Err(wrong("generations", "must lie from 1 to 10000"));
    }
    if experiment.seeds.is_empty() {
        return Err(wrong("seeds", "name at least one, such as [1]"));
    }
    let mut seeds = experiment.seeds.clone();
    seeds.sort_unstable();
    if seeds.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(wrong("seeds", "a seed twice would be the same run twice"));
    }
    if experiment.arms.is_empty() {
        return Err(wrong("arms", "there are none; leave out the table"));
    }
    for (name, arm) in &experiment.arms {
        check_name(name)?;
        check_arm(arm).map_err(|problem| below_arm(name, problem))?;
    }
    check_games("verdict.games", experiment.verdict.games)?;
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

/// The path in the file: an arm's own table, or that of all.
fn below_arm(name: &str, problem: Wrong) -> Wrong {
    let mut path = vec!["arms".to_owned(), name.to_owned()];
    path.extend(problem.path.iter().cloned());
    match name == super::ONLY_ARM {
        true => problem,
        false => Wrong { path, ..problem },
    }
}

fn check_games(key: &str, games: u64) -> Result<(), Wrong> {
    match games.is_multiple_of(2) {
        true => Ok(()),
        false => Err(wrong(
            key,
            "every opening is played twice: say an even number",
        )),
    }
}

fn check_arm(arm: &Arm) -> Result<(), Wrong> {
    arm.selfplay
        .check()
        .map_err(|error| wrong(&format!("selfplay.{}", error.key), error.problem))?;
    check_amount(arm)?;
    if !arm.buffer.positions.makes_sense() {
        return Err(wrong("buffer.positions", "must be at least 1"));
    }
    if arm
        .buffer
        .decisive
        .is_some_and(|share| !(0.0..1.0).contains(&share))
    {
        return Err(wrong(
            "buffer.decisive",
            "must lie from 0 to below 1, such as 0.8",
        ));
    }
    check_training(arm)?;
    check_gate(arm)
}

fn check_amount(arm: &Arm) -> Result<(), Wrong> {
    let amount = &arm.amount;
    let said = [
        amount.positions.is_some(),
        amount.games.is_some(),
        amount.minutes.is_some(),
    ];
    if said.into_iter().filter(|is_said| *is_said).count() > 1 {
        return Err(wrong("selfplay", "say one of positions, games and minutes"));
    }
    let is_none = |positions: &ByGeneration| !positions.makes_sense();
    if amount.positions.as_ref().is_some_and(is_none) || amount.games == Some(0) {
        return Err(wrong("selfplay", "0 games teach nothing"));
    }
    match amount.minutes {
        Some(minutes) if !(minutes > 0.0 && minutes <= 1e6) => {
            Err(wrong("selfplay.minutes", "must be above 0"))
        }
        _ => Ok(()),
    }
}

fn check_training(arm: &Arm) -> Result<(), Wrong> {
    let checked = arm.learner.check();
    checked.map_err(|error| wrong(&error.key, error.problem))?;
    arm.generation_0.as_ref().map_or(Ok(()), check_first)
}

fn check_first(first: &FirstSettings) -> Result<(), Wrong> {
    if first.model.is_some() && first.data.is_some() {
        return Err(wrong(
            "generation_0.data",
            "the model of generation_0.model is taken as it is: say either data or model",
        ));
    }
    if first.games == 0 || first.positions == 0 || first.batch == 0 || first.depth == 0 {
        return Err(wrong("generation_0", "every number must be at least 1"));
    }
    Ok(())
}

fn check_gate(arm: &Arm) -> Result<(), Wrong> {
    let gate = &arm.gate;
    if gate.games == 0 {
        return Err(wrong("gate.games", "must be at least 2"));
    }
    check_games("gate.games", gate.games)?;
    check_games("gate.baseline_games", gate.baseline_games())?;
    if gate.against == super::Opponent::Baseline && gate.baseline_games() == 0 {
        return Err(wrong("gate.baseline_games", "the gate wants this match"));
    }
    match (&gate.elo_above, &gate.sprt) {
        (Some(_), Some(_)) => Err(wrong("gate.sprt", "say either elo_above or sprt")),
        (Some(list), None) if list.is_empty() || list.iter().any(|elo| !elo.is_finite()) => Err(
            wrong("gate.elo_above", "must be numbers, such as [-20, -5]"),
        ),
        _ => Ok(()),
    }
}
