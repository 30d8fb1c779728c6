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
use crate::folder::{self, Folder};
use crate::manifest::Program;
use crate::matches;
use crate::remarks;
use crate::run_file::STATE_FILE;
use crate::state::{self, State};
use crate::worker::Badge;
use engines::StopSignal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::time::Instant;
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

/// A selection that is worked on.
pub struct Selection {
    pub(super) folder: Folder,
    pub(super) settings: Settings,
    pub(super) state: State<Moment>,
    pub(super) program: Program,
    /// The candidates, if they were looked for already.
    pub(super) found: Option<Field>,
}

impl Selection {
    /// Begins the selection of this text in a folder that has none.
    ///
    /// # Errors
    /// If the text is none, candidates cannot be found, or the folder cannot be used.
    pub fn begin(path: &Path, text: &str, program: Program) -> Result<Selection, LabError> {
        let file = path.join(SELECT_FILE);
        if file.exists() {
            return Err(LabError::Exists(path.to_owned()));
        }
        let found = check(&read(&file, text)?)?;
        folder::begin(path, SELECT_FILE, text)?;
        Ok(Selection {
            found: Some(found),
            ..Selection::resume(path, program)?
        })
    }

    /// Goes on with a selection.
    ///
    /// # Errors
    /// If there is none, or it cannot be used.
    pub fn resume(path: &Path, program: Program) -> Result<Selection, LabError> {
        state::refuse_earlier(&path.join(STATE_FILE))?;
        let settings = open(path)?;
        let folder = Folder::open(path)?;
        let file = folder.path(SELECT_FILE);
        let fingerprint = settings
            .fingerprint()
            .map_err(|error| LabError::file(&file, error.into()))?;
        let state = State::open(
            &folder.path(STATE_FILE),
            &fingerprint,
            &program.author,
            &file,
        )?;
        folder.sweep()?;
        Ok(Selection {
            folder,
            settings,
            state,
            program,
            found: None,
        })
    }

    /// What is done.
    pub fn settings(&self) -> &Settings {
        &self.settings
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
        if !self.state.lines().is_empty() {
            listen(&News::Resumed(self.state.lines().len()));
        }
        let _badge = Badge::leave(self.folder.root());
        let begun = Session::begin(&mut *self, dispatcher, stop, listen);
        let worked = begun.and_then(|mut session| session.work());
        remarks::keep(&self.folder, dispatcher)?;
        let course = self.publish()?;
        match (worked, course) {
            (Ok(()), Some(course)) => Ok(Ending::Finished(Box::new(course))),
            (Ok(()), None) | (Err(LabError::Stopped), _) => Ok(Ending::Stopped),
            (Err(error), _) => Err(error),
        }
    }

    /// Does a step, unless it is finished.
    pub(super) fn step<T: Serialize + DeserializeOwned>(
        &mut self,
        moment: Moment,
        stop: &StopSignal,
        work: impl FnOnce(&Selection) -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        if let Some(result) = self.state.finished(&moment, stop)? {
            return Ok(result);
        }
        let begin = Instant::now();
        let result = work(self)?;
        let seconds = begin.elapsed().as_secs_f64();
        self.state.add(moment, seconds, &result)?;
        Ok(result)
    }

    /// Writes everything that is made from the state.
    pub(super) fn publish(&self) -> Result<Option<Course>, LabError> {
        let course = Course::of(&self.settings, self.state.lines())?;
        if let Some(course) = &course {
            report::write(
                &self.folder,
                &self.settings,
                (&self.program, self.state.builds()),
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
    let settings = open(path)?;
    let state = path.join(STATE_FILE);
    match state.exists() {
        true => Course::of(&settings, &state::look(&state)?),
        false => Ok(None),
    }
}

fn open(path: &Path) -> Result<Settings, LabError> {
    let file = path.join(SELECT_FILE);
    let text = data::file::read_settings(&file).map_err(|cause| match cause.kind() {
        std::io::ErrorKind::NotFound => LabError::NoSelection(path.to_owned()),
        _ => LabError::file(&file, cause),
    })?;
    read(&file, &text)
}

fn read(path: &Path, text: &str) -> Result<Settings, LabError> {
    settings::read(text).map_err(|problem| LabError::Settings {
        path: PathBuf::from(path),
        line: problem.line(text),
        problem,
    })
}

/// What the file alone does not tell: whether there are candidates, and openings
/// enough.
pub(super) fn check(settings: &Settings) -> Result<Field, LabError> {
    let games = &settings.games;
    let most = settings.most_meetings();
    matches::check("games", &games.book, games.random_plies, most)?;
    candidates::find(settings)
}
