//! The file that says what the options say.

use super::options::{ContestOptions, OpeningOptions};
use crate::exit::WrongInput;
use crate::settings;
use arena::game::Endings;
use arena::schedule::Format;
use arena::statistics::{Model, Sprt};
use engines::recipe::PlayerSettings;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// All that a file may say.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Document {
    pub(super) games: Option<u64>,
    pub(super) concurrency: Option<u32>,
    pub(super) affinity: bool,
    pub(super) max_failures: Option<u64>,
    pub(super) out: Option<PathBuf>,
    pub(super) each: PlayerSettings,
    #[serde(rename = "player")]
    pub(super) players: Vec<PlayerSettings>,
    pub(super) openings: OpeningOptions,
    pub(super) endings: Endings,
    pub(super) sprt: Option<SprtTable>,
    pub(super) tournament: Option<TournamentTable>,
}

impl Document {
    /// The same, but where an option says otherwise, the option is right.
    /// Players of options come behind those of the file.
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
            .map_err(|error| WrongInput::new(format!("no such test: {error}")))
    }
}

/// Who meets whom.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TournamentTable {
    /// How many of the first players are seeds of a gauntlet; a round robin if
    /// it is not said.
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

/// Reads a file; without one, nothing is said.
pub(super) fn read(path: Option<&Path>) -> Result<Document, WrongInput> {
    path.map_or_else(|| Ok(Document::default()), settings::read)
}
