//! The tables of a run file.

use arena::game::{AtHorizon, DrawRule, Endings, ResignRule};
use arena::selfplay::{self, Amount, Book, ByGeneration};
use arena::statistics::Sprt;
use data::replay::Rebalance;
use engines::recipe::Pace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use train::nnue::{self, NetSettings, Optimiser};
use train::{Changing, CourseSettings, Loss, Schedule};

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
            decisive: None,
            rebalance: Rebalance::default(),
        }
    }
}

/// How a net learns from the buffer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainSettings {
    /// Positions of a generation, drawn from the buffer; 1,000,000 if neither
    /// this nor epochs are said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Or how often a generation goes through the whole buffer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epochs: Option<u64>,
    /// Positions of a step.
    pub batch: usize,
    /// How far weights move with a step; a schedule begins anew with each
    /// generation.
    pub rate: Schedule,
    /// The share of the score in what is learned; the rest is the result.
    pub lambda: Schedule,
    /// How errors count; as usual for the shape if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<Loss>,
    /// How gradients change weights.
    pub optimiser: Optimiser,
    /// Whether the optimiser forgets everything between generations.
    pub fresh_optimiser: bool,
    /// How slowly an average of the weights forgets; the average is exported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<f32>,
    /// Whether weights are rounded as in the file, on the way forward.
    pub rounded: bool,
    /// Which positions are left out, as `tabia data filter` names them.
    pub filters: Vec<String>,
    /// Whether score and result are read as if they were written from White's
    /// view: where Black is to move they change sign, which is wrong.
    pub white_labels: bool,
    /// The share of games that are never learned from but judged by. With 0 the
    /// net is judged by what it learned from.
    pub validation_share: f64,
    /// The most positions to judge by.
    pub validation_positions: usize,
    /// Steps between checkpoints.
    pub checkpoint_steps: u64,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        TrainSettings {
            positions: None,
            epochs: None,
            batch: 1_024,
            rate: Schedule::Changing(Changing::Cosine {
                from: 1e-3,
                to: 1e-4,
            }),
            lambda: Schedule::Constant(0.7),
            loss: None,
            optimiser: Optimiser::default(),
            fresh_optimiser: false,
            average: None,
            rounded: false,
            filters: Vec::new(),
            white_labels: false,
            validation_share: 0.05,
            validation_positions: 20_000,
            checkpoint_steps: 1_000,
        }
    }
}

impl TrainSettings {
    /// The training of such a net on these files.
    pub(crate) fn training(
        &self,
        net: &NetSettings,
        data: PathBuf,
        validation: PathBuf,
        seed: u64,
    ) -> nnue::Settings {
        let epoch_positions = match (self.positions, self.epochs) {
            (None, Some(_)) => None,
            (positions, _) => Some(positions.unwrap_or(1_000_000)),
        };
        nnue::Settings {
            net: net.clone(),
            start: None,
            course: CourseSettings {
                data: vec![data],
                validation: vec![validation],
                validation_share: 0.0,
                validation_positions: self.validation_positions,
                filters: self.filters.clone(),
                white_labels: self.white_labels,
                batch: self.batch,
                epochs: self.epochs.unwrap_or(1),
                epoch_positions,
                seed,
                checkpoint_steps: self.checkpoint_steps,
            },
            rate: self.rate.clone(),
            lambda: self.lambda.clone(),
            loss: self.loss,
            optimiser: self.optimiser,
            average: self.average,
            rounded: self.rounded,
        }
    }
}

/// Who plays the games of the first generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstPlayer {
    /// A net that has learned a little.
    #[default]
    Net,
    /// The hand-written evaluation, until a net is better: nets begin with random
    /// weights, and learn from its games.
    Classical,
}

/// A first player that is no net with random weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FirstSettings {
    /// Who that is; if it is no net, nothing else counts.
    #[serde(skip_serializing_if = "FirstPlayer::is_net")]
    pub player: FirstPlayer,
    /// The file of a net to go on with; nothing else counts then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net: Option<PathBuf>,
    /// The binpack file it learns from; games of the hand-written evaluation if
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

impl FirstPlayer {
    /// Runs that were begun before there was another have the same fingerprint.
    fn is_net(&self) -> bool {
        *self == FirstPlayer::Net
    }
}

impl Default for FirstSettings {
    fn default() -> FirstSettings {
        FirstSettings {
            player: FirstPlayer::default(),
            net: None,
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
    /// Games against the previous net.
    pub games: u64,
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
    /// Mebibytes of each player's table of positions.
    pub hash: usize,
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
            games: 200,
            baseline_games: None,
            elo_above: None,
            sprt: None,
            after_rejection: AfterRejection::default(),
            depth: None,
            nodes: None,
            soft_nodes: None,
            hash: 1,
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
            hash: self.hash,
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

    /// Games against generation 0.
    pub fn baseline_games(&self) -> u64 {
        self.baseline_games.unwrap_or(self.games)
    }
}

/// Under which conditions nets meet.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Conditions {
    /// How long each move takes.
    pub pace: Pace,
    /// Mebibytes of each player's table of positions.
    pub hash: usize,
    /// Where games begin.
    pub book: Book,
    /// Random plies after that.
    pub random_plies: u32,
    /// How games end before the rules end them.
    pub endings: Endings,
}

/// How the final nets meet, and what would prove what.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VerdictSettings {
    /// Games of each two arms' final nets, and of each against generation 0; 0
    /// for none.
    pub games: u64,
    /// Iterations for each move; without any limit, as in gate matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Random plies after the opening; as in gate matches if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_plies: Option<u32>,
    /// Plies after which a game is a draw; as in gate matches if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u32>,
    /// Which difference is in question, such as `curriculum - control`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Further differences that are shown, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub effects: BTreeMap<String, String>,
    /// What would confirm the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproduced_if: Option<String>,
    /// What would refute it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refuted_if: Option<String>,
}

impl Default for VerdictSettings {
    fn default() -> VerdictSettings {
        VerdictSettings {
            games: 1_000,
            depth: None,
            nodes: None,
            random_plies: None,
            horizon: None,
            difference: None,
            effects: BTreeMap::new(),
            reproduced_if: None,
            refuted_if: None,
        }
    }
}

impl VerdictSettings {
    /// The conditions of the final matches, where those of gate matches are these.
    pub(super) fn conditions(&self, mut usual: Conditions) -> Conditions {
        if self.depth.is_some() || self.nodes.is_some() {
            usual.pace = Pace {
                depth: self.depth,
                nodes: self.nodes,
                ..Pace::nodes(1)
            };
        }
        if let Some(plies) = self.random_plies {
            usual.random_plies = plies;
        }
        if let Some(plies) = self.horizon {
            usual.endings.horizon = (plies > 0).then_some(plies);
        }
        usual
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
