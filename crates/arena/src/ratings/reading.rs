//! Results from files: PGN, of which usually only the tags are read, and journals of matches, with
//! one JSON object per line.

use super::results::Results;
use crate::statistics::Trinomial;
use data::lines::Lines;
use data::pgn::{
    Batch, Batches, Ending, GameResult, Games, Replayer, Source, SourceError, Stop, Tag, Visitor,
};
use serde::Deserialize;
use std::ops::{AddAssign, ControlFlow};
use std::path::PathBuf;

/// How many bytes are read to recognise the kind of a file.
const FIRST_BYTES: usize = 1 << 12;
/// `follow` is called after this many lines of a journal.
const LINES_A_STEP: u64 = 1000;

/// The number of games in a file, by whether they could be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Read {
    /// Games that are counted.
    pub counted: u64,
    /// Games without a result.
    pub unfinished: u64,
    /// Games without the name of a player, or with the same name twice.
    pub nameless: u64,
    /// Games that could not be read.
    pub broken: u64,
}

impl AddAssign for Read {
    fn add_assign(&mut self, other: Read) {
        self.counted += other.counted;
        self.unfinished += other.unfinished;
        self.nameless += other.nameless;
        self.broken += other.broken;
    }
}

/// Why a file could not be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReadingError {
    /// The file itself cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A line of a journal is not JSON.
    #[error("{}:{line}: not a line of a journal: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line.
        line: u64,
        /// What is wrong.
        problem: serde_json::Error,
    },
}

/// Adds the games of a PGN file or journal. `follow` is called from time to time, and can stop the
/// reading.
pub fn read(
    mut source: Source,
    results: &mut Results,
    follow: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Read, ReadingError> {
    let start = source.look_ahead(FIRST_BYTES)?;
    if start.trim_ascii_start().starts_with(b"{") && !looks_like_comment(&start) {
        read_journal(source, results, follow)
    } else {
        read_games(source, results, follow)
    }
}

/// A PGN file may begin with a comment, which has braces like JSON.
fn looks_like_comment(start: &[u8]) -> bool {
    let inner = start.trim_ascii_start()[1..].trim_ascii_start();
    !(inner.starts_with(b"\"") || inner.starts_with(b"}"))
}

fn read_games(
    source: Source,
    results: &mut Results,
    follow: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Read, ReadingError> {
    let mut read = Read::default();
    let mut batches = Batches::new(source);
    let mut batch = Batch::default();
    while batches.next(&mut batch)? {
        if batch.passed_over().is_some() {
            read.broken += 1;
        } else {
            read_batch(batch.bytes(), results, &mut read);
        }
        if follow().is_break() {
            break;
        }
    }
    Ok(read)
}

fn read_batch(bytes: &[u8], results: &mut Results, read: &mut Read) {
    let mut games = Games::new(bytes);
    let mut replayer = Replayer::default();
    let mut header = Header::default();
    while let Some(outcome) = replayer.next_game(&mut games, &mut header) {
        let header = std::mem::take(&mut header);
        match outcome {
            Ok(_) | Err(Stop::LeftOut) => {
                read.add(results, &header.white, &header.black, header.result);
            }
            Err(Stop::Broken { .. }) => read.broken += 1,
            Err(Stop::Nothing) => {}
        }
    }
}

/// Reads the tags of a game; the moves only if the tags do not give the result.
#[derive(Default)]
struct Header {
    white: String,
    black: String,
    result: GameResult,
}

impl Visitor for Header {
    fn tag(&mut self, tag: Tag<'_>) -> ControlFlow<()> {
        match tag.name() {
            b"White" => self.white = tag.value().trim().to_owned(),
            b"Black" => self.black = tag.value().trim().to_owned(),
            b"Result" => {
                self.result = GameResult::from_bytes(tag.raw_value()).unwrap_or_default();
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, _board: &chess::Board) -> ControlFlow<()> {
        match self.result {
            GameResult::Unknown => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }

    fn end(&mut self, ending: &Ending) {
        self.result = ending.result();
    }
}

/// The fields that make a line of a journal a game.
#[derive(Deserialize)]
struct JournalLine {
    white: Option<String>,
    black: Option<String>,
    result: Option<serde_json::Value>,
}

fn read_journal(
    source: Source,
    results: &mut Results,
    follow: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Read, ReadingError> {
    let mut read = Read::default();
    let path = source.path().to_owned();
    let mut lines = Lines::new(source);
    while let Some(line) = lines.next()? {
        let (number, is_whole) = (line.number, line.is_whole);
        match serde_json::from_slice::<JournalLine>(line.text) {
            Ok(line) => read.add_line(results, line),
            // A journal may end with a partial line after a power failure.
            Err(_) if !is_whole => {}
            Err(_) if line.text.trim_ascii().is_empty() => {}
            Err(problem) => {
                return Err(ReadingError::Line {
                    path,
                    line: number,
                    problem,
                });
            }
        }
        if number % LINES_A_STEP == 0 && follow().is_break() {
            break;
        }
    }
    Ok(read)
}

impl Read {
    /// Adds a line of a journal; lines that are not games are skipped.
    fn add_line(&mut self, results: &mut Results, line: JournalLine) {
        if let (Some(white), Some(black), Some(serde_json::Value::String(result))) =
            (line.white, line.black, line.result)
        {
            let result = GameResult::from_bytes(result.as_bytes()).unwrap_or_default();
            self.add(results, &white, &black, result);
        }
    }

    fn add(&mut self, results: &mut Results, white: &str, black: &str, result: GameResult) {
        let is_name = |name: &str| !name.is_empty() && name != "?";
        let mut games = Trinomial::default();
        match result {
            GameResult::WhiteWins => games.wins = 1,
            GameResult::BlackWins => games.losses = 1,
            GameResult::Draw => games.draws = 1,
            GameResult::Unknown => {
                self.unfinished += 1;
                return;
            }
        }
        if is_name(white) && is_name(black) && white != black {
            self.counted += 1;
            results.add(white, black, games);
        } else {
            self.nameless += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn read_text(text: &str) -> Result<(Read, Results), ReadingError> {
        let source = Source::from_reader("games", Cursor::new(text.to_owned()))?;
        let mut results = Results::new();
        let read = read(source, &mut results, &mut || ControlFlow::Continue(()))?;
        Ok((read, results))
    }

    #[test]
    fn tags_of_games_are_read() {
        let text = "\
[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 Ke3 nonsense 1-0\n\n\
[White \"b\"]\n[Black \"a\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n\
[White \"a\"]\n[Black \"b\"]\n\n1. e4 0-1\n\n\
[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. e4 *\n\n\
[White \"a\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
[White \"a\"]\n[Black \"b\"]\n\n1. Ke3 1-0\n";
        let (read, results) = read_text(text).expect("readable");
        assert_eq!(
            read,
            Read {
                counted: 3,
                unfinished: 1,
                nameless: 1,
                broken: 1
            }
        );
        let games: Vec<_> = results.pairings().collect();
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].2.wins, games[0].2.losses), (1, 1));
        assert_eq!(games[1].2.draws, 1);
    }

    #[test]
    fn games_of_a_journal_are_read_and_other_lines_passed_over() {
        let text = "\
{\"kind\":\"plan\",\"players\":[1,2],\"result\":{\"a\":1}}\n\
{\"kind\":\"game\",\"white\":\"a\",\"black\":\"b\",\"result\":\"0-1\",\"plies\":80}\n\
\n\
{\"kind\":\"game\",\"white\":\"a\",\"black\":\"b\",\"result\":\"*\"}\n\
{\"kind\":\"game\",\"white\":\"a\",\"bla";
        let (read, results) = read_text(text).expect("readable");
        assert_eq!((read.counted, read.unfinished), (1, 1));
        assert_eq!(results.totals()[0].losses, 1);
        assert_eq!(read_text("").expect("readable").0, Read::default());
    }

    #[test]
    fn a_broken_line_of_a_journal_is_named() {
        let error = read_text("{\"kind\":1}\n{\"white\n")
            .map(|_| ())
            .expect_err("no JSON");
        let message = error.to_string();
        assert!(
            message.starts_with("games:2: not a line of a journal: "),
            "{message}"
        );
    }

    #[test]
    fn a_comment_does_not_make_a_journal() {
        let text =
            "{ All games of the match }\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n*\n";
        assert_eq!(read_text(text).expect("readable").0.counted, 1);
    }
}
