//! Openings from files. A file with any invalid line or game is refused: a match from fewer
//! openings would be a different match.

use super::{Opening, polyglot};
use chess::{Epd, Game};
use data::lines::Lines;
use data::pgn::{self, Batches, Reader, Source, SourceError};
use std::path::{Path, PathBuf};

/// How many bytes are read to recognise the kind of a file.
const FIRST_BYTES: usize = 1 << 12;

/// Why openings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file itself cannot be read.
    #[error(transparent)]
    Source(SourceError),
    /// It is a file of another kind.
    #[error("{} is {kind}, not an opening book (EPD, PGN or Polyglot)", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// A line of an EPD file is not a valid opening.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// A game of a PGN file is not a valid opening.
    #[error("{}: game {game}: {problem}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The number of the game.
        game: u64,
        /// What is wrong.
        problem: String,
    },
    /// A Polyglot book cannot be used.
    #[error("{}: {problem}", path.display())]
    Book {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The file has no openings.
    #[error("{} contains no openings", .0.display())]
    Empty(PathBuf),
}

impl From<SourceError> for OpeningsError {
    fn from(error: SourceError) -> OpeningsError {
        match error {
            SourceError::OtherKind { path, kind } => OpeningsError::OtherKind { path, kind },
            error => OpeningsError::Source(error),
        }
    }
}

pub(super) fn read(path: &Path, plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    if polyglot::is_book(path) {
        return polyglot::read(path, plies);
    }
    let mut source = Source::open(path)?;
    let openings = if is_epd(path, &source.look_ahead(FIRST_BYTES)?) {
        read_positions(source)?
    } else {
        drop(source);
        read_games(Source::open_games(path)?, plies)?
    };
    if openings.is_empty() {
        return Err(OpeningsError::Empty(path.to_owned()));
    }
    Ok(openings)
}

/// Whether a file is EPD, not PGN: by its name, or else by its first line.
fn is_epd(path: &Path, start: &[u8]) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy());
    let name = name.unwrap_or_default().to_ascii_lowercase();
    if name.contains(".epd") || name.contains(".fen") {
        return true;
    }
    if name.contains(".pgn") {
        return false;
    }
    let text = String::from_utf8_lossy(start);
    let first = text.lines().map(str::trim).find(|line| is_position(line));
    first.is_some_and(|line| {
        let placement = line.split_whitespace().next().unwrap_or_default();
        placement.matches('/').count() == 7
    })
}

/// Whether a line of an EPD file is a position, not empty or a comment.
pub(super) fn is_position(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

fn read_positions(source: Source) -> Result<Vec<Opening>, OpeningsError> {
    let path = source.path().to_owned();
    let mut openings = Vec::new();
    let mut lines = Lines::new(source);
    while let Some(line) = lines.next()? {
        let text = String::from_utf8_lossy(line.text);
        let text = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0');
        if is_position(text) {
            openings.push(read_position(text).map_err(|problem| OpeningsError::Line {
                path: path.clone(),
                line: line.number,
                problem,
            })?);
        }
    }
    Ok(openings)
}

fn read_position(text: &str) -> Result<Opening, String> {
    let epd: Epd = text.parse().map_err(|error| format!("{error}"))?;
    match epd.board.termination() {
        None => Ok(Opening::new(epd.board)),
        Some(termination) => Err(format!("the game is over: {termination}")),
    }
}

fn read_games(source: Source, plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let path = source.path().to_owned();
    let mut openings = Vec::new();
    for (index, game) in Reader::new(Batches::new(source)).enumerate() {
        let wrong = |problem: String| OpeningsError::Game {
            path: path.clone(),
            game: index as u64 + 1,
            problem,
        };
        let game = match game {
            Ok(game) => game,
            Err(pgn::ReadError::Source(error)) => return Err(error.into()),
            Err(pgn::ReadError::Game(broken)) => {
                return Err(OpeningsError::Line {
                    path: path.clone(),
                    line: broken.place.line,
                    problem: format!("game {}: {}", broken.place.game, broken.problem),
                });
            }
        };
        openings.push(read_game(&game, plies).map_err(wrong)?);
    }
    Ok(openings)
}

fn read_game(read: &pgn::Game, plies: Option<usize>) -> Result<Opening, String> {
    let mut game = Game::new(*read.start());
    let wanted = plies.unwrap_or(usize::MAX);
    for played in read.moves.moves.iter().take(wanted) {
        let mv = played.mv.ok_or("an opening cannot contain a null move")?;
        game.play(mv).map_err(|error| error.to_string())?;
    }
    match game.termination() {
        None => Ok(Opening {
            start: *read.start(),
            moves: game.moves().to_vec(),
        }),
        Some(termination) => {
            let count = game.moves().len();
            Err(format!(
                "the game is over after {count} plies: {termination}; use fewer plies"
            ))
        }
    }
}
