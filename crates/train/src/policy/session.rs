//! A training of a fast net from its first step to its last.

use super::batch::{Aim, Batch};
use super::calibration::Bins;
use super::settings::Settings;
use super::trainee::{Measure, PolicyTrainee};
use crate::descent::{Step, tensors};
use crate::feed::{Feed, Mark};
use crate::sealed::{self, Magic};
use crate::settings::text;
use crate::{Counters, ExportCheck, Judged, Measured, ModelFile, TrainError, Training, arithmetic};
use data::position::Position;
use nets::policy::{PolicyEvaluator, PolicyFile};
use nets::{Chances, Model, Provenance, kernels::Kernels};
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &Magic = b"TABIACV1";
/// No more positions are looked at when integers are compared with floats.
const MOST_COMPARED: usize = 10_000;

/// What a checkpoint says beside numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    mark: Mark,
    /// The arithmetic with which it was trained.
    arithmetic: String,
    /// The name by its hash of the net with which the training began.
    parent: Option<String>,
    /// The names and strips of all tensors, in order.
    tensors: Vec<(String, usize)>,
}

/// A training that is going on.
pub struct Session {
    settings: Settings,
    net: PolicyTrainee,
    feed: Feed<Position>,
    batch: Batch,
    parent: Option<String>,
}

impl Session {
    /// A training from its beginning.
    ///
    /// # Errors
    /// If settings or data are not fit for it.
    pub fn begin(settings: Settings, loader_threads: usize) -> Result<Session, TrainError> {
        settings.check()?;
        // The data may take long; a wrong net is told at once.
        let start = open_start(&settings)?;
        let mut session = Session::prepare(settings, loader_threads)?;
        if let Some(file) = start {
            session.net.import(&file.net, session.settings.course.seed);
            session.parent = Some(Model::Policy(file).name());
        }
        Ok(session)
    }

    /// A training whose net has random weights.
    fn prepare(settings: Settings, loader_threads: usize) -> Result<Session, TrainError> {
        let shape = settings.shape()?;
        let extras = [settings.has_slow_weights(), settings.ema.is_some()];
        let inputs = shape.value.inputs.clone();
        let course = &settings.course;
        Ok(Session {
            feed: Feed::open(course, loader_threads)?,
            net: PolicyTrainee::new(shape, course.batch, extras, course.seed)?,
            batch: Batch::new(inputs, settings.value.output_buckets),
            parent: None,
            settings,
        })
    }

    /// A training that goes on from a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is damaged or belongs to something else.
    pub fn resume(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
    ) -> Result<Session, TrainError> {
        settings.check()?;
        let (header, numbers): (Header, _) = sealed::read(path, MAGIC)?;
        header.mark.check_settings(&text(&settings)?, path)?;
        if header.arithmetic != arithmetic() {
            return Err(TrainError::OtherArithmetic(header.arithmetic));
        }
        let mut session = Session::prepare(settings, loader_threads)?;
        tensors::restore(session.net.tensors(), &header.tensors, &numbers, path)?;
        session.parent = header.parent;
        session.feed.go_to(&header.mark)?;
        Ok(session)
    }

    /// What positions of now are to give.
    fn aim(&self) -> Aim {
        Aim {
            wdl: self.settings.wdl,
            lambda: self.feed.now(&self.settings.lambda) as f32,
            smoothing: self.settings.smoothing,
        }
    }

    /// Weights that are not finite may hide behind a good loss for a step.
    fn check_numbers(&mut self) -> Result<(), TrainError> {
        match tensors::are_finite(self.net.tensors()) {
            true => Ok(()),
            false => Err(TrainError::NotANumber(self.steps())),
        }
    }

    fn swap_averages(&mut self) {
        tensors::swap_averages(self.net.tensors());
    }

    /// Judges the weights as they are; smoothing is a means of learning, and no aim.
    fn measure_validation(&mut self) -> Judged {
        let aim = Aim {
            smoothing: 0.0,
            ..self.aim()
        };
        let mut all = Measure::default();
        let mut bins = Bins::default();
        for positions in self.feed.validation.chunks(self.settings.course.batch) {
            self.batch.set(positions, &aim);
            let measure = self.net.measure(&self.batch);
            self.net.calibration(&self.batch, &mut bins);
            let (learned, positions) = (measure.learned as f64, measure.positions as f64);
            all.policy += measure.policy * learned;
            all.top_1 += measure.top_1 * learned;
            all.value += measure.value * positions;
            all.learned += measure.learned;
            all.positions += measure.positions;
        }
        let (learned, positions) = (all.learned.max(1) as f64, all.positions.max(1) as f64);
        let (policy, value) = (all.policy / learned, all.value / positions);
        Judged {
            loss: policy + value,
            positions: all.positions,
            numbers: vec![
                ("policy_loss", policy),
                ("top_1", all.top_1 / learned),
                ("value_loss", value),
                ("calibration", bins.error()),
            ],
        }
    }

    /// How far the shares of moves and the chances of a net in integers are from those
    /// in floats, which they were made of: of each position the largest difference, in
    /// per cent.
    fn check_export(&mut self, file: &PolicyFile) -> ExportCheck {
        let aim = self.aim();
        let positions = &self.feed.validation;
        let positions = &positions[..positions.len().min(MOST_COMPARED)];
        let mut evaluator = PolicyEvaluator::new(file.net.clone());
        let mut differences = Vec::with_capacity(positions.len());
        for positions in positions.chunks(self.settings.course.batch) {
            self.batch.set(positions, &aim);
            self.net.measure(&self.batch);
            let made = self.net.shares(&self.batch);
            for (position, (shares, [win, draw, loss])) in positions.iter().zip(made) {
                let chances = evaluator.value(&position.board);
                let mut largest = distance(chances, Chances { win, draw, loss });
                if !shares.is_empty() {
                    let moves = position.board.legal_moves();
                    let mut integers = evaluator.policy(&position.board, &moves).to_vec();
                    Kernels::best().softmax(&mut integers);
                    for (integer, share) in integers.iter().zip(shares) {
                        largest = largest.max((integer - share).abs());
                    }
                }
                differences.push(100.0 * f64::from(largest));
            }
        }
        ExportCheck::of(differences)
    }
}

fn distance(one: Chances, other: Chances) -> f32 {
    let of = |chances: Chances| [chances.win, chances.draw, chances.loss];
    let pairs = of(one).into_iter().zip(of(other));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

impl Training for Session {
    fn counters(&self) -> &Counters {
        &self.feed.counters
    }

    fn step(&mut self) -> Result<Measured, TrainError> {
        let aim = self.aim();
        let learning_rate = self.feed.now(&self.settings.learning_rate);
        let number = self.steps() + 1;
        self.batch.set(self.feed.next()?, &aim);
        let step = Step::new(
            self.settings.optimiser,
            number,
            learning_rate as f32,
            self.settings.ema.map_or(0.0, |decay| 1.0 - decay),
        );
        let Measure { policy, value, .. } = self.net.learn(&self.batch, &step);
        let loss = policy + value;
        if !loss.is_finite() {
            return Err(TrainError::NotANumber(number));
        }
        Ok(self.feed.count(loss, learning_rate))
    }

    fn validate(&mut self) -> Judged {
        self.swap_averages();
        let judged = self.measure_validation();
        self.swap_averages();
        judged
    }

    fn export(
        &mut self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError> {
        self.check_numbers()?;
        self.swap_averages();
        let weights = self.net.export();
        self.swap_averages();
        let mut weights = weights?;
        weights.description = description.to_owned();
        weights.provenance = provenance;
        Ok(ModelFile {
            bytes: weights.to_bytes()?,
            ending: PolicyFile::EXTENSION,
        })
    }

    fn check(&mut self, model: &ModelFile) -> Result<Option<ExportCheck>, TrainError> {
        let file = PolicyFile::from_bytes(&model.bytes).map_err(TrainError::ReadBack)?;
        self.swap_averages();
        let check = self.check_export(&file);
        self.swap_averages();
        Ok(Some(check))
    }

    fn save(&mut self, path: &Path) -> Result<(), TrainError> {
        self.check_numbers()?;
        let header = Header {
            mark: self.feed.mark(text(&self.settings)?),
            arithmetic: arithmetic().to_owned(),
            parent: self.parent.clone(),
            tensors: tensors::lengths(self.net.tensors()),
        };
        let numbers = tensors::numbers(self.net.tensors());
        Ok(sealed::write(path, MAGIC, &header, numbers)?)
    }

    fn provenance(&self) -> Provenance {
        Provenance {
            run: None,
            seed: Some(self.settings.course.seed),
            data: Some(format!("{:016x}", self.feed.fingerprint())),
            parent: self.parent.clone(),
        }
    }

    fn arithmetic(&self) -> &'static str {
        arithmetic()
    }
}

/// The net to start from, if one is named: of the same shape.
fn open_start(settings: &Settings) -> Result<Option<PolicyFile>, TrainError> {
    let Some(path) = settings.start.as_deref() else {
        return Ok(None);
    };
    let file = PolicyFile::open(path).map_err(|cause| TrainError::Start {
        path: path.to_owned(),
        cause,
    })?;
    let (mut found, wanted) = (file.net.shape(), settings.shape()?);
    // How the integers of the file are scaled does not matter: floats are made of them.
    found.value.scales = wanted.value.scales;
    match found == wanted {
        true => Ok(Some(file)),
        false => Err(TrainError::StartShape {
            path: path.to_owned(),
            found: found.to_string(),
            wanted: wanted.to_string(),
        }),
    }
}
