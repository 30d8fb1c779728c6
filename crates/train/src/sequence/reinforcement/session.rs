//! The training of one generation.

use super::super::batch::Batch;
use super::super::checkpoint::{arithmetic, put_back};
use super::super::heads::Goal;
use super::super::net::{Net, Trainer};
use super::super::settings as of_people;
use super::super::source::Source;
use super::checkpoint::{self, Header};
use super::lesson::Lesson;
use super::rollout::{Rolled, Rollout};
use super::settings::{Settings, Way};
use super::tally::Tally;
use crate::error::wrong;
use crate::feed::Mark;
use crate::float::{Change, mean_factor};
use crate::prediction::{Judgement, Judging};
use crate::search::Search;
use crate::settings::text;
use crate::{Counters, Judged, Measured, ModelFile, TrainError, Training};
use data::loader::Point;
use data::random;
use data::sequences::SequenceGame;
use nets::Provenance;
use nets::kernels::Precision;
use nets::sequence::{SequenceNet, SequenceWeights};
use std::path::Path;
use std::sync::Arc;

/// Makes the choice of an opponent independent of the games of a step.
const OPPONENT_SEED: u64 = 0x7AB1_A00B;

/// A training in progress.
pub(super) struct Session {
    settings: Settings,
    people: of_people::Settings,
    seed: u64,
    source: Source,
    net: Net,
    /// The pool of earlier models, rounded as in files; the first is the initial one of the run.
    pool: Vec<SequenceWeights>,
    /// The first of them, the reference of the KL divergence and of the losses.
    reference: Net,
    counters: Counters,
    tally: Tally,
    search: Arc<dyn Search>,
    batch: Batch,
    trainer: Trainer,
    /// The loss of the initial model of the run on human moves.
    reference_loss: Option<f64>,
}

impl Session {
    /// A training that continues from a checkpoint, with a fresh optimiser.
    pub(super) fn follow(
        settings: Settings,
        seed: u64,
        search: Arc<dyn Search>,
        path: &Path,
    ) -> Result<Session, TrainError> {
        let (header, numbers, pool) = checkpoint::read(path)?;
        let mut before = empty_net(&settings, &header, path)?;
        put_back(path, &mut before, &numbers)?;
        let mut session = Session::with(settings, seed, search, before.weights(), pool)?;
        session.tally = header.tally.next();
        Ok(session)
    }

    /// A training resumed from its own checkpoint.
    pub(super) fn resume(
        settings: Settings,
        seed: u64,
        search: Arc<dyn Search>,
        path: &Path,
    ) -> Result<Session, TrainError> {
        let (header, numbers, pool) = checkpoint::read(path)?;
        header.mark.check_settings(&said(&settings, seed)?, path)?;
        if header.arithmetic != arithmetic() {
            return Err(TrainError::OtherArithmetic(header.arithmetic));
        }
        let weights = empty(&header, path)?;
        let mut session = Session::with(settings, seed, search, weights, pool)?;
        put_back(path, &mut session.net, &numbers)?;
        header.mark.restore(&mut session.counters);
        session.tally = header.tally;
        Ok(session)
    }

    fn with(
        settings: Settings,
        seed: u64,
        search: Arc<dyn Search>,
        weights: SequenceWeights,
        pool: Vec<SequenceWeights>,
    ) -> Result<Session, TrainError> {
        let people = settings.of_people(seed);
        let train = &settings.train;
        let net = |weights: SequenceWeights| {
            let mut net = Net::new(weights, train.precision.into(), false);
            net.prepare();
            net
        };
        let first = pool.first().unwrap_or(&weights).clone();
        Ok(Session {
            source: Source::open(&people)?,
            net: net(weights),
            reference: net(first),
            pool,
            counters: Counters::new(
                train.steps,
                train.epochs,
                train.batch,
                train.checkpoint_steps,
            ),
            tally: Tally::default(),
            search,
            batch: Batch::default(),
            trainer: Trainer::default(),
            reference_loss: None,
            people,
            seed,
            settings,
        })
    }

    /// Trains on human games.
    fn imitate(&mut self, learning_rate: f64) -> Result<(f64, usize), TrainError> {
        self.source.counters.steps = self.counters.steps;
        self.source
            .next(self.net.encoder(), &self.people, &mut self.batch)?;
        let goal = self.goal();
        let losses = self
            .net
            .measure(&mut self.trainer, &self.batch, &goal, false);
        self.change(learning_rate, 0);
        let loss = losses.moves * f64::from(goal.of_moves) + losses.beside_moves(&goal);
        Ok((loss, self.batch.predictions()))
    }

    /// Plays games and trains on them.
    fn play(&mut self, learning_rate: f64) -> Result<(f64, usize), TrainError> {
        let rolled = self.rollouts();
        self.batch.clear();
        for game in &rolled {
            if !self
                .batch
                .add(&game.game, true, self.net.encoder(), &self.people)
            {
                return Err(wrong("play", "a game has a move that is not legal").into());
            }
        }
        let reference = self.reference.logits(&mut self.trainer, &self.batch);
        // Last, so that the trainer keeps the states of the present weights.
        let own = self.net.logits(&mut self.trainer, &self.batch);
        let values = self.net.values(&self.trainer);
        let train = &self.settings.train;
        let lesson = Lesson::new(&rolled, &self.batch, [&own, &reference], &values, train);
        self.tally
            .add(&rolled, &lesson.statistics(&self.batch, &own));
        let goal = self.goal();
        let mut loss = 0.0;
        for inner in 0..self.settings.train.inner_steps {
            let losses = self
                .net
                .measure_by(&mut self.trainer, &self.batch, &goal, false, &lesson);
            loss = losses.moves + losses.beside_moves(&goal);
            self.change(learning_rate, inner);
        }
        Ok((loss, self.batch.predictions()))
    }

    /// The games of the next step.
    fn rollouts(&mut self) -> Vec<Rolled> {
        let train = &self.settings.train;
        let number = self.counters.steps;
        let ready = |weights: &SequenceWeights| {
            Arc::new(SequenceNet::new(
                &weights.clone().rounded(),
                Precision::Bf16,
            ))
        };
        let model = ready(&self.net.weights());
        let mut generator = random::generator(self.seed ^ OPPONENT_SEED, number);
        let chosen = random::below(&mut generator, self.pool.len().max(1) as u64);
        let opponent = match train.way {
            Way::PolicyGradient => self.pool.get(chosen as usize).map(ready),
            Way::Search | Way::Supervised => None,
        };
        let rollout = Rollout {
            how: &train.play,
            model: &model,
            opponent: opponent.as_ref(),
            search: (train.way == Way::Search).then_some((&*self.search, train.evaluations)),
            seed: random::hashed(self.seed) ^ number,
        };
        rollout.play()
    }

    fn goal(&self) -> Goal {
        let train = &self.settings.train;
        let [of_moves, of_outcomes] = self.batch.totals().map(mean_factor);
        Goal {
            smoothing: train.smoothing,
            of_moves: of_moves as f32,
            of_outcomes: (f64::from(train.value_weight) * of_outcomes) as f32,
            of_plies: train.moves_left_weight / self.batch.predictions().max(1) as f32,
            // Self-play games have neither thinking times nor resignations.
            ..Goal::default()
        }
    }

    fn change(&mut self, learning_rate: f64, inner: u32) {
        let train = &self.settings.train;
        let all = u64::from(train.inner_steps);
        let change = Change {
            optimiser: train.optimiser,
            number: self.counters.steps * all + u64::from(inner) + 1,
            learning_rate: learning_rate as f32,
            ema_share: 0.0,
        };
        self.net.change(&change, false);
    }

    /// Adds the model to the pool when it is due; the oldest one but the first is removed.
    fn remember(&mut self) {
        let play = &self.settings.train.play;
        let is_due = self.counters.steps.is_multiple_of(play.pool_steps);
        if self.settings.train.way == Way::PolicyGradient && is_due {
            self.pool.push(self.net.weights().rounded());
            if self.pool.len() > play.pool {
                self.pool.remove(1.min(self.pool.len() - 1));
            }
        }
    }

    fn judge(&self, weights: &SequenceWeights, games: &[SequenceGame]) -> Judgement {
        let net = SequenceNet::new(&weights.clone().rounded(), Precision::Bf16);
        let judging = Judging {
            games,
            most_plies: self.people.most_plies,
            parts: 1,
            part: |_: &SequenceGame, _| vec![0],
            raw: false,
            told_rating: None,
        };
        judging.judge_sequence(&net)[0]
    }
}

/// The settings with which a checkpoint must have been made.
fn said(settings: &Settings, seed: u64) -> Result<String, TrainError> {
    Ok(text(
        &serde_json::json!({ "settings": settings, "seed": seed }),
    )?)
}

/// Zero weights of the shape of a checkpoint.
fn empty(header: &Header, path: &Path) -> Result<SequenceWeights, TrainError> {
    SequenceWeights::zeros(header.shape.clone())
        .map_err(|error| wrong("net", format!("{}: {error}", path.display())).into())
}

fn empty_net(settings: &Settings, header: &Header, path: &Path) -> Result<Net, TrainError> {
    let precision = settings.train.precision.into();
    Ok(Net::new(empty(header, path)?, precision, false))
}

/// Writes the checkpoint from which the first generation continues.
pub(super) fn write_first(
    settings: &Settings,
    weights: &SequenceWeights,
    path: &Path,
) -> Result<(), TrainError> {
    let precision = settings.train.precision.into();
    let mut net = Net::new(weights.clone(), precision, false);
    let header = Header {
        mark: Mark::nowhere(),
        arithmetic: arithmetic().to_owned(),
        shape: weights.shape().clone(),
        tally: Tally::default(),
        pool: Vec::new(),
    };
    let pool = [weights.clone().rounded()];
    Ok(checkpoint::write(path, &mut net, &pool, header)?)
}

impl Training for Session {
    fn counters(&self) -> &Counters {
        &self.counters
    }

    fn step(&mut self) -> Result<Measured, TrainError> {
        if self.counters.ends_epoch() {
            self.tally = self.tally.next();
        }
        let passed = self.counters.steps as f64 / self.counters.epoch_steps as f64;
        let epochs = self.counters.epochs as f64;
        let learning_rate = self.settings.train.learning_rate.value(passed, epochs);
        let (loss, positions) = match self.settings.train.way {
            Way::Supervised => self.imitate(learning_rate)?,
            Way::PolicyGradient | Way::Search => self.play(learning_rate)?,
        };
        if !loss.is_finite() {
            return Err(TrainError::NotANumber(self.steps() + 1));
        }
        self.counters.count(loss);
        self.remember();
        Ok(Measured {
            step: self.counters.steps,
            loss,
            positions,
            learning_rate,
        })
    }

    fn validate(&mut self) -> Judged {
        let weights = self.net.weights();
        let judged = self.judge(&weights, &self.source.validation);
        let before = match self.reference_loss {
            Some(before) => before,
            None => {
                let first = self.reference.weights();
                let judged = self.judge(&first, &self.source.validation);
                judged.per_move(judged.legal.cross_entropy)
            }
        };
        self.reference_loss = Some(before);
        let policy_loss = judged.per_move(judged.legal.cross_entropy);
        let value_loss = judged.mean_value_loss();
        let mut numbers = vec![
            ("policy_loss", policy_loss),
            ("policy_loss_of_start", before),
            ("value_loss", value_loss),
            ("top_1", judged.per_move(judged.legal.top[0])),
            ("hr_10", judged.per_move(judged.legal.top[3])),
        ];
        numbers.extend(self.tally.numbers());
        Judged {
            loss: policy_loss + f64::from(self.settings.train.value_weight) * value_loss,
            positions: judged.moves as usize,
            numbers,
        }
    }

    fn export(
        &mut self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError> {
        let mut weights = self.net.weights();
        description.clone_into(&mut weights.description);
        weights.provenance = provenance;
        let bytes = weights.to_bytes();
        Ok(ModelFile {
            bytes: bytes.map_err(|_| TrainError::NotANumber(self.steps()))?,
            ending: "tabianet",
        })
    }

    fn save(&mut self, path: &Path) -> Result<(), TrainError> {
        let is_finite = |tensor: &Vec<f32>| tensor.iter().all(|weight| weight.is_finite());
        if !self.net.weights().tensors().iter().all(is_finite) {
            return Err(TrainError::NotANumber(self.steps()));
        }
        let point = Point {
            epoch: 0,
            batch: self.counters.steps,
            window: 0,
            offset: 0,
            fingerprint: self.source.fingerprint(),
        };
        let header = Header {
            mark: Mark::new(said(&self.settings, self.seed)?, &self.counters, point),
            arithmetic: arithmetic().to_owned(),
            shape: self.net.shape().clone(),
            tally: self.tally.clone(),
            pool: Vec::new(),
        };
        Ok(checkpoint::write(path, &mut self.net, &self.pool, header)?)
    }

    fn provenance(&self) -> Provenance {
        Provenance {
            run: None,
            seed: Some(self.seed),
            data: Some(format!("{:016x}", self.source.fingerprint())),
            parent: None,
        }
    }

    fn arithmetic(&self) -> &'static str {
        arithmetic()
    }
}
