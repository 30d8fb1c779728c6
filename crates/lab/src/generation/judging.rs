//! From a candidate to the net that plays next.

use super::Lineage;
use crate::desk::Desk;
use crate::error::LabError;
use crate::folder::{ModelRecord, remove};
use crate::gate;
use crate::matches::Match;
use crate::seeds::Purpose;
use crate::settings::{AfterRejection, Opponent};
use crate::state::Step;
use crate::steps::{Met, Promotion, Trained};
use arena::statistics::Pentanomial;

impl Lineage<'_> {
    pub(super) fn meet(
        &self,
        desk: &mut Desk<'_>,
        generation: u32,
        opponent: Opponent,
        trained: &Trained,
        other: &ModelRecord,
    ) -> Result<Met, LabError> {
        let gate = &self.arm.gate;
        let (step, purpose, games) = match opponent {
            Opponent::Previous => (Step::Previous, Purpose::Previous, gate.games()),
            Opponent::Baseline => (Step::Baseline, Purpose::Baseline, gate.baseline_games()),
        };
        let old_name = match opponent {
            Opponent::Previous => "previous",
            Opponent::Baseline => "generation 0",
        };
        let folder = self
            .lane
            .match_folder(generation, &old_name.replace(' ', "-"));
        let met = desk.step(self.place(generation, step), |desk| {
            let models = [&trained.candidate, other];
            let [new, old] = [
                self.arm.player(desk.folder.open_model(models[0])?),
                self.arm.player(desk.folder.open_model(models[1])?),
            ];
            let conditions = gate.conditions(&self.arm.selfplay, generation);
            let game = Match {
                players: [("candidate", &new), (old_name, &old)],
                conditions: &conditions,
                games,
                sprt: gate.sprt.filter(|_| gate.against == opponent),
                seed: self.number(generation, purpose),
                used_openings: 0,
                folder: &folder,
                dispatcher: desk.dispatcher,
            };
            Ok(Met::new(desk.meet(&game)?, models))
        })?;
        if !self.experiment.keep.games {
            remove(&folder)?;
        }
        Ok(met)
    }

    pub(super) fn promote(
        &self,
        desk: &mut Desk<'_>,
        generation: u32,
        trained: &Trained,
        before: &Promotion,
        counts: Pentanomial,
    ) -> Result<Promotion, LabError> {
        let promotion = desk.step(self.place(generation, Step::Promotion), |desk| {
            let judged = match self.arm.gate.games() {
                0 => gate::Judged::ungated(),
                _ => gate::judge(&self.arm.gate, generation, &counts),
            };
            let model = match judged.promoted {
                true => &trained.candidate,
                false => &before.version,
            };
            let goes_on =
                judged.promoted || self.arm.gate.after_rejection == AfterRejection::Continue;
            let path = self.lane.version(generation);
            Ok(Promotion {
                version: desk.folder.same_model(model, &path)?,
                checkpoint: match goes_on {
                    true => trained.checkpoint.clone(),
                    false => before.checkpoint.clone(),
                },
                promoted: judged.promoted,
                reason: judged.reason,
            })
        })?;
        if !self.experiment.keep.checkpoints {
            for unused in [&before.checkpoint, &trained.checkpoint] {
                if *unused != promotion.checkpoint {
                    remove(&desk.folder.path(&unused.path))?;
                }
            }
        }
        Ok(promotion)
    }
}
