//! Plays the iterations of a tuning.

use super::record::{self, Iteration};
use super::spsa::{Constant, Gains, Spsa, Trial};
use crate::game::{Outcome, Rules};
use crate::schedule::Fixture;
use crate::workers::{Received, Work};
use chess::Game;
use data::journal::{Author, JournalError};
use engines::StopSignal;
use engines::recipe::{PlayerSpec, Recipe};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;
use work::{DispatchError, Dispatcher, Stopping};

/// Why a tuning cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The record cannot be used.
    #[error(transparent)]
    Record(#[from] JournalError),
    /// The games cannot be dispatched.
    #[error(transparent)]
    Work(#[from] DispatchError),
    /// A player of this program failed, which is a bug of the program.
    #[error("a game of iteration {0} ended with a failure: {1}")]
    Failed(usize, String),
}

/// A tuning to be played.
pub struct Tuning<'a> {
    /// The constants to be tuned.
    pub constants: Vec<Constant>,
    /// The number of iterations and the learning rate.
    pub gains: Gains,
    /// The seed of all random choices.
    pub seed: u64,
    /// Pairs of games in an iteration.
    pub pairs: usize,
    /// The player whose constants are tuned; one of this program.
    pub player: &'a PlayerSpec,
    /// The game with an opening played, by the opening's number.
    pub opening: &'a (dyn Fn(usize) -> Game + Sync),
    /// A digest that is unique to the openings.
    pub openings_digest: &'a str,
    /// The rules of adjudication.
    pub rules: &'a Rules,
    /// The build that plays: another one may play differently.
    pub author: &'a Author,
    /// Distributes the games, and decides how many are played at once.
    pub dispatcher: &'a dyn Dispatcher,
}

impl Tuning<'_> {
    /// Plays the remaining iterations, or until `stop` is set, and returns the final values of the
    /// constants. Each iteration is passed to `listen`, also those of earlier runs.
    pub fn play(
        &self,
        record: &Path,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&Iteration),
    ) -> Result<Vec<f64>, TuneError> {
        let (mut record, earlier) = record::open(record, &self.plan(), Some(self.author))?;
        let mut spsa = Spsa::new(self.constants.clone(), self.gains, self.seed);
        for iteration in &earlier {
            let trial = spsa.trial();
            spsa.learn(&trial, iteration.surplus);
            listen(iteration);
        }
        while spsa.iteration() < self.gains.iterations {
            let trial = spsa.trial();
            let surplus = match self.surplus(spsa.iteration(), &trial, stop) {
                // Games are only kept as the result of a whole iteration, so the iteration is
                // played again.
                Err(TuneError::Work(DispatchError::Withdrawn { .. })) => continue,
                surplus => surplus?,
            };
            let Some(surplus) = surplus else {
                break;
            };
            let number = spsa.iteration();
            spsa.learn(&trial, surplus);
            let iteration = Iteration {
                iteration: number,
                surplus,
                values: spsa.values().to_vec(),
            };
            record.append(&iteration)?;
            listen(&iteration);
        }
        Ok(spsa.values().to_vec())
    }

    /// Everything that iterations must have in common to belong together.
    fn plan(&self) -> Value {
        json!({
            "constants": self.constants,
            "gains": self.gains,
            "seed": self.seed,
            "pairs": self.pairs,
            "player": self.player,
            "openings": self.openings_digest,
            "endings": self.rules.endings,
        })
    }

    /// The wins minus the losses of the trial's `up` side, in pairs; `None` if it was stopped.
    fn surplus(
        &self,
        iteration: usize,
        trial: &Trial,
        stop: &StopSignal,
    ) -> Result<Option<f64>, TuneError> {
        let sides = [
            self.with_values("up", &trial.up),
            self.with_values("down", &trial.down),
        ];
        let first = iteration * self.pairs;
        let work = Work {
            contestants: &sides,
            fixture: &|index| Fixture {
                index,
                pair: index / 2,
                round: first + index / 2,
                white: index % 2,
                black: 1 - index % 2,
            },
            opening: self.opening,
            rules: self.rules,
            dispatcher: self.dispatcher,
            prepare: &|_| {},
            stopping: Stopping::GiveUp,
        };
        let mut points = 0.0;
        let mut games = 0;
        let mut failure = None;
        work.play(0..2 * self.pairs, stop, &mut |received| {
            let Some(Received { game, .. }) = received else {
                return ControlFlow::Continue(());
            };
            let sign = if game.index % 2 == 0 { 1.0 } else { -1.0 };
            points += match game.result {
                Outcome::WhiteWins => sign,
                Outcome::BlackWins => -sign,
                Outcome::Draw => 0.0,
            };
            games += 1;
            if game.reason.is_failure() {
                failure = game.detail;
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        if let Some(detail) = failure {
            return Err(TuneError::Failed(iteration, detail));
        }
        Ok((games == 2 * self.pairs).then_some(points / 2.0))
    }

    fn with_values(&self, name: &str, values: &[i32]) -> PlayerSpec {
        let mut spec = self.player.clone();
        spec.name = name.to_owned();
        if let Recipe::AlphaBeta(recipe) = &mut spec.recipe {
            for (constant, &value) in self.constants.iter().zip(values) {
                recipe.parameters.insert(constant.name.clone(), value);
            }
        }
        spec
    }
}
