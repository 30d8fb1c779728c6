//! The tables of a run file.

use crate::ranges;
use crate::verdict::VerdictSettings;
use arena::game::{AtHorizon, DrawRule, Endings, ResignRule};
use arena::selfplay::explore::Backend;
use arena::selfplay::{self, Amount, Book, ByGeneration};
use arena::statistics::{Estimate, Pentanomial, Sprt, Strength};
use data::range::Range;
use data::replay::Rebalance;
use engines::recipe::Pace;
use engines::words::Text;
use nets::Model;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Games of a gate of which nothing is said.
const USUAL_GAMES: u64 = 200;

/// How many games a generation plays: one of these, or the default.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "amount")]
pub struct AmountSettings {
    /// Exact number of positions that a generation plays; default: 50,000 if neither games nor
    /// minutes are given. A list gives one number per generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub positions: Option<ByGeneration>,
    /// Alternatively, the number of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub games: Option<u64>,
    /// Alternatively, the time in minutes: the same file then gives different games on another
    /// machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::MINUTES.schema())]
    pub minutes: Option<f64>,
}

impl AmountSettings {
    /// What is said for a generation, or the default.
    pub fn amount(&self, generation: u32) -> Amount {
        match (self.games, self.minutes, &self.positions) {
            (Some(games), ..) => Amount::Games(games),
            (_, Some(minutes), _) => Amount::Seconds(60.0 * minutes),
            (.., Some(positions)) => Amount::Positions(positions.of(generation)),
            (.., None) => Amount::Positions(50_000),
        }
    }
}

/// The replay buffer: how many positions of earlier generations are kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "buffer")]
pub struct BufferSettings {
    /// Maximum number of positions; the oldest games are dropped first, as a whole. A list gives
    /// one number per generation.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub positions: ByGeneration,
    /// Maximum number of generations; default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::EVERY.schema())]
    pub generations: Option<u32>,
    /// The share of training positions that come from decisive games; default: their natural
    /// share.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::DECISIVE.schema())]
    pub decisive: Option<f64>,
    /// How the share of decisive games is reached.
    pub rebalance: Rebalance,
}

impl Default for BufferSettings {
    fn default() -> BufferSettings {
        BufferSettings {
            positions: ByGeneration::Same(8_000_000),
            generations: None,
            decisive: None,
            rebalance: Rebalance::default(),
        }
    }
}

/// Generation 0, unless it is a model with random weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "generation-0")]
pub struct FirstSettings {
    /// `classical` or `heuristic`: the hand-written evaluation, or the hand-written policy and
    /// value, plays the games until a model is promoted, and models start with random weights. Or
    /// the file of a model to continue training from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<PathBuf>,
    /// The file of `model` only plays the first games: training starts from random weights, whose
    /// shape may differ from the file's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub random_weights: bool,
    /// The binpack file to learn from; default: games of the hand-written evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
    /// Number of games of the hand-written evaluation, if there is no `data`.
    #[schemars(transform = ranges::COUNT.schema())]
    pub games: u64,
    /// Search depth in those games.
    #[schemars(transform = ranges::DEPTH.schema())]
    pub depth: u32,
    /// Number of training positions.
    #[schemars(transform = ranges::COUNT.schema())]
    pub positions: u64,
    /// Positions per step (batch size).
    #[schemars(transform = ranges::BATCH.schema())]
    pub batch: usize,
    /// The weight of the score in the value target; the rest is the result of the game. Default:
    /// as in the table `train`; use 0 for human games, which have no scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::SHARE.schema())]
    pub lambda: Option<f64>,
}

impl FirstSettings {
    /// What plays first, if it is written by hand.
    pub(crate) fn by_hand(&self) -> Option<Model> {
        match self.model.as_deref()?.to_str()? {
            Model::CLASSICAL => Some(Model::classical()),
            Model::HEURISTIC => Some(Model::Heuristic),
            _ => None,
        }
    }

    /// The file of the model that plays first.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.model.as_deref().filter(|_| self.by_hand().is_none())
    }

    /// Whether the first model is made by a short training, on given games or a teacher's.
    pub(crate) fn is_taught(&self) -> bool {
        self.model.is_none()
    }

    /// The file of the model with which training continues.
    pub(crate) fn start(&self) -> Option<&Path> {
        self.file().filter(|_| !self.random_weights)
    }
}

impl Default for FirstSettings {
    fn default() -> FirstSettings {
        FirstSettings {
            model: None,
            random_weights: false,
            data: None,
            games: 10,
            depth: 6,
            positions: 100,
            batch: 16,
            lambda: None,
        }
    }
}

/// Whom a candidate has to face.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// The current best net.
    #[default]
    Previous,
    /// The first net.
    #[serde(rename = "generation-0")]
    Baseline,
}

/// From where training goes on after a candidate was rejected.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum AfterRejection {
    /// From the net that keeps playing; the rejected one is discarded. The published study did
    /// this.
    #[default]
    Restore,
    /// From the rejected one.
    Continue,
}

/// What becomes of a candidate whose test has not decided when its games are over.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum AtCap {
    /// The candidate is rejected: a test with few games then accepts hardly anything.
    #[default]
    Reject,
    /// The likelier hypothesis decides, which makes sense with few games.
    Likelier,
}

impl AtCap {
    fn is_usual(&self) -> bool {
        *self == AtCap::default()
    }
}

/// How the interval of a match is computed.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Interval {
    /// From the variance of the scores of game pairs.
    #[default]
    Pentanomial,
    /// As if every game were a win or a loss. The published program did this.
    Binomial,
}

impl Interval {
    fn is_usual(&self) -> bool {
        *self == Interval::default()
    }

    /// The Elo of these pairs of games.
    pub(crate) fn estimate(self, counts: &Pentanomial) -> Estimate {
        match self {
            Interval::Pentanomial => Strength::of(counts).elo,
            Interval::Binomial => Estimate::of_binomial(&counts.games()),
        }
    }
}

fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let read = BTreeMap::<String, Text>::deserialize(deserializer)?;
    Ok(read
        .into_iter()
        .map(|(name, text)| (name, text.0))
        .collect())
}

/// Evaluation games: the net that keeps playing meets a fixed opponent, to measure its strength.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "eval")]
pub struct EvalSettings {
    /// Number of games each time; 0 for none.
    #[schemars(transform = ranges::GAMES.schema(), extend("multipleOf" = 2))]
    pub games: u64,
    /// They are played every N generations.
    #[schemars(transform = ranges::EVERY.schema())]
    pub every: u32,
    /// The opponent.
    pub against: EvalOpponent,
    /// The policy and value with which the net itself plays.
    pub backend: Backend,
    /// Nodes per move; default: as in gate matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::COUNT.schema())]
    pub nodes: Option<u64>,
    /// UCI options of both players in these games, which override those of the player.
    #[serde(deserialize_with = "texts", skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, Text>")]
    pub option: BTreeMap<String, String>,
}

/// Whom a net meets for the record.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum EvalOpponent {
    /// The hand-written policy and value, with the same search.
    #[default]
    Heuristic,
    /// Itself.
    Itself,
}

impl Default for EvalSettings {
    fn default() -> EvalSettings {
        EvalSettings {
            games: 0,
            every: 1,
            against: EvalOpponent::default(),
            backend: Backend::default(),
            nodes: None,
            option: BTreeMap::new(),
        }
    }
}

impl EvalSettings {
    /// How many games a generation plays for the record.
    pub(crate) fn games_of(&self, generation: u32) -> u64 {
        match generation.is_multiple_of(self.every.max(1)) {
            true => self.games,
            false => 0,
        }
    }

    /// The conditions of these games, where those of gate matches are these.
    pub(crate) fn conditions(&self, gate: Conditions) -> Conditions {
        let pace = match self.nodes {
            Some(nodes) => Pace::nodes(nodes),
            None => gate.pace,
        };
        Conditions { pace, ..gate }
    }
}

/// The promotion gate: which nets are promoted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "gate")]
pub struct GateSettings {
    /// The opponent of the deciding match.
    pub against: Opponent,
    /// Games against the previous net; default: 200, but 0 for learners that learn from their own
    /// searches. With 0 there is no gate, and every net is promoted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::GAMES.schema(), extend("multipleOf" = 2))]
    pub games: Option<u64>,
    /// Games against generation 0; default: as many as `games`; 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::GAMES.schema(), extend("multipleOf" = 2))]
    pub baseline_games: Option<u64>,
    /// The Elo that a candidate must exceed, per generation; the last number applies to all later
    /// ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1), transform = ranges::ELO.schema_of_items())]
    pub elo_above: Option<Vec<f64>>,
    /// Alternatively, a sequential test that must accept the candidate within these games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The decision if the test is still open after all games.
    #[serde(skip_serializing_if = "AtCap::is_usual")]
    #[schemars(extend("default" = AtCap::default()))]
    pub at_cap: AtCap,
    /// How the confidence interval of the match is computed.
    #[serde(skip_serializing_if = "Interval::is_usual")]
    #[schemars(extend("default" = Interval::default()))]
    pub interval: Interval,
    /// UCI options of both players in these matches, which override those of the player.
    #[serde(deserialize_with = "texts", skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, Text>")]
    pub option: BTreeMap<String, String>,
    /// The net from which training continues after a rejection.
    pub after_rejection: AfterRejection,
    /// Search depth per move; without any limit, as in self-play.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::DEPTH.schema())]
    pub depth: Option<u32>,
    /// Nodes per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::COUNT.schema())]
    pub nodes: Option<u64>,
    /// Soft node limit: no new iteration starts after this many nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = ranges::COUNT.schema())]
    pub soft_nodes: Option<u64>,
    /// The opening book; the seed determines the order.
    pub book: Book,
    /// Number of random plies after the opening, the same for both games of a pair.
    #[schemars(transform = ranges::RANDOM_PLIES.schema())]
    pub random_plies: u32,
    /// Plies after which a game is a draw; 0 to play games out.
    pub horizon: u32,
    /// Draw adjudication by score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Resign adjudication by score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
}

impl Default for GateSettings {
    fn default() -> GateSettings {
        GateSettings {
            against: Opponent::default(),
            games: None,
            baseline_games: None,
            elo_above: None,
            sprt: None,
            at_cap: AtCap::default(),
            interval: Interval::default(),
            option: BTreeMap::new(),
            after_rejection: AfterRejection::default(),
            depth: None,
            nodes: None,
            soft_nodes: None,
            book: Book::default(),
            random_plies: 0,
            horizon: 250,
            draw: None,
            resign: None,
        }
    }
}

impl GateSettings {
    /// The conditions of a generation's matches in an arm that plays with itself
    /// like this.
    pub fn conditions(&self, selfplay: &selfplay::Settings, generation: u32) -> Conditions {
        let is_limited = self.depth.is_some() || self.nodes.is_some() || self.soft_nodes.is_some();
        let pace = match is_limited {
            true => Pace {
                depth: self.depth,
                nodes: self.nodes,
                soft_nodes: self.soft_nodes,
                ..Pace::nodes(1)
            },
            false => selfplay.pace(generation),
        };
        Conditions {
            pace,
            book: self.book.clone(),
            random_plies: self.random_plies,
            endings: Endings {
                draw: self.draw,
                resign: self.resign,
                horizon: (self.horizon > 0).then_some(self.horizon),
                at_horizon: AtHorizon::Draw,
                ..Endings::default()
            },
        }
    }

    /// Games against the previous net.
    pub fn games(&self) -> u64 {
        self.games.unwrap_or(USUAL_GAMES)
    }

    /// Games against generation 0.
    pub fn baseline_games(&self) -> u64 {
        self.baseline_games.unwrap_or(self.games())
    }
}

/// Under which conditions nets meet.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Conditions {
    /// How long each move takes.
    pub pace: Pace,
    /// Where games begin.
    pub book: Book,
    /// Random plies after that.
    pub random_plies: u32,
    /// Adjudication of games.
    pub endings: Endings,
}

impl Conditions {
    /// The conditions of the final matches, where those of gate matches are these.
    pub(super) fn of_finals(mut self, verdict: &VerdictSettings) -> Conditions {
        if verdict.depth.is_some() || verdict.nodes.is_some() {
            self.pace = Pace {
                depth: verdict.depth,
                nodes: verdict.nodes,
                ..Pace::nodes(1)
            };
        }
        if let Some(plies) = verdict.random_plies {
            self.random_plies = plies;
        }
        if let Some(plies) = verdict.horizon {
            self.endings.horizon = (plies > 0).then_some(plies);
        }
        self
    }
}

/// Which files are kept when they are no longer needed. Nets and shards always are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "keep")]
pub struct Keep {
    /// The checkpoint of every generation.
    pub checkpoints: bool,
    /// The net of every epoch of a training, with its loss, as candidates for `tabia select`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub epochs: bool,
    /// The training data of each generation.
    pub training_data: bool,
    /// The games of all matches, and self-play games of exploration as PGN and as JSON lines.
    pub games: bool,
    /// The shards of exploration also as arrays for NumPy.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub npz: bool,
    /// Shards of exploration that have left the replay buffer.
    pub shards: bool,
}

impl Default for Keep {
    fn default() -> Keep {
        Keep {
            checkpoints: true,
            epochs: false,
            training_data: false,
            games: true,
            npz: false,
            shards: true,
        }
    }
}
