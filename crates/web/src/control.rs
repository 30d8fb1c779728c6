//! Starts, stops, continues and deletes runs. Each is a process of its own, which goes on
//! when the server ends. What a visitor wants is checked here, `processes` does it.

use crate::answer::{Answer, Problem, answer};
use crate::bounds::Bounds;
use crate::processes::{Processes, log_of, unusable};
use crate::run_index::RunIndex;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use lab::catalog::{START_FILE, Work, WorkKind};
use lab::settings::named_files;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The file of settings that a visitor wrote, until the run has its own.
const WRITTEN_FILE: &str = "written.toml";
const LONGEST_NAME: usize = 60;
const MOST_SETTINGS: usize = 40;
const MOST_TAGS: usize = 12;
const LONGEST_TAG: usize = 30;
/// That a run which names files did not begin.
const UNUSED_FILES: &str = "the run exited immediately; it names files, which may not be what they \
                            should be: start it in a terminal to see what is wrong";

/// A run file that comes with the program.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Preset {
    name: &'static str,
    summary: &'static str,
    text: &'static str,
}

async fn presets() -> Json<Vec<Preset>> {
    let presets = lab::presets::PRESETS.iter().map(|preset| Preset {
        name: preset.name,
        summary: preset.summary,
        text: preset.text,
    });
    Json(presets.collect())
}

/// A run to be started: a preset, or a file that was written on the page.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Start {
    name: String,
    preset: Option<String>,
    text: Option<String>,
    /// Keys that are changed, such as `generations=8`.
    set: Vec<String>,
    /// How many games are played at once, and how many threads train.
    concurrency: Option<u16>,
}

/// Which work is meant.
#[derive(Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Chosen {
    id: String,
}

/// What is to be deleted, said twice.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Delete {
    id: String,
    confirm: String,
}

/// New words for some work.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Tags {
    id: String,
    tags: Vec<String>,
}

/// What a process said last.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Log {
    text: String,
}

async fn start(State(control): State<Arc<Control>>, Json(asked): Json<Start>) -> Answer<Chosen> {
    answer(move || {
        check(&asked)?;
        let names_files = check_files(&control, &asked)?;
        let (folder, id) = place(control.index.root(), &asked.name);
        fs::create_dir_all(parent(&folder)).map_err(unusable)?;
        // Of two that want one name at once, the second is told so.
        fs::create_dir(&folder).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                Problem::conflict(format!("there is already a run '{}'", asked.name))
            }
            _ => unusable(error),
        })?;
        let begun = begin(&control, &asked, &folder);
        if begun.is_err() {
            // Nothing has begun there.
            let _ = fs::remove_dir_all(&folder);
        }
        match (begun, names_files) {
            // What a program says of a file may quote it.
            (Err(problem), true) if problem.status == StatusCode::BAD_REQUEST => {
                Err(Problem::wrong(UNUSED_FILES))
            }
            (begun, _) => begun.map(|()| Chosen { id }),
        }
    })
    .await
}

fn check(asked: &Start) -> Result<(), Problem> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let name = &asked.name;
    if name.is_empty()
        || name.len() > LONGEST_NAME
        || name.starts_with('.')
        || !name.chars().all(is_plain)
    {
        return Err(Problem::wrong(
            "a name may have letters, digits, dots, hyphens and underscores, at most 60 characters",
        ));
    }
    let is_setting =
        |text: &String| text.contains('=') && !text.contains('\n') && !text.starts_with('-');
    if asked.set.len() > MOST_SETTINGS || !asked.set.iter().all(is_setting) {
        return Err(Problem::wrong("overrides must have the form key=value"));
    }
    match (&asked.preset, &asked.text) {
        (Some(preset), None) if lab::presets::find(preset).is_some() => Ok(()),
        (Some(_), None) => Err(Problem::wrong("there is no such preset")),
        (None, Some(_)) => Ok(()),
        _ => Err(Problem::wrong("give either preset or text")),
    }
}

/// Refuses settings that name programs, or files elsewhere; whether they name any file.
fn check_files(control: &Control, asked: &Start) -> Result<bool, Problem> {
    let preset = asked.preset.as_deref().and_then(lab::presets::find);
    let text = preset.map_or(asked.text.as_deref(), |preset| Some(preset.text));
    let named = named_files(text.unwrap_or_default(), &asked.set)
        .map_err(|error| Problem::wrong(error.to_string()))?;
    control.bounds.check(&named)?;
    Ok(!named.files.is_empty())
}

/// Where a new run lies: beside the others.
fn place(root: &Path, name: &str) -> (PathBuf, String) {
    let is_shelf = root.file_name().is_some_and(|own| own == "runs");
    match is_shelf && !root.join("runs").is_dir() {
        true => (root.join(name), name.to_owned()),
        false => (root.join("runs").join(name), format!("runs/{name}")),
    }
}

fn parent(folder: &Path) -> &Path {
    folder.parent().unwrap_or(folder)
}

fn begin(control: &Control, asked: &Start, folder: &Path) -> Result<(), Problem> {
    let mut command = Command::new(&control.program);
    command.args(["run", "--no-progress", "--color", "never"]);
    match (&asked.preset, &asked.text) {
        (Some(preset), _) => {
            command.arg(preset);
        }
        (None, text) => {
            let file = folder.join(WRITTEN_FILE);
            fs::write(&file, text.as_deref().unwrap_or_default()).map_err(unusable)?;
            command.arg(&file);
        }
    }
    for setting in &asked.set {
        command.args(["--set", setting]);
    }
    Started {
        concurrency: asked.concurrency.map(|count| count.clamp(1, 256)),
    }
    .keep(folder, &mut command)
    .map_err(unusable)?;
    command.arg("--out").arg(folder);
    let begun = control.processes.start(&mut command, folder);
    let _ = fs::remove_file(folder.join(WRITTEN_FILE));
    begun
}

/// How a run was started here, in its folder, so that it goes on like that.
#[derive(Default, Serialize, Deserialize)]
struct Started {
    concurrency: Option<u16>,
}

impl Started {
    fn of(folder: &Path) -> Started {
        let path = folder.join(START_FILE);
        let text = match path.is_symlink() {
            true => Vec::new(),
            false => data::file::read(&path, 1 << 10).unwrap_or_default(),
        };
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Tells a process, and remembers it.
    fn keep(&self, folder: &Path, command: &mut Command) -> std::io::Result<()> {
        self.tell(command);
        let text = serde_json::to_vec(self).map_err(std::io::Error::other)?;
        data::file::write(&folder.join(START_FILE), &text)
    }

    fn tell(&self, command: &mut Command) {
        if let Some(count) = self.concurrency.map(|count| count.to_string()) {
            command.args(["--concurrency", &count, "--threads", &count]);
        }
    }
}

async fn resume(State(control): State<Arc<Control>>, Json(asked): Json<Chosen>) -> Answer<Chosen> {
    answer(move || {
        let work = control.index.find(&asked.id)?;
        if work.is_worked_on() {
            return Err(Problem::conflict("a process is already working on it"));
        }
        let word = match work.kind {
            WorkKind::Run => "run",
            WorkKind::Selection => "select",
            WorkKind::Study => "study",
            WorkKind::Training => {
                return Err(Problem::conflict(
                    "a training is resumed with its original command: tabia train",
                ));
            }
        };
        let mut command = Command::new(&control.program);
        command.args([word, "--no-progress", "--color", "never"]);
        if work.kind == WorkKind::Run {
            Started::of(&work.folder).tell(&mut command);
        }
        command.arg("--resume").arg(&work.folder);
        control.processes.start(&mut command, &work.folder)?;
        Ok(asked)
    })
    .await
}

async fn stop(State(control): State<Arc<Control>>, Json(asked): Json<Chosen>) -> Answer<Chosen> {
    answer(move || {
        let work = control.index.find(&asked.id)?;
        let idle = || Problem::conflict("no process is working on it");
        let process = work.worker().ok_or_else(idle)?;
        interrupt(&work, process)?;
        Ok(asked)
    })
    .await
}

/// Asks a process to end in good order, if it is the one that works here.
#[cfg(unix)]
fn interrupt(work: &Work, process: u32) -> Result<(), Problem> {
    use rustix::process::{Pid, Signal, kill_process};
    let foreign = || Problem::conflict("the process working on it cannot be signalled from here");
    if !holds(process, &work.locked_file()) {
        return Err(foreign());
    }
    let pid = i32::try_from(process).ok().and_then(Pid::from_raw);
    kill_process(pid.ok_or_else(foreign)?, Signal::INT).map_err(|_| foreign())
}

#[cfg(not(unix))]
fn interrupt(_: &Work, _: u32) -> Result<(), Problem> {
    Err(Problem::conflict("press Ctrl-C where the run was started"))
}

/// Whether a process has a file open. Numbers of processes are used again, and a folder may
/// be that of another machine; where the system does not tell, the note is trusted.
#[cfg(unix)]
fn holds(process: u32, file: &Path) -> bool {
    let descriptors = PathBuf::from(format!("/proc/{process}/fd"));
    if !Path::new("/proc/self/fd").exists() {
        return true;
    }
    let Ok(file) = file.canonicalize() else {
        return false;
    };
    let entries = fs::read_dir(descriptors).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .any(|open| open == file)
}

async fn delete(State(control): State<Arc<Control>>, Json(asked): Json<Delete>) -> Answer<Chosen> {
    answer(move || {
        if asked.confirm != asked.id {
            return Err(Problem::wrong(
                "to confirm, repeat the name of the run to delete",
            ));
        }
        lab::catalog::remove(&control.index.find(&asked.id)?)?;
        Ok(Chosen { id: asked.id })
    })
    .await
}

async fn tags(State(control): State<Arc<Control>>, Json(asked): Json<Tags>) -> Answer<Chosen> {
    answer(move || {
        let is_good = |tag: &String| {
            let length = tag.chars().count();
            (1..=LONGEST_TAG).contains(&length) && !tag.chars().any(char::is_control)
        };
        if asked.tags.len() > MOST_TAGS || !asked.tags.iter().all(is_good) {
            return Err(Problem::wrong(
                "at most 12 tags, of at most 30 letters each",
            ));
        }
        control.index.find(&asked.id)?.set_tags(&asked.tags)?;
        Ok(Chosen { id: asked.id })
    })
    .await
}

async fn log(State(control): State<Arc<Control>>, Query(asked): Query<Chosen>) -> Answer<Log> {
    answer(move || {
        let work = control.index.find(&asked.id)?;
        let text = log_of(&work.folder);
        Ok(Log { text })
    })
    .await
}

/// What starts and stops runs.
struct Control {
    index: Arc<RunIndex>,
    /// The program that works on runs.
    program: PathBuf,
    /// What settings may name.
    bounds: Bounds,
    processes: Processes,
}

/// What can be done with runs.
pub(crate) fn routes(index: Arc<RunIndex>, program: PathBuf) -> Router {
    let control = Control {
        bounds: Bounds::of(index.root()),
        index,
        program,
        processes: Processes::default(),
    };
    Router::new()
        .route("/presets", get(presets))
        .route("/run/start", post(start))
        .route("/run/stop", post(stop))
        .route("/run/resume", post(resume))
        .route("/run/delete", post(delete))
        .route("/run/tags", post(tags))
        .route("/log", get(log))
        .with_state(Arc::new(control))
}
