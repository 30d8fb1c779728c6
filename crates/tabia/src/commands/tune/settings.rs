//! The settings file of a tuning.

use crate::contest::{CONCURRENCY, OpeningOptions};
use crate::exit::WrongInput;
use crate::settings;
use arena::game::Endings;
use arena::tuning::{Constant, Gains};
use data::range::Range;
use engines::alphabeta::{TUNABLES, Tunable, UnknownParameter};
use engines::recipe::{PlayerSettings, PlayerSpec, Recipe, resolve};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The default limit per move.
const USUAL_PLAYER: &str = "nodes=5000";

const COUNT: Range = Range::closed(1.0, 1e9);
const LEARNING_RATE: Range = Range::above(0.0, 1.0);
const PERTURBATION: Range = Range::above(0.0, 0.5);

/// The schema of the settings file.
pub(crate) fn schema() -> serde_json::Value {
    data::schema::of::<Settings>("A tuning of Tabia")
}

/// Checks the text of a settings file; the error says what is wrong.
#[cfg(test)]
pub(crate) fn read(text: &str) -> Result<(), String> {
    let settings: Settings = toml::from_str(text).map_err(|error| error.to_string())?;
    settings.check()
}

/// The settings of a tuning.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Settings {
    /// The search constants to tune, by name; an empty list means all.
    constants: Vec<String>,
    /// Number of iterations of SPSA.
    #[schemars(transform = COUNT.schema())]
    pub(super) iterations: usize,
    /// Game pairs per iteration.
    #[schemars(transform = COUNT.schema())]
    pub(super) pairs: usize,
    /// Final step for a won pair of games, as a multiple of the perturbation.
    #[schemars(transform = LEARNING_RATE.schema())]
    learning_rate: f64,
    /// Perturbation: how far the two players of a pair differ, as a share of the ranges of
    /// constants.
    #[schemars(transform = PERTURBATION.schema())]
    perturbation: f64,
    /// The random seed of openings and of the directions of perturbation.
    pub(super) seed: u64,
    /// Number of games played in parallel; default: CPUs divided by threads per game.
    #[schemars(transform = CONCURRENCY.schema())]
    pub(super) concurrency: Option<u32>,
    /// Output folder; default: a folder below tunings/.
    out: Option<PathBuf>,
    /// The player whose constants are tuned.
    player: PlayerSettings,
    /// How games begin.
    pub(super) openings: OpeningOptions,
    /// Adjudication of games.
    pub(super) endings: Endings,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            constants: Vec::new(),
            iterations: 1_000,
            pairs: 8,
            learning_rate: 0.02,
            perturbation: 0.1,
            seed: 1,
            concurrency: None,
            out: None,
            player: PlayerSettings::default(),
            openings: OpeningOptions::default(),
            endings: Endings::default(),
        }
    }
}

impl Settings {
    pub(super) fn read(file: &Path) -> Result<Settings, WrongInput> {
        let settings: Settings = settings::read(file)?;
        let wrong = |problem| WrongInput::new(format!("{}: {problem}", file.display()));
        settings.check().map_err(wrong)?;
        Ok(settings)
    }

    /// Checks that all numbers are within their ranges.
    fn check(&self) -> Result<(), String> {
        let concurrency = self.concurrency.map_or(1.0, f64::from);
        for (key, number, range) in [
            ("concurrency", concurrency, CONCURRENCY),
            ("iterations", self.iterations as f64, COUNT),
            ("pairs", self.pairs as f64, COUNT),
            ("learning_rate", self.learning_rate, LEARNING_RATE),
            ("perturbation", self.perturbation, PERTURBATION),
        ] {
            if let Some(problem) = range.problem(number) {
                return Err(format!("{key}: {problem}"));
            }
        }
        Ok(())
    }

    pub(super) fn gains(&self) -> Gains {
        Gains {
            iterations: self.iterations,
            learning_rate: self.learning_rate,
        }
    }

    /// The default output folder.
    pub(super) fn folder(&self, file: &Path) -> PathBuf {
        let stem = file.file_stem().unwrap_or(file.as_os_str());
        self.out
            .clone()
            .unwrap_or_else(|| Path::new("tunings").join(stem))
    }

    /// The player whose constants are tuned.
    pub(super) fn player(&self) -> Result<PlayerSpec, WrongInput> {
        let wrong = |words: String| WrongInput::new(words);
        let usual =
            PlayerSettings::from_words(USUAL_PLAYER).map_err(|error| wrong(error.to_string()))?;
        let player = resolve(vec![self.player.clone()], &usual)
            .map_err(|error| wrong(error.to_string()))?
            .remove(0);
        match player.recipe {
            Recipe::AlphaBeta(_) => Ok(player),
            Recipe::Mcts(_) | Recipe::Sequence(_) => Err(wrong(
                "only the constants of an alpha-beta player can be tuned".to_owned(),
            )),
            Recipe::Program(_) => Err(wrong(
                "only a built-in player can be tuned: leave out cmd".to_owned(),
            )),
        }
    }

    /// The constants to tune: those named, or all.
    pub(super) fn constants(&self) -> Result<Vec<Constant>, WrongInput> {
        let find = |name: &String| {
            TUNABLES
                .iter()
                .find(|tunable| tunable.name == name)
                .ok_or_else(|| WrongInput::new(UnknownParameter(name.clone()).to_string()))
        };
        let chosen: Vec<&Tunable> = if self.constants.is_empty() {
            TUNABLES.iter().collect()
        } else {
            self.constants.iter().map(find).collect::<Result<_, _>>()?
        };
        Ok(chosen
            .into_iter()
            .map(|tunable| Constant {
                name: tunable.name.to_owned(),
                start: tunable.value,
                low: tunable.low,
                high: tunable.high,
                // A perturbation below half a unit would be lost in rounding.
                perturbation: (self.perturbation * f64::from(tunable.high - tunable.low)).max(0.5),
            })
            .collect())
    }
}
