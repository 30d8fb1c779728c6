//! A ladder with its folder: beginning, resuming, playing and looking at it.
//!
//! Every meeting is a step, recorded in the state when its games are on the disk. Games are kept in
//! a journal, so that a ladder that was stopped or killed can be resumed.

use super::report;
use super::settings::{self, Settings};
use super::standing::{Moment, Played, Stage, Standing};
use crate::error::LabError;
use crate::experiment::Ending;
use crate::manifest::Program;
use crate::matches::{self, Counts, Games};
use crate::project::{self, Project, ProjectKind};
use crate::remarks;
use crate::seeds::{Purpose, seed};
use crate::settings::SettingsError;
use crate::state::Line;
use arena::game::Reason;
use arena::schedule::Format;
use arena::statistics::Pentanomial;
use data::journal::Build;
use engines::StopSignal;
use engines::recipe::PlayerSpec;
use std::path::{Path, PathBuf};
use work::Dispatcher;

/// How often a player may fail in a meeting: each failure is a loss, which the report counts.
const MOST_FAILURES: u64 = 20;

/// Progress of a ladder.
#[derive(Debug)]
pub enum News<'a> {
    /// A warning for the user.
    Warning(&'a str),
    /// The number of meetings finished before.
    Resumed(usize),
    /// A meeting begins.
    Begun(&'a str),
    /// Progress of the meeting.
    Games {
        /// The number of finished games.
        played: u64,
        /// The number of games in the meeting.
        games: u64,
        /// The pairs so far, from the player's point of view.
        pairs: Pentanomial,
    },
    /// Nothing has happened for a moment.
    Quiet,
    /// A meeting has ended.
    Ended(&'a str),
}

/// Ladders as a kind of project.
struct LadderKind;

impl ProjectKind for LadderKind {
    type Settings = Settings;
    type Moment = Moment;
    const FILE: &'static str = "ladder.toml";
    const MISSING: fn(PathBuf) -> LabError = LabError::NoLadder;

    fn read(text: &str) -> Result<Settings, SettingsError> {
        settings::read(text)
    }
}

/// An open ladder.
pub struct Ladder(Project<LadderKind>);

impl Ladder {
    /// Begins a ladder with this settings file, in a folder that has none.
    ///
    /// # Errors
    /// If the file is invalid, a program cannot be started, or the folder cannot be used.
    pub fn begin(path: &Path, text: &str, program: Program) -> Result<Ladder, LabError> {
        let (project, ()) = Project::begin(path, text, program, check)?;
        Ok(Ladder(project))
    }

    /// Resumes a ladder.
    ///
    /// # Errors
    /// If there is no ladder, or it cannot be used.
    pub fn resume(path: &Path, program: Program) -> Result<Ladder, LabError> {
        Project::resume(path, program).map(Ladder)
    }

    /// Works until all meetings are played or `stop` is set.
    ///
    /// # Errors
    /// If a step fails; finished steps stay as they are.
    pub fn run(
        &mut self,
        dispatcher: &dyn Dispatcher,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<Ending<Standing>, LabError> {
        if !self.0.state.lines().is_empty() {
            listen(&News::Resumed(self.0.state.lines().len()));
        }
        if let Some(text) = Build::mixed(self.0.state.builds()) {
            listen(&News::Warning(&text));
        }
        let worked = self.work(dispatcher, stop, listen);
        remarks::keep(&self.0.folder, dispatcher)?;
        let standing = self.publish()?;
        match worked {
            Ok(()) => Ok(Ending::Finished(Box::new(standing))),
            Err(LabError::Stopped) => Ok(Ending::Stopped),
            Err(error) => Err(error),
        }
    }

    fn work(
        &mut self,
        dispatcher: &dyn Dispatcher,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<(), LabError> {
        while let Some(moment) = next(&self.0.settings, self.0.state.lines()) {
            if stop.is_stopped() {
                return Err(LabError::Stopped);
            }
            let words = format!(
                "{}  {} - {}",
                moment.stage.word(),
                moment.player,
                moment.rung
            );
            listen(&News::Begun(&words));
            let _: Played = self.0.step(moment.clone(), stop, |project| {
                meet(project, &moment, dispatcher, stop, listen)
            })?;
            listen(&News::Ended(&words));
            self.publish()?;
        }
        Ok(())
    }

    /// Writes everything that is derived from the state.
    fn publish(&self) -> Result<Standing, LabError> {
        let standing = standing(&self.0.settings, self.0.state.lines())?;
        let origin = (&self.0.program, self.0.state.builds());
        report::write(&self.0.folder, &self.0.settings, origin, &standing)?;
        Ok(standing)
    }
}

/// Plays the games of a meeting.
fn meet(
    project: &Project<LadderKind>,
    moment: &Moment,
    dispatcher: &dyn Dispatcher,
    stop: &StopSignal,
    listen: &mut dyn FnMut(&News<'_>),
) -> Result<Played, LabError> {
    let settings = &project.settings;
    let find = |name: &str| {
        let mut all = settings.players.iter().chain(settings.rungs());
        let found = all.find(|spec| spec.name == name);
        found
            .cloned()
            .ok_or_else(|| LabError::Missing(PathBuf::from(name)))
    };
    let games = games_of(settings, moment.stage);
    let name = format!("{}-{}-{}", moment.stage.word(), moment.player, moment.rung);
    // The deciding games use other openings than those that found the rung.
    let number = u32::from(moment.stage == Stage::Decide);
    let played = Games {
        players: vec![find(&moment.player)?, find(&moment.rung)?],
        format: Format::RoundRobin,
        games,
        sprt: None,
        book: &settings.games.book,
        random_plies: settings.games.random_plies,
        endings: &settings.games.endings(),
        seed: seed(settings.seed, number, Purpose::Finals),
        used_openings: 0,
        folder: &project.folder.path("matches").join(name),
        event: "tabia ladder",
        dispatcher,
        most_failures: MOST_FAILURES,
    };
    let conclusion = played.conclude(stop, &mut |ledger| match ledger {
        Some(ledger) => listen(&News::Games {
            played: ledger.games() as u64,
            games,
            pairs: ledger.meetings()[0],
        }),
        None => listen(&News::Quiet),
    })?;
    let ledger = &conclusion.ledger;
    let Counts { pairs, white } = Counts::all(ledger)[0];
    let failed = |reason: Reason| ledger.failures(0).get(&reason).copied().unwrap_or(0);
    Ok(Played {
        pairs,
        white,
        efforts: [conclusion.efforts[0], conclusion.efforts[1]],
        illegal: failed(Reason::IllegalMove) + failed(Reason::NoMove),
    })
}

fn standing(settings: &Settings, lines: &[Line<Moment>]) -> Result<Standing, LabError> {
    Standing::of(settings, lines, next(settings, lines).is_none())
}

fn games_of(settings: &Settings, stage: Stage) -> u64 {
    match stage {
        Stage::Find => settings.find_games,
        Stage::Decide => settings.decide_games,
    }
}

/// The next meeting, which depends only on the finished ones.
pub(super) fn next(settings: &Settings, lines: &[Line<Moment>]) -> Option<Moment> {
    settings
        .players
        .iter()
        .find_map(|player| next_of(settings, &player.name, lines))
}

/// The next meeting of a player: up the levels, up the anchors, then on the deciding rungs.
fn next_of(settings: &Settings, player: &str, lines: &[Line<Moment>]) -> Option<Moment> {
    let moment = |stage, rung: &PlayerSpec| Moment {
        stage,
        player: player.to_owned(),
        rung: rung.name.clone(),
    };
    let score = |moment: &Moment| {
        let line = lines.iter().find(|line| line.place == *moment)?;
        let [mut games, black] = line.result::<Played>()?.white;
        games += black.turned();
        games.score()
    };
    let levels: Vec<&PlayerSpec> = settings.levels.iter().map(|(_, level)| level).collect();
    let mut tried: Vec<(f64, &PlayerSpec)> = Vec::new();
    for rungs in [levels, settings.anchors.iter().collect()] {
        for rung in rungs {
            let find = moment(Stage::Find, rung);
            let Some(score) = score(&find) else {
                return Some(find);
            };
            tried.push((score, rung));
            if score < settings.climb_above {
                break;
            }
        }
    }
    // The sort is stable: of equally close rungs, the lower one decides.
    tried.sort_by(|(one, _), (other, _)| (one - 0.5).abs().total_cmp(&(other - 0.5).abs()));
    let deciding = tried.iter().take(settings.deciding);
    let deciding = deciding.map(|(_, rung)| moment(Stage::Decide, rung));
    deciding
        .filter(|_| settings.decide_games > 0)
        .find(|moment| score(moment).is_none())
}

/// The results of the ladder in a folder.
///
/// # Errors
/// If there is no ladder, or it cannot be read.
pub fn look(path: &Path) -> Result<Standing, LabError> {
    let (settings, lines) = project::look::<LadderKind>(path)?;
    standing(&settings, &lines)
}

/// Checks what the settings file alone does not show: whether programs can be started, and whether
/// there are enough openings.
fn check(settings: &Settings) -> Result<(), LabError> {
    for spec in settings.players.iter().chain(settings.rungs()) {
        spec.try_out().map_err(|cause| LabError::Program {
            player: spec.name.clone(),
            cause: cause.to_string(),
        })?;
    }
    let games = &settings.games;
    let most = settings.find_games.max(settings.decide_games);
    matches::check("games", &games.book, games.random_plies, most)
}
