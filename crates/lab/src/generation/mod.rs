//! The steps of one generation, and of generation 0.
//!
//! Each step is recorded in the state when its files are on the disk. A step that was begun but not
//! recorded is done again: self-play, training and matches resume from their own records, and
//! everything else is quick. `beginning` makes generation 0, `learning` goes from games to a
//! candidate, `epochs` keeps the models of epochs if the settings ask for them, `judging` goes from
//! the candidate to the promotion and plays evaluation games, `records` exports the games of
//! exploration, `added` does the steps that a learner adds. This module must not know other arms or
//! seeds, nor what is trained.

mod added;
mod beginning;
mod epochs;
mod judging;
mod learning;
mod records;

pub(crate) use beginning::model_bytes;

use crate::error::LabError;
use crate::folder::{Folder, Lane, ModelRecord};
use crate::seeds::{Purpose, seed};
use crate::settings::{Arm, Experiment, Opponent};
use crate::state::{Place, Step};
use crate::step_runner::StepRunner;
use crate::steps::{Beginning, Promotion};
use nets::Provenance;
use std::path::Path;
use train::{Moment, Training};

/// One arm with one seed.
pub(crate) struct Lineage<'a> {
    pub(crate) experiment: &'a Experiment,
    pub(crate) name: &'a str,
    pub(crate) arm: &'a Arm,
    pub(crate) seed: u64,
    pub(crate) lane: Lane,
}

impl Lineage<'_> {
    /// Runs one generation, from the games to the promotion.
    pub(crate) fn generation(
        &self,
        runner: &mut StepRunner<'_>,
        generation: u32,
        beginning: &Beginning,
        before: &Promotion,
    ) -> Result<Promotion, LabError> {
        self.play(runner, generation, before)?;
        let material = self.remember(runner, generation)?;
        self.add(runner, generation, Moment::BeforeTraining)?;
        let trained = self.learn(runner, generation, &material, before)?;
        self.add(runner, generation, Moment::AfterTraining)?;
        let gate = &self.arm.gate;
        let matches = [
            (Opponent::Previous, gate.games(), &before.version),
            (Opponent::Baseline, gate.baseline_games(), &beginning.model),
        ];
        let mut decisive = None;
        for (opponent, _, other) in matches.into_iter().filter(|(_, games, _)| *games > 0) {
            let met = self.meet(runner, generation, opponent, &trained, other)?;
            if gate.against == opponent {
                decisive = Some(met);
            }
        }
        let counts = decisive.map(|met| met.counts).unwrap_or_default();
        let promotion = self.promote(runner, generation, &trained, before, counts)?;
        self.evaluate(runner, generation, &promotion)?;
        Ok(promotion)
    }

    fn place(&self, generation: u32, step: Step) -> Place {
        Place {
            arm: self.name.to_owned(),
            seed: self.seed,
            generation,
            step,
            other: None,
        }
    }

    fn number(&self, generation: u32, purpose: Purpose) -> u64 {
        seed(self.seed, generation, purpose)
    }

    /// The description and the provenance in a model's file. Nothing in them depends on the folder:
    /// the same settings give the same bytes anywhere.
    fn origin(&self, generation: u32, parent: Option<&str>) -> (String, Provenance) {
        let run = match generation {
            0 => "generation 0".to_owned(),
            _ => format!("{}, generation {generation}", self.name),
        };
        let provenance = Provenance {
            run: Some(run.clone()),
            seed: Some(self.seed),
            data: None,
            parent: parent.map(str::to_owned),
        };
        (format!("Trained by Tabia: {run}"), provenance)
    }

    /// Writes the current model of a training.
    fn write_model(
        &self,
        folder: &Folder,
        generation: u32,
        parent: Option<&str>,
        path: &Path,
        training: &mut dyn Training,
    ) -> Result<ModelRecord, LabError> {
        let (description, provenance) = self.origin(generation, parent);
        let model = training.export(&description, provenance)?;
        folder.write_model(path, &model.bytes)
    }
}
