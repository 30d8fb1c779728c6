//! `tabia train` with `kind = "classical"`: fits the weights of the hand-written
//! evaluation.

use super::metrics::{Epoch, Metrics};
use super::{CHECKPOINT_FILE, Options, Prepared, explained, prepare};
use crate::contest::same_command;
use crate::exit::{Exit, Interrupted};
use crate::interruption;
use crate::output::Output;
use crate::progress::{Progress, Standing};
use anyhow::Context;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::time::Instant;
use train::classical::{Session, Settings, Verdict};

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let settings: Settings = options.read(&[])?;
    let Prepared { folder, threads } = prepare(options)?;
    let checkpoint = folder.join(CHECKPOINT_FILE);
    let session = match checkpoint.exists() {
        true => Session::resume(settings.clone(), threads, &checkpoint),
        false => Session::begin(settings.clone(), threads),
    };
    let session = session.map_err(|error| explained(options.file(), error))?;
    let metrics = Metrics::open(&folder, session.steps())?;
    let mut fit = Fit {
        session,
        settings,
        metrics,
        folder,
        checkpoint,
    };
    fit.go_on(output)?;
    output.report(&fit.report())?;
    if !fit.session.is_over() {
        output.note(format_args!("to go on: {}", same_command()));
        return Err(Interrupted.into());
    }
    Ok(Exit::Good)
}

struct Fit {
    session: Session,
    settings: Settings,
    metrics: Metrics,
    folder: PathBuf,
    checkpoint: PathBuf,
}

impl Fit {
    /// Fits until all is done or the user wants to stop.
    fn go_on(&mut self, output: &Output) -> anyhow::Result<()> {
        let progress = Progress::new(output, self.session.all_steps(), "steps");
        progress.advance(self.session.steps());
        let begin = Instant::now();
        let mut positions = 0;
        while !self.session.is_over() && !interruption::requested() {
            let measured = self.session.step()?;
            positions += measured.positions;
            progress.advance(1);
            let speed = positions as f64 / begin.elapsed().as_secs_f64();
            progress.stand(&self.standing(measured.loss, speed));
            let ends_epoch = measured.step.is_multiple_of(self.session.epoch_steps());
            if ends_epoch {
                self.end_epoch(speed)?;
            }
            if ends_epoch || measured.step.is_multiple_of(self.settings.checkpoint_steps) {
                self.session.save(&self.checkpoint)?;
            }
        }
        Ok(self.session.save(&self.checkpoint)?)
    }

    fn standing(&self, loss: f64, speed: f64) -> Standing {
        let line = format!(
            "epoch {} of {}, loss {loss:.6}, {speed:.0} positions/s",
            self.session.epochs() + 1,
            self.settings.epochs
        );
        Standing {
            lines: line.clone(),
            line,
        }
    }

    /// Judges the weights, writes them, and notes both.
    fn end_epoch(&mut self, speed: f64) -> anyhow::Result<()> {
        let epoch = self.session.epochs();
        let name = format!("epoch-{epoch:03}.weights");
        let path = self.folder.join(&name);
        data::file::write(&path, self.session.weights().write().as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        self.metrics.add(Epoch {
            epoch,
            step: self.session.steps(),
            loss: self.session.take_epoch_loss(),
            validation_loss: self.session.validate().loss,
            export: None,
            positions_a_second: speed,
            arithmetic: "portable".to_owned(),
            net: name,
        })
    }

    fn report(&self) -> Report {
        let [present, fitted] = self.session.verdicts();
        Report {
            steps: self.session.steps(),
            epochs: self.metrics.epochs().to_vec(),
            present,
            fitted,
            folder: self.folder.clone(),
        }
    }
}

/// What came of it.
#[derive(Serialize)]
struct Report {
    steps: u64,
    epochs: Vec<Epoch>,
    /// With the weights of the beginning.
    present: Verdict,
    /// With those of the end.
    fitted: Verdict,
    folder: PathBuf,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>5} {:>10} {:>11}  weights",
            "epoch", "loss", "validation"
        )?;
        for epoch in &self.epochs {
            let Epoch {
                epoch: number,
                loss,
                validation_loss,
                net,
                ..
            } = epoch;
            writeln!(f, "{number:5} {loss:10.6} {validation_loss:11.6}  {net}")?;
        }
        writeln!(
            f,
            "\n{:24} {:>9} {:>9} {:>9} {:>7}",
            "validation loss against", "blend", "results", "scores", "scale"
        )?;
        for (name, verdict) in [("present", &self.present), ("fitted", &self.fitted)] {
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
        writeln!(
            f,
            "{} validation positions, {} steps, in {}",
            self.fitted.blend.positions,
            self.steps,
            self.folder.display()
        )
    }
}
