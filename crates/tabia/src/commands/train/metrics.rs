//! What each epoch gave, as lines of JSON and as a table.

use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use train::nnue::ExportCheck;

const LINES_FILE: &str = "metrics.jsonl";
const TABLE_FILE: &str = "metrics.csv";

/// What an epoch gave.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Epoch {
    /// From 1.
    pub(super) epoch: u64,
    /// Steps made by then.
    pub(super) step: u64,
    /// The mean of the epoch.
    pub(super) loss: f64,
    /// On positions that are not learned from.
    pub(super) validation_loss: f64,
    /// How far the net of the epoch is from the floats it was made of; weights of the
    /// hand-written evaluation are what they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) export: Option<ExportCheck>,
    pub(super) positions_a_second: f64,
    pub(super) arithmetic: String,
    /// The file of the net.
    pub(super) net: String,
}

/// The epochs of a training, and the files that hold them.
pub(super) struct Metrics {
    folder: PathBuf,
    epochs: Vec<Epoch>,
}

impl Metrics {
    /// The epochs up to a step: those after it will come again.
    pub(super) fn open(folder: &Path, steps: u64) -> anyhow::Result<Metrics> {
        let path = folder.join(LINES_FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        let epochs = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .filter(|epoch: &Epoch| epoch.step <= steps)
            .collect();
        Ok(Metrics {
            folder: folder.to_owned(),
            epochs,
        })
    }

    pub(super) fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    /// Notes an epoch; both files are whole afterwards.
    pub(super) fn add(&mut self, epoch: Epoch) -> anyhow::Result<()> {
        self.epochs.push(epoch);
        let mut lines = String::new();
        let mut table = String::from(
            "epoch,step,loss,validation_loss,export_mean,export_percentile_95,export_largest,\
             positions_a_second,net\n",
        );
        for epoch in &self.epochs {
            lines += &serde_json::to_string(epoch)?;
            lines.push('\n');
            let export = epoch.export.as_ref().map_or(",,".to_owned(), |export| {
                format!(
                    "{},{},{}",
                    export.mean, export.percentile_95, export.largest
                )
            });
            table += &format!(
                "{},{},{},{},{export},{:.0},{}\n",
                epoch.epoch,
                epoch.step,
                epoch.loss,
                epoch.validation_loss,
                epoch.positions_a_second,
                epoch.net
            );
        }
        for (name, text) in [(LINES_FILE, lines), (TABLE_FILE, table)] {
            let path = self.folder.join(name);
            data::file::write(&path, text.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}
