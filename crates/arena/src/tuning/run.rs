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

/// Why a tuning cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The record cannot be used.
    #[error(transparent)]
    Record(#[from] JournalError),
    /// The games cannot be played.
    #[error(transparent)]
    Work(#[from] DispatchError),
    /// A player inside this program failed, which is a fault of the program.
    #[error("a game of iteration {0} ended with a failure: {1}")]
    Failed(usize, String),
}

/// A tuning to be played.
pub struct Tuning<'a> {
    /// What is turned.
    pub constants: Vec<Constant>,
    /// How fast.
    pub gains: Gains,
    /// The seed of all chance.
    pub seed: u64,
    /// Pairs of games in an iteration.
    pub pairs: usize,
    /// Who plays, but for what is turned; inside this program.
    pub player: &'a PlayerSpec,
    /// The game of an opening, by its number.
    pub opening: &'a (dyn Fn(usize) -> Game + Sync),
    /// A text that only the same openings have.
    pub openings_digest: &'a str,
    /// How games end.
    pub rules: &'a Rules,
    /// Which build plays: another one may play differently.
    pub author: &'a Author,
    /// Who gives out the games, and how many at once.
    pub dispatcher: &'a dyn Dispatcher,
}

impl Tuning<'_> {
    /// Plays what is left of the iterations, or until `stop` is given. Each
    /// iteration, also those of earlier runs, goes to `listen`. Where the
    /// constants stand at the end.
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
                // Nothing of an iteration is kept before its end: it is played again.
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

    /// Only iterations of one plan belong together.
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

    /// Wins less losses of the trial's one side, in pairs; none if stopped.
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
