//! `tabia pgn check`: replays every game and counts results.

use super::files::{BrokenGameReport, Files};
use super::threads;
use crate::exit::Exit;
use crate::output::Output;
use clap::Args;
use data::pgn::{self, Checked, GameResult};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  tabia pgn check games.pgn.zst
  tabia pgn check --json a.pgn b.pgn.gz | jq .games
  curl -s https://example.org/games.pgn | tabia pgn check -

Every move of every line is replayed. Broken games are reported with file and
line and are not counted; reading continues after them. With --verbose, games
whose result contradicts their tags or the final position are reported too.";

/// Replay all games, and count games, moves, results and broken games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// The PGN files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Number of reading threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let threads = threads(options.threads)?;
    let begin = Instant::now();
    let mut total = Checked::default();
    let mut files = Files::new(&options.files, output)?;
    files.for_each(|source, file| {
        let (checked, outcome) = pgn::check(source, threads, |step| {
            for game in step.contradicted {
                file.print(game.place, game, |words| output.detail(words));
            }
            file.follow(step.broken)
        });
        total += checked;
        Ok(outcome?)
    })?;
    let is_good = total.broken == 0 && !files.has_failed();
    let report = Report::new(&total, threads, begin.elapsed(), files.into_broken());
    output.report(&report)?;
    Ok(if is_good { Exit::Good } else { Exit::Failure })
}

/// The counts and the speed.
#[derive(Serialize)]
struct Report {
    games: u64,
    broken: u64,
    plies: u64,
    variation_plies: u64,
    results: BTreeMap<&'static str, u64>,
    contradicted: u64,
    threads: usize,
    seconds: f64,
    games_per_second: u64,
    /// The first thousand of them.
    broken_games: Vec<BrokenGameReport>,
}

impl Report {
    fn new(
        checked: &Checked,
        threads: usize,
        time: Duration,
        broken_games: Vec<BrokenGameReport>,
    ) -> Self {
        // A coarse clock must not make the speed infinite.
        let seconds = time.as_secs_f64().max(1e-9);
        let results = GameResult::ALL.iter().zip(checked.results);
        Self {
            games: checked.games,
            broken: checked.broken,
            plies: checked.plies,
            variation_plies: checked.variation_plies,
            results: results
                .map(|(result, count)| (result.as_str(), count))
                .collect(),
            contradicted: checked.contradicted,
            threads,
            seconds,
            games_per_second: (checked.games as f64 / seconds) as u64,
            broken_games,
        }
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results =
            GameResult::ALL.map(|result| (result.as_str(), self.results[result.as_str()]));
        let counts = [("games", self.games), ("broken", self.broken)]
            .into_iter()
            .chain(results)
            .chain([
                ("contradicted", self.contradicted),
                ("plies", self.plies),
                ("in variations", self.variation_plies),
            ]);
        for (name, count) in counts {
            writeln!(formatter, "{name:<14} {count}")?;
        }
        writeln!(formatter, "{:<14} {:.3} s", "time", self.seconds)?;
        writeln!(formatter, "{:<14} {}", "games/s", self.games_per_second)
    }
}
