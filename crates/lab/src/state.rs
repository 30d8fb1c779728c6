//! The finished steps of a run: one line for each, in the order in which they ended.
//!
//! A line is written once the files of its step are on the disk, and is synced before the next step
//! begins. This module must not know what steps do.

use crate::error::LabError;
use data::journal::{Author, Build, Journal, JournalError, Kind, Syncing};
use engines::StopSignal;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The version of the format.
const FORMAT: u32 = 2;
/// The maximum length of the first line.
const LONGEST_FIRST_LINE: u64 = 1 << 16;

/// The steps of a generation, and those after the last generation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Making generation 0.
    Beginning,
    /// Self-play.
    Selfplay,
    /// Selecting the training data.
    Buffer,
    /// Training and writing the candidate.
    Training,
    /// The match of the candidate against the previous model.
    Previous,
    /// The match of the candidate against generation 0.
    Baseline,
    /// The decision to promote or reject the candidate.
    Promotion,
    /// Evaluation games of the promoted model.
    Eval,
    /// The match of a final model against generation 0.
    Final,
    /// The match between the final models of two arms.
    HeadToHead,
    /// A step that a learner adds.
    Added,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Step::Beginning => "initial net",
            Step::Selfplay => "self-play",
            Step::Buffer => "buffer",
            Step::Training => "training",
            Step::Previous => "against previous",
            Step::Baseline => "against generation 0",
            Step::Promotion => "promotion",
            Step::Eval => "evaluation games",
            Step::Final => "final against generation 0",
            Step::HeadToHead => "final against another arm",
            Step::Added => "a step of the learner",
        })
    }
}

/// The name of a step: its arm, seed and generation.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The arm.
    pub arm: String,
    /// The seed.
    pub seed: u64,
    /// The generation.
    pub generation: u32,
    /// The step.
    pub step: Step,
    /// The other arm of a final match, or the name of a step that a learner adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
}

/// A finished step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Line<P = Place> {
    #[serde(flatten)]
    pub(crate) place: P,
    /// When it ended.
    pub(crate) at: Timestamp,
    /// The seconds it took since it was last begun.
    pub(crate) seconds: f64,
    /// The result of the step.
    result: Value,
}

impl<P> Line<P> {
    /// The result of the step.
    pub(crate) fn result<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(self.result.clone()).ok()
    }
}

#[derive(Serialize, Deserialize, Debug)]
struct FirstLine {
    format: u32,
    fingerprint: String,
}

/// How errors describe the state.
pub(crate) static KIND: Kind = Kind {
    work: "run",
    line: "finished step",
    remedy: "start another run",
    syncing: Syncing::AtOnce,
};

/// The finished steps of a run. No other process can open it for writing.
#[derive(Debug)]
pub(crate) struct State<P = Place> {
    path: PathBuf,
    journal: Journal<FirstLine, Line<P>>,
    lines: Vec<Line<P>>,
}

impl<P: PartialEq + Serialize + DeserializeOwned> State<P> {
    /// Opens the state of a run, or creates it, for an experiment with this fingerprint.
    pub(crate) fn open(
        path: &Path,
        fingerprint: &str,
        author: &Author,
        run_file: &Path,
    ) -> Result<State<P>, LabError> {
        let header = FirstLine {
            format: FORMAT,
            fingerprint: fingerprint.to_owned(),
        };
        let mut lines = Vec::new();
        let journal = Journal::open(path, &KIND, &header, Some(author), &mut |line, _| {
            lines.push(line);
            Ok(())
        });
        let journal = journal.map_err(|error| match error {
            JournalError::Other { .. } => LabError::Changed(run_file.to_owned()),
            error => error.into(),
        })?;
        Ok(State {
            path: path.to_owned(),
            journal,
            lines,
        })
    }

    /// The builds that have worked on it, in order of their first step. Only the state records
    /// builds: all other files of the folder belong to it.
    pub(crate) fn builds(&self) -> &[Build] {
        self.journal.builds()
    }

    /// The finished steps, oldest first.
    pub(crate) fn lines(&self) -> &[Line<P>] {
        &self.lines
    }

    /// The result of a step, if it is finished.
    pub(crate) fn result<T: DeserializeOwned>(&self, place: &P) -> Result<Option<T>, LabError> {
        let Some(at) = self.lines.iter().position(|line| line.place == *place) else {
            return Ok(None);
        };
        match self.lines[at].result() {
            Some(result) => Ok(Some(result)),
            None => Err(JournalError::Line {
                path: self.path.clone(),
                line: at + 2,
                problem: "this is not a result of its step".to_owned(),
                kind: &KIND,
            }
            .into()),
        }
    }

    /// The result of a step if it is finished; `None` if it is to be done now, an error if work was
    /// stopped.
    pub(crate) fn finished<T: DeserializeOwned>(
        &self,
        place: &P,
        stop: &StopSignal,
    ) -> Result<Option<T>, LabError> {
        match self.result(place)? {
            None if stop.is_stopped() => Err(LabError::Stopped),
            result => Ok(result),
        }
    }

    /// Records a finished step; returns once it is on the disk.
    pub(crate) fn add(
        &mut self,
        place: P,
        seconds: f64,
        result: &impl Serialize,
    ) -> Result<(), LabError> {
        let wrong = |error: serde_json::Error| LabError::file(&self.path, error.into());
        let line = Line {
            place,
            at: Timestamp::now(),
            seconds,
            result: serde_json::to_value(result).map_err(wrong)?,
        };
        self.journal.append(&line)?;
        self.lines.push(line);
        Ok(())
    }
}

/// Refuses a state that an earlier version began. Other problems are left to the code that opens
/// it.
pub(crate) fn refuse_earlier(path: &Path) -> Result<(), LabError> {
    let Ok(file) = File::open(path) else {
        return Ok(());
    };
    let mut line = Vec::new();
    let _ = BufReader::new(file.take(LONGEST_FIRST_LINE)).read_until(b'\n', &mut line);
    match serde_json::from_slice::<FirstLine>(&line) {
        Ok(first) if first.format < FORMAT => Err(LabError::Earlier(path.to_owned())),
        _ => Ok(()),
    }
}

/// Reads the lines of a state without locking it: for readers only.
pub(crate) fn look<P: Serialize + DeserializeOwned>(path: &Path) -> Result<Vec<Line<P>>, LabError> {
    let mut lines = Vec::new();
    Journal::<FirstLine, Line<P>>::look(path, &KIND, &mut |line, _| {
        lines.push(line);
        Ok(())
    })?;
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(generation: u32) -> Place {
        Place {
            arm: "a".to_owned(),
            seed: 7,
            generation,
            step: Step::Training,
            other: None,
        }
    }

    fn author(signature: u64) -> Author {
        Author {
            build: Build {
                signature,
                arithmetic: "test".to_owned(),
                format: 1,
            },
            accepts_others: false,
        }
    }

    fn open(path: &Path, fingerprint: &str) -> Result<State, String> {
        State::open(path, fingerprint, &author(1), Path::new("run.toml"))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn steps_come_back_and_a_torn_one_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state.jsonl");
        let mut state = open(&path, "f").expect("a state");
        for generation in [1, 2] {
            state
                .add(place(generation), 1.5, &(generation, "words"))
                .expect("room");
        }
        let error = open(&path, "f").expect_err("it is open");
        assert!(
            error.ends_with("another process is working on this run"),
            "{error}"
        );
        drop(state);
        let whole = std::fs::read(&path).expect("a file");
        let state = open(&path, "f").expect("a state");
        let result: Option<(u32, String)> = state.result(&place(2)).expect("a line");
        assert_eq!(result, Some((2, "words".to_owned())));
        assert_eq!(state.result::<Value>(&place(3)).expect("no line"), None);
        // The step has a result of another type.
        assert!(state.result::<Vec<String>>(&place(1)).is_err());
        drop(state);
        for cut in [1, 40] {
            std::fs::write(&path, &whole[..whole.len() - cut]).expect("room");
            let state = open(&path, "f").expect("a state");
            assert_eq!(state.lines().len(), 1);
            assert_eq!(look(&path).expect("a state"), state.lines());
        }
    }

    #[test]
    fn another_experiment_and_damage_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state.jsonl");
        let mut state = open(&path, "f").expect("a state");
        state.add(place(1), 0.0, &1).expect("room");
        drop(state);
        let error = open(&path, "g").expect_err("another");
        assert!(error.starts_with("run.toml was changed"), "{error}");
        let text = std::fs::read_to_string(&path).expect("a file");
        std::fs::write(&path, text.replace("\"seed\"", "\"seeed\"")).expect("room");
        let error = open(&path, "f").expect_err("damage");
        assert!(
            error.contains("state.jsonl:3: not a valid finished step"),
            "{error}"
        );
    }
}
