//! `tabia pgn sequences`: writes games to files for training sequence models.

use super::chosen::FilterOptions;
use super::files::{BrokenGameReport, Files};
use super::threads;
use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use clap::Args;
use data::pgn::Date;
use data::sequences::{Dates, GatherError, GatherOptions, Gathered, Gatherer, WrittenSequences};
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia pgn sequences games.pgn.zst -o games.sequences
  tabia pgn sequences *.pgn.zst -o games.sequences \\
      --valid-from 2019 --test-from 2020
  tabia pgn sequences lichess.pgn.zst -o fast.sequences \\
      --min-mean-rating 2000 --with-clocks

With dates, two or three files are written, such as games-train.sequences,
games-valid.sequences and games-test.sequences: the training set, the
validation set that models are selected by, and the test set for the final
evaluation, which no training accepts for validation. Games that do not begin
with the usual start position are skipped.";

/// Write games as sequences of moves, to train sequence models
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// The PGN files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// First date of the validation set, such as 2019 or 2019.06.01
    #[arg(long, value_name = "DATE")]
    valid_from: Option<Date>,
    /// First date of the test set
    #[arg(long, value_name = "DATE", requires = "valid_from")]
    test_from: Option<Date>,
    /// Number of reading threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    filter: FilterOptions,
}

pub(super) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    let mut files = Files::new(&options.files, output)?;
    let dates = options.valid_from.map(|valid| Dates {
        valid,
        test: options.test_from,
    });
    if let Some(Dates {
        valid,
        test: Some(test),
    }) = dates
        && !valid.is_before(test)
    {
        let problem = format!("--test-from {test} is not later than --valid-from {valid}");
        return Err(WrongInput::new(problem).into());
    }
    let mut gatherer = Gatherer::new(GatherOptions {
        out: options.out,
        filter: options.filter.into(),
        dates,
        threads: threads(options.threads)?,
    })?;
    files.for_each(|source, file| {
        let outcome = gatherer.add(source, |_, broken| file.follow(broken));
        outcome.map_err(|error| match error {
            GatherError::Source(error) => error.into(),
            other => other.into(),
        })
    })?;
    let gathered = gatherer.gathered();
    let written = gatherer.finish()?;
    let has_failed = files.has_failed();
    output.report(&Report::new(gathered, &written, files.into_broken()))?;
    Ok(match has_failed {
        true => Exit::Failure,
        false => Exit::Good,
    })
}

/// The result.
#[derive(Serialize)]
struct Report {
    games: u64,
    left_out: u64,
    unusual: u64,
    undated: u64,
    broken: u64,
    taken: u64,
    files: Vec<FileReport>,
    /// The first thousand of them.
    broken_games: Vec<BrokenGameReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    games: u64,
    plies: u64,
}

impl Report {
    fn new(
        gathered: Gathered,
        written: &[WrittenSequences],
        broken_games: Vec<BrokenGameReport>,
    ) -> Report {
        let files = written.iter().map(|file| FileReport {
            file: file.path.display().to_string(),
            games: file.games,
            plies: file.plies,
        });
        Report {
            games: gathered.games,
            left_out: gathered.left_out,
            unusual: gathered.unusual,
            undated: gathered.undated,
            broken: gathered.broken,
            taken: gathered.taken,
            files: files.collect(),
            broken_games,
        }
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, count) in [
            ("games", self.games),
            ("left out", self.left_out),
            ("unusual start", self.unusual),
            ("date unclear", self.undated),
            ("broken", self.broken),
            ("taken", self.taken),
        ] {
            writeln!(formatter, "{name:<13} {count}")?;
        }
        for FileReport { file, games, plies } in &self.files {
            writeln!(formatter, "{file}: {games} games, {plies} moves")?;
        }
        Ok(())
    }
}
