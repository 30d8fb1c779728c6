//! ResNets as learners of a run.

use super::session::Session;
use super::settings::Settings;
use crate::learner::First;
use crate::self_taught::{Learning, SelfTaught};
use crate::{DrawSettings, ModelFile, Schedule, TrainError, Training, WrongSetting};
use std::path::{Path, PathBuf};

/// The learning of ResNets, as named in run files.
pub(crate) const LEARNING: Learning<Settings> = Learning::NEW;

impl SelfTaught for Settings {
    const NAME: &'static str = "resnet";
    const TABLES: &'static [&'static str] = &["net"];
    const EXTENSION: &'static str = "tabianet";
    const DEFAULTS: &'static str = "\
batch = 512
learning_rate = 1e-3
lambda = 0.3
validation_share = 0.02
validation_positions = 20_000
";

    fn check(&self) -> Result<(), WrongSetting> {
        Settings::check(self)
    }

    fn draws_mut(&mut self) -> &mut DrawSettings {
        &mut self.draws
    }

    fn learning_rate_mut(&mut self) -> &mut Schedule {
        &mut self.learning_rate
    }

    fn lambda_mut(&mut self) -> &mut Schedule {
        &mut self.lambda
    }

    fn start_mut(&mut self) -> &mut Option<PathBuf> {
        &mut self.start
    }

    fn first(&self, first: &First<'_>) -> Result<ModelFile, TrainError> {
        let mut weights = Session::first_net(self, first.checkpoint)?;
        first.description.clone_into(&mut weights.description);
        weights.provenance = first.provenance.clone();
        Ok(ModelFile {
            bytes: weights.to_bytes()?,
            ending: Self::EXTENSION,
        })
    }

    fn resume(self, threads: usize, path: &Path) -> Result<Box<dyn Training>, TrainError> {
        Ok(Box::new(Session::resume(self, threads, path)?))
    }

    fn follow(
        self,
        threads: usize,
        path: &Path,
        is_fresh: bool,
    ) -> Result<Box<dyn Training>, TrainError> {
        Ok(Box::new(Session::follow(self, threads, path, is_fresh)?))
    }
}
