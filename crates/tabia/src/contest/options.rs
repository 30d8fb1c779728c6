//! The options of matches, tests and tournaments.

use crate::group::ClusterOptions;
use crate::version::BuildOptions;
use arena::game::{AtHorizon, DrawRule, ResignRule};
use clap::{Args, ValueEnum};
use engines::recipe::PlayerSettings;
use serde::Deserialize;
use std::path::PathBuf;

/// The options of a contest. All of them can be set in the file as well; options take precedence.
#[derive(Args)]
pub(crate) struct ContestOptions {
    /// A TOML file with these settings
    pub(super) file: Option<PathBuf>,
    /// A player: name=NAME model=classical nodes=5000, or name=NAME cmd=PROGRAM option.Hash=16
    /// tc=10+0.1; repeat for each player
    #[arg(long = "player", value_name = "SETTINGS", value_parser = PlayerSettings::from_words)]
    pub(super) players: Vec<PlayerSettings>,
    /// Settings of all players; a player's own settings take precedence
    #[arg(long, value_name = "SETTINGS", value_parser = PlayerSettings::from_words)]
    pub(super) each: Option<PlayerSettings>,
    /// Number of games played in parallel [default: CPUs divided by threads per game]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    #[arg(conflicts_with = "cluster")]
    pub(super) concurrency: Option<u32>,
    /// Pin parallel games to separate CPUs
    #[arg(long, conflicts_with = "cluster")]
    pub(super) affinity: bool,
    /// Stop after this many failures of a player: crash, no answer, illegal move or loss on time
    /// [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_failures: Option<u64>,
    /// Output folder, where an interrupted match resumes [default: a folder below matches/,
    /// derived from the command]
    #[arg(short, long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Show the plan without playing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) cluster: ClusterOptions,
    #[command(flatten)]
    pub(super) build: BuildOptions,
    #[command(flatten)]
    pub(super) openings: OpeningOptions,
    #[command(flatten)]
    pub(super) endings: EndingOptions,
}

/// How games begin.
#[derive(Args, Clone, Default, Deserialize, schemars::JsonSchema)]
#[command(next_help_heading = "Openings")]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "openings")]
pub(crate) struct OpeningOptions {
    /// Opening file: EPD, PGN or a Polyglot book (.bin) [default: a built-in set]
    #[arg(id = "openings", long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// The order of openings [default: random]
    #[arg(long, value_enum)]
    pub(super) order: Option<Order>,
    /// Random seed of the order [default: 1]
    #[arg(long, value_name = "S")]
    pub(super) seed: Option<u64>,
    /// Plies of each PGN game that belong to the opening [default: 16]
    #[arg(long, value_name = "N")]
    pub(super) plies: Option<usize>,
}

/// The order of openings.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "order-of-openings")]
pub(crate) enum Order {
    /// As in the file
    Sequential,
    /// Shuffled by the seed
    #[default]
    Random,
}

impl OpeningOptions {
    /// These options, with missing ones taken from `other`.
    pub(super) fn or(self, other: OpeningOptions) -> OpeningOptions {
        OpeningOptions {
            file: self.file.or(other.file),
            order: self.order.or(other.order),
            seed: self.seed.or(other.seed),
            plies: self.plies.or(other.plies),
        }
    }
}

/// Adjudication of games.
#[derive(Args)]
#[command(next_help_heading = "Adjudication")]
pub(crate) struct EndingOptions {
    /// Adjudicate a draw if both scores stay small; without values: movenumber=34 movecount=8
    /// score=20
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "")]
    #[arg(value_parser = DrawRule::from_words)]
    pub(super) draw: Option<DrawRule>,
    /// Adjudicate a loss if the scores of a player stay bad; without values: movecount=3
    /// score=600 twosided=false
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "")]
    #[arg(value_parser = ResignRule::from_words)]
    pub(super) resign: Option<ResignRule>,
    /// End games after this many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) horizon: Option<u32>,
    /// Result of a game at the horizon: draw; material: the side with more material wins; or
    /// score: the side clearly ahead by score wins
    #[arg(long, value_name = "END")]
    pub(super) at_horizon: Option<AtHorizon>,
    /// Folders of Syzygy tables for adjudication, separated by colons
    #[arg(long, value_name = "DIRS")]
    pub(super) syzygy: Option<String>,
    /// Maximum number of men for which the tables are used [default: as many as they have]
    #[arg(long, value_name = "N")]
    pub(super) syzygy_men: Option<usize>,
}
