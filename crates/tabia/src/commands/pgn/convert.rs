//! `tabia pgn convert`: writes selected games to new files, without duplicates.

use super::chosen::FilterOptions;
use super::files::{BrokenGameReport, Files};
use super::threads;
use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use clap::Args;
use data::pgn::{ConvertError, ConvertOptions, Converted, Converter, Split, WrittenFile};
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tabia pgn convert games.pgn -o games.pgn.zst
  tabia pgn convert *.pgn -o masters.pgn.zst \\
      --min-rating 2500 --no-event blitz
  tabia pgn convert all.pgn.gz -o set.pgn.zst --split-by-date 2020.01.01
  tabia pgn convert club.pgn -o mine.pgn --player 'Doe, Jane' --limit 100

Games are written in PGN export format, with their comments and variations.
Broken games are reported and skipped. A game without the information that a
filter needs does not pass: a game without ratings passes no rating filter.";

/// Filter games, remove duplicates, split by date, and write them to new files
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// The PGN files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The output file; .gz and .zst are compressed
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Keep duplicates: games with the same start position and moves as an earlier one
    #[arg(long)]
    keep_duplicates: bool,
    /// Write several files: -train and -valid for games before and from this date on, or one per
    /// `year` or `month`
    #[arg(long, value_name = "DATE", value_parser = parse_split)]
    split_by_date: Option<Split>,
    /// Number of reading threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Maximum number of games to write
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[command(flatten)]
    filter: FilterOptions,
}

fn parse_split(text: &str) -> Result<Split, String> {
    match text {
        "year" => Ok(Split::Years),
        "month" => Ok(Split::Months),
        _ => text
            .parse()
            .map(Split::At)
            .map_err(|error| format!("{error}, nor `year` or `month`")),
    }
}

pub(super) fn run(options: Options, output: &Output) -> anyhow::Result<Exit> {
    let mut files = Files::new(&options.files, output)?;
    refuse_own_output(&options)?;
    refuse_xz(&options.out)?;
    let is_by_player = options.filter.is_by_player();
    let mut converter = Converter::new(ConvertOptions {
        output: options.out,
        filter: options.filter.into(),
        split: options.split_by_date.unwrap_or_default(),
        keep_duplicates: options.keep_duplicates,
        limit: options.limit,
        threads: threads(options.threads)?,
    })?;
    files.for_each(|source, file| {
        let outcome = converter.add(source, |_, broken| file.follow(broken));
        outcome.map_err(|error| match error {
            ConvertError::Source(error) => error.into(),
            other => other.into(),
        })
    })?;
    let converted = converter.converted();
    let written = converter.finish()?;
    let has_failed = files.has_failed();
    if converted.left_out > 0 && converted.left_out + converted.broken == converted.games {
        let hint = match is_by_player {
            true => "; --player expects the full name as it is in the file",
            false => "",
        };
        output.warn(format_args!("no game passed the filters{hint}"));
    }
    output.report(&Report::new(converted, &written, files.into_broken()))?;
    Ok(if has_failed {
        Exit::Failure
    } else {
        Exit::Good
    })
}

/// Refuses an input as the output: replacing it while reading it would put the games at risk.
fn refuse_own_output(options: &Options) -> Result<(), WrongInput> {
    let same = |path: &PathBuf| match (path.canonicalize(), options.out.canonicalize()) {
        (Ok(input), Ok(output)) => input == output,
        _ => false,
    };
    match options.files.iter().find(|path| same(path)) {
        None => Ok(()),
        Some(path) => Err(WrongInput::new(format!(
            "{} is both input and output; give --out another name",
            path.display()
        ))),
    }
}

/// Refuses xz, which can be read but not written.
fn refuse_xz(output: &Path) -> Result<(), WrongInput> {
    match output.extension() {
        Some(extension) if extension == "xz" => Err(WrongInput::new(format!(
            "{} cannot be written as xz; name it .zst or .gz",
            output.display()
        ))),
        _ => Ok(()),
    }
}

/// The result.
#[derive(Serialize)]
struct Report {
    games: u64,
    written: u64,
    left_out: u64,
    duplicates: u64,
    /// Games after the last one that was wanted, which were not examined.
    beyond_limit: u64,
    broken: u64,
    files: Vec<FileReport>,
    /// The first thousand of them.
    broken_games: Vec<BrokenGameReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    games: u64,
}

impl Report {
    fn new(
        converted: Converted,
        written: &[WrittenFile],
        broken_games: Vec<BrokenGameReport>,
    ) -> Self {
        let seen = converted.written + converted.left_out + converted.duplicates + converted.broken;
        let files = written.iter().map(|file| FileReport {
            file: file.path.display().to_string(),
            games: file.games,
        });
        Self {
            games: converted.games,
            written: converted.written,
            left_out: converted.left_out,
            duplicates: converted.duplicates,
            beyond_limit: converted.games.saturating_sub(seen),
            broken: converted.broken,
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
            ("duplicates", self.duplicates),
            ("broken", self.broken),
            ("written", self.written),
        ] {
            writeln!(formatter, "{name:<11} {count}")?;
        }
        if self.beyond_limit > 0 {
            let beyond = self.beyond_limit;
            writeln!(
                formatter,
                "not read    {beyond} or more: --limit was reached"
            )?;
        }
        for FileReport { file, games } in &self.files {
            writeln!(formatter, "{file}: {games}")?;
        }
        Ok(())
    }
}
