//! What came of a training.

use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use train::ExportCheck;
use train::metrics::{Epoch, Metrics};
use train::{Comparison, OneScale};

/// What came of it.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) steps: u64,
    pub(super) epochs: Vec<Epoch>,
    #[serde(flatten)]
    pub(super) comparison: Option<Comparison>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) best: Option<Best>,
    pub(super) folder: PathBuf,
}

/// The best epoch, if the training says what that is.
#[derive(Serialize)]
pub(super) struct Best {
    criterion: &'static str,
    number: f64,
    net: String,
}

impl Best {
    pub(super) fn new(criterion: &'static str, metrics: &Metrics) -> Option<Best> {
        let epoch = metrics.best(criterion)?;
        Some(Best {
            criterion,
            number: *epoch.numbers.get(criterion)?,
            net: epoch.net.clone(),
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.comparison {
            None => self.fmt_plain(f)?,
            Some(Comparison::Evaluation { baseline }) => self.fmt_nets(f, baseline)?,
            Some(Comparison::Weights { present, fitted }) => {
                self.fmt_plain(f)?;
                writeln!(
                    f,
                    "\n{:24} {:>9} {:>9} {:>9} {:>7}",
                    "validation loss against", "blend", "results", "scores", "scale"
                )?;
                for (name, verdict) in [("present", present), ("fitted", fitted)] {
                    writeln!(
                        f,
                        "{:24} {:9.6} {:9.6} {:9.6} {:7.4}",
                        format!("{name} weights"),
                        verdict.blend.loss,
                        verdict.results.loss,
                        verdict.scores.loss,
                        verdict.blend.scale
                    )?;
                }
                write!(f, "{} validation positions, ", fitted.blend.positions)?;
            }
        }
        if let Some(best) = &self.best {
            let Best {
                criterion,
                number,
                net,
            } = best;
            writeln!(
                f,
                "best by {criterion}, {number:.4}: {net}, also kept as best"
            )?;
        }
        writeln!(f, "{} steps, in {}", self.steps, self.folder.display())
    }
}

impl Report {
    fn fmt_nets(&self, f: &mut fmt::Formatter<'_>, baseline: &OneScale) -> fmt::Result {
        writeln!(
            f,
            "                             quantisation error, centipawns\n\
             epoch       loss  validation     mean    95 %  largest  net"
        )?;
        for epoch in &self.epochs {
            let ExportCheck {
                mean,
                percentile_95,
                largest,
                ..
            } = epoch.export.unwrap_or_default();
            writeln!(
                f,
                "{:5} {:10.6} {:11.6} {mean:8.2} {percentile_95:7.2} {largest:8.2}  {}",
                epoch.epoch, epoch.loss, epoch.validation_loss, epoch.net
            )?;
        }
        let OneScale { loss, scale, .. } = baseline;
        writeln!(
            f,
            "baseline {loss:19.6}  the hand-written evaluation, its centipawns scaled by {scale:.3}"
        )
    }

    fn fmt_plain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.epochs.last().map(|epoch| epoch.numbers.keys());
        let names: Vec<&String> = names.into_iter().flatten().collect();
        write!(f, "{:>5} {:>10} {:>11}", "epoch", "loss", "validation")?;
        for name in &names {
            write!(f, "  {name}")?;
        }
        writeln!(f, "  weights")?;
        for epoch in &self.epochs {
            let (loss, validation) = (epoch.loss, epoch.validation_loss);
            write!(f, "{:5} {loss:10.6} {validation:11.6}", epoch.epoch)?;
            for &name in &names {
                let number = epoch.numbers.get(name).copied().unwrap_or(f64::NAN);
                write!(f, "  {number:width$.4}", width = name.len())?;
            }
            writeln!(f, "  {}", epoch.net)?;
        }
        Ok(())
    }
}
