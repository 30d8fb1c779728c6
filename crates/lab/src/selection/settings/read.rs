//! Reads the text of a selection's file into settings: every default is filled in, every mistake
//! reported with its position.

use super::check::check;
use super::{Allocation, Final, GameSettings, Gauntlet, Peak, RoundRobin, Settings};
use crate::ranges;
use crate::selection::candidates::CandidateSettings;
use crate::settings::{SettingsError, Wrong, filled, locate, wrong};
use arena::statistics::{Model as EloModel, Sprt};
use engines::recipe::PlayerSettings;
use nets::Model;
use serde::Deserialize;
use toml::de::DeTable;

/// The default limit of players.
const USUAL_PLAYER: &str = "nodes=10000";

/// Reads the settings file of a selection.
///
/// # Errors
/// The first mistake in it.
pub fn read(text: &str) -> Result<Settings, SettingsError> {
    from_table(DeTable::parse(text)?.into_inner())
}

/// The schema of such a file.
pub fn schema() -> serde_json::Value {
    data::schema::of::<File>("A selection of Tabia")
}

/// Reads the table of such a file, which may be joined from several texts.
///
/// # Errors
/// The first mistake in it.
pub fn from_table(table: DeTable<'_>) -> Result<Settings, SettingsError> {
    let file: File = filled(table.clone())?;
    let place = |wrong: Wrong| SettingsError::new(&wrong, locate(&table, &wrong.path));
    let settings = file.settings().map_err(place)?;
    check(&settings).map_err(place)?;
    Ok(settings)
}

/// The settings of a selection.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "selection")]
struct File {
    /// The title of reports.
    title: Option<String>,
    /// The random seed of openings and all other random choices.
    seed: u64,
    /// The opponent in the gauntlet: `last`, `classical`, the name of a candidate, or a file.
    baseline: String,
    /// The candidate nets.
    candidates: CandidateSettings,
    /// The settings of all players in all stages.
    player: PlayerSettings,
    /// How games begin and end, in all stages.
    games: GameSettings,
    /// Stage 1: every candidate against the baseline.
    gauntlet: GauntletTable,
    /// Stage 2: the remaining candidates against each other.
    round_robin: RoundRobinTable,
    /// Stage 3: the best and its neighbours against each other.
    peak: PeakTable,
    /// Stage 4: the two best.
    #[serde(rename = "final")]
    last: FinalTable,
}

impl Default for File {
    fn default() -> File {
        File {
            title: None,
            seed: 1,
            baseline: "last".to_owned(),
            candidates: CandidateSettings::default(),
            player: PlayerSettings::default(),
            games: GameSettings::default(),
            gauntlet: GauntletTable::default(),
            round_robin: RoundRobinTable::default(),
            peak: PeakTable::default(),
            last: FinalTable::default(),
        }
    }
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "gauntlet")]
struct GauntletTable {
    /// The settings of all players in this stage.
    player: PlayerSettings,
    /// Games per candidate.
    #[schemars(transform = ranges::SOME_GAMES.schema(), extend("multipleOf" = 2))]
    games: u64,
    /// Number of candidates that reach the next stage.
    #[schemars(transform = ranges::SIZE.schema())]
    keep: usize,
    /// A candidate with a smaller probability of being the best is dropped, if two others remain.
    #[schemars(transform = ranges::LEAST_CHANCE.schema())]
    least_chance: f64,
}

impl Default for GauntletTable {
    fn default() -> GauntletTable {
        GauntletTable {
            player: PlayerSettings::default(),
            games: 100,
            keep: 8,
            least_chance: 0.0,
        }
    }
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "round-robin")]
struct RoundRobinTable {
    /// The settings of all players in this stage.
    player: PlayerSettings,
    /// Games per candidate; 0 skips the stage.
    games: u64,
    /// How the games are distributed.
    allocation: Allocation,
}

impl Default for RoundRobinTable {
    fn default() -> RoundRobinTable {
        RoundRobinTable {
            player: PlayerSettings::default(),
            games: 1_750,
            allocation: Allocation::Even,
        }
    }
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "peak")]
struct PeakTable {
    /// The settings of all players in this stage.
    player: PlayerSettings,
    /// Games per candidate; 0 skips the stage.
    games: u64,
    /// How the games are distributed.
    allocation: Allocation,
    /// Number of epochs before and after the best to consider as neighbours.
    radius: u32,
    /// Maximum number of candidates in this stage.
    #[schemars(transform = ranges::SIZE.schema())]
    size: usize,
    /// Neighbours with a smaller probability of being the best are dropped.
    #[schemars(transform = ranges::LEAST_CHANCE.schema())]
    least_chance: f64,
}

impl Default for PeakTable {
    fn default() -> PeakTable {
        PeakTable {
            player: PlayerSettings::default(),
            games: 6_000,
            allocation: Allocation::Even,
            radius: 3,
            size: 4,
            least_chance: 0.01,
        }
    }
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "final")]
struct FinalTable {
    /// The settings of both players.
    player: PlayerSettings,
    /// Maximum number of games; 0 skips the stage.
    #[schemars(transform = ranges::GAMES.schema(), extend("multipleOf" = 2))]
    games: u64,
    /// The test that ends the match, from the point of view of the leader; default: normalized
    /// Elo from -3 to 3.
    sprt: Option<Sprt>,
}

impl Default for FinalTable {
    fn default() -> FinalTable {
        FinalTable {
            player: PlayerSettings::default(),
            games: 20_000,
            sprt: None,
        }
    }
}

impl File {
    fn settings(self) -> Result<Settings, Wrong> {
        let usual =
            PlayerSettings::from_words(USUAL_PLAYER).map_err(|error| wrong("player", error))?;
        let each = self.player.or(&usual);
        let player = |key: &str, own: PlayerSettings| {
            let player = own.or(&each).player("candidate", Model::classical());
            player.map_err(|error| wrong(key, error))
        };
        Ok(Settings {
            title: self.title,
            seed: self.seed,
            baseline: self.baseline,
            candidates: self.candidates,
            games: self.games,
            gauntlet: Gauntlet {
                player: player("gauntlet.player", self.gauntlet.player)?,
                games: self.gauntlet.games,
                keep: self.gauntlet.keep,
                least_chance: self.gauntlet.least_chance,
            },
            round_robin: RoundRobin {
                player: player("round_robin.player", self.round_robin.player)?,
                games: self.round_robin.games,
                allocation: self.round_robin.allocation,
            },
            peak: Peak {
                player: player("peak.player", self.peak.player)?,
                games: self.peak.games,
                allocation: self.peak.allocation,
                radius: self.peak.radius,
                size: self.peak.size,
                least_chance: self.peak.least_chance,
            },
            last: Final {
                player: player("final.player", self.last.player)?,
                games: self.last.games,
                sprt: match self.last.sprt {
                    Some(sprt) => sprt,
                    None => Sprt::new(-3.0, 3.0, 0.05, 0.05, EloModel::Normalized)
                        .map_err(|error| wrong("final.sprt", error))?,
                },
            },
        })
    }
}
