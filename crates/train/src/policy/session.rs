//! The training of a policy net from its first step to its last.

use super::batch::{Aim, Batch};
use super::settings::Settings;
use super::trainee::{Measure, PolicyTrainee};
use crate::calibration::Bins;
use crate::checkpoint_file::{self, Magic};
use crate::descent::{Step, tensors};
use crate::feed::Mark;
use crate::records::RecordAim;
use crate::settings::text;
use crate::source::{Given, Source};
use crate::{Counters, ExportCheck, Judged, Measured, ModelFile, TrainError, Training, arithmetic};
use chess::Board;
use data::position::Position;
use nets::policy::{PolicyEvaluator, PolicyFile, PolicyWeights};
use nets::{Chances, Model, Provenance, kernels::Kernels};
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &Magic = b"TABIACV1";
/// The maximum number of positions on which integers are compared with floats.
const MOST_COMPARED: usize = 10_000;

/// The header of a checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    mark: Mark,
    /// The arithmetic it was trained with.
    arithmetic: String,
    /// The initial net of the training, named by its hash.
    parent: Option<String>,
    /// The number of steps made before in the trainings that this one continues.
    #[serde(default)]
    steps_before: u64,
    /// The names and lengths in strips of all arrays, in order.
    tensors: Vec<(String, usize)>,
}

impl Header {
    /// Rejects checkpoints made with another arithmetic.
    fn check_arithmetic(&self) -> Result<(), TrainError> {
        match self.arithmetic == arithmetic() {
            true => Ok(()),
            false => Err(TrainError::OtherArithmetic(self.arithmetic.clone())),
        }
    }
}

/// Writes a checkpoint.
fn write(
    path: &Path,
    net: &mut PolicyTrainee,
    mark: Mark,
    parent: Option<String>,
    steps_before: u64,
) -> Result<(), TrainError> {
    let header = Header {
        mark,
        arithmetic: arithmetic().to_owned(),
        parent,
        steps_before,
        tensors: tensors::lengths(net.tensors()),
    };
    let numbers = tensors::numbers(net.tensors());
    Ok(checkpoint_file::write(path, MAGIC, &header, numbers)?)
}

/// A training in progress.
pub struct Session {
    settings: Settings,
    net: PolicyTrainee,
    source: Source<Position>,
    batch: Batch,
    parent: Option<String>,
    steps_before: u64,
}

impl Session {
    /// Begins a training.
    ///
    /// # Errors
    /// If settings or data are invalid for it.
    pub fn begin(settings: Settings, loader_threads: usize) -> Result<Session, TrainError> {
        settings.check()?;
        // Opened first, because the data may take long: an invalid net is reported at once.
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
            source: Source::open(course, loader_threads)?,
            net: PolicyTrainee::new(shape, course.batch, extras, course.seed)?,
            batch: Batch::new(inputs, settings.value.output_buckets),
            parent: None,
            steps_before: 0,
            settings,
        })
    }

    /// Makes the net that these settings start from, or else one with random weights determined by
    /// their seed, and writes a checkpoint from which a training can continue. No data is read.
    ///
    /// # Errors
    /// If the net does not exist, or memory or disk space is insufficient.
    pub fn first_net(settings: &Settings, path: &Path) -> Result<PolicyWeights, TrainError> {
        let shape = settings.shape()?;
        let extras = [settings.has_slow_weights(), settings.ema.is_some()];
        let mut net = PolicyTrainee::new(shape, 1, extras, settings.course.seed)?;
        if let Some(file) = open_start(settings)? {
            net.import(&file.net, settings.course.seed);
        }
        write(path, &mut net, Mark::nowhere(), None, 0)?;
        Ok(net.export()?)
    }

    /// A training that begins with the net of another one's checkpoint, which must have the same
    /// shape. Data, steps and schedules start anew; the optimiser state is kept unless the settings
    /// ask for a fresh one.
    ///
    /// # Errors
    /// If settings, data or checkpoint are invalid for it.
    pub fn follow(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
        is_fresh: bool,
    ) -> Result<Session, TrainError> {
        settings.check()?;
        let (header, numbers): (Header, _) = checkpoint_file::read(path, MAGIC)?;
        header.check_arithmetic()?;
        let mut session = Session::prepare(settings, loader_threads)?;
        tensors::restore(session.net.tensors(), &header.tensors, &numbers, path)?;
        match is_fresh {
            true => tensors::forget(session.net.tensors()),
            false => session.steps_before = header.steps_before + header.mark.steps,
        }
        Ok(session)
    }

    /// Resumes a training from a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is damaged or belongs to another training.
    pub fn resume(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
    ) -> Result<Session, TrainError> {
        settings.check()?;
        let (header, numbers): (Header, _) = checkpoint_file::read(path, MAGIC)?;
        header.mark.check_settings(&text(&settings)?, path)?;
        header.check_arithmetic()?;
        let mut session = Session::prepare(settings, loader_threads)?;
        tensors::restore(session.net.tensors(), &header.tensors, &numbers, path)?;
        session.parent = header.parent;
        session.steps_before = header.steps_before;
        session.source.go_to(&header.mark)?;
        Ok(session)
    }

    /// How targets are made at this point of the training.
    fn aim(&self) -> Aim {
        let settings = &self.settings;
        Aim {
            wdl: settings.wdl,
            record: RecordAim {
                lambda: self.source.now(&settings.lambda) as f32,
                smoothing: settings.smoothing,
                target_power: settings.target_power,
                draws: settings.draws,
            },
        }
    }

    /// Infinite weights may for one step go unnoticed behind a finite loss.
    fn check_numbers(&mut self) -> Result<(), TrainError> {
        match tensors::are_finite(self.net.tensors()) {
            true => Ok(()),
            false => Err(TrainError::NotANumber(self.steps())),
        }
    }

    fn swap_averages(&mut self) {
        tensors::swap_averages(self.net.tensors());
    }

    /// Evaluates the present weights without label smoothing, which is only a means of training.
    fn measure_validation(&mut self) -> Judged {
        let mut aim = self.aim();
        aim.record.smoothing = 0.0;
        let mut all = Measure::default();
        let mut bins = Bins::default();
        let given = self.source.validation();
        for chunk in given.chunks(self.settings.course.batch) {
            self.batch.set_given(&chunk, &aim);
            let measure = self.net.measure(&self.batch);
            self.net.calibration(&self.batch, &mut bins);
            let [moves, values] = measure.weights;
            all.policy += measure.policy * moves;
            all.top_1 += measure.top_1 * measure.learned as f64;
            all.value += measure.value * values;
            all.learned += measure.learned;
            all.positions += measure.positions;
            all.weights = [all.weights[0] + moves, all.weights[1] + values];
        }
        let [moves, values] = all
            .weights
            .map(|total| if total > 0.0 { total } else { 1.0 });
        let (policy, value) = (all.policy / moves, all.value / values);
        Judged {
            loss: policy + value,
            positions: all.positions,
            numbers: vec![
                ("policy_loss", policy),
                ("top_1", all.top_1 / all.learned.max(1) as f64),
                ("value_loss", value),
                ("calibration", bins.error()),
            ],
        }
    }

    /// How far the probabilities of a net in integers, of moves and of results, are from those of
    /// the floats it was made from: the largest difference in each position, in per cent.
    fn check_export(&mut self, file: &PolicyFile) -> ExportCheck {
        let aim = self.aim();
        let given = self.source.validation();
        let mut evaluator = PolicyEvaluator::new(file.net.clone());
        let mut differences = Vec::new();
        for chunk in given.chunks(self.settings.course.batch) {
            if differences.len() >= MOST_COMPARED {
                break;
            }
            self.batch.set_given(&chunk, &aim);
            self.net.measure(&self.batch);
            let made = self.net.shares(&self.batch);
            for (board, (shares, [win, draw, loss])) in boards(&chunk).zip(made) {
                let chances = evaluator.value(board);
                let mut largest = distance(chances, Chances { win, draw, loss });
                if !shares.is_empty() {
                    let moves = board.legal_moves();
                    let mut integers = evaluator.policy(board, &moves).to_vec();
                    Kernels::best().softmax(&mut integers);
                    for (integer, share) in integers.iter().zip(shares) {
                        largest = largest.max((integer - share).abs());
                    }
                }
                differences.push(100.0 * f64::from(largest));
            }
        }
        differences.truncate(MOST_COMPARED);
        ExportCheck::of(differences)
    }
}

/// The boards of these positions.
fn boards<'a>(given: &'a Given<'_, Position>) -> Box<dyn Iterator<Item = &'a Board> + 'a> {
    match given {
        Given::Positions(positions) => Box::new(positions.iter().map(|each| &each.board)),
        Given::Records(records) => Box::new(records.iter().map(|each| &each.board)),
    }
}

fn distance(one: Chances, other: Chances) -> f32 {
    let of = |chances: Chances| [chances.win, chances.draw, chances.loss];
    let pairs = of(one).into_iter().zip(of(other));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

impl Training for Session {
    fn counters(&self) -> &Counters {
        self.source.counters()
    }

    fn step(&mut self) -> Result<Measured, TrainError> {
        let aim = self.aim();
        let learning_rate = self.source.now(&self.settings.learning_rate);
        let number = self.steps() + 1;
        self.batch.set_given(&self.source.next()?, &aim);
        let step = Step::new(
            self.settings.optimiser,
            self.steps_before + number,
            learning_rate as f32,
            self.settings.ema.map_or(0.0, |decay| 1.0 - decay),
        );
        let Measure { policy, value, .. } = self.net.learn(&self.batch, &step);
        let loss = policy + value;
        if !loss.is_finite() {
            return Err(TrainError::NotANumber(number));
        }
        Ok(self.source.count(loss, learning_rate, self.batch.len()))
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
        let mark = self.source.mark(text(&self.settings)?);
        let parent = self.parent.clone();
        write(path, &mut self.net, mark, parent, self.steps_before)
    }

    fn provenance(&self) -> Provenance {
        Provenance {
            run: None,
            seed: Some(self.settings.course.seed),
            data: Some(format!("{:016x}", self.source.fingerprint())),
            parent: self.parent.clone(),
        }
    }

    fn arithmetic(&self) -> &'static str {
        arithmetic()
    }
}

/// The initial net, if one is named; it must have the same shape.
fn open_start(settings: &Settings) -> Result<Option<PolicyFile>, TrainError> {
    let Some(path) = settings.start.as_deref() else {
        return Ok(None);
    };
    let file = PolicyFile::open(path).map_err(|cause| TrainError::Start {
        path: path.to_owned(),
        cause,
    })?;
    let (mut found, wanted) = (file.net.shape(), settings.shape()?);
    // The scales of the file's integers may differ: the integers are converted to floats.
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
