//! A fit from its first step to its last: reads positions, and exports weights.

use super::objective::Objective;
use super::samples::blocks;
use super::settings::Settings;
use super::{Vector, to_vector, to_weights};
use crate::adam::Adam;
use crate::baseline::Values;
use crate::checkpoint_file::{self, CheckpointError, Magic};
use crate::feed::{Feed, Mark};
use crate::network::{read_tuples, starting_network};
use crate::settings::text;
use crate::{
    Comparison, Counters, Judged, Measured, ModelFile, OneScale, TrainError, Training, Verdict,
};
use nets::classical::{Groups, Weights};
use nets::ntuple::{NTuple, NTupleFile, NTupleWeights};
use nets::{Provenance, WeightsFile};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

const MAGIC: &Magic = b"TABIACC1";

/// The header of a checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    mark: Mark,
    /// The hash of the initial weights.
    start: String,
}

/// A fit in progress.
pub struct Session {
    settings: Settings,
    start: Arc<NTuple>,
    objective: Objective,
    vector: Vector,
    adam: Adam,
    feed: Feed,
}

impl Session {
    /// Begins a fit; first the scale is fitted, with the initial weights.
    ///
    /// # Errors
    /// If settings or data are invalid for it.
    pub fn begin(settings: Settings, loader_threads: usize) -> Result<Session, TrainError> {
        settings.check()?;
        let tuples = read_tuples(&settings.tuples)?;
        let start = NTuple::new(starting_network(settings.start.as_deref(), tuples)?)?;
        let start = Arc::new(start);
        let feed: Feed = Feed::open(&settings.course, loader_threads)?;
        let lambda = feed.now(&settings.lambda) as f32;
        let present = Values::of_network(&feed.validation, &start).one_scale(
            &feed.validation,
            &settings.loss,
            lambda,
        );
        let vector = to_vector(start.weights());
        Ok(Session {
            objective: Objective {
                loss: settings.loss,
                scale: present.scale,
                anchor: settings.anchor,
                start: vector.clone(),
                free: settings.free(start.weights().places())?,
            },
            adam: Adam::new(vector.len()),
            vector,
            start,
            feed,
            settings,
        })
    }

    /// Resumes a fit from a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is damaged or belongs to another training.
    pub fn resume(
        settings: Settings,
        loader_threads: usize,
        path: &Path,
    ) -> Result<Session, TrainError> {
        let (header, numbers): (Header, _) = checkpoint_file::read(path, MAGIC)?;
        let mut session = Session::begin(settings, loader_threads)?;
        header
            .mark
            .check_settings(&text(&session.settings)?, path)?;
        if header.start != session.hash() {
            return Err(TrainError::OtherSettings {
                path: path.to_owned(),
                differences: "the initial weights are different".to_owned(),
            });
        }
        session.restore(&numbers, path)?;
        session.feed.go_to(&header.mark)?;
        Ok(session)
    }

    fn restore(&mut self, bytes: &[u8], path: &Path) -> Result<(), CheckpointError> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        if numbers.len() != 3 * self.vector.len() || !rest.is_empty() {
            return Err(CheckpointError::Shape(path.to_owned()));
        }
        let numbers = numbers.iter().map(|&number| f64::from_le_bytes(number));
        let places = self.vector.iter_mut();
        let places = places.chain(&mut self.adam.means);
        let places = places.chain(&mut self.adam.squares);
        for (place, number) in places.zip(numbers) {
            *place = number;
        }
        Ok(())
    }

    /// Writes everything that is needed to resume.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TrainError> {
        let header = Header {
            mark: self.feed.mark(text(&self.settings)?),
            start: self.hash(),
        };
        let bytes: Vec<_> = [&self.vector, &self.adam.means, &self.adam.squares]
            .into_iter()
            .flatten()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let numbers = std::iter::once(&bytes[..]);
        Ok(checkpoint_file::write(path, MAGIC, &header, numbers)?)
    }

    fn lambda(&self) -> f32 {
        self.feed.now(&self.settings.lambda) as f32
    }

    /// The hash of the initial weights.
    fn hash(&self) -> String {
        let weights = self.start.weights();
        match weights.tables().is_empty() {
            true => WeightsFile::new(weights.linear.clone()).hash(),
            false => blake3::hash(weights.to_text().as_bytes()).to_string(),
        }
    }

    /// The present weights of the terms, in whole centipawns.
    pub fn weights(&self) -> Weights {
        self.network().linear
    }

    /// All present weights, in whole centipawns.
    pub fn network(&self) -> NTupleWeights {
        to_weights(&self.vector, self.start.weights())
    }

    /// The evaluations of the validation positions with the present weights.
    fn values(&self) -> Values {
        match NTuple::new(self.network()) {
            Ok(network) => Values::of_network(&self.feed.validation, &Arc::new(network)),
            // Weights that were rounded for it are no others.
            Err(_) => Values::of_network(&self.feed.validation, &self.start),
        }
    }

    /// Whether the model is a text file of weights, which cannot hold tables or groups that are
    /// switched off.
    fn is_text(&self) -> bool {
        let weights = self.start.weights();
        weights.tables().is_empty() && weights.groups == Groups::ALL && weights.endgame_functions
    }

    /// The validation loss of the evaluation with the present weights, as it would play.
    pub fn validate(&self) -> OneScale {
        let positions = &self.feed.validation;
        self.values()
            .one_scale(positions, &self.settings.loss, self.lambda())
    }

    /// How well the evaluation predicts with the initial weights, and with the present ones.
    pub fn verdicts(&self) -> [Verdict; 2] {
        let (positions, lambda) = (&self.feed.validation, self.lambda());
        let present = Values::of_network(positions, &self.start);
        [present, self.values()].map(|values| {
            let [blend, results, scores] = [lambda, 0.0, 1.0]
                .map(|lambda| values.one_scale(positions, &self.settings.loss, lambda));
            Verdict {
                blend,
                results,
                scores,
            }
        })
    }
}

impl Training for Session {
    fn counters(&self) -> &Counters {
        &self.feed.counters
    }

    fn step(&mut self) -> Result<Measured, TrainError> {
        let (lambda, learning_rate) = (self.lambda(), self.feed.now(&self.settings.learning_rate));
        let blocks = blocks(
            self.feed.next()?,
            &self.start,
            &self.objective.start,
            &self.settings.loss,
            lambda,
        );
        let slope = self.objective.slope(&blocks, &self.vector);
        let number = self.steps() + 1;
        if !slope.loss.is_finite() {
            return Err(TrainError::NotANumber(number));
        }
        self.adam
            .step(&mut self.vector, &slope.gradient, number, learning_rate);
        Ok(self.feed.count(slope.loss, learning_rate))
    }

    fn validate(&mut self) -> Judged {
        let fitted = Session::validate(self);
        Judged {
            loss: fitted.loss,
            positions: fitted.positions,
            numbers: Vec::new(),
        }
    }

    /// A text file of weights cannot hold a description or a provenance.
    fn export(
        &mut self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError> {
        let mut network = self.network();
        if self.is_text() {
            return Ok(ModelFile {
                bytes: network.linear.write().into_bytes(),
                ending: "weights",
            });
        }
        network.description = description.to_owned();
        network.provenance = provenance;
        Ok(ModelFile {
            bytes: network.to_bytes()?,
            ending: NTupleFile::EXTENSION,
        })
    }

    /// The weights are judged as they are exported.
    fn save(&mut self, path: &Path) -> Result<(), TrainError> {
        Session::save(self, path)
    }

    fn provenance(&self) -> Provenance {
        Provenance {
            seed: Some(self.settings.course.seed),
            data: Some(format!("{:016x}", self.feed.fingerprint())),
            ..Provenance::default()
        }
    }

    fn comparison(&self) -> Option<Comparison> {
        let [present, fitted] = self.verdicts();
        Some(Comparison::Weights { present, fitted })
    }

    fn arithmetic(&self) -> &'static str {
        "portable"
    }
}
