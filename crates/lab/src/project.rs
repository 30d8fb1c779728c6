//! What selections, studies and ladders have in common: a folder with one settings file, and a
//! state that records every finished step, so that work that was stopped or killed can be resumed.
//!
//! This module must not know the work: each kind of project implements `ProjectKind`.

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
    /// The contents of its settings file.
    type Settings: Serialize;
    /// The name of a step.
    type Moment: Clone + PartialEq + Serialize + DeserializeOwned;
    /// The name of the settings file.
    const FILE: &'static str;
    /// The error for a folder that has no such project.
    const MISSING: fn(PathBuf) -> LabError;

    /// Reads the text of the settings file.
    fn read(text: &str) -> Result<Self::Settings, SettingsError>;
}

/// An open project.
pub(crate) struct Project<K: ProjectKind> {
    pub(crate) folder: Folder,
    pub(crate) settings: K::Settings,
    pub(crate) state: State<K::Moment>,
    pub(crate) program: Program,
}

impl<K: ProjectKind> Project<K> {
    /// Begins a project with this settings file, in a folder that has none; `check` checks what the
    /// text alone does not show.
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

    /// Resumes a project.
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

/// The finished steps of a project.
type Lines<K> = Vec<Line<<K as ProjectKind>::Moment>>;

/// The settings and the finished steps of the project in a folder.
pub(crate) fn look<K: ProjectKind>(path: &Path) -> Result<(K::Settings, Lines<K>), LabError> {
    let settings = open::<K>(path)?;
    let state = path.join(STATE_FILE);
    let lines = match state.exists() {
        true => state::look(&state)?,
        false => Vec::new(),
    };
    Ok((settings, lines))
}

/// A short digest of the settings that determine results.
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
