//! The results of each epoch of a training, as lines of JSON and as a table.
//!
//! Only the lines are read again; the table is made from them.

use crate::{ExportCheck, TrainError, Training};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file of JSON lines in the folder of a training.
pub const LINES_FILE: &str = "metrics.jsonl";
/// The file of the table beside it.
pub const TABLE_FILE: &str = "metrics.csv";

/// The results of an epoch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Epoch {
    /// The number of the epoch, from 1.
    pub epoch: u64,
    /// The total number of steps so far.
    #[serde(default)]
    pub step: u64,
    /// The mean training loss of the epoch.
    pub loss: f64,
    /// The loss on held-out positions.
    pub validation_loss: f64,
    /// Other measurements on these, by name.
    #[serde(flatten)]
    pub numbers: BTreeMap<String, f64>,
    /// How far the exported model is from the trained one, if that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export: Option<ExportCheck>,
    /// The speed, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions_a_second: Option<f64>,
    /// The arithmetic it was trained with.
    #[serde(default)]
    pub arithmetic: String,
    /// The file of the model.
    pub net: String,
}

impl Epoch {
    /// Evaluates a training whose epoch has just ended; its model is in this file.
    pub fn judge(training: &mut dyn Training, net: String) -> Epoch {
        let judged = training.validate();
        let counters = training.counters();
        let numbers = judged.numbers.into_iter();
        Epoch {
            epoch: counters.finished_epochs(),
            step: counters.steps,
            loss: counters.epoch_loss(),
            validation_loss: judged.loss,
            numbers: numbers
                .map(|(name, number)| (name.to_owned(), number))
                .collect(),
            export: None,
            positions_a_second: None,
            arithmetic: training.arithmetic().to_owned(),
            net,
        }
    }
}

/// The epochs of a training, and the files that hold them.
#[derive(Debug)]
pub struct Metrics {
    folder: PathBuf,
    epochs: Vec<Epoch>,
}

impl Metrics {
    /// Loads the first `epochs` epochs from a folder; any after them were undone by a kill and will
    /// be repeated.
    ///
    /// # Errors
    /// If the file exists and cannot be read.
    pub fn open(folder: &Path, epochs: u64) -> Result<Metrics, TrainError> {
        let path = folder.join(LINES_FILE);
        let text = match std::fs::read_to_string(&path) {
            Err(cause) if cause.kind() != ErrorKind::NotFound => {
                return Err(TrainError::ReadMetrics { path, cause });
            }
            text => text.unwrap_or_default(),
        };
        let read = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .filter(|epoch: &Epoch| epoch.epoch <= epochs);
        Ok(Metrics {
            folder: folder.to_owned(),
            epochs: read.collect(),
        })
    }

    /// The epochs so far.
    pub fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    /// The epoch with the highest value of a measurement; the first of several.
    pub fn best(&self, criterion: &str) -> Option<&Epoch> {
        let number = |epoch: &Epoch| epoch.numbers.get(criterion).copied();
        let judged = self.epochs.iter().filter(|epoch| number(epoch).is_some());
        judged.reduce(|best, epoch| match number(epoch) > number(best) {
            true => epoch,
            false => best,
        })
    }

    /// Adds an epoch; both files are then complete.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, epoch: Epoch) -> Result<(), TrainError> {
        self.epochs.push(epoch);
        for (name, text) in [(TABLE_FILE, self.table()), (LINES_FILE, self.lines())] {
            let path = self.folder.join(name);
            data::file::write(&path, text.as_bytes())
                .map_err(|cause| TrainError::WriteMetrics { path, cause })?;
        }
        Ok(())
    }

    fn lines(&self) -> String {
        let line = |epoch| serde_json::to_string(epoch).unwrap_or_default() + "\n";
        self.epochs.iter().map(line).collect()
    }

    fn table(&self) -> String {
        let names = self.epochs.iter().flat_map(|epoch| epoch.numbers.keys());
        let names: BTreeSet<&String> = names.collect();
        let columns: String = names.iter().map(|name| format!("{name},")).collect();
        let mut table = format!(
            "epoch,step,loss,validation_loss,{columns}export_mean,export_percentile_95,\
             export_largest,positions_a_second,net\n"
        );
        let cell = |number: Option<f64>| number.map_or_else(String::new, |it| it.to_string());
        for epoch in &self.epochs {
            let export = epoch.export.as_ref();
            let speed = epoch.positions_a_second;
            let mut cells = vec![epoch.epoch.to_string(), epoch.step.to_string()];
            cells.extend([epoch.loss, epoch.validation_loss].map(|loss| loss.to_string()));
            cells.extend(
                names
                    .iter()
                    .map(|&name| cell(epoch.numbers.get(name).copied())),
            );
            cells.push(cell(export.map(|export| export.mean)));
            cells.push(cell(export.map(|export| export.percentile_95)));
            cells.push(cell(export.map(|export| export.largest)));
            cells.push(speed.map_or_else(String::new, |speed| format!("{speed:.0}")));
            cells.push(epoch.net.clone());
            table += &(cells.join(",") + "\n");
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epoch(number: u64) -> Epoch {
        // Sums of such fractions need all digits of a number.
        let awkward = |part: f64| (1..=97).map(|it| part / f64::from(it)).sum::<f64>() / 7.3;
        Epoch {
            epoch: number,
            step: 10 * number,
            loss: awkward(0.1 * number as f64),
            validation_loss: awkward(1e-3 / number as f64),
            numbers: BTreeMap::from([
                ("calibration".to_owned(), awkward(0.3)),
                ("top_1".to_owned(), 0.25),
            ]),
            export: None,
            positions_a_second: (number > 1).then_some(1234.5),
            arithmetic: "portable".to_owned(),
            net: format!("epoch-{number:03}.tabianet"),
        }
    }

    #[test]
    fn what_is_read_is_written_with_the_same_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        let bytes = |name: &str| std::fs::read(folder.path().join(name)).expect("a file");
        let mut metrics = Metrics::open(folder.path(), 0).expect("none yet");
        for number in 1..=400 {
            metrics.epochs.push(epoch(number));
        }
        metrics.add(epoch(401)).expect("written");
        let [lines, table] = [LINES_FILE, TABLE_FILE].map(bytes);
        let mut read = Metrics::open(folder.path(), 400).expect("readable");
        assert_eq!(read.epochs(), &metrics.epochs()[..400]);
        read.add(epoch(401)).expect("written");
        assert!(bytes(LINES_FILE) == lines && bytes(TABLE_FILE) == table);
    }

    #[test]
    fn the_best_epoch_has_the_most_of_a_number() {
        let mut metrics = Metrics {
            folder: PathBuf::new(),
            epochs: (1..=4).map(epoch).collect(),
        };
        for (epoch, top_1) in metrics.epochs.iter_mut().zip([0.25, 0.5, 0.5, 0.125]) {
            epoch.numbers.insert("top_1".to_owned(), top_1);
        }
        assert_eq!(metrics.best("top_1").map(|epoch| epoch.epoch), Some(2));
        assert_eq!(metrics.best("mrr"), None);
    }

    #[test]
    fn numbers_keep_their_names() {
        let mut metrics = Metrics {
            folder: PathBuf::new(),
            epochs: vec![epoch(1), epoch(2)],
        };
        metrics.epochs[0].loss = 0.5;
        metrics.epochs[0].validation_loss = 0.25;
        metrics.epochs[0].numbers.remove("calibration");
        let lines = metrics.lines();
        assert_eq!(
            lines.lines().next(),
            Some(
                "{\"epoch\":1,\"step\":10,\"loss\":0.5,\"validation_loss\":0.25,\"top_1\":0.25,\
                 \"arithmetic\":\"portable\",\"net\":\"epoch-001.tabianet\"}"
            )
        );
        let read: Epoch = serde_json::from_str(lines.lines().nth(1).expect("a line")).expect("one");
        assert_eq!(read, epoch(2));
        let table = metrics.table();
        let rows: Vec<&str> = table.lines().collect();
        assert_eq!(
            rows[..2],
            [
                "epoch,step,loss,validation_loss,calibration,top_1,export_mean,\
                 export_percentile_95,export_largest,positions_a_second,net",
                "1,10,0.5,0.25,,0.25,,,,,epoch-001.tabianet"
            ]
        );
    }
}
