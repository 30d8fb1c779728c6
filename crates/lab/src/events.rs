//! Progress of a run as events: passed to a listener and logged in the run's folder, so that a
//! terminal, a report and a page show the same.
//!
//! Events are only for display; how a run continues depends on the state alone. They are not synced
//! to the disk one by one, and a kill may lose the last ones.

use crate::error::LabError;
use crate::metrics::Row;
use crate::state::Place;
use crate::verdict::Effect;
use arena::selfplay::{Amount, Totals};
use arena::statistics::Pentanomial;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The log, with a line for each event.
pub const EVENTS_FILE: &str = "events.jsonl";

/// The interval at which progress of the same step is logged.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(2);

/// An event of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A warning for the user.
    Warning {
        /// The text.
        text: String,
    },
    /// A remark about the workers for the report.
    Remark {
        /// The text.
        text: String,
    },
    /// Work on the run begins or resumes.
    Resumed {
        /// The number of steps finished before.
        steps: usize,
    },
    /// A step begins.
    Begun {
        /// The step.
        place: Place,
    },
    /// Progress of self-play.
    SelfPlay {
        /// The sums over the games so far.
        totals: Totals,
        /// How many games or positions are wanted.
        amount: Amount,
        /// The plies after which games end, if limited.
        horizon: Option<u32>,
    },
    /// Progress of a training.
    Training {
        /// Steps done.
        step: u64,
        /// The total number of steps.
        steps: u64,
        /// Positions per step (batch size).
        batch: usize,
        /// The loss of the latest step.
        loss: f64,
    },
    /// Progress of a match.
    Match {
        /// The pairs counted so far, from the candidate's point of view.
        counts: Pentanomial,
        /// The number of finished games.
        games: u64,
        /// The number of games in the match.
        of: u64,
    },
    /// Nothing has happened for a moment. Never logged.
    Quiet,
    /// A step has ended.
    Ended {
        /// The step.
        place: Place,
        /// The seconds it took.
        seconds: f64,
    },
    /// A generation is complete.
    Generation {
        /// Its metrics.
        row: Box<Row>,
    },
    /// All final matches of a seed are played.
    Seed {
        /// Which one.
        seed: u64,
        /// The differences between arms, over all seeds so far.
        effects: Vec<Effect>,
    },
    /// The work ended.
    Stopped {
        /// Whether the run is complete.
        finished: bool,
    },
}

/// The progress of a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// What is counted: positions, games, seconds or steps.
    pub unit: &'static str,
    /// How many are done.
    pub done: f64,
    /// How many are wanted.
    pub of: f64,
}

impl Event {
    /// The progress that an event reports, if it is one of progress.
    pub fn progress(&self) -> Option<Progress> {
        let (unit, done, of) = match self {
            Event::SelfPlay { totals, amount, .. } => match *amount {
                Amount::Games(games) => ("games", totals.games as f64, games as f64),
                Amount::Positions(of) => ("positions", totals.positions as f64, of as f64),
                Amount::Seconds(of) => ("seconds", totals.seconds, of),
            },
            Event::Training { step, steps, .. } => ("steps", *step as f64, *steps as f64),
            Event::Match { games, of, .. } => ("games", *games as f64, *of as f64),
            _ => return None,
        };
        Some(Progress { unit, done, of })
    }

    /// Whether only the latest of such events matters.
    fn is_progress(&self) -> bool {
        matches!(
            self,
            Event::SelfPlay { .. } | Event::Training { .. } | Event::Match { .. }
        )
    }
}

/// An event with its time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stamped {
    /// When.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub event: Event,
}

/// The log to which events are written.
pub(crate) struct Log {
    path: PathBuf,
    file: File,
    kept: Option<Instant>,
}

impl Log {
    /// Opens the log of a run, or creates it.
    pub(crate) fn open(folder: &Path) -> Result<Log, LabError> {
        let path = folder.join(EVENTS_FILE);
        let mut options = OpenOptions::new();
        let opened = options.append(true).create(true).read(true).open(&path);
        let mut file = opened.map_err(|cause| LabError::file(&path, cause))?;
        // A kill may have left a partial line: the next event goes to a new line.
        let ends = ends_line(&path).map_err(|cause| LabError::file(&path, cause))?;
        if !ends {
            file.write_all(b"\n")
                .map_err(|cause| LabError::file(&path, cause))?;
        }
        Ok(Log {
            path,
            file,
            kept: None,
        })
    }

    /// Logs an event; of frequent progress, only some.
    pub(crate) fn keep(&mut self, event: &Event) -> Result<(), LabError> {
        if *event == Event::Quiet {
            return Ok(());
        }
        if event.is_progress() {
            let is_early = |kept: Instant| kept.elapsed() < PROGRESS_INTERVAL;
            if self.kept.is_some_and(is_early) {
                return Ok(());
            }
            self.kept = Some(Instant::now());
        } else {
            self.kept = None;
        }
        let stamped = Stamped {
            at: Timestamp::now(),
            event: event.clone(),
        };
        let wrong = |cause| LabError::file(&self.path, cause);
        let mut line = serde_json::to_vec(&stamped).map_err(|error| wrong(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(wrong)
    }
}

/// Whether a file ends with a newline or is empty.
fn ends_line(path: &Path) -> std::io::Result<bool> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// The events in a run's log, oldest first. Partial lines left by a kill, and events of other
/// versions, are skipped.
///
/// # Errors
/// If the file exists but cannot be read.
pub fn read(folder: &Path) -> Result<Vec<Stamped>, LabError> {
    let path = folder.join(EVENTS_FILE);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(LabError::file(path, cause)),
    };
    let mut events = Vec::new();
    for line in BufReader::new(file).split(b'\n') {
        let line = line.map_err(|cause| LabError::file(&path, cause))?;
        events.extend(serde_json::from_slice::<Stamped>(&line).ok());
    }
    Ok(events)
}

/// Reads new events, each time from where it stopped before.
#[derive(Debug)]
pub struct Follower {
    path: PathBuf,
    place: u64,
}

impl Follower {
    /// A follower of a run's log that has read nothing yet.
    pub fn new(folder: &Path) -> Follower {
        Follower {
            path: folder.join(EVENTS_FILE),
            place: 0,
        }
    }

    /// Whether the file is shorter than what was read of it: another run now has this name.
    pub fn is_begun_anew(&self) -> bool {
        let length = std::fs::metadata(&self.path).map_or(0, |metadata| metadata.len());
        length < self.place
    }

    /// Passes on the events that are new; if another run has the name now, all events of that. A
    /// partial line is left for the next time.
    ///
    /// # Errors
    /// If the file exists but cannot be read.
    pub fn read(&mut self, each: &mut dyn FnMut(Stamped)) -> Result<(), LabError> {
        use std::io::{Seek, SeekFrom};
        let wrong = |cause| LabError::file(&self.path, cause);
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(cause) => return Err(wrong(cause)),
        };
        if file.metadata().map_err(wrong)?.len() < self.place {
            self.place = 0;
        }
        file.seek(SeekFrom::Start(self.place)).map_err(wrong)?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(wrong)?;
            if read == 0 || line.last() != Some(&b'\n') {
                return Ok(());
            }
            self.place += read as u64;
            if let Ok(event) = serde_json::from_slice(&line) {
                each(event);
            }
        }
    }
}

/// The remarks about the workers for a run's report, oldest first.
///
/// # Errors
/// If the file exists but cannot be read.
pub(crate) fn remarks(folder: &Path) -> Result<Vec<String>, LabError> {
    let events = read(folder)?.into_iter();
    let remarks = events.filter_map(|stamped| match stamped.event {
        Event::Remark { text } => Some(text),
        _ => None,
    });
    Ok(remarks.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_as_they_were_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let training = |step| Event::Training {
            step,
            steps: 10,
            batch: 4,
            loss: 0.25,
        };
        let warning = Event::Warning {
            text: "odd".to_owned(),
        };
        let mut log = Log::open(folder.path()).expect("a log");
        let remark = Event::Remark {
            text: "eve was banned".to_owned(),
        };
        for event in [&warning, &training(1), &training(2), &remark, &Event::Quiet] {
            log.keep(event).expect("kept");
        }
        // A kill leaves a partial line.
        std::fs::write(
            folder.path().join(EVENTS_FILE),
            [
                std::fs::read(folder.path().join(EVENTS_FILE)).expect("a log"),
                b"{\"at\":\"2026".to_vec(),
            ]
            .concat(),
        )
        .expect("torn");
        let mut log = Log::open(folder.path()).expect("a log");
        log.keep(&Event::Stopped { finished: true }).expect("kept");
        let events: Vec<Event> = read(folder.path())
            .expect("events")
            .into_iter()
            .map(|stamped| stamped.event)
            .collect();
        assert_eq!(
            events,
            [
                warning,
                training(1),
                remark,
                Event::Stopped { finished: true }
            ]
        );
        let remarks = remarks(folder.path()).expect("events");
        assert_eq!(remarks, ["eve was banned"]);
        let nowhere = folder.path().join("no such folder");
        assert_eq!(read(&nowhere).expect("no events"), []);
    }

    #[test]
    fn a_follower_reads_each_whole_line_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(EVENTS_FILE);
        let mut follower = Follower::new(folder.path());
        let mut news = || {
            let mut steps = Vec::new();
            let read = follower.read(&mut |event| match event.event {
                Event::Resumed { steps: count } => steps.push(count),
                other => panic!("{other:?}"),
            });
            read.expect("a file or none");
            steps
        };
        let line = |steps: usize| {
            format!("{{\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"resumed\",\"steps\":{steps}}}\n")
        };
        assert!(news().is_empty());
        let (whole, torn) = (line(1) + "damage\n", line(2));
        std::fs::write(&path, format!("{whole}{}", &torn[..9])).expect("room");
        assert_eq!(news(), [1]);
        std::fs::write(&path, format!("{whole}{torn}")).expect("room");
        assert_eq!(news(), [2]);
        assert!(news().is_empty());
        // Another run with the same name has a shorter log.
        std::fs::write(&path, line(3)).expect("room");
        assert_eq!(news(), [3]);
    }
}
