//! The index of runs, selections, studies and trainings in the folder, cached as long as their
//! files do not change, and a watcher that reports changes.

use crate::answer::{Problem, answer};
use crate::event_stream::{EventStream, ServerEvent};
use crate::summaries::{self, Progress, Standing, WorkSummary};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use lab::LabError;
use lab::catalog::{Held, Stamp, Work, WorkKind};
use lab::events::{Event, Follower};
use lab::runs::Overview;
use lab::{selection, study};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

/// How often the folder is looked through.
const INTERVAL: Duration = Duration::from_millis(500);

struct Entry {
    work: Work,
    stamp: Stamp,
    item: WorkSummary,
    followed: Option<Followed>,
    progress: Option<Progress>,
    /// When its cluster was noted last.
    cluster_noted: Option<SystemTime>,
}

/// A running run's events.
struct Followed {
    follower: Follower,
    place: Option<lab::Place>,
}

impl Followed {
    /// Reads what is new; how far the step is, if that was told.
    fn latest(&mut self) -> Option<Progress> {
        let mut latest = None;
        let Followed { follower, place } = self;
        // What cannot be read now is read the next time.
        let _ = follower.read(&mut |stamped| {
            let at = stamped.at.as_millisecond();
            match &stamped.event {
                Event::Begun { place: begun } => {
                    *place = Some(begun.clone());
                    latest = Some(summaries::begun_step(begun, at));
                }
                event => {
                    let told = place
                        .as_ref()
                        .and_then(|place| summaries::progress(place, event, at));
                    latest = told.or(latest.take());
                }
            }
        });
        latest
    }
}

/// The index of the folder.
pub(crate) struct RunIndex {
    root: PathBuf,
    look: fn(&Path) -> Result<Overview, LabError>,
    entries: Mutex<BTreeMap<String, Entry>>,
    /// The list of everything as it is sent, until something changes.
    listed: Mutex<Option<Bytes>>,
}

impl RunIndex {
    pub(crate) fn new(root: &Path, look: fn(&Path) -> Result<Overview, LabError>) -> RunIndex {
        RunIndex {
            root: root.to_owned(),
            look,
            entries: Mutex::default(),
            listed: Mutex::default(),
        }
    }

    /// The folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Reads a run.
    pub(crate) fn look(&self, work: &Work) -> Result<Overview, Problem> {
        Ok((self.look)(&work.folder)?)
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work of this name. Only the results below the folder has a name, so that no
    /// name leads out of it.
    pub(crate) fn find(&self, id: &str) -> Result<Work, Problem> {
        if let Some(entry) = self.entries().get(id) {
            return Ok(entry.work.clone());
        }
        let found = lab::catalog::find(&self.root)?;
        let found = found.into_iter().find(|work| work.id == id);
        found.ok_or_else(|| {
            Problem::missing(format!("there is no '{}' in this folder", shortened(id)))
        })
    }

    /// Everything, as it was seen last, as JSON: many readers share one text.
    fn listed(&self) -> Result<Bytes, Problem> {
        let entries = self.entries();
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = &*listed {
            return Ok(text.clone());
        }
        let unwatched: Vec<WorkSummary>;
        let items: Vec<&WorkSummary> = match entries.is_empty() {
            false => entries.values().map(|entry| &entry.item).collect(),
            true => {
                let works = lab::catalog::find(&self.root).unwrap_or_default();
                unwatched = works.iter().map(summaries::unread).collect();
                unwatched.iter().collect()
            }
        };
        let text = serde_json::to_vec(&items).map_err(|error| Problem::wrong(error.to_string()))?;
        let text = Bytes::from(text);
        if !entries.is_empty() {
            *listed = Some(text.clone());
        }
        Ok(text)
    }

    /// Something changed: the list is made anew when it is asked for.
    fn unlist(&self) {
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(crate) fn item(&self, work: &Work) -> WorkSummary {
        let known = self.entries().get(&work.id).map(|entry| entry.item.clone());
        match known.filter(|item| item.standing != Standing::Unread) {
            Some(item) => item,
            None => self.read(work, work.is_worked_on()),
        }
    }

    pub(crate) fn progress(&self, id: &str) -> Option<Progress> {
        self.entries().get(id)?.progress.clone()
    }

    /// Looks through the folder once and tells what changed.
    pub(crate) fn refresh(&self, tell: &dyn Fn(&ServerEvent)) -> Result<(), LabError> {
        let works = lab::catalog::find(&self.root)?;
        self.forget(&works, tell);
        // Names first, so that a page has something to show at once.
        for work in &works {
            self.entries().entry(work.id.clone()).or_insert_with(|| {
                self.unlist();
                Entry {
                    work: work.clone(),
                    stamp: Stamp::default(),
                    item: summaries::unread(work),
                    followed: None,
                    progress: None,
                    cluster_noted: None,
                }
            });
        }
        for work in &works {
            self.update(work, tell);
        }
        Ok(())
    }

    fn forget(&self, works: &[Work], tell: &dyn Fn(&ServerEvent)) {
        let mut entries = self.entries();
        let gone: Vec<String> = entries
            .keys()
            .filter(|id| !works.iter().any(|work| work.id == **id))
            .cloned()
            .collect();
        for id in gone {
            self.unlist();
            entries.remove(&id);
            tell(&ServerEvent::Gone { id });
        }
    }

    fn update(&self, work: &Work, tell: &dyn Fn(&ServerEvent)) {
        let stamp = work.stamp();
        let (is_known, was_running, standing) = match self.entries().get(&work.id) {
            Some(entry) => (
                entry.stamp == stamp && entry.work.kind == work.kind,
                entry.item.standing == Standing::Running,
                entry.item.standing,
            ),
            None => return,
        };
        let is_read = is_known && standing != Standing::Unread;
        // The lock of a training is only looked at when something may have happened.
        let is_running = match work.kind == WorkKind::Training && is_read && !was_running {
            true => false,
            false => work.is_worked_on(),
        };
        if !is_read || is_running != was_running {
            let item = self.read(work, is_running);
            let mut entries = self.entries();
            let Some(entry) = entries.get_mut(&work.id) else {
                return;
            };
            entry.work = work.clone();
            entry.stamp = stamp;
            let is_new = entry.item != item;
            entry.item = item.clone();
            self.unlist();
            drop(entries);
            if is_new {
                tell(&ServerEvent::Work {
                    item: Box::new(item),
                });
            }
        }
        self.follow(work, is_running, tell);
        self.look_at_cluster(work, tell);
    }

    /// Tells if the coordinator of a cluster has noted something.
    fn look_at_cluster(&self, work: &Work, tell: &dyn Fn(&ServerEvent)) {
        let file = std::fs::metadata(work.folder.join(lab::cluster_status::FILE));
        let noted = file.and_then(|file| file.modified()).ok();
        let mut entries = self.entries();
        let Some(entry) = entries.get_mut(&work.id) else {
            return;
        };
        if std::mem::replace(&mut entry.cluster_noted, noted) != noted {
            drop(entries);
            let id = work.id.clone();
            tell(&ServerEvent::Cluster { id });
        }
    }

    /// Reads what happened in a running run, and tells how far its step is.
    fn follow(&self, work: &Work, is_running: bool, tell: &dyn Fn(&ServerEvent)) {
        let followed = match self.entries().get_mut(&work.id) {
            Some(entry) if is_running && work.kind == WorkKind::Run => entry.followed.take(),
            Some(entry) => {
                entry.followed = None;
                entry.progress = None;
                return;
            }
            None => return,
        };
        // A long file is read without keeping others from what is known.
        let mut followed = followed.unwrap_or_else(|| Followed {
            follower: Follower::new(&work.folder),
            place: None,
        });
        let latest = followed.latest();
        if let Some(entry) = self.entries().get_mut(&work.id) {
            entry.followed = Some(followed);
            entry.progress = latest.clone().or(entry.progress.take());
        }
        if let Some(progress) = latest {
            let id = work.id.clone();
            tell(&ServerEvent::Progress { id, progress });
        }
    }

    fn read(&self, work: &Work, is_running: bool) -> WorkSummary {
        let mut item = summaries::unread(work);
        item.tags = work.tags();
        item.bytes = lab::catalog::size(work);
        let read = match work.kind {
            WorkKind::Run => {
                (self.look)(&work.folder).map(|run| Some(summaries::of_run(&mut item, &run)))
            }
            WorkKind::Selection => selection::look(&work.folder)
                .map(|course| Some(summaries::of_selection(&mut item, course))),
            WorkKind::Study => {
                study::look(&work.folder).map(|study| Some(summaries::of_study(&mut item, &study)))
            }
            WorkKind::Training => Ok(summaries::of_training(&mut item, work)),
        };
        item.standing = match (read, is_running) {
            (Err(error), _) => {
                item.problem = Some(error.to_string());
                Standing::Broken
            }
            (Ok(_), true) => Standing::Running,
            (Ok(Some(true)), false) => Standing::Finished,
            (Ok(Some(false)), false) => Standing::Interrupted,
            (Ok(None), false) => Standing::Unknown,
        };
        if item.standing == Standing::Running && item.done > 0 && item.of > item.done {
            let each = item.seconds.map(|seconds| seconds / item.done as f64);
            item.seconds_left = each.map(|each| each * (item.of - item.done) as f64);
        }
        item
    }
}

/// A file of some work, which must be one of those that were found there.
pub(crate) fn held(work: &Work, list: &[Held], file: &str) -> Result<PathBuf, Problem> {
    match list.iter().find(|held| held.file == file) {
        Some(held) => Ok(work.folder.join(&held.file)),
        None => Err(Problem::missing("there is no such file")),
    }
}

/// A text of somebody else, fit to be repeated in an answer.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(100).collect()
}

/// A thread that looks through the folder until it is told to end.
pub(crate) struct Watcher {
    is_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Begins to watch.
pub(crate) fn watch(index: Arc<RunIndex>, events: Arc<EventStream>) -> Watcher {
    let is_ended = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&is_ended);
    let thread = thread::spawn(move || {
        while !ended.load(Ordering::Relaxed) {
            // A folder that is not there yet may come.
            let _ = index.refresh(&|news| events.send(news));
            thread::park_timeout(INTERVAL);
        }
    });
    Watcher {
        is_ended,
        thread: Some(thread),
    }
}

impl Watcher {
    /// Ends the thread.
    pub(crate) fn end(mut self) {
        self.is_ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// What the server is.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct About {
    pub(crate) version: String,
    pub(crate) folder: String,
    /// What can be asked.
    pub(crate) routes: Vec<String>,
}

const QUESTIONS: [&str; 29] = [
    "GET /api/works",
    "GET /api/work?id=",
    "GET /api/cluster?id=",
    "GET /api/metrics?id=",
    "GET /api/curve?id=&metric=&from=&to=&points=",
    "GET /api/match?id=&file=",
    "GET /api/games?id=&file=&result=&least=&most=&opening=&ending=&skip=&count=",
    "GET /api/game?id=&file=&number=",
    "GET /api/models",
    "GET /api/strength?id=&file=&kind=",
    "GET /api/model?id=&file=",
    "GET /api/boards?id=&file=&sheet=&set=",
    "POST /api/belief",
    "GET /api/shard?id=&file=",
    "GET /api/positions?id=&file=&skip=&count=",
    "POST /api/position",
    "POST /api/answer",
    "POST /api/analyse",
    "POST /api/analyse/stop",
    "GET /api/presets",
    "POST /api/run/start",
    "POST /api/run/stop",
    "POST /api/run/resume",
    "POST /api/run/delete",
    "POST /api/run/tags",
    "GET /api/log?id=",
    "GET /api/export?id=",
    "GET /api/stream",
    "GET /api",
];

/// What can be asked of the folder as a whole.
pub(crate) fn routes(index: Arc<RunIndex>, version: String) -> Router {
    let about = About {
        version,
        folder: index.root.display().to_string(),
        routes: QUESTIONS.map(str::to_owned).to_vec(),
    };
    Router::new()
        .route("/", get(async move || Json(about)))
        .route("/works", get(list))
        .with_state(index)
}

async fn list(State(index): State<Arc<RunIndex>>) -> Result<impl IntoResponse, Problem> {
    let listed = answer(move || index.listed()).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], listed.0))
}
