//! The tables `net` and `train` of a run file whose learner is `sequence`.

use super::super::settings::{
    self, BATCH, NetSettings, PLIES, POWER, SHARE, SMOOTHING, TrainingPrecision, Weighting,
};
use crate::error::wrong;
use crate::float::AdamW;
use crate::settings::{WEIGHT, schedule_within, within};
use crate::{CourseSettings, Schedule, WrongSetting};
use data::range::Range;
use nets::sequence::STRONG_RATING;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

const COUNT: Range = Range::closed(1.0, 1e9);
const LEARNING_RATE: Range = Range::closed(0.0, 1.0);
const HELD_SHARE: Range = Range::above(0.0, 0.5);
const CLIP: Range = Range::above(0.0, 1.0);
const INNER_STEPS: Range = Range::closed(1.0, 100.0);
const EVALUATIONS: Range = Range::closed(1.0, 1e6);
const GAMES: Range = Range::closed(2.0, 65_536.0);
const TEMPERATURE: Range = Range::above(0.0, 10.0);
const RATING: Range = Range::closed(0.0, 4_000.0);
const POOL: Range = Range::closed(1.0, 100.0);

/// What to learn from.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Way {
    /// The results of games against earlier models.
    #[default]
    PolicyGradient,
    /// Search results in self-play games.
    Search,
    /// Human games, as in supervised training.
    Supervised,
}

/// How good a move was, by the result of its game.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub(super) enum Method {
    /// Relative to the mean of games with the same opening, in their standard deviations.
    #[default]
    Grpo,
    /// Relative to the model's own value of the position before it.
    Ppo,
}

/// The tables of a run file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "sequence-tables")]
pub(super) struct Settings {
    /// What kind of model, if it begins with random weights.
    pub(super) net: NetSettings,
    /// How it learns.
    pub(super) train: TrainSettings,
}

/// How a model is trained in a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "sequence-learning")]
pub(super) struct TrainSettings {
    /// What to learn from.
    pub(super) way: Way,
    /// Human games: a supervised arm learns from them, and every arm is validated on them.
    pub(super) data: Vec<PathBuf>,
    /// Validation files; without them some games of `data` are held out.
    pub(super) validation: Vec<PathBuf>,
    /// The share of games held out for validation if there are no validation files.
    #[schemars(transform = HELD_SHARE.schema())]
    pub(super) validation_share: f64,
    /// Approximate number of validation positions.
    pub(super) validation_positions: usize,
    /// Steps per epoch.
    #[schemars(transform = COUNT.schema())]
    pub(super) steps: u64,
    /// Epochs per generation; the model is validated after each.
    #[schemars(transform = COUNT.schema())]
    pub(super) epochs: u64,
    /// Number of steps between checkpoints.
    #[schemars(transform = COUNT.schema())]
    pub(super) checkpoint_steps: u64,
    /// Events per step, when learning from human games.
    #[schemars(transform = BATCH.schema())]
    pub(super) batch: usize,
    /// The learning rate.
    #[schemars(transform = LEARNING_RATE.schema())]
    pub(super) learning_rate: Schedule,
    /// The optimiser.
    pub(super) optimiser: AdamW,
    /// The number format of matrix products.
    pub(super) precision: TrainingPrecision,
    /// Weight of the result loss relative to the move loss.
    #[schemars(transform = WEIGHT.schema())]
    pub(super) value_weight: f32,
    /// Weight of the loss of the remaining plies.
    #[schemars(transform = WEIGHT.schema())]
    pub(super) moves_left_weight: f32,
    /// Label smoothing, when learning from human games: the share of the policy target that is
    /// spread evenly over legal moves.
    #[schemars(transform = SMOOTHING.schema())]
    pub(super) smoothing: f32,
    /// The weight of the result is the share of the game that is over, raised to this power.
    #[schemars(transform = POWER.schema())]
    pub(super) progress: f32,
    /// The weight of moves by the rating of the player who made them, when learning from human
    /// games.
    pub(super) policy_ratings: Weighting,
    /// The weight of results, by the same ratings.
    pub(super) value_ratings: Weighting,
    /// Rating dropout: the share of human games whose ratings are hidden from the model.
    #[schemars(transform = SHARE.schema())]
    pub(super) rating_dropout: f64,
    /// How games are played.
    pub(super) play: PlaySettings,
    /// How the advantage of a move is estimated.
    pub(super) method: Method,
    /// Clipping range of the probability ratio.
    #[schemars(transform = CLIP.schema())]
    pub(super) clip: f32,
    /// Weight updates per batch of games.
    #[schemars(transform = INNER_STEPS.schema())]
    pub(super) inner_steps: u32,
    /// Weight of the KL divergence from the initial model of the run.
    #[schemars(transform = WEIGHT.schema())]
    pub(super) kl: f32,
    /// Reward shaping: the weight of an improved hand-written evaluation two plies later,
    /// relative to the result; 0 for none.
    #[schemars(transform = WEIGHT.schema())]
    pub(super) shaping: f32,
    /// Evaluations per search that provides training targets.
    #[schemars(transform = EVALUATIONS.schema())]
    pub(super) evaluations: u64,
}

/// How training games are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "play")]
pub(super) struct PlaySettings {
    /// Games per step.
    #[schemars(transform = GAMES.schema())]
    pub(super) games: usize,
    /// Number of games with the same opening and the same colour.
    #[schemars(transform = Range::at_least(2.0).schema())]
    pub(super) group: usize,
    /// Number of opening plies, which are not learned from.
    pub(super) opening_plies: usize,
    /// Games with more plies are drawn.
    #[schemars(transform = PLIES.schema())]
    pub(super) most_plies: usize,
    /// The sampling temperature in play and in training.
    #[schemars(transform = TEMPERATURE.schema())]
    pub(super) temperature: f32,
    /// The rating that is given to the models as input.
    #[schemars(transform = RATING.schema())]
    pub(super) told_rating: u16,
    /// Every N steps a copy of the model is added to the pool of opponents.
    #[schemars(transform = COUNT.schema())]
    pub(super) pool_steps: u64,
    /// Maximum number of opponents; the first model is always one of them.
    #[schemars(transform = POOL.schema())]
    pub(super) pool: usize,
}

impl Default for PlaySettings {
    fn default() -> PlaySettings {
        PlaySettings {
            games: 128,
            group: 8,
            opening_plies: 6,
            most_plies: 200,
            temperature: 1.0,
            told_rating: STRONG_RATING,
            pool_steps: 25,
            pool: 8,
        }
    }
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        let people = settings::Settings::default();
        TrainSettings {
            way: Way::default(),
            data: Vec::new(),
            validation: Vec::new(),
            validation_share: 0.02,
            validation_positions: 20_000,
            steps: 50,
            epochs: 4,
            checkpoint_steps: 5,
            batch: 2_048,
            learning_rate: Schedule::Constant(3e-5),
            optimiser: AdamW {
                stable: true,
                beta2: 0.99,
                gradient_norm: 0.0,
                ..AdamW::default()
            },
            precision: TrainingPrecision::default(),
            value_weight: people.value_weight,
            moves_left_weight: people.moves_left_weight,
            smoothing: people.smoothing,
            progress: people.progress,
            policy_ratings: people.policy_ratings,
            value_ratings: people.value_ratings,
            rating_dropout: people.rating_dropout,
            play: PlaySettings::default(),
            method: Method::default(),
            clip: 0.2,
            inner_steps: 1,
            kl: 0.05,
            shaping: 0.0,
            evaluations: 32,
        }
    }
}

impl Settings {
    /// The equivalent settings of a training on human games, which reading and encoding games need.
    pub(super) fn of_people(&self, seed: u64) -> settings::Settings {
        let TrainSettings {
            data,
            validation,
            validation_share,
            validation_positions,
            batch,
            ..
        } = self.train.clone();
        settings::Settings {
            net: self.net.clone(),
            course: CourseSettings {
                data,
                validation,
                validation_share,
                validation_positions,
                batch,
                seed,
                epochs: 1,
                ..settings::Settings::default().course
            },
            value_weight: self.train.value_weight,
            moves_left_weight: self.train.moves_left_weight,
            smoothing: self.train.smoothing,
            progress: self.train.progress,
            policy_ratings: self.train.policy_ratings,
            value_ratings: self.train.value_ratings,
            rating_dropout: self.train.rating_dropout,
            precision: self.train.precision,
            optimiser: self.train.optimiser,
            most_plies: self.train.play.most_plies.max(256),
            ..settings::Settings::default()
        }
    }

    /// Checks what deserialisation cannot.
    ///
    /// # Errors
    /// The first key with an invalid value.
    pub(super) fn check(&self) -> Result<(), WrongSetting> {
        self.net.shape()?;
        self.train.check().map_err(|error| WrongSetting {
            key: format!("train.{}", error.key).into(),
            problem: error.problem,
        })
    }
}

impl TrainSettings {
    fn check(&self) -> Result<(), WrongSetting> {
        if self.data.is_empty() {
            let problem = "give files made by `tabia pgn sequences`: every arm is validated on \
                them";
            return Err(wrong("data", problem));
        }
        let play = &self.play;
        for (key, value, range) in [
            ("steps", self.steps as f64, COUNT),
            ("epochs", self.epochs as f64, COUNT),
            ("checkpoint_steps", self.checkpoint_steps as f64, COUNT),
            ("batch", self.batch as f64, BATCH),
            ("validation_share", self.validation_share, HELD_SHARE),
            ("value_weight", self.value_weight.into(), WEIGHT),
            ("moves_left_weight", self.moves_left_weight.into(), WEIGHT),
            ("smoothing", self.smoothing.into(), SMOOTHING),
            ("progress", self.progress.into(), POWER),
            ("rating_dropout", self.rating_dropout, SHARE),
            ("clip", self.clip.into(), CLIP),
            ("inner_steps", self.inner_steps.into(), INNER_STEPS),
            ("kl", self.kl.into(), WEIGHT),
            ("shaping", self.shaping.into(), WEIGHT),
            ("evaluations", self.evaluations as f64, EVALUATIONS),
            ("play.games", play.games as f64, GAMES),
            ("play.most_plies", play.most_plies as f64, PLIES),
            ("play.temperature", play.temperature.into(), TEMPERATURE),
            ("play.told_rating", play.told_rating.into(), RATING),
            ("play.pool_steps", play.pool_steps as f64, COUNT),
            ("play.pool", play.pool as f64, POOL),
        ] {
            within(key, value, range)?;
        }
        self.policy_ratings.check("policy_ratings")?;
        self.value_ratings.check("value_ratings")?;
        if play.group < 2 || !play.games.is_multiple_of(play.group) {
            let problem = "must be at least 2 and divide play.games";
            return Err(wrong("play.group", problem));
        }
        if play.opening_plies >= play.most_plies {
            return Err(wrong("play.opening_plies", "must be below play.most_plies"));
        }
        let (rate, epochs) = (&self.learning_rate, self.epochs);
        schedule_within("learning_rate", rate, epochs, LEARNING_RATE)?;
        self.optimiser.check()
    }
}
