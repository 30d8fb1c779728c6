//! The settings file of a contest, which can hold everything that the options can.

use super::options::{ContestOptions, OpeningOptions};
use crate::exit::WrongInput;
use crate::settings;
use arena::game::Endings;
use arena::schedule::Format;
use arena::statistics::{Model, Sprt};
use data::range::Range;
use engines::recipe::PlayerSettings;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The number of games played in parallel.
pub(crate) const CONCURRENCY: Range = Range::closed(1.0, 1_024.0);

/// The settings of a match, test or tournament.
#[derive(Deserialize, Default, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Document {
    /// Number of games of a match, or of each pair of players of a tournament.
    pub(super) games: Option<u64>,
    /// Number of games played in parallel; default: CPUs divided by threads per game.
    #[schemars(transform = CONCURRENCY.schema())]
    pub(super) concurrency: Option<u32>,
    /// Whether parallel games are pinned to separate CPUs.
    pub(super) affinity: bool,
    /// Maximum number of failures (crash, no answer, illegal move, loss on time) of a player
    /// before the match is stopped; default: 10.
    pub(super) max_failures: Option<u64>,
    /// Output folder; default: a folder below matches/.
    pub(super) out: Option<PathBuf>,
    /// Default settings of all players.
    pub(super) each: PlayerSettings,
    /// The players, each in a table of its own: `[[player]]`.
    #[serde(rename = "player")]
    pub(super) players: Vec<PlayerSettings>,
    /// How games begin.
    pub(super) openings: OpeningOptions,
    /// Adjudication of games.
    pub(super) endings: Endings,
    /// The test of `tabia sprt`.
    #[schemars(with = "Option<Sprt>")]
    pub(super) sprt: Option<SprtTable>,
    /// The form of `tabia tournament`.
    pub(super) tournament: Option<TournamentTable>,
}

impl Document {
    /// The same settings, overridden by the options. Players given as options follow those of the
    /// file.
    pub(super) fn with(mut self, options: &ContestOptions) -> Document {
        self.players.extend(options.players.iter().cloned());
        if let Some(each) = &options.each {
            self.each = each.clone().or(&self.each);
        }
        self.concurrency = options.concurrency.or(self.concurrency);
        self.affinity |= options.affinity;
        self.max_failures = options.max_failures.or(self.max_failures);
        self.out = options.out.clone().or(self.out);
        self.openings = options.openings.clone().or(self.openings);
        let said = &options.endings;
        let endings = self.endings;
        self.endings = Endings {
            draw: said.draw.or(endings.draw),
            resign: said.resign.or(endings.resign),
            horizon: said.horizon.or(endings.horizon),
            at_horizon: said.at_horizon.unwrap_or(endings.at_horizon),
            syzygy: said.syzygy.clone().or(endings.syzygy),
            syzygy_men: said.syzygy_men.or(endings.syzygy_men),
        };
        self
    }
}

/// A sequential test.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SprtTable {
    elo0: f64,
    elo1: f64,
    #[serde(default = "usual_risk")]
    alpha: f64,
    #[serde(default = "usual_risk")]
    beta: f64,
    #[serde(default)]
    model: Model,
}

fn usual_risk() -> f64 {
    0.05
}

impl SprtTable {
    pub(super) fn sprt(&self) -> Result<Sprt, WrongInput> {
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, self.model)
            .map_err(|error| WrongInput::new(format!("invalid test: {error}")))
    }
}

/// The kind of tournament.
#[derive(Deserialize, Default, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "tournament")]
pub(super) struct TournamentTable {
    /// Number of first players that play a gauntlet against all others; default: a round robin.
    pub(super) seeds: Option<usize>,
}

impl TournamentTable {
    pub(super) fn format(&self) -> Format {
        match self.seeds {
            Some(seeds) => Format::Gauntlet { seeds },
            None => Format::RoundRobin,
        }
    }
}

/// The schema of settings files for matches, tests and tournaments.
pub(crate) fn schema() -> serde_json::Value {
    data::schema::of::<Document>("A match, test or tournament of Tabia")
}

/// Reads a settings file; without one, nothing is set.
pub(super) fn read(path: Option<&Path>) -> Result<Document, WrongInput> {
    path.map_or_else(|| Ok(Document::default()), settings::read)
}
