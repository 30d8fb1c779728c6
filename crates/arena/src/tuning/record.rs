//! The record of a tuning: its plan, then one line for each iteration.

use data::journal::{self, Author, Build, Journal, JournalError, Kind, Syncing};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

static KIND: Kind = Kind {
    work: "tuning",
    line: "iteration",
    remedy: "give another folder with --out",
    syncing: Syncing::AtOnce,
};

/// The result of one iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number, from 0.
    pub iteration: usize,
    /// The wins minus the losses of the `up` side, in pairs.
    pub surplus: f64,
    /// The values of the constants after it.
    pub values: Vec<f64>,
}

/// Opens the record of a plan, or creates it, and returns the iterations in it.
pub(super) fn open(
    path: &Path,
    plan: &Value,
    author: Option<&Author>,
) -> Result<(Journal<Value, Iteration>, Vec<Iteration>), JournalError> {
    let mut iterations: Vec<Iteration> = Vec::new();
    let journal = Journal::open(path, &KIND, plan, author, &mut |iteration: Iteration, _| {
        if iteration.iteration != iterations.len() {
            return Err(format!("iteration {} is missing", iterations.len()));
        }
        iterations.push(iteration);
        Ok(())
    })?;
    Ok((journal, iterations))
}

/// The builds of the program that have played, in order of their first game.
///
/// # Errors
/// If the record cannot be read.
pub fn builds(path: &Path) -> Result<Vec<Build>, JournalError> {
    journal::builds(path, &KIND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn iterations_come_in_their_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("record.jsonl");
        let iteration = |number| Iteration {
            iteration: number,
            surplus: 1.0,
            values: vec![0.1, 2.5],
        };
        let plan = json!({"seed": 1});
        let (mut record, none) = open(&path, &plan, None).expect("a record");
        assert_eq!(none, []);
        record.append(&iteration(0)).expect("written");
        record.append(&iteration(1)).expect("written");
        drop(record);
        let (mut record, kept) = open(&path, &plan, None).expect("a record");
        assert_eq!(kept, [iteration(0), iteration(1)]);
        record.append(&iteration(3)).expect("written");
        drop(record);
        let error = open(&path, &plan, None).expect_err("a gap").to_string();
        assert!(
            error.contains("record.jsonl:4: iteration 2 is missing; "),
            "{error}"
        );
        let error = open(&path, &json!({"seed": 2}), None).expect_err("another");
        assert!(
            error.to_string().contains(": seed is 1 there and 2 here; "),
            "{error}"
        );
    }
}
