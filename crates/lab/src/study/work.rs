//! A study with its folder: beginning, resuming, working and looking at it.
//!
//! Every model and every match is a step, recorded in the state when its files are on the disk.
//! Trainings keep checkpoints and matches a journal of games, so that a study that was stopped or
//! killed can be resumed and gives the same results.

use super::arms::{Lesson, Made, Workshop};
use super::conclusion::{Conclusion, Moment, Played, moment};
use super::examination::{Marks, examine};
use super::report;
use super::settings::{self, Arm, Claim, Meeting, Settings};
use crate::error::LabError;
use crate::experiment::{Ending, Means};
use crate::folder::{ModelRecord, make_parent, remove};
use crate::manifest::Program;
use crate::matches::{self, Match};
use crate::project::{self, Project, ProjectKind};
use crate::remarks;
use crate::seeds::{Purpose, seed};
use crate::settings::{Conditions, SettingsError};
use crate::worker::Badge;
use arena::selfplay::{self, Amount, SelfPlay};
use arena::statistics::Pentanomial;
use data::journal::Build;
use engines::StopSignal;
use engines::recipe::{AlphaBetaRecipe, Recipe};
use nets::Model;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file name of the settings.
pub(crate) const STUDY_FILE: &str = "study.toml";

/// Progress of a study.
#[derive(Debug)]
pub enum News<'a> {
    /// A warning for the user.
    Warning(&'a str),
    /// The number of steps finished before.
    Resumed(usize),
    /// A step begins.
    Begun(&'a str),
    /// Progress of a training.
    Trained {
        /// Steps so far.
        step: u64,
        /// The maximum number of steps.
        steps: u64,
        /// The loss of the latest step.
        loss: f64,
    },
    /// Progress of a match.
    Games {
        /// The number of finished games.
        played: u64,
        /// The number of games in the match.
        games: u64,
        /// The pairs so far.
        pairs: Pentanomial,
    },
    /// Nothing has happened for a moment.
    Quiet,
    /// A step has ended.
    Ended(&'a str),
}

/// Studies as a kind of project.
pub(super) struct StudyKind;

impl ProjectKind for StudyKind {
    type Settings = Settings;
    type Moment = Moment;
    const FILE: &'static str = STUDY_FILE;
    const MISSING: fn(PathBuf) -> LabError = LabError::NoStudy;

    fn read(text: &str) -> Result<Settings, SettingsError> {
        settings::read(text)
    }
}

/// An open study.
pub struct Study(Project<StudyKind>);

impl Study {
    /// Begins a study with this settings file, in a folder that has none.
    ///
    /// # Errors
    /// If the file is invalid, or the folder cannot be used.
    pub fn begin(path: &Path, text: &str, program: Program) -> Result<Study, LabError> {
        let (project, ()) = Project::begin(path, text, program, check)?;
        Ok(Study(project))
    }

    /// Resumes a study.
    ///
    /// # Errors
    /// If there is no study, or it cannot be used.
    pub fn resume(path: &Path, program: Program) -> Result<Study, LabError> {
        Project::resume(path, program).map(Study)
    }

    /// Works until all matches are played or `stop` is given.
    ///
    /// # Errors
    /// If a step fails; finished steps stay as they are.
    pub fn run(
        &mut self,
        means: &Means<'_>,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<Ending<Conclusion>, LabError> {
        if !self.0.state.lines().is_empty() {
            listen(&News::Resumed(self.0.state.lines().len()));
        }
        let _badge = Badge::leave(self.0.folder.root());
        if let Some(text) = Build::mixed(self.0.state.builds()) {
            listen(&News::Warning(&text));
        }
        let worked = self.work(means, stop, listen);
        remarks::keep(&self.0.folder, means.dispatcher)?;
        let conclusion = self.publish()?;
        match worked {
            Ok(()) => Ok(Ending::Finished(Box::new(conclusion))),
            Err(LabError::Stopped) => Ok(Ending::Stopped),
            Err(error) => Err(error),
        }
    }

    fn work(
        &mut self,
        means: &Means<'_>,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<(), LabError> {
        let settings = self.0.settings.clone();
        let lesson: Lesson = self.0.step(Moment::Data, stop, |project| {
            listen(&News::Begun("data"));
            lesson(project, means, stop)
        })?;
        let mut models: Vec<(String, ModelRecord)> = Vec::new();
        // Models that are not trained come first: trainings may begin with them.
        let is_trained = |arm: &Arm| matches!(arm, Arm::Training { .. });
        for trained in [false, true] {
            let arms = settings.arms.iter();
            for (name, arm) in arms.filter(|(_, arm)| is_trained(arm) == trained) {
                let moment = Moment::Arm { arm: name.clone() };
                let made: Made = self.0.step(moment, stop, |project| {
                    listen(&News::Begun(name));
                    let workshop = Workshop {
                        project,
                        lesson: &lesson,
                        models: &models,
                        threads: means.threads,
                        stop,
                    };
                    workshop.make(name, arm, listen)
                })?;
                listen(&News::Ended(name));
                models.push((name.clone(), made.model));
                self.publish()?;
            }
        }
        if !settings.data.test.is_empty() {
            let _: BTreeMap<String, Marks> = self.0.step(Moment::Examination, stop, |project| {
                examine(project, (&lesson, &models), means.threads, stop, listen)
            })?;
            self.publish()?;
        }
        for claim in &settings.claims {
            for meeting in &claim.matches {
                self.meet(claim, meeting, &models, (means, stop), listen)?;
                self.publish()?;
            }
        }
        Ok(())
    }

    /// Plays a match.
    fn meet(
        &mut self,
        claim: &Claim,
        meeting: &Meeting,
        models: &[(String, ModelRecord)],
        (means, stop): (&Means<'_>, &StopSignal),
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<(), LabError> {
        let words = format!("{}  {} - {}", claim.name, meeting.first, meeting.second);
        let _: Played = self.0.step(moment(&claim.name, meeting), stop, |project| {
            listen(&News::Begun(&words));
            let recipe = |name: &str| {
                let model = models.iter().find(|(known, _)| known == name);
                let model = model.ok_or_else(|| LabError::Missing(PathBuf::from(name)))?;
                let model = project.folder.open_model(&model.1)?;
                Ok::<_, LabError>(claim.player.recipe.clone().with_model(model))
            };
            let [first, second] = [recipe(&meeting.first)?, recipe(&meeting.second)?];
            let games = &project.settings.games;
            let conditions = Conditions {
                pace: claim.player.pace.clone(),
                book: games.book.clone(),
                random_plies: games.random_plies,
                endings: games.endings(),
            };
            let name = format!("{}-{}-{}", claim.name, meeting.first, meeting.second);
            let folder = project.folder.path("matches").join(name);
            let played = Match {
                players: [(&meeting.first, &first), (&meeting.second, &second)],
                conditions: &conditions,
                games: claim.games,
                sprt: None,
                seed: seed(project.settings.seed, 0, Purpose::Finals),
                used_openings: 0,
                folder: &folder,
                dispatcher: means.dispatcher,
            };
            let counts = played.play(stop, &mut |heard| match heard {
                Some((pairs, played)) => listen(&News::Games {
                    played,
                    games: claim.games,
                    pairs,
                }),
                None => listen(&News::Quiet),
            })?;
            Ok(Played {
                pairs: counts.pairs,
                white: counts.white,
            })
        })?;
        listen(&News::Ended(&words));
        Ok(())
    }

    /// Writes everything that is derived from the state.
    fn publish(&self) -> Result<Conclusion, LabError> {
        let conclusion = Conclusion::of(&self.0.settings, self.0.state.lines())?;
        let origin = (&self.0.program, self.0.state.builds());
        report::write(&self.0.folder, &self.0.settings, origin, &conclusion)?;
        Ok(conclusion)
    }
}

/// The data: existing files, or games that are played now.
fn lesson(
    project: &Project<StudyKind>,
    means: &Means<'_>,
    stop: &StopSignal,
) -> Result<Lesson, LabError> {
    let data = &project.settings.data;
    let Some(games) = data.selfplay else {
        return Ok(Lesson {
            training: data.training.clone(),
            validation: data.validation.clone(),
            played: None,
        });
    };
    let shard = project.folder.path("games.binpack");
    make_parent(&shard)?;
    let settings = selfplay::Settings {
        nodes: Some(games.nodes),
        random_plies: games.random_plies,
        ..selfplay::Settings::default()
    };
    let work = SelfPlay {
        settings: &settings,
        explore: None,
        generation: 1,
        player: &Recipe::AlphaBeta(AlphaBetaRecipe::new(Model::classical(), 1)),
        seed: seed(project.settings.seed, 0, Purpose::SelfPlay),
        amount: Amount::Games(games.games),
        shard: &shard,
        author: None,
        dispatcher: means.dispatcher,
    };
    work.play(stop, &mut |_| {})?.ok_or(LabError::Stopped)?;
    remove(&work.record_path())?;
    Ok(Lesson {
        training: Vec::new(),
        validation: Vec::new(),
        played: Some(project.folder.record(&shard)?),
    })
}

/// The results of the study in a folder.
///
/// # Errors
/// If there is no study, or it cannot be read.
pub fn look(path: &Path) -> Result<Conclusion, LabError> {
    let (settings, lines) = project::look::<StudyKind>(path)?;
    Conclusion::of(&settings, &lines)
}

/// Checks what the settings file alone does not show: whether files exist, and whether there are
/// enough openings.
fn check(settings: &Settings) -> Result<(), LabError> {
    let data = &settings.data;
    for path in [&data.training, &data.validation, &data.test]
        .into_iter()
        .flatten()
    {
        std::fs::File::open(path).map_err(|cause| LabError::file(path, cause))?;
    }
    let most = settings.claims.iter().map(|claim| claim.games).max();
    let games = &settings.games;
    let most = most.unwrap_or_default();
    matches::check("match_games", &games.book, games.random_plies, most)
}
