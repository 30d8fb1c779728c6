//! Makes the model of an arm.

use super::settings::Arm;
use super::work::{News, StudyKind};
use crate::error::LabError;
use crate::folder::{FileRecord, ModelRecord, make_parent};
use crate::project::Project;
use crate::search::training_search;
use crate::seeds::{Purpose, seed};
use engines::StopSignal;
use nets::Model;
use nets::Provenance;
use nets::classical::{Groups, Weights};
use nets::ntuple::NTupleWeights;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;
use train::metrics::{Epoch, Metrics};
use train::{Ending, Event, TrainError, Training};

/// The data of a study, in the form that trainings read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Lesson {
    /// The files named in the settings.
    pub(super) training: Vec<PathBuf>,
    pub(super) validation: Vec<PathBuf>,
    /// Self-play games, if they are used instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) played: Option<FileRecord>,
}

/// The result of making an arm.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Made {
    pub(super) model: ModelRecord,
    /// The epoch of a training with the best validation results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) epoch: Option<Epoch>,
    /// The number of epochs.
    #[serde(default)]
    pub(super) epochs: u64,
}

/// What is needed to make an arm.
pub(super) struct Workshop<'a> {
    pub(super) project: &'a Project<StudyKind>,
    pub(super) lesson: &'a Lesson,
    /// The models of the arms that are finished.
    pub(super) models: &'a [(String, ModelRecord)],
    pub(super) threads: usize,
    pub(super) stop: &'a StopSignal,
}

impl Workshop<'_> {
    pub(super) fn make(
        &self,
        name: &str,
        arm: &Arm,
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<Made, LabError> {
        let folder = &self.project.folder;
        let given = |bytes: &[u8], ending: &str| {
            let path = folder.path("nets").join(name).with_added_extension(ending);
            make_parent(&path)?;
            Ok(Made {
                model: folder.write_model(&path, bytes)?,
                epoch: None,
                epochs: 0,
            })
        };
        match arm {
            Arm::Model(path) if path == Path::new(Model::CLASSICAL) => {
                given(Weights::default().write().as_bytes(), "weights")
            }
            Arm::Model(path) => {
                let bytes = std::fs::read(path).map_err(|cause| LabError::file(path, cause))?;
                let ending = path.extension().unwrap_or_default().display().to_string();
                given(&bytes, &ending)
            }
            Arm::Evaluation {
                groups,
                endgame_functions,
            } => given(&evaluation(groups, *endgame_functions)?, "ntuple"),
            Arm::Training { settings, start } => {
                self.train(name, settings, start.as_deref(), listen)
            }
        }
    }

    fn train(
        &self,
        name: &str,
        settings: &train::Settings,
        start: Option<&str>,
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<Made, LabError> {
        let folder = &self.project.folder;
        let mut settings = settings.clone();
        let course = settings.course_mut();
        course.data = match &self.lesson.played {
            Some(record) => vec![folder.find(record)?],
            None => self.lesson.training.clone(),
        };
        course.validation.clone_from(&self.lesson.validation);
        course.seed = seed(self.project.settings.seed, 0, Purpose::Training);
        if let Some(start) = start {
            let model = self.models.iter().find(|(name, _)| name == start);
            let model = model.ok_or_else(|| LabError::Missing(PathBuf::from(start)))?;
            settings.set_start(folder.path(&model.1.file.path));
        }
        let place = folder.path("trainings").join(name);
        let checkpoint = place.join("checkpoint");
        make_parent(&checkpoint)?;
        let saved = checkpoint.exists().then_some(&*checkpoint);
        let open = |saved: Option<&Path>| {
            let settings = settings.clone();
            settings.training(self.threads, saved, training_search())
        };
        let mut training = match open(saved) {
            // The folder was moved during a training. Training again from the beginning gives the
            // same weights.
            Err(TrainError::OtherSettings { .. }) => open(None)?,
            training => training?,
        };
        let mut metrics = Metrics::open(&place, training.epochs())?;
        let (begin, mut positions) = (Instant::now(), 0);
        let is_stopped = || self.stop.is_stopped();
        let ending = train::run(&mut *training, &checkpoint, &is_stopped, &mut |event| {
            match event {
                Event::Stepped(training, measured) => {
                    positions += measured.positions;
                    listen(&News::Trained {
                        step: measured.step,
                        steps: training.counters().all_steps(),
                        loss: measured.loss,
                    });
                }
                Event::EpochEnded(training) => {
                    let speed = positions as f64 / begin.elapsed().as_secs_f64();
                    let speed = (positions > 0).then_some(speed);
                    end_epoch(training, speed, &place, &mut metrics)?;
                }
                Event::Saved(_) => {}
            }
            Ok::<(), LabError>(())
        })?;
        if ending == Ending::Stopped {
            return Err(LabError::Stopped);
        }
        self.choose(name, &place, &metrics)
    }

    /// The model of the epoch with the best validation results.
    fn choose(&self, name: &str, place: &Path, metrics: &Metrics) -> Result<Made, LabError> {
        let epochs = metrics.epochs();
        let best = epochs
            .iter()
            .min_by(|one, other| one.validation_loss.total_cmp(&other.validation_loss))
            .ok_or(LabError::Stopped)?;
        let source = place.join(&best.net);
        let bytes = std::fs::read(&source).map_err(|cause| LabError::file(&source, cause))?;
        let ending = source.extension().unwrap_or_default().display().to_string();
        let folder = &self.project.folder;
        let path = folder.path("nets").join(name).with_added_extension(ending);
        make_parent(&path)?;
        Ok(Made {
            model: folder.write_model(&path, &bytes)?,
            epoch: Some(best.clone()),
            epochs: epochs.len() as u64,
        })
    }
}

fn end_epoch(
    training: &mut dyn Training,
    positions_a_second: Option<f64>,
    place: &Path,
    metrics: &mut Metrics,
) -> Result<(), LabError> {
    let number = training.epochs();
    if metrics.epochs().iter().any(|epoch| epoch.epoch == number) {
        return Ok(());
    }
    let words = format!("Trained by Tabia in a study, epoch {number}");
    let model = training.export(&words, training.provenance())?;
    let name = format!("epoch-{number:03}.{}", model.ending);
    let path = place.join(&name);
    data::file::write(&path, &model.bytes).map_err(|cause| LabError::file(&path, cause))?;
    metrics.add(Epoch {
        positions_a_second,
        ..Epoch::judge(training, name)
    })?;
    Ok(())
}

/// The hand-written evaluation with only some of its groups.
fn evaluation(groups: &[String], endgame_functions: bool) -> Result<Vec<u8>, LabError> {
    let mut weights = NTupleWeights::zeros(Vec::new()).map_err(TrainError::from)?;
    // The settings were checked when they were read.
    weights.groups = groups.join(" ").parse::<Groups>().unwrap_or_default();
    weights.endgame_functions = endgame_functions;
    weights.description = "The hand-written evaluation with some of its groups".to_owned();
    weights.provenance = Provenance::default();
    Ok(weights.to_bytes().map_err(TrainError::from)?)
}
