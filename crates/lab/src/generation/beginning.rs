//! Generation 0.

use super::{Beginning, Lineage};
use crate::desk::Desk;
use crate::error::LabError;
use crate::folder::{make_parent, remove};
use crate::seeds::Purpose;
use crate::state::Step;
use crate::training::Lesson;
use arena::selfplay::{self, Amount, SelfPlay};
use engines::alphabeta::Evaluation;
use std::path::PathBuf;
use train::nnue::{self, Memory};

impl Lineage<'_> {
    /// Generation 0: random weights, or a few steps on given data.
    pub(crate) fn begin(&self, desk: &mut Desk<'_>) -> Result<Beginning, LabError> {
        desk.step(self.place(0, Step::Beginning), |desk| {
            let checkpoint = self.lane.checkpoint(0);
            make_parent(&checkpoint)?;
            let mut settings = self.settings(0, PathBuf::new(), PathBuf::new());
            settings.seed = self.number(0, Purpose::Weights);
            let mut net = nnue::untrained(&settings, &checkpoint)?;
            if let Some(first) = &self.arm.generation_0 {
                let data = match &first.data {
                    Some(path) => path.clone(),
                    None => self.first_games(desk, first.games, first.depth)?,
                };
                let untrained = checkpoint.with_extension("untrained");
                std::fs::rename(&checkpoint, &untrained)
                    .map_err(|cause| LabError::file(&checkpoint, cause))?;
                settings.data = vec![data.clone()];
                settings.validation = vec![data];
                settings.batch = first.batch;
                settings.epochs = 1;
                settings.epoch_positions = Some(first.positions);
                let learned = desk.learn(&Lesson {
                    settings: &settings,
                    follows: Some((&untrained, Memory::Kept)),
                    checkpoint: &checkpoint,
                    threads: desk.threads,
                })?;
                remove(&untrained)?;
                net = learned.net;
            }
            let path = self.lane.version(0, &self.arm.net);
            Ok(Beginning {
                net: self.write_net(desk, 0, net, None, &path)?,
                checkpoint: desk.folder.record(&checkpoint)?,
            })
        })
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
            evaluation: &Evaluation::Classical,
            seed: self.number(0, Purpose::FirstGames),
            amount: Amount::Games(games),
            shard: &shard,
            threads: desk.threads,
        };
        desk.play(&work)?;
        remove(&work.record_path())?;
        Ok(shard)
    }
}
