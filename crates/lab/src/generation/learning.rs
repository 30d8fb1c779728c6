//! From games to a candidate.

use super::Lineage;
use crate::error::LabError;
use crate::folder::{FileRecord, make_parent, remove};
use crate::search::training_search;
use crate::seeds::Purpose;
use crate::state::Step;
use crate::step_runner::StepRunner;
use crate::steps::{Material, Played, Promotion, Trained};
use arena::selfplay::{Amount, MANY_REPEATED, SelfPlay, Totals};
use data::policy::Window;
use data::replay::{Balance, Buffer, Chosen, Source, WriteError};
use std::path::Path;
use train::{Learned, Lesson};

impl Lineage<'_> {
    pub(super) fn play(
        &self,
        runner: &mut StepRunner<'_>,
        generation: u32,
        before: &Promotion,
    ) -> Result<Played, LabError> {
        let shard = self.lane.shard(generation);
        let amount = self.arm.amount.amount(generation);
        let horizon = self.arm.selfplay.horizon.as_ref();
        let played = runner.step(self.place(generation, Step::Selfplay), |runner| {
            make_parent(&shard)?;
            if self.arm.learner.learns_from() == Learned::OwnGames {
                return self.nothing_played(runner, generation);
            }
            let model = runner.folder.open_model(&before.version)?;
            let work = SelfPlay {
                settings: &self.arm.selfplay,
                explore: self.arm.explore.as_ref(),
                generation,
                player: &self.arm.player(model),
                seed: self.number(generation, Purpose::SelfPlay),
                amount,
                shard: &shard,
                author: None,
                dispatcher: runner.dispatcher,
            };
            let totals = runner.play(&work)?;
            if totals.repeated_share > MANY_REPEATED {
                let share = 100.0 * totals.repeated_share;
                runner.warn(format!(
                    "{share:.0} % of the positions of generation {generation} are duplicates: \
                     vary the openings more, with selfplay.random_plies or a larger book"
                ));
            }
            self.export(&work, generation)?;
            Ok(Played {
                totals,
                shard: runner.folder.record(&shard)?,
                horizon: horizon.map(|horizon| horizon.plies(generation)),
                is_timed: matches!(amount, Amount::Seconds(_)),
                seed: work.seed,
            })
        })?;
        // Its games are in the shard, which is recorded in the state.
        remove(&shard.with_added_extension("games"))?;
        Ok(played)
    }

    /// For learners that play their own games: no games, and an empty shard.
    fn nothing_played(&self, runner: &StepRunner<'_>, generation: u32) -> Result<Played, LabError> {
        Ok(Played {
            totals: Totals::default(),
            shard: empty(runner, &self.lane.shard(generation))?,
            horizon: None,
            is_timed: false,
            seed: self.number(generation, Purpose::SelfPlay),
        })
    }

    /// Selects the training data.
    pub(super) fn remember(
        &self,
        runner: &mut StepRunner<'_>,
        generation: u32,
    ) -> Result<Material, LabError> {
        let material = runner.step(self.place(generation, Step::Buffer), |runner| {
            self.write_lesson(runner, generation)
        })?;
        self.forget_shards(runner, generation)?;
        Ok(material)
    }

    /// Writes the training data, which depends on nothing but the shards and settings.
    fn write_lesson(&self, runner: &StepRunner<'_>, generation: u32) -> Result<Material, LabError> {
        if self.arm.learner.learns_from() == Learned::OwnGames {
            let [training, validation] = self.lane.lesson(generation).map(|path| {
                make_parent(&path)?;
                empty(runner, &path)
            });
            return Ok(Material {
                chosen: Chosen::default(),
                files: [training?, validation?],
            });
        }
        let mut shards = Vec::new();
        let most = self.arm.buffer.positions.of(generation);
        let window = self.arm.buffer.generations.unwrap_or(u32::MAX) as usize;
        let mut positions = 0;
        for number in (1..=generation).rev().take(window) {
            let place = self.place(number, Step::Selfplay);
            let Some(played) = runner.state.result::<Played>(&place)? else {
                continue;
            };
            shards.push(Source {
                path: runner.folder.find(&played.shard)?,
                // The same for all generations: a game that is held out stays so while it is in the
                // buffer.
                seed: self.number(number, Purpose::Validation),
            });
            positions += played.totals.positions;
            // Older games would not fit into the buffer.
            if positions >= most {
                break;
            }
        }
        shards.reverse();
        let held_out = self.arm.learner.validation_share();
        let paths = self.lane.lesson(generation);
        for path in &paths {
            make_parent(path)?;
        }
        let chosen = match self.arm.learner.learns_from() {
            Learned::Searches => Window::read(&shards, most, held_out)?.write(&paths)?,
            Learned::Positions | Learned::OwnGames => {
                let settings = &self.arm.buffer;
                let balance = Balance {
                    decisive: settings.decisive,
                    rebalance: settings.rebalance,
                };
                let written = Buffer::read(&shards, most, held_out)?.write(&balance, &paths);
                written.map_err(|WriteError { path, cause }| LabError::file(path, cause))?
            }
        };
        let [training, validation] = paths.map(|path| runner.folder.record(&path));
        Ok(Material {
            chosen,
            files: [training?, validation?],
        })
    }

    /// Trains the candidate.
    pub(super) fn learn(
        &self,
        runner: &mut StepRunner<'_>,
        generation: u32,
        material: &Material,
        before: &Promotion,
    ) -> Result<Trained, LabError> {
        let trained = runner.step(self.place(generation, Step::Training), |runner| {
            let is_there = |file: &FileRecord| runner.folder.path(&file.path).exists();
            if !material.files.iter().all(is_there) {
                self.write_lesson(runner, generation)?;
            }
            let [data, validation] = [0, 1].map(|at| runner.folder.find(&material.files[at]));
            let checkpoint = self.lane.checkpoint(generation);
            let folder = runner.folder;
            let place = self.place(generation, Step::Selfplay);
            let played = runner.state.result::<Played>(&place)?;
            let lesson = Lesson {
                generation,
                positions: [
                    material.chosen.training_positions,
                    played.map_or(0, |played| played.totals.positions),
                ],
                data: &data?,
                validation: &validation?,
                seed: self.number(generation, Purpose::Training),
                follows: &folder.find(&before.checkpoint)?,
                checkpoint: &checkpoint,
                threads: runner.threads,
                search: training_search(),
                taste: None,
            };
            let mut last = None;
            runner.learn(self.arm.learner.as_ref(), &lesson, &mut |training| {
                last = self.end_epoch(folder, generation, &before.version.name, training)?;
                Ok(())
            })?;
            // A training that was not stopped has completed its last epoch.
            let (epoch, candidate) = last.ok_or(LabError::Stopped)?;
            Ok(Trained {
                steps: epoch.step,
                loss: epoch.loss,
                validation_loss: epoch.validation_loss,
                // JSON cannot say that a number is infinite.
                numbers: (epoch.numbers.into_iter())
                    .filter(|(_, number)| number.is_finite())
                    .collect(),
                candidate,
                checkpoint: folder.record(&checkpoint)?,
            })
        })?;
        if !self.experiment.keep.training_data {
            for path in self.lane.lesson(generation) {
                remove(&path)?;
            }
        }
        Ok(trained)
    }
}

/// Writes an empty file of games, and returns its record.
fn empty(runner: &StepRunner<'_>, path: &Path) -> Result<FileRecord, LabError> {
    data::file::write(path, &[]).map_err(|cause| LabError::file(path, cause))?;
    runner.folder.record(path)
}
