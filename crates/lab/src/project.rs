//! What selections, studies and ladders have in common: a folder with one file of settings,
//! and a state that notes every finished step, so that work that was stopped or killed goes
//! on where it was.
//!
//! It must not know what is worked on: each kind says it in `ProjectKind`.

use crate::error::LabError;
use crate::folder::{self, Folder};
use crate::manifest::Program;
use crate::run_file::STATE_FILE;
use crate::settings::SettingsError;
use crate::state::{self, Line, State};
use engines::StopSignal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A kind of project.
pub(crate) trait ProjectKind {
    /// What its file says.
    type Settings: Serialize;
    /// What names a step.
    type Moment: Clone + PartialEq + Serialize + DeserializeOwned;
    /// The file of settings in the folder.
    const FILE: &'static str;
    /// That a folder has none.
    const MISSING: fn(PathBuf) -> LabError;

    /// Reads the text of the file.
    fn read(text: &str) -> Result<Self::Settings, SettingsError>;
}

/// A project that is worked on.
pub(crate) struct Project<K: ProjectKind> {
    pub(crate) folder: Folder,
    pub(crate) settings: K::Settings,
    pub(crate) state: State<K::Moment>,
    pub(crate) program: Program,
}

impl<K: ProjectKind> Project<K> {
    /// Begins the project of this text in a folder that has none; `check` finds what the text
    /// alone does not tell.
    pub(crate) fn begin<T>(
        path: &Path,
        text: &str,
        program: Program,
        check: impl FnOnce(&K::Settings) -> Result<T, LabError>,
    ) -> Result<(Project<K>, T), LabError> {
        let file = path.join(K::FILE);
        if file.exists() {
            return Err(LabError::Exists(path.to_owned()));
        }
        let found = check(&read::<K>(&file, text)?)?;
        folder::begin(path, K::FILE, text)?;
        Ok((Project::resume(path, program)?, found))
    }

    /// Goes on with a project.
    pub(crate) fn resume(path: &Path, program: Program) -> Result<Project<K>, LabError> {
        state::refuse_earlier(&path.join(STATE_FILE))?;
        let settings = open::<K>(path)?;
        let folder = Folder::open(path)?;
        let file = folder.path(K::FILE);
        let fingerprint =
            fingerprint(&settings).map_err(|error| LabError::file(&file, error.into()))?;
        let author = &program.author;
        let state = State::open(&folder.path(STATE_FILE), &fingerprint, author, &file)?;
        folder.sweep()?;
        Ok(Project {
            folder,
            settings,
            state,
            program,
        })
    }

    /// Does a step, unless it is finished.
    pub(crate) fn step<T: Serialize + DeserializeOwned>(
        &mut self,
        moment: K::Moment,
        stop: &StopSignal,
        work: impl FnOnce(&Project<K>) -> Result<T, LabError>,
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
}

/// The steps of a project that are finished.
type Lines<K> = Vec<Line<<K as ProjectKind>::Moment>>;

/// Looks at the project of a folder: its settings, and what is finished.
pub(crate) fn look<K: ProjectKind>(path: &Path) -> Result<(K::Settings, Lines<K>), LabError> {
    let settings = open::<K>(path)?;
    let state = path.join(STATE_FILE);
    let lines = match state.exists() {
        true => state::look(&state)?,
        false => Vec::new(),
    };
    Ok((settings, lines))
}

/// A text that settings with other results do not have.
pub(crate) fn fingerprint(settings: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(settings)?;
    Ok(blake3::hash(text.as_bytes()).to_hex()[..16].to_owned())
}

fn open<K: ProjectKind>(path: &Path) -> Result<K::Settings, LabError> {
    let file = path.join(K::FILE);
    let text = data::file::read_settings(&file).map_err(|cause| match cause.kind() {
        std::io::ErrorKind::NotFound => (K::MISSING)(path.to_owned()),
        _ => LabError::file(&file, cause),
    })?;
    read::<K>(&file, &text)
}

fn read<K: ProjectKind>(path: &Path, text: &str) -> Result<K::Settings, LabError> {
    K::read(text).map_err(|problem| LabError::Settings {
        path: PathBuf::from(path),
        line: problem.line(text),
        problem,
    })
}
