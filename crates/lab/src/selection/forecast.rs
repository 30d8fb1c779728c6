//! The cost of a selection, estimated from some games of each stage.

use super::candidates::Field;
use super::course::Stage;
use super::session::players;
use super::settings::Settings;
use super::work::check;
use crate::error::LabError;
use crate::matches::{Games, MOST_FAILURES};
use arena::schedule::{Format, Meeting};
use engines::StopSignal;
use engines::recipe::PlayerSpec;
use serde::Serialize;
use std::path::Path;
use work::Dispatcher;

/// The maximum number of games in a trial.
const TRIAL_GAMES: u64 = 64;
/// The number of stages that are tried.
const STAGES: f64 = 4.0;

/// The estimated cost of a selection.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Forecast {
    /// The number of candidates that were found.
    pub candidates: usize,
    /// The cost of each stage.
    pub stages: Vec<StageForecast>,
}

/// The maximum cost of a stage.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StageForecast {
    /// Which one.
    pub stage: Stage,
    /// The number of candidates that take part.
    pub candidates: usize,
    /// The number of games.
    pub games: u64,
    /// Seconds on this machine.
    pub seconds: f64,
    /// Bytes on the disk.
    pub bytes: f64,
}

/// Tries out a selection in a temporary folder, for about this many seconds.
///
/// # Errors
/// If a trial fails or is stopped.
pub fn forecast(
    settings: &Settings,
    seconds: f64,
    dispatcher: &dyn Dispatcher,
    stop: &StopSignal,
) -> Result<Forecast, LabError> {
    let field = check(settings)?;
    let beginners = field.candidates.iter().filter(|own| own.begins).count();
    let is_beginner = |&number: &usize| field.candidates[number].begins;
    let opponents = beginners - usize::from(field.outsider.is_none());
    let kept = settings.gauntlet.keep.min(beginners);
    let peak = settings.peak.size.min(field.candidates.len());
    let everybody = |size: usize, games: u64| match games {
        0 => 0,
        _ => {
            let two = 2 * super::allocation::pairs_of_each_two(games, size);
            two * (size * (size - 1) / 2) as u64
        }
    };
    let last = &settings.last;
    let gauntlet = &settings.gauntlet;
    let (middle, near) = (&settings.round_robin, &settings.peak);
    let plan: [(Stage, &PlayerSpec, usize, u64); 4] = [
        (
            Stage::Gauntlet,
            &gauntlet.player,
            beginners,
            opponents as u64 * gauntlet.games,
        ),
        (
            Stage::RoundRobin,
            &middle.player,
            kept,
            everybody(kept, middle.games),
        ),
        (Stage::Peak, &near.player, peak, everybody(peak, near.games)),
        (Stage::Final, &last.player, 2, last.games),
    ];
    let first = (0..field.candidates.len()).find(is_beginner);
    let last = (0..field.candidates.len()).rfind(is_beginner);
    let (Some(first), Some(last)) = (first, last) else {
        return Err(LabError::Candidates("no candidate starts".to_owned()));
    };
    let trial = Trial {
        settings,
        field: &field,
        pair: [first, last],
        seconds: seconds / STAGES,
        dispatcher,
        stop,
    };
    let temporary =
        tempfile::tempdir().map_err(|cause| LabError::file("a temporary folder", cause))?;
    let mut stages = Vec::new();
    for (stage, player, candidates, games) in plan {
        if games == 0 {
            continue;
        }
        let (seconds, bytes) = trial.game(player, &temporary.path().join(stage.folder()))?;
        stages.push(StageForecast {
            stage,
            candidates,
            games,
            seconds: seconds * games as f64,
            bytes: bytes * games as f64,
        });
    }
    Ok(Forecast {
        candidates: field.candidates.len(),
        stages,
    })
}

struct Trial<'a> {
    settings: &'a Settings,
    field: &'a Field,
    /// The players that are tried.
    pair: [usize; 2],
    /// The time for each stage.
    seconds: f64,
    dispatcher: &'a dyn Dispatcher,
    stop: &'a StopSignal,
}

impl Trial<'_> {
    /// The seconds and bytes of one game.
    fn game(&self, template: &PlayerSpec, folder: &Path) -> Result<(f64, f64), LabError> {
        let [first, second] = self.pair;
        let mut meetings = vec![Meeting {
            first,
            second,
            games: TRIAL_GAMES,
            opening: 0,
        }];
        let players = players(template, &mut meetings, |number| {
            let name = self.field.name(number).to_owned();
            Ok((name, self.field.open(number)?))
        })?;
        let settings = &self.settings.games;
        let games = Games {
            players,
            format: Format::Listed { meetings },
            games: TRIAL_GAMES,
            sprt: None,
            book: &settings.book,
            random_plies: settings.random_plies,
            endings: &settings.endings(),
            seed: self.settings.seed,
            used_openings: 0,
            folder,
            event: "tabia select",
            dispatcher: self.dispatcher,
            most_failures: MOST_FAILURES,
        };
        let tried = games.forecast(self.seconds, self.stop)?;
        Ok((tried.seconds, tried.bytes))
    }
}
