//! The user's settings for the exploration of tree searches in self-play.

use super::schedules::OverPlies;
use crate::selfplay::ByGeneration;
use crate::selfplay::settings::WrongSetting;
use data::generations::OverGenerations;
use data::range::Range;
use engines::words::Text;
use nets::Model;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// Shares of games, searches and moves.
const SHARE: Range = Range::closed(0.0, 1.0);
const COUNT: Range = Range::closed(1.0, 1e9);
const PLIES: Range = Range::closed(0.0, 10_000.0);
const TEMPERATURE: Range = Range::closed(0.0, 100.0);
const POLICY_TEMPERATURE: Range = Range::closed(0.01, 10.0);
/// The largest number of legal moves in any position.
const GUMBEL_MOVES: Range = Range::closed(0.0, 416.0);
/// The fifty-move count, in plies.
const CLOCK: Range = Range::closed(1.0, 150.0);
const AT_ONCE: Range = Range::closed(1.0, 1024.0);
const CONCENTRATION: Range = Range::above(0.0, 1000.0);
const RESIGN_VALUE: Range = Range::above(0.0, 1.0);

/// How a tree search explores in self-play: how well moves are searched, and what is recorded.
/// Openings and the length of games are set in the table `selfplay`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "exploration")]
pub struct ExploreSettings {
    /// The policy and value of the search.
    #[serde(skip_serializing_if = "Backend::is_model")]
    #[schemars(extend("default" = Backend::Model))]
    pub backend: Backend,
    /// Simulations of a full search; a list gives one number per generation.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub simulations: ByGeneration,
    /// Simulations of a cheap search, from which only the value is learned.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub cheap_simulations: ByGeneration,
    /// The share of full searches.
    #[schemars(transform = SHARE.schema())]
    pub full_share: f64,
    /// The share of games with searches; in the others all moves are drawn from the policy alone.
    #[schemars(transform = SHARE.schema())]
    pub searched_share: OverGenerations,
    /// Number of plies after the opening that are drawn from the policy alone.
    #[schemars(transform = PLIES.schema())]
    pub policy_plies: u32,
    /// The share of games that begin with an opening of the book; the others begin with the start
    /// position.
    #[schemars(transform = SHARE.schema())]
    pub book_share: f64,
    /// The temperature with which moves are sampled: from the visit counts of a PUCT search, or
    /// from the priors where the policy alone chooses; with Gumbel it scales the noise of cheap
    /// searches.
    #[schemars(transform = TEMPERATURE.schema())]
    pub temperature: OverPlies,
    /// Factor of all temperatures, per generation.
    #[schemars(transform = TEMPERATURE.schema())]
    pub temperature_factor: OverGenerations,
    /// The share of moves drawn from the policy that are instead sampled uniformly from all legal
    /// moves.
    #[schemars(transform = SHARE.schema())]
    pub uniform_share: f64,
    /// Number of moves that a Gumbel root considers; 0 for PUCT at the root.
    #[schemars(transform = GUMBEL_MOVES.schema())]
    pub gumbel_moves: usize,
    /// Dirichlet noise at the root of full searches by PUCT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<NoiseSettings>,
    /// The temperature of the softmax of the priors.
    #[schemars(transform = POLICY_TEMPERATURE.schema())]
    pub policy_temperature: f64,
    /// Whether a mate in one is played without a search.
    pub mate_in_one: bool,
    /// Weight of policy surprise: the part of the policy weight of a game that is distributed by
    /// the divergence between search result and prior policy.
    #[schemars(transform = SHARE.schema())]
    pub surprise: f64,
    /// When a side resigns; default: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignSettings>,
    /// A draw when the fifty-move count reaches this many plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = CLOCK.schema())]
    pub quick_draw: Option<u32>,
    /// Positions with at least this fifty-move count are not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = CLOCK.schema())]
    pub below_clock: Option<u32>,
    /// Maximum number of recorded positions per game, from its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(transform = COUNT.schema())]
    pub most_rows: Option<u32>,
    /// Whether the policy also learns from positions without a search, where the target is its
    /// own output. The published program did this.
    pub learn_unsearched: bool,
    /// Whether the policy also learns from cheap searches.
    pub learn_cheap: bool,
    /// Number of games that a thread plays in parallel, so that models can evaluate their
    /// positions in one batch.
    #[schemars(transform = AT_ONCE.schema())]
    pub games_at_once: usize,
    /// Search options in these games, which override those of the player.
    #[serde(deserialize_with = "texts", skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, Text>")]
    pub option: BTreeMap<String, String>,
}

impl Default for ExploreSettings {
    fn default() -> ExploreSettings {
        ExploreSettings {
            backend: Backend::Model,
            simulations: ByGeneration::Same(32),
            cheap_simulations: ByGeneration::Same(8),
            full_share: 0.25,
            searched_share: OverGenerations::Same(1.0),
            policy_plies: 6,
            book_share: 1.0,
            temperature: OverPlies::Points(vec![(0, 1.0), (30, 0.0)]),
            temperature_factor: OverGenerations::Same(1.0),
            uniform_share: 0.0,
            gumbel_moves: 16,
            noise: None,
            policy_temperature: 1.0,
            mate_in_one: true,
            surprise: 0.5,
            resign: None,
            quick_draw: None,
            below_clock: None,
            most_rows: None,
            learn_unsearched: false,
            learn_cheap: false,
            games_at_once: 32,
            option: BTreeMap::new(),
        }
    }
}

/// Where the policy and the value of a search come from.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// The model of the player: in a run, the net in training.
    #[default]
    Model,
    /// The hand-written policy and value, whatever the player has learned.
    Heuristic,
}

impl Backend {
    /// Whether it is the default.
    pub fn is_model(&self) -> bool {
        *self == Backend::Model
    }

    /// The model that plays, given the player's model.
    pub fn of(self, model: Model) -> Model {
        match self {
            Backend::Model => model,
            Backend::Heuristic => Model::Heuristic,
        }
    }
}

/// Dirichlet noise, per generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "noise")]
pub struct NoiseSettings {
    /// The concentration of the distribution.
    #[schemars(transform = CONCENTRATION.schema())]
    pub alpha: OverGenerations,
    /// The share of noise in the priors.
    #[schemars(transform = SHARE.schema())]
    pub epsilon: OverGenerations,
}

/// When a side resigns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "resignation")]
pub struct ResignSettings {
    /// A side resigns once its value is below minus this number, on the scale from -1 to 1.
    #[schemars(transform = RESIGN_VALUE.schema())]
    pub value: f64,
    /// For how many moves in a row the value must be that low.
    #[schemars(transform = COUNT.schema())]
    pub moves: u32,
    /// The first ply of a game at which a side may resign.
    #[schemars(transform = PLIES.schema())]
    pub from_ply: u32,
    /// The share of games that are played out nevertheless, to measure false resignations.
    #[schemars(transform = SHARE.schema())]
    pub play_through: f64,
    /// Which moves are counted.
    pub counts: Counts,
}

impl Default for ResignSettings {
    fn default() -> ResignSettings {
        ResignSettings {
            value: 0.95,
            moves: 4,
            from_ply: 30,
            play_through: 0.1,
            counts: Counts::EachSide,
        }
    }
}

/// Which moves are counted for a resignation.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Counts {
    /// Those of each side separately.
    #[default]
    EachSide,
    /// All plies, each valued for its side to move. A bad value for one side is a good one for
    /// the other, so that long rows are rare. This is what the published program did.
    EveryPly,
}

fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let read = BTreeMap::<String, Text>::deserialize(deserializer)?;
    Ok(read
        .into_iter()
        .map(|(name, text)| (name, text.0))
        .collect())
}

impl ExploreSettings {
    /// Checks what the format cannot.
    ///
    /// # Errors
    /// The first invalid setting.
    pub fn check(&self) -> Result<(), WrongSetting> {
        let optional = |number: Option<u32>| f64::from(number.unwrap_or(1));
        let resign = self.resign.unwrap_or_default();
        for (key, number, range) in [
            ("full_share", self.full_share, SHARE),
            ("policy_plies", f64::from(self.policy_plies), PLIES),
            ("book_share", self.book_share, SHARE),
            ("uniform_share", self.uniform_share, SHARE),
            ("gumbel_moves", self.gumbel_moves as f64, GUMBEL_MOVES),
            (
                "policy_temperature",
                self.policy_temperature,
                POLICY_TEMPERATURE,
            ),
            ("surprise", self.surprise, SHARE),
            ("resign.value", resign.value, RESIGN_VALUE),
            ("resign.moves", f64::from(resign.moves), COUNT),
            ("resign.from_ply", f64::from(resign.from_ply), PLIES),
            ("resign.play_through", resign.play_through, SHARE),
            ("quick_draw", optional(self.quick_draw), CLOCK),
            ("below_clock", optional(self.below_clock), CLOCK),
            ("most_rows", optional(self.most_rows), COUNT),
            ("games_at_once", self.games_at_once as f64, AT_ONCE),
        ] {
            if let Some(problem) = range.problem(number) {
                return Err(WrongSetting { key, problem });
            }
        }
        let noise = |part: fn(&NoiseSettings) -> &OverGenerations, range| {
            (self.noise.as_ref()).and_then(|noise| part(noise).problem(range))
        };
        for (key, problem) in [
            ("searched_share", self.searched_share.problem(SHARE)),
            ("temperature", self.temperature.problem(TEMPERATURE)),
            (
                "temperature_factor",
                self.temperature_factor.problem(TEMPERATURE),
            ),
            ("noise.alpha", noise(|noise| &noise.alpha, CONCENTRATION)),
            ("noise.epsilon", noise(|noise| &noise.epsilon, SHARE)),
            (
                "simulations",
                (!self.simulations.makes_sense()).then(|| "must be at least 1".to_owned()),
            ),
            (
                "cheap_simulations",
                (!self.cheap_simulations.makes_sense()).then(|| "must be at least 1".to_owned()),
            ),
        ] {
            if let Some(problem) = problem {
                return Err(WrongSetting { key, problem });
            }
        }
        Ok(())
    }
}
