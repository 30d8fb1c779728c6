//! The tables of a run file.

use crate::verdict::VerdictSettings;
use arena::game::{AtHorizon, DrawRule, Endings, ResignRule};
use arena::selfplay::{self, Amount, Book, ByGeneration};
use arena::statistics::Sprt;
use data::replay::Rebalance;
use engines::recipe::Pace;
use nets::Model;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Games of a gate of which nothing is said.
const USUAL_GAMES: u64 = 200;

/// How many games a generation plays: one of these, or the default.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AmountSettings {
    /// Until there are exactly so many positions; 50,000 if nothing is said. A list
    /// says it generation by generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<ByGeneration>,
    /// So many games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// For so many minutes: other games on another machine.
    #[serde(skip_serializing_if = "Option::is_none")]
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

/// What is remembered of earlier generations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BufferSettings {
    /// The most positions; the oldest games leave first, as a whole. A list says it
    /// generation by generation.
    pub positions: ByGeneration,
    /// The most generations; all if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generations: Option<u32>,
    /// The share of positions of decisive games in what is learned from; as they
    /// come if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisive: Option<f64>,
    /// How that share comes about.
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

/// Generation 0, if it is not a model with random weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FirstSettings {
    /// `classical`: the hand-written evaluation plays the games until a model is
    /// better, and models begin with random weights. Or the file of a model with
    /// which training continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<PathBuf>,
    /// The file of `model` only plays the first games: training begins with random
    /// weights, of a shape that may differ from the file's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub random_weights: bool,
    /// The binpack file that it learns from; games of the hand-written evaluation if
    /// nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
    /// How many such games.
    pub games: u64,
    /// How deep their searches are.
    pub depth: u32,
    /// How many positions are learned.
    pub positions: u64,
    /// Positions of a step.
    pub batch: usize,
}

impl FirstSettings {
    /// Whether the hand-written evaluation plays first.
    pub(crate) fn is_classical(&self) -> bool {
        self.model.as_deref() == Some(Path::new(Model::CLASSICAL))
    }

    /// The file of the model that plays first.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.model.as_deref().filter(|_| !self.is_classical())
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
        }
    }
}

/// Whom a candidate has to face.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// The net that played so far.
    #[default]
    Previous,
    /// The first net.
    #[serde(rename = "generation-0")]
    Baseline,
}

/// From where training goes on after a candidate was rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterRejection {
    /// From the net that goes on playing, as if the rejected one had never been:
    /// what learns is what plays, and so did the published study.
    #[default]
    Restore,
    /// From the rejected one.
    Continue,
}

/// Which nets are promoted, and how that is found out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateSettings {
    /// Which match decides.
    pub against: Opponent,
    /// Games against the previous net: 200 if nothing is said, but none for learners that
    /// learn from their own searches. With 0 there is no gate, and every net plays on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Games against generation 0; as many if nothing is said, 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_games: Option<u64>,
    /// A candidate must do better than this, generation by generation; the last
    /// number holds on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_above: Option<Vec<f64>>,
    /// Or a test must accept it within these games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// From where training goes on after a rejection.
    pub after_rejection: AfterRejection,
    /// Iterations for each move; without any limit, those of self-play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soft_nodes: Option<u64>,
    /// Where games begin; the seed decides the order.
    pub book: Book,
    /// Random plies after the opening, the same for both games of a pair.
    pub random_plies: u32,
    /// Plies after which a game is a draw; 0 if games are played out.
    pub horizon: u32,
    /// A draw when both scores say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// A loss when the scores say so.
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
    /// How games end before the rules end them.
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

/// Which files stay when they are no longer needed. Nets and shards always do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Keep {
    /// The checkpoint of every generation.
    pub checkpoints: bool,
    /// The net of every epoch of a training, with its loss: `tabia select` finds the
    /// best of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub epochs: bool,
    /// What each generation learned from.
    pub training_data: bool,
    /// The games of all matches.
    pub games: bool,
}

impl Default for Keep {
    fn default() -> Keep {
        Keep {
            checkpoints: true,
            epochs: false,
            training_data: false,
            games: true,
        }
    }
}
