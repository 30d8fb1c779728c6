//! What lies in the folder, remembered as long as its files do not change, and a watcher
//! who tells what does.

use crate::answer::{Answer, Problem, answer};
use crate::page::Page;
use crate::stream::News;
use axum::Json;
use axum::extract::State;
use lab::LabError;
use lab::events::{Event, Follower};
use lab::runs::Overview;
use lab::shelf::{Stamp, Work, WorkKind};
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

/// A number with its 95 % interval; an end that is infinite is not told.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Interval {
    pub(crate) value: Option<f64>,
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
}

impl Interval {
    pub(crate) fn new(value: f64, lower: f64, upper: f64) -> Interval {
        let [value, lower, upper] = [value, lower, upper].map(finite);
        Interval {
            value,
            lower,
            upper,
        }
    }
}

/// JSON cannot say that a number is infinite.
pub(crate) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// How some work stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Standing {
    /// Its files were not read yet.
    Unread,
    /// A process works on it.
    Running,
    /// Everything is done.
    Finished,
    /// Nobody works on it, and it can go on.
    Interrupted,
    /// Its files cannot be understood.
    Broken,
}

/// Some work in a line.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) name: String,
    /// run, selection, study or training.
    pub(crate) kind: String,
    pub(crate) title: Option<String>,
    pub(crate) standing: Standing,
    /// What is wrong with its files.
    pub(crate) problem: Option<String>,
    pub(crate) arms: Vec<String>,
    pub(crate) seeds: usize,
    /// What `done` and `of` count.
    pub(crate) unit: String,
    pub(crate) done: usize,
    /// 0 if that is not known.
    pub(crate) of: usize,
    /// The step that ended last, in words.
    pub(crate) latest: Option<String>,
    /// The strength that was measured last.
    pub(crate) elo: Option<Interval>,
    /// Whose strength that is.
    pub(crate) elo_of: Option<String>,
    pub(crate) ruling: Option<String>,
    /// Seconds of all finished steps.
    pub(crate) seconds: f64,
    /// Seconds that the rest will take if it goes on like this.
    pub(crate) seconds_left: Option<f64>,
    pub(crate) bytes: u64,
    /// When something changed last, in milliseconds since 1970.
    pub(crate) changed: f64,
    pub(crate) tags: Vec<String>,
}

/// How far a running step is.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Progress {
    pub(crate) arm: String,
    pub(crate) seed: u64,
    pub(crate) generation: u32,
    /// Which step, in words.
    pub(crate) step: String,
    pub(crate) unit: String,
    pub(crate) done: f64,
    pub(crate) of: f64,
    pub(crate) loss: Option<f64>,
    /// The match in play.
    pub(crate) elo: Option<Interval>,
    /// When this was so, in milliseconds since 1970.
    pub(crate) at: f64,
}

struct Entry {
    work: Work,
    stamp: Stamp,
    item: Item,
    followed: Option<Followed>,
    progress: Option<Progress>,
}

/// A running run's events.
struct Followed {
    follower: Follower,
    place: Option<lab::Place>,
}

/// What lies in the folder.
pub(crate) struct Shelf {
    root: PathBuf,
    look: fn(&Path) -> Result<Overview, LabError>,
    entries: Mutex<BTreeMap<String, Entry>>,
}

impl Shelf {
    pub(crate) fn new(root: &Path, look: fn(&Path) -> Result<Overview, LabError>) -> Shelf {
        Shelf {
            root: root.to_owned(),
            look,
            entries: Mutex::new(BTreeMap::new()),
        }
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work of this name. Only what was found below the folder has a name, so that no
    /// name leads out of it.
    pub(crate) fn find(&self, id: &str) -> Result<Work, Problem> {
        if let Some(entry) = self.entries().get(id) {
            return Ok(entry.work.clone());
        }
        let found = lab::shelf::find(&self.root)?;
        let found = found.into_iter().find(|work| work.id == id);
        found.ok_or_else(|| Problem::missing(format!("there is no '{}' here", shortened(id))))
    }

    /// Everything, as it was seen last.
    fn items(&self) -> Vec<Item> {
        self.entries()
            .values()
            .map(|entry| entry.item.clone())
            .collect()
    }

    pub(crate) fn item(&self, work: &Work) -> Item {
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
    pub(crate) fn refresh(&self, tell: &dyn Fn(&News)) -> Result<(), LabError> {
        let works = lab::shelf::find(&self.root)?;
        self.forget(&works, tell);
        // Names first, so that a page has something to show at once.
        for work in &works {
            self.entries()
                .entry(work.id.clone())
                .or_insert_with(|| Entry {
                    work: work.clone(),
                    stamp: Stamp::default(),
                    item: unread(work),
                    followed: None,
                    progress: None,
                });
        }
        for work in &works {
            self.update(work, tell);
        }
        Ok(())
    }

    fn forget(&self, works: &[Work], tell: &dyn Fn(&News)) {
        let mut entries = self.entries();
        let gone: Vec<String> = entries
            .keys()
            .filter(|id| !works.iter().any(|work| work.id == **id))
            .cloned()
            .collect();
        for id in gone {
            entries.remove(&id);
            tell(&News::Gone { id });
        }
    }

    fn update(&self, work: &Work, tell: &dyn Fn(&News)) {
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
            drop(entries);
            if is_new {
                tell(&News::Work {
                    item: Box::new(item),
                });
            }
        }
        self.follow(work, is_running, tell);
    }

    /// Reads what happened in a running run, and tells how far its step is.
    fn follow(&self, work: &Work, is_running: bool, tell: &dyn Fn(&News)) {
        let mut entries = self.entries();
        let Some(entry) = entries.get_mut(&work.id) else {
            return;
        };
        if !is_running || work.kind != WorkKind::Run {
            entry.followed = None;
            entry.progress = None;
            return;
        }
        let followed = entry.followed.get_or_insert_with(|| Followed {
            follower: Follower::new(&work.folder),
            place: None,
        });
        let mut latest = None;
        let Followed { follower, place } = followed;
        // What cannot be read now is read the next time.
        let _ = follower.read(&mut |stamped| match &stamped.event {
            Event::Begun { place: begun } => {
                *place = Some(begun.clone());
                latest = Some(begun_step(begun, stamped.at.as_millisecond()));
            }
            event => {
                let told = place
                    .as_ref()
                    .and_then(|place| progress(place, event, stamped.at.as_millisecond()));
                latest = told.or(latest.take());
            }
        });
        if let Some(progress) = latest {
            entry.progress = Some(progress.clone());
            let id = work.id.clone();
            drop(entries);
            tell(&News::Progress { id, progress });
        }
    }

    fn read(&self, work: &Work, is_running: bool) -> Item {
        let mut item = unread(work);
        item.tags = work.tags();
        item.bytes = lab::shelf::size(work);
        let read = match work.kind {
            WorkKind::Run => (self.look)(&work.folder).map(|run| of_run(&mut item, &run)),
            WorkKind::Selection => {
                selection::look(&work.folder).map(|course| of_selection(&mut item, course))
            }
            WorkKind::Study => study::look(&work.folder).map(|study| of_study(&mut item, &study)),
            WorkKind::Training => {
                of_training(&mut item, work);
                Ok(true)
            }
        };
        item.standing = match (read, is_running) {
            (Err(error), _) => {
                item.problem = Some(error.to_string());
                Standing::Broken
            }
            (Ok(_), true) => Standing::Running,
            (Ok(true), false) => Standing::Finished,
            (Ok(false), false) => Standing::Interrupted,
        };
        if item.standing == Standing::Running && item.done > 0 && item.of > item.done {
            let each = item.seconds / item.done as f64;
            item.seconds_left = Some(each * (item.of - item.done) as f64);
        }
        item
    }
}

fn unread(work: &Work) -> Item {
    let name = work.id.rsplit('/').next().unwrap_or(&work.id).to_owned();
    let changed = work
        .changed()
        .and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    Item {
        id: work.id.clone(),
        name,
        kind: kind_word(work.kind).to_owned(),
        title: None,
        standing: Standing::Unread,
        problem: None,
        arms: Vec::new(),
        seeds: 0,
        unit: "generations".to_owned(),
        done: 0,
        of: 0,
        latest: None,
        elo: None,
        elo_of: None,
        ruling: None,
        seconds: 0.0,
        seconds_left: None,
        bytes: 0,
        changed: changed.map_or(0.0, |since| since.as_secs_f64() * 1000.0),
        tags: Vec::new(),
    }
}

pub(crate) fn kind_word(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Run => "run",
        WorkKind::Selection => "selection",
        WorkKind::Study => "study",
        WorkKind::Training => "training",
    }
}

/// Fills in what is known of a run; whether it is finished.
fn of_run(item: &mut Item, run: &Overview) -> bool {
    let experiment = &run.experiment;
    item.title = experiment.title.clone();
    item.arms = experiment.arms.keys().cloned().collect();
    item.seeds = experiment.seeds.len();
    item.done = run.rows.len();
    item.of = item.arms.len() * item.seeds * experiment.generations as usize;
    item.seconds = run.seconds;
    item.bytes = run.bytes;
    item.latest = run.latest.as_ref().map(|place| {
        let lab::Place {
            arm,
            seed,
            generation,
            step,
            ..
        } = place;
        format!("{arm}, seed {seed}, generation {generation}: {step}")
    });
    let strength = |row: &lab::Row| {
        let rating = row
            .rating
            .or_else(|| row.baseline.as_ref().map(lab::Bench::estimate))?;
        Some((
            rating,
            format!("{}, generation {}", row.arm, row.generation),
        ))
    };
    if let Some((rating, whose)) = run.rows.iter().rev().find_map(strength) {
        item.elo = Some(Interval::new(rating.value, rating.lower, rating.upper));
        item.elo_of = Some(whose);
    }
    item.ruling = run.finished.then(|| run.conclusion.ruling.to_string());
    run.finished
}

fn of_selection(item: &mut Item, course: Option<selection::Course>) -> bool {
    item.unit = "stages".to_owned();
    item.of = selection::Stage::PLAYED.len();
    let Some(course) = course else {
        return false;
    };
    item.done = course.stages.len();
    item.seconds = course.seconds;
    item.title = Some(format!(
        "The best of {} nets",
        course.field.candidates.len()
    ));
    if let Some(best) = course
        .standings()
        .and_then(|standings| standings.rows.first())
    {
        item.elo = Some(Interval::new(
            best.elo.value,
            best.elo.lower,
            best.elo.upper,
        ));
        let candidate = course.field.candidates.get(best.candidate);
        item.elo_of = candidate.map(|candidate| candidate.name.clone());
    }
    if course.choice.is_some() {
        item.done = item.of;
    }
    course.choice.is_some()
}

fn of_study(item: &mut Item, study: &study::Conclusion) -> bool {
    item.unit = "matches".to_owned();
    let matches: Vec<_> = study
        .claims
        .iter()
        .flat_map(|claim| &claim.matches)
        .collect();
    item.of = matches.len();
    item.done = matches.iter().filter(|row| row.games > 0).count();
    item.arms = study.arms.iter().map(|arm| arm.arm.clone()).collect();
    item.seconds = study.arms.iter().map(|arm| arm.seconds).sum();
    let ruled = study
        .claims
        .iter()
        .map(|claim| format!("{}: {}", claim.name, claim.ruling));
    item.ruling = study.finished.then(|| ruled.collect::<Vec<_>>().join(", "));
    study.finished
}

fn of_training(item: &mut Item, work: &Work) {
    item.unit = "epochs".to_owned();
    let trainings = lab::shelf::trainings(work);
    let epochs = trainings
        .first()
        .map(|(_, epochs)| epochs.as_slice())
        .unwrap_or_default();
    item.done = epochs.len();
    item.latest = epochs.last().map(|epoch| {
        format!(
            "epoch {}: validation loss {:.5}",
            epoch.epoch, epoch.validation_loss
        )
    });
}

fn begun_step(place: &lab::Place, at: i64) -> Progress {
    Progress {
        arm: place.arm.clone(),
        seed: place.seed,
        generation: place.generation,
        step: place.step.to_string(),
        unit: String::new(),
        done: 0.0,
        of: 0.0,
        loss: None,
        elo: None,
        at: at as f64,
    }
}

fn progress(place: &lab::Place, event: &Event, at: i64) -> Option<Progress> {
    let told = event.progress()?;
    Some(Progress {
        unit: told.unit.to_owned(),
        done: told.done,
        of: told.of,
        loss: match event {
            Event::Training { loss, .. } => finite(*loss),
            _ => None,
        },
        elo: match event {
            Event::Match { counts, .. } => {
                let elo = lab::Bench::new(*counts).estimate();
                Some(Interval::new(elo.value, elo.lower, elo.upper))
            }
            _ => None,
        },
        ..begun_step(place, at)
    })
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
pub(crate) fn watch(page: Arc<Page>) -> Watcher {
    let is_ended = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&is_ended);
    let thread = thread::spawn(move || {
        while !ended.load(Ordering::Relaxed) {
            // A folder that is not there yet may come.
            let _ = page.shelf.refresh(&|news| page.channel.tell(news));
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
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct About {
    pub(crate) version: String,
    pub(crate) folder: String,
    /// What can be asked.
    pub(crate) questions: Vec<String>,
}

const QUESTIONS: [&str; 27] = [
    "GET /api/works",
    "GET /api/work?id=",
    "GET /api/metrics?id=",
    "GET /api/curve?id=&metric=&from=&to=&points=",
    "GET /api/match?id=&file=",
    "GET /api/games?id=&file=&result=&least=&most=&opening=&ending=&skip=&count=",
    "GET /api/game?id=&file=&number=",
    "GET /api/models",
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

pub(crate) async fn about(State(page): State<Arc<Page>>) -> Json<About> {
    Json(About {
        version: page.options.version.clone(),
        folder: page.options.root.display().to_string(),
        questions: QUESTIONS.map(str::to_owned).to_vec(),
    })
}

pub(crate) async fn list(State(page): State<Arc<Page>>) -> Answer<Vec<Item>> {
    answer(move || {
        let items = page.shelf.items();
        if !items.is_empty() {
            return Ok(items);
        }
        // Nobody has watched yet.
        let works = lab::shelf::find(&page.shelf.root).unwrap_or_default();
        Ok(works.iter().map(unread).collect())
    })
    .await
}
