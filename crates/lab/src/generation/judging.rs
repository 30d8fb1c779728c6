//! From a candidate to the model that plays next.

use super::Lineage;
use crate::error::LabError;
use crate::folder::{ModelRecord, remove};
use crate::gate;
use crate::matches::Match;
use crate::seeds::Purpose;
use crate::settings::{AfterRejection, EvalOpponent, Opponent};
use crate::state::Step;
use crate::step_runner::StepRunner;
use crate::steps::{Met, Promotion, Trained};
use arena::selfplay::explore::Backend;
use arena::statistics::Pentanomial;
use nets::Model;

impl Lineage<'_> {
    pub(super) fn meet(
        &self,
        runner: &mut StepRunner<'_>,
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
        let met = runner.step(self.place(generation, step), |runner| {
            let mut models = [
                runner.folder.open_model(&trained.candidate)?,
                runner.folder.open_model(other)?,
            ];
            // The opponent is the player that explores.
            if let (Opponent::Previous, Some(explore)) = (opponent, &self.arm.explore) {
                models[1] = explore.backend.of(models[1].clone());
            }
            let names = models.each_ref().map(Model::name);
            let [new, old] = models.map(|model| self.arm.player(model).with_options(&gate.option));
            let conditions = gate.conditions(&self.arm.selfplay, generation);
            let game = Match {
                players: [("candidate", &new), (old_name, &old)],
                conditions: &conditions,
                games,
                sprt: gate.sprt.filter(|_| gate.against == opponent),
                seed: self.number(generation, purpose),
                used_openings: 0,
                folder: &folder,
                dispatcher: runner.dispatcher,
            };
            Ok(Met::named(runner.meet(&game)?, names))
        })?;
        if !self.experiment.keep.games {
            remove(&folder)?;
        }
        Ok(met)
    }

    /// Plays evaluation games with the promoted model.
    pub(super) fn evaluate(
        &self,
        runner: &mut StepRunner<'_>,
        generation: u32,
        promotion: &Promotion,
    ) -> Result<(), LabError> {
        let (eval, gate) = (&self.arm.eval, &self.arm.gate);
        let games = eval.games_of(generation);
        if games == 0 {
            return Ok(());
        }
        let folder = self.lane.evaluation(generation);
        runner.step(self.place(generation, Step::Eval), |runner| {
            let own = eval
                .backend
                .of(runner.folder.open_model(&promotion.version)?);
            let (other_name, other) = match eval.against {
                EvalOpponent::Itself => ("itself", own.clone()),
                EvalOpponent::Heuristic => ("heuristic", Backend::Heuristic.of(own.clone())),
            };
            let names = [own.name(), other.name()];
            let [own, other] =
                [own, other].map(|model| self.arm.player(model).with_options(&eval.option));
            let conditions = eval.conditions(gate.conditions(&self.arm.selfplay, generation));
            let game = Match {
                players: [("version", &own), (other_name, &other)],
                conditions: &conditions,
                games,
                sprt: None,
                seed: self.number(generation, Purpose::Eval),
                used_openings: 0,
                folder: &folder,
                dispatcher: runner.dispatcher,
            };
            Ok(Met::named(runner.meet(&game)?, names))
        })?;
        match self.experiment.keep.games {
            true => Ok(()),
            false => remove(&folder),
        }
    }

    pub(super) fn promote(
        &self,
        runner: &mut StepRunner<'_>,
        generation: u32,
        trained: &Trained,
        before: &Promotion,
        counts: Pentanomial,
    ) -> Result<Promotion, LabError> {
        let promotion = runner.step(self.place(generation, Step::Promotion), |runner| {
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
                version: runner.folder.same_model(model, &path)?,
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
                    remove(&runner.folder.path(&unused.path))?;
                }
            }
        }
        Ok(promotion)
    }
}
