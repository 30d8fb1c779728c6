//! `tabia ratings`: a rating list of all players in game files and journals.

use crate::evidence::RatingReport;
use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::output::Output;
use crate::progress::Progress;
use arena::ratings::{self, Anchor, Crosstable, Read, ReadingError, Results};
use clap::Args;
use data::pgn::{Source, SourceError};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tabia ratings games.pgn.zst
  tabia ratings matches/*/journal.jsonl --anchor baseline=0
  tabia ratings all.pgn --min-games 50 --crosstable

All games are fitted together, with White's advantage and the draw rate, by
Davidson's model; docs/judging.md explains it. The numbers after ± are 95 %
confidence intervals, relative to the mean of all players, which is 0, or to
the anchors. LOS is the likelihood of superiority over the next player of the
list.";

/// Compute a rating list from game files
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// PGN files, or journals of matches; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Fix the rating of a player as an anchor; may be repeated
    #[arg(long, value_name = "NAME=ELO", value_parser = parse_anchor)]
    anchor: Vec<Anchor>,
    /// Exclude players with fewer games, and their games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// Show the crosstable of points
    #[arg(long)]
    crosstable: bool,
}

fn parse_anchor(text: &str) -> Result<Anchor, String> {
    let wrong = || "expected a name and a rating, such as `baseline=0`".to_owned();
    let (name, elo) = text.rsplit_once('=').ok_or_else(wrong)?;
    Ok(Anchor {
        name: name.trim().to_owned(),
        elo: elo.trim().parse().map_err(|_| wrong())?,
    })
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    interruption::listen()?;
    let (results, read) = read_all(&options.files, output)?;
    tell_left_out(&read, output);
    let results = results.with_at_least(options.min_games);
    let list = ratings::rate(&results, &options.anchor)
        .map_err(|error| WrongInput::new(error.to_string()))?;
    if let Some(caveat) = list.caveat() {
        output.warn(caveat);
    }
    let names = list.players.iter().map(|player| player.name.as_str());
    let crosstable = options.crosstable.then(|| Crosstable::new(&results, names));
    output.report(&RatingReport::new(list, crosstable))?;
    Ok(Exit::Good)
}

fn read_all(files: &[PathBuf], output: &Output) -> anyhow::Result<(Results, Read)> {
    let progress = Progress::new(output, size_of(files)?, "bytes");
    let mut results = Results::new();
    let mut total = Read::default();
    for file in files {
        let source = Source::open_games(file)?;
        let meter = source.meter();
        let mut shown = 0;
        let mut follow = || {
            progress.advance(meter.bytes() - shown);
            shown = meter.bytes();
            if interruption::requested() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let read = ratings::read(source, &mut results, &mut follow).map_err(described)?;
        if interruption::requested() {
            return Err(Interrupted.into());
        }
        total += read;
    }
    Ok((results, total))
}

/// The total size of the files; they must exist before work begins.
fn size_of(files: &[PathBuf]) -> Result<u64, WrongInput> {
    let mut bytes = 0;
    for path in files.iter().filter(|path| *path != Path::new("-")) {
        let metadata = std::fs::metadata(path)
            .map_err(|error| WrongInput::new(format!("cannot open {}: {error}", path.display())))?;
        bytes += metadata.len();
    }
    Ok(bytes)
}

fn described(error: ReadingError) -> anyhow::Error {
    match error {
        ReadingError::Source(other @ SourceError::OtherKind { .. }) => {
            WrongInput::new(other.to_string()).into()
        }
        ReadingError::Source(error) => error.into(),
        line @ ReadingError::Line { .. } => WrongInput::new(line.to_string()).into(),
    }
}

fn tell_left_out(read: &Read, output: &Output) {
    let left_out: Vec<String> = [
        (read.unfinished, "without a result"),
        (read.nameless, "without both names"),
        (read.broken, "broken"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, reason)| format!("{count} {reason}"))
    .collect();
    if !left_out.is_empty() {
        output.note(format_args!("games skipped: {}", left_out.join(", ")));
    }
}
