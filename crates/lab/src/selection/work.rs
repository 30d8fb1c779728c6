//! A selection with its folder: starting, resuming, working and showing it.
//!
//! Every round is a step: its games are in a journal, and its results are noted in the
//! state before anything depends on them. Whatever is decided follows from noted
//! results and the seed, so that a selection that was stopped or killed goes the same
//! way.

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

/// The file that says what is done.
pub(crate) const SELECT_FILE: &str = "select.toml";

/// What happens in a selection.
#[derive(Debug)]
pub enum News<'a> {
    /// Something is odd.
    Warning(&'a str),
    /// Steps that were finished before.
    Resumed(usize),
    /// A round begins.
    Begun {
        /// Of which stage.
        stage: Stage,
        /// Which one, from 1.
        round: u32,
        /// Of how many at most.
        rounds: u32,
        /// Its games.
        games: u64,
    },
    /// Games of it that have ended.
    Games(u64),
    /// Nothing, for a moment.
    Quiet,
    /// A stage is complete.
    Ended(Stage, &'a Course),
    /// A stage has nobody to play it.
    LeftOut(Stage, &'a str),
}

/// What a selection is among projects.
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

/// A selection that is worked on.
pub struct Selection {
    pub(super) project: Project<SelectionKind>,
    /// The candidates, if they were looked for already.
    pub(super) found: Option<Field>,
}

impl Selection {
    /// Begins the selection of this text in a folder that has none.
    ///
    /// # Errors
    /// If the text is none, candidates cannot be found, or the folder cannot be used.
    pub fn begin(path: &Path, text: &str, program: Program) -> Result<Selection, LabError> {
        let (project, found) = Project::begin(path, text, program, check)?;
        Ok(Selection {
            project,
            found: Some(found),
        })
    }

    /// Goes on with a selection.
    ///
    /// # Errors
    /// If there is none, or it cannot be used.
    pub fn resume(path: &Path, program: Program) -> Result<Selection, LabError> {
        Ok(Selection {
            project: Project::resume(path, program)?,
            found: None,
        })
    }

    /// What is done.
    pub fn settings(&self) -> &Settings {
        &self.project.settings
    }

    /// Works until a net is chosen or `stop` is given; then games in play are finished.
    ///
    /// # Errors
    /// If something cannot be done; what was finished before stays.
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

    /// Writes everything that is made from the state.
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

/// Looks at the selection of a folder; nothing if it has not begun.
///
/// # Errors
/// If there is none, or it cannot be read.
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

/// What the file alone does not tell: whether there are candidates, and openings
/// enough.
pub(super) fn check(settings: &Settings) -> Result<Field, LabError> {
    let games = &settings.games;
    let most = settings.most_meetings();
    matches::check("games", &games.book, games.random_plies, most)?;
    candidates::find(settings)
}
