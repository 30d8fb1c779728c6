//! A selection with its folder: beginning, resuming, working and looking at it.
//!
//! Every round is a step: its games are in a journal, and its results are recorded in the state
//! before anything depends on them. All decisions follow from recorded results and the seed, so
//! that a selection that was stopped or killed takes the same course.

use super::candidates::{self, Field};
use super::course::{Course, Moment, Stage};
use super::report;
use super::session::Session;
use super::settings::{self, Settings};
use crate::error::LabError;
use crate::experiment::Ending;
use crate::manifest::Program;
use crate::matches;
use crate::project::{self, Project, ProjectKind};
use crate::remarks;
use crate::settings::SettingsError;
use crate::worker::Badge;
use arena::statistics::Sprt;
use engines::StopSignal;
use std::path::{Path, PathBuf};
use work::Dispatcher;

/// The file name of the settings.
pub(crate) const SELECT_FILE: &str = "select.toml";

/// Progress of a selection.
#[derive(Debug)]
pub enum News<'a> {
    /// A warning for the user.
    Warning(&'a str),
    /// The number of steps finished before.
    Resumed(usize),
    /// A round begins.
    Begun {
        /// The stage.
        stage: Stage,
        /// The number of the round, from 1.
        round: u32,
        /// The maximum number of rounds.
        rounds: u32,
        /// The number of its games.
        games: u64,
    },
    /// The number of its finished games.
    Games(u64),
    /// Nothing has happened for a moment.
    Quiet,
    /// A stage is complete.
    Ended(Stage, &'a Course),
    /// A stage has no players and is skipped; the text says why.
    LeftOut(Stage, &'a str),
}

/// Selections as a kind of project.
pub(super) struct SelectionKind;

impl ProjectKind for SelectionKind {
    type Settings = Settings;
    type Moment = Moment;
    const FILE: &'static str = SELECT_FILE;
    const MISSING: fn(PathBuf) -> LabError = LabError::NoSelection;

    fn read(text: &str) -> Result<Settings, SettingsError> {
        settings::read(text)
    }
}

/// An open selection.
pub struct Selection {
    pub(super) project: Project<SelectionKind>,
    /// The candidates, if they were already found.
    pub(super) found: Option<Field>,
}

impl Selection {
    /// Begins a selection with this settings file, in a folder that has none.
    ///
    /// # Errors
    /// If the file is invalid, candidates cannot be found, or the folder cannot be used.
    pub fn begin(path: &Path, text: &str, program: Program) -> Result<Selection, LabError> {
        let (project, found) = Project::begin(path, text, program, check)?;
        Ok(Selection {
            project,
            found: Some(found),
        })
    }

    /// Resumes a selection.
    ///
    /// # Errors
    /// If there is no selection, or it cannot be used.
    pub fn resume(path: &Path, program: Program) -> Result<Selection, LabError> {
        Ok(Selection {
            project: Project::resume(path, program)?,
            found: None,
        })
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.project.settings
    }

    /// Works until a model is chosen or `stop` is set; then games in progress are finished.
    ///
    /// # Errors
    /// If a step fails; finished steps stay as they are.
    pub fn run(
        &mut self,
        dispatcher: &dyn Dispatcher,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<Ending<Course>, LabError> {
        if !self.project.state.lines().is_empty() {
            listen(&News::Resumed(self.project.state.lines().len()));
        }
        let _badge = Badge::leave(self.project.folder.root());
        let begun = Session::begin(&mut *self, dispatcher, stop, listen);
        let worked = begun.and_then(|mut session| session.work());
        remarks::keep(&self.project.folder, dispatcher)?;
        let course = self.publish()?;
        match (worked, course) {
            (Ok(()), Some(course)) => Ok(Ending::Finished(Box::new(course))),
            (Ok(()), None) | (Err(LabError::Stopped), _) => Ok(Ending::Stopped),
            (Err(error), _) => Err(error),
        }
    }

    /// Writes everything that is derived from the state.
    pub(super) fn publish(&self) -> Result<Option<Course>, LabError> {
        let course = Course::of(&self.project.settings, self.project.state.lines())?;
        if let Some(course) = &course {
            report::write(
                &self.project.folder,
                &self.project.settings,
                (&self.project.program, self.project.state.builds()),
                course,
            )?;
        }
        Ok(course)
    }
}

/// The results of the selection in a folder; `None` before its first step is finished.
///
/// # Errors
/// If there is no selection, or it cannot be read.
pub fn look(path: &Path) -> Result<Option<Course>, LabError> {
    let (settings, lines) = project::look::<SelectionKind>(path)?;
    match lines.is_empty() {
        true => Ok(None),
        false => Course::of(&settings, &lines),
    }
}

/// The test that watches the final match of a selection.
///
/// # Errors
/// If there is no selection, or it cannot be read.
pub fn final_test(path: &Path) -> Result<Sprt, LabError> {
    let (settings, _) = project::look::<SelectionKind>(path)?;
    Ok(settings.last.sprt)
}

/// The journal of the final match of a selection, below its folder.
pub fn final_journal() -> String {
    let folder = Moment::of(Stage::Final).folder(1);
    format!("{folder}/{}", arena::run::JOURNAL_FILE)
}

/// Checks what the settings file alone does not show: whether there are candidates, and enough
/// openings.
pub(super) fn check(settings: &Settings) -> Result<Field, LabError> {
    let games = &settings.games;
    let most = settings.most_meetings();
    matches::check("games", &games.book, games.random_plies, most)?;
    candidates::find(settings)
}
