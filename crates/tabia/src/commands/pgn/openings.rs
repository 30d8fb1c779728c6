//! `tabia pgn openings`: extracts the openings that games reach most often.

use super::chosen::FilterOptions;
use super::files::Files;
use super::threads;
use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use anyhow::Context;
use chess::Epd;
use clap::Args;
use data::pgn::{Frequencies, Frequent};
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia pgn openings games.pgn.zst -o openings.epd
  tabia pgn openings *.pgn -o masters.epd --count 500 \\
      --plies 16 --min-rating 2500

Writes the positions that most games reach after this many plies, most
frequent first; ties are ordered by first occurrence. Games that do not begin
with the usual start position are not counted.";

/// Write the most frequent openings of games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// The PGN files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The output file, one position per line
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Length of each opening in plies
    #[arg(long, value_name = "N", default_value_t = 12)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=200))]
    plies: u64,
    /// Number of reading threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    filter: FilterOptions,
}

pub(super) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    let mut files = Files::new(&options.files, output)?;
    let threads = threads(options.threads)?;
    let mut frequencies = Frequencies::new(options.plies, options.filter.into(), threads);
    files.for_each(|source, file| {
        let outcome = frequencies.add(source, |broken| file.follow(broken));
        outcome.map_err(Into::into)
    })?;
    let most = frequencies.most(options.count as usize);
    let (games, positions) = frequencies.counts();
    if most.len() < options.count as usize {
        return Err(WrongInput::new(format!(
            "only {positions} different openings of {} plies occur in {games} games, fewer than \
             the {} of --count: give more games, a smaller --count or a larger --plies",
            options.plies, options.count
        ))
        .into());
    }
    let line = |frequent: &Frequent| format!("{}\n", Epd::new(frequent.board));
    let text: String = most.iter().map(line).collect();
    let name = options.out.display();
    data::file::write(&options.out, text.as_bytes())
        .with_context(|| format!("cannot write {name}"))?;
    let [first, last] = [most.first(), most.last()].map(|one| one.map_or(0, |one| one.games));
    output.report(&Report {
        games,
        positions,
        openings: most.len(),
        most_games: first,
        fewest_games: last,
        file: name.to_string(),
    })?;
    Ok(match files.has_failed() {
        true => Exit::Failure,
        false => Exit::Good,
    })
}

/// The result.
#[derive(Serialize)]
struct Report {
    /// The number of games that were long enough.
    games: u64,
    positions: usize,
    openings: usize,
    /// The number of games with the most frequent opening, and with the least frequent one that was
    /// written.
    most_games: u64,
    fewest_games: u64,
    file: String,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "games      {}", self.games)?;
        writeln!(f, "positions  {}", self.positions)?;
        writeln!(
            f,
            "openings   {}, each of {} to {} games",
            self.openings, self.fewest_games, self.most_games
        )?;
        writeln!(f, "file       {}", self.file)
    }
}
