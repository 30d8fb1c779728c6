//! Generation 0.

use super::{Beginning, Lineage};
use crate::desk::Desk;
use crate::error::LabError;
use crate::folder::{NetRecord, make_parent, remove};
use crate::seeds::Purpose;
use crate::settings::{FirstPlayer, FirstSettings};
use crate::state::Step;
use crate::training::Lesson;
use arena::selfplay::{self, Amount, SelfPlay};
use engines::recipe::{AlphaBetaRecipe, Recipe};
use nets::Model;
use nets::classical::Weights;
use std::path::{Path, PathBuf};
use train::nnue::{self, Memory};
use work::Threads;

impl Lineage<'_> {
    /// Generation 0: random weights, a few steps on given data, the hand-written
    /// evaluation, or a net that is there.
    pub(crate) fn begin(&self, desk: &mut Desk<'_>) -> Result<Beginning, LabError> {
        desk.step(self.place(0, Step::Beginning), |desk| {
            let checkpoint = self.lane.checkpoint(0);
            make_parent(&checkpoint)?;
            let mut settings = self.settings(0, PathBuf::new(), PathBuf::new());
            settings.course.seed = self.number(0, Purpose::Weights);
            settings.start = self.arm.first_net();
            let first_net = nnue::first_net(&settings, &checkpoint)?;
            let path = self.lane.version(0, &self.arm.net);
            let net = match &self.arm.generation_0 {
                None => self.write_net(desk.folder, 0, None, &path, |words, provenance| {
                    Ok(first_net.into_bytes(words, provenance)?)
                })?,
                Some(FirstSettings {
                    net: Some(file), ..
                }) => {
                    // As it is, with its name.
                    let bytes = std::fs::read(file).map_err(|cause| LabError::file(file, cause))?;
                    desk.folder.write_net(&path, &bytes)?
                }
                Some(first) if first.player == FirstPlayer::Classical => {
                    let text = Weights::default().write();
                    (desk.folder).write_net(&self.lane.first_weights(), text.as_bytes())?
                }
                Some(first) => self.teach_a_little(desk, first, settings, &path)?,
            };
            Ok(Beginning {
                net,
                checkpoint: desk.folder.record(&checkpoint)?,
            })
        })
    }

    /// The first steps of the net whose checkpoint was just made. They are one epoch.
    fn teach_a_little(
        &self,
        desk: &mut Desk<'_>,
        first: &FirstSettings,
        mut settings: nnue::Settings,
        path: &Path,
    ) -> Result<NetRecord, LabError> {
        let data = match &first.data {
            Some(path) => path.clone(),
            None => self.first_games(desk, first.games, first.depth)?,
        };
        let checkpoint = self.lane.checkpoint(0);
        let untrained = checkpoint.with_extension("untrained");
        std::fs::rename(&checkpoint, &untrained)
            .map_err(|cause| LabError::file(&checkpoint, cause))?;
        settings.course.data = vec![data.clone()];
        settings.course.validation = vec![data];
        settings.course.batch = first.batch;
        settings.course.epochs = 1;
        settings.course.epoch_positions = Some(first.positions);
        let lesson = Lesson {
            settings: &settings,
            follows: Some((&untrained, Memory::Kept)),
            checkpoint: &checkpoint,
            threads: desk.threads,
        };
        let folder = desk.folder;
        let mut net = None;
        desk.learn(&lesson, &mut |training| {
            net = Some(self.write_net(folder, 0, None, path, |words, provenance| {
                Ok(training.export(words, provenance)?.bytes)
            })?);
            Ok(())
        })?;
        remove(&untrained)?;
        // A training that was not stopped has ended its epoch.
        net.ok_or(LabError::Stopped)
    }

    /// Games of the hand-written evaluation.
    fn first_games(
        &self,
        desk: &mut Desk<'_>,
        games: u64,
        depth: u32,
    ) -> Result<PathBuf, LabError> {
        let settings = selfplay::Settings {
            depth: Some(depth),
            book: self.arm.selfplay.book.clone(),
            ..selfplay::Settings::default()
        };
        let shard = self.lane.shard(0);
        make_parent(&shard)?;
        let work = SelfPlay {
            settings: &settings,
            generation: 1,
            player: &Recipe::AlphaBeta(AlphaBetaRecipe::new(Model::classical(), 1)),
            seed: self.number(0, Purpose::FirstGames),
            amount: Amount::Games(games),
            shard: &shard,
            dispatcher: &Threads::new(desk.threads),
        };
        desk.play(&work)?;
        remove(&work.record_path())?;
        Ok(shard)
    }
}
