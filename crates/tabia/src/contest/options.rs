//! The options of matches, tests and tournaments.

use crate::group::ClusterOptions;
use crate::version::BuildOptions;
use arena::game::{AtHorizon, DrawRule, ResignRule};
use clap::{Args, ValueEnum};
use engines::recipe::PlayerSettings;
use serde::Deserialize;
use std::path::PathBuf;

/// Who plays what, and how. Every option may stand in the file instead; one that
/// is given here wins.
#[derive(Args)]
pub(crate) struct ContestOptions {
    /// A TOML file with these settings
    pub(super) file: Option<PathBuf>,
    /// A player: name=NAME model=classical nodes=5000, or name=NAME cmd=PROGRAM
    /// option.Hash=16 tc=10+0.1; once for each
    #[arg(long = "player", value_name = "SETTINGS", value_parser = PlayerSettings::from_words)]
    pub(super) players: Vec<PlayerSettings>,
    /// Settings of all players; a player's own settings take precedence
    #[arg(long, value_name = "SETTINGS", value_parser = PlayerSettings::from_words)]
    pub(super) each: Option<PlayerSettings>,
    /// How many games are played at once [default: as the CPUs allow]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    #[arg(conflicts_with = "cluster")]
    pub(super) concurrency: Option<u32>,
    /// Bind games that are played at once to CPUs of their own
    #[arg(long, conflicts_with = "cluster")]
    pub(super) affinity: bool,
    /// Stop when a player has failed so often: a crash, no answer, an illegal move or a
    /// loss on time [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_failures: Option<u64>,
    /// The folder of the results; an interrupted run resumes there [default: a
    /// folder below matches/ that only the same command has]
    #[arg(short, long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Show what would be played, and play nothing
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
    /// A file of openings: EPD, PGN or a Polyglot book (.bin) [default: a set that is built in]
    #[arg(id = "openings", long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// The order in which they are played [default: random]
    #[arg(long, value_enum)]
    pub(super) order: Option<Order>,
    /// Random seed of the order [default: 1]
    #[arg(long, value_name = "S")]
    pub(super) seed: Option<u64>,
    /// How many plies of a PGN game belong to the opening [default: 16]
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
    /// What is said here, and else there.
    pub(super) fn or(self, other: OpeningOptions) -> OpeningOptions {
        OpeningOptions {
            file: self.file.or(other.file),
            order: self.order.or(other.order),
            seed: self.seed.or(other.seed),
            plies: self.plies.or(other.plies),
        }
    }
}

/// How games end before the rules end them.
#[derive(Args)]
#[command(next_help_heading = "Ends of games")]
pub(crate) struct EndingOptions {
    /// A draw if both scores stay small; alone, movenumber=34 movecount=8
    /// score=20
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "")]
    #[arg(value_parser = DrawRule::from_words)]
    pub(super) draw: Option<DrawRule>,
    /// A loss if a player's scores stay bad; alone, movecount=3 score=600
    /// twosided=false
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "")]
    #[arg(value_parser = ResignRule::from_words)]
    pub(super) resign: Option<ResignRule>,
    /// End games after so many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) horizon: Option<u32>,
    /// The result of a game at the horizon: draw; material: whoever has more wins; or
    /// score: whoever is clearly ahead by score wins
    #[arg(long, value_name = "END")]
    pub(super) at_horizon: Option<AtHorizon>,
    /// Folders of Syzygy tables that decide games, separated by colons
    #[arg(long, value_name = "DIRS")]
    pub(super) syzygy: Option<String>,
    /// The most men for which the tables are used [default: all they have]
    #[arg(long, value_name = "N")]
    pub(super) syzygy_men: Option<usize>,
}
