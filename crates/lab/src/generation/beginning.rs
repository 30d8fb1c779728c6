//! Generation 0.

use super::Lineage;
use crate::error::LabError;
use crate::folder::{ModelRecord, make_parent, remove};
use crate::search::training_search;
use crate::seeds::Purpose;
use crate::settings::FirstSettings;
use crate::state::Step;
use crate::step_runner::StepRunner;
use crate::steps::Beginning;
use arena::selfplay::{self, Amount, SelfPlay};
use engines::recipe::{AlphaBetaRecipe, Recipe};
use nets::Model;
use std::path::{Path, PathBuf};
use train::{First, Lesson, Taste};

/// The bytes of a model's file; the built-in sequence model has a name instead.
pub(crate) fn model_bytes(file: &Path) -> Result<Vec<u8>, LabError> {
    if file.as_os_str() != Model::SEQUENCE {
        return std::fs::read(file).map_err(|cause| LabError::file(file, cause));
    }
    let model = Model::named(file).and_then(|model| model.to_bytes());
    model.map_err(|cause| LabError::Net {
        path: file.to_owned(),
        cause,
    })
}

impl Lineage<'_> {
    /// Makes generation 0: the learner's first model, a model trained for a few steps on given
    /// data, the hand-written evaluation, or a given model.
    pub(crate) fn begin(&self, runner: &mut StepRunner<'_>) -> Result<Beginning, LabError> {
        runner.step(self.place(0, Step::Beginning), |runner| {
            let checkpoint = self.lane.checkpoint(0);
            make_parent(&checkpoint)?;
            let (description, provenance) = self.origin(0, None);
            let settings = self.arm.generation_0.as_ref();
            let first = self.arm.learner.first(&First {
                seed: self.number(0, Purpose::Weights),
                start: settings.and_then(FirstSettings::start),
                checkpoint: &checkpoint,
                description: &description,
                provenance,
            })?;
            let path = self.lane.version(0);
            let model = match settings {
                None => runner.folder.write_model(&path, &first.bytes)?,
                Some(settings) => self.given(runner, settings, &path)?,
            };
            Ok(Beginning {
                model,
                checkpoint: runner.folder.record(&checkpoint)?,
            })
        })
    }

    /// The model that the settings ask for; its checkpoint was just made.
    fn given(
        &self,
        runner: &mut StepRunner<'_>,
        settings: &FirstSettings,
        path: &Path,
    ) -> Result<ModelRecord, LabError> {
        if let Some(model) = settings.by_hand() {
            let path = path.with_extension(model.extension());
            let bytes = model.to_bytes().map_err(|cause| LabError::Net {
                path: path.clone(),
                cause,
            })?;
            return runner.folder.write_model(&path, &bytes);
        }
        match settings.file() {
            // Unchanged, with its name.
            Some(file) => runner.folder.write_model(path, &model_bytes(file)?),
            None => self.teach_a_little(runner, settings, path),
        }
    }

    /// Trains the model, whose checkpoint was just made, for its first steps, which are one epoch.
    fn teach_a_little(
        &self,
        runner: &mut StepRunner<'_>,
        first: &FirstSettings,
        path: &Path,
    ) -> Result<ModelRecord, LabError> {
        let data = match &first.data {
            Some(path) => path.clone(),
            None => self.first_games(runner, first.games, first.depth)?,
        };
        let checkpoint = self.lane.checkpoint(0);
        let untrained = checkpoint.with_extension("untrained");
        std::fs::rename(&checkpoint, &untrained)
            .map_err(|cause| LabError::file(&checkpoint, cause))?;
        let lesson = Lesson {
            generation: 0,
            positions: [first.positions; 2],
            data: &data,
            validation: &data,
            seed: self.number(0, Purpose::Weights),
            follows: &untrained,
            checkpoint: &checkpoint,
            threads: runner.threads,
            search: training_search(),
            taste: Some(Taste {
                positions: first.positions,
                batch: first.batch,
                lambda: first.lambda,
            }),
        };
        let folder = runner.folder;
        let mut model = None;
        runner.learn(self.arm.learner.as_ref(), &lesson, &mut |training| {
            model = Some(self.write_model(folder, 0, None, path, training)?);
            Ok(())
        })?;
        remove(&untrained)?;
        // A training that was not stopped has completed its epoch.
        model.ok_or(LabError::Stopped)
    }

    /// The shard of games of the hand-written evaluation.
    fn first_games(
        &self,
        runner: &mut StepRunner<'_>,
        games: u64,
        depth: u32,
    ) -> Result<PathBuf, LabError> {
        let settings = selfplay::Settings {
            depth: Some(depth),
            book: self.arm.selfplay.book.clone(),
            random_plies: self.arm.selfplay.random_plies,
            ..selfplay::Settings::default()
        };
        // Whatever the learner learns from later, these are scored positions with moves.
        let shard = self.lane.shard(0).with_extension("binpack");
        make_parent(&shard)?;
        let work = SelfPlay {
            settings: &settings,
            explore: None,
            generation: 1,
            player: &Recipe::AlphaBeta(AlphaBetaRecipe::new(Model::classical(), 1)),
            seed: self.number(0, Purpose::FirstGames),
            amount: Amount::Games(games),
            shard: &shard,
            author: None,
            dispatcher: runner.dispatcher,
        };
        runner.play(&work)?;
        remove(&work.record_path())?;
        Ok(shard)
    }
}
