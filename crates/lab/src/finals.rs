//! The final matches of a run: the last model of each arm against those of other arms and against
//! its generation 0, and the conclusion from them.
//!
//! An extended run with more verdict games plays only the missing ones: the openings continue where
//! they ended, and each part of a match has its own line in the state.

use crate::error::LabError;
use crate::folder::{ModelRecord, remove};
use crate::matches::Match;
use crate::seeds::{Purpose, seed};
use crate::settings::{Arm, Experiment};
use crate::state::{Line, Place, Step};
use crate::step_runner::StepRunner;
use crate::steps::Met;
use crate::verdict::{Conclusion, FinalMatch, Rule};

/// The first and the last model of an arm with a seed.
pub(crate) struct Raised {
    pub(crate) name: String,
    pub(crate) arm: Arm,
    pub(crate) first: ModelRecord,
    pub(crate) last: ModelRecord,
}

/// Plays the final matches of a seed.
pub(crate) fn play(
    runner: &mut StepRunner<'_>,
    experiment: &Experiment,
    run: u64,
    all: &[Raised],
) -> Result<(), LabError> {
    if experiment.verdict.games == 0 {
        return Ok(());
    }
    for (index, first) in all.iter().enumerate() {
        for second in &all[index + 1..] {
            meet(runner, experiment, run, first, Some(second))?;
        }
    }
    for raised in all {
        meet(runner, experiment, run, raised, None)?;
    }
    Ok(())
}

/// Plays a final model against that of another arm, or against its generation 0.
fn meet(
    runner: &mut StepRunner<'_>,
    experiment: &Experiment,
    run: u64,
    raised: &Raised,
    other: Option<&Raised>,
) -> Result<(), LabError> {
    let other_name = other.map(|other| other.name.as_str());
    let place = place(experiment, run, &raised.name, other_name);
    let wanted = experiment.verdict.games;
    let earlier = together(runner.state.lines(), &place).map_or(0, |met| met.counts.pairs());
    if 2 * earlier >= wanted {
        return Ok(());
    }
    let folder = runner.folder.final_match(&place, earlier);
    let (opponent, model) = match other {
        Some(other) => (other, &other.last),
        None => (raised, &raised.first),
    };
    let models = [&raised.last, model];
    runner.perform(place, |runner| {
        let [own, opponent] = [
            raised.arm.player(runner.folder.open_model(models[0])?),
            opponent.arm.player(runner.folder.open_model(models[1])?),
        ];
        let game = Match {
            players: [
                (&raised.name, &own),
                (other_name.unwrap_or("generation 0"), &opponent),
            ],
            conditions: &experiment.finals,
            games: wanted - 2 * earlier,
            sprt: None,
            seed: seed(run, 0, Purpose::Finals),
            used_openings: earlier,
            folder: &folder,
            dispatcher: runner.dispatcher,
        };
        Ok(Met::new(runner.meet(&game)?, models))
    })?;
    match experiment.keep.games {
        true => Ok(()),
        false => remove(&folder),
    }
}

/// The conclusion from the final matches.
pub(crate) fn conclude(experiment: &Experiment, rule: &Rule, lines: &[Line]) -> Conclusion {
    Conclusion::of(&experiment.field(), rule, &|seed, arm, other| {
        let met = together(lines, &place(experiment, seed, arm, other))?;
        let is_whole = 2 * met.counts.pairs() >= experiment.verdict.games;
        is_whole.then(|| FinalMatch {
            counts: met.counts,
            same_net: met.is_same_model(),
        })
    })
}

/// The sum of all parts of a match.
fn together(lines: &[Line], place: &Place) -> Option<Met> {
    let parts = lines.iter().filter(|line| line.place == *place);
    let parts = parts.filter_map(Line::result::<Met>);
    parts.reduce(|mut all, part| {
        all.counts += part.counts;
        all
    })
}

fn place(experiment: &Experiment, seed: u64, arm: &str, other: Option<&str>) -> Place {
    Place {
        arm: arm.to_owned(),
        seed,
        generation: experiment.generations,
        step: match other {
            Some(_) => Step::HeadToHead,
            None => Step::Final,
        },
        other: other.map(str::to_owned),
    }
}
