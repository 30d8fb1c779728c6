//! The matches of a generation: the gate, evaluation games, and their conditions.

use crate::ranges;
use crate::verdict::VerdictSettings;
use arena::game::{AtHorizon, DrawRule, Endings, ResignRule};
use arena::selfplay::explore::Backend;
use arena::selfplay::{self, Book};
use arena::statistics::{Estimate, Pentanomial, Sprt, Strength};
use engines::recipe::Pace;
use engines::words::Text;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The default number of games of a gate.
const USUAL_GAMES: u64 = 200;

/// The opponent in the gate match.
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

/// Where training continues after a rejection.
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

/// The decision about a candidate whose test is still open after all games.
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

/// The opponent in evaluation games.
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
    /// The number of evaluation games of a generation.
    pub(crate) fn games_of(&self, generation: u32) -> u64 {
        match generation.is_multiple_of(self.every.max(1)) {
            true => self.games,
            false => 0,
        }
    }

    /// The conditions of these games, given those of gate matches.
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
    /// The conditions of a generation's matches in an arm with this self-play.
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

/// The conditions of matches.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Conditions {
    /// The limit of each move.
    pub pace: Pace,
    /// The positions from which games begin.
    pub book: Book,
    /// Random plies after the opening.
    pub random_plies: u32,
    /// Adjudication of games.
    pub endings: Endings,
}

impl Conditions {
    /// The conditions of the final matches, given those of gate matches.
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
