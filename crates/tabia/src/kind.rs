//! Recognises a file of the wrong kind, for error messages.
//!
//! It must not know what the file is needed for.

use crate::exit::WrongInput;
use data::pgn::{Source, SourceError};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How many bytes are read to recognise the kind of a file.
const FIRST_BYTES: u64 = 1 << 12;
/// The kind of binary files that begin with nothing known.
const UNKNOWN: &str = "a binary file";
const GAMES: &str = "a PGN file of games";

/// The kind of a file, if it is known.
fn of(path: &Path) -> Option<&'static str> {
    // The first bytes of a pipe could not be read again.
    if !path.is_file() {
        return None;
    }
    match Source::open_games(path) {
        Err(SourceError::OtherKind { kind, .. }) => Some(kind),
        Err(_) => None,
        Ok(_) => has_tags(path).then_some(GAMES),
    }
}

/// Whether a text begins with a PGN tag, such as `[Event "A match"]`.
fn has_tags(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FIRST_BYTES).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    let text = text.trim_start_matches(['\u{feff}', '\r', '\n', ' ']);
    let tag = text.strip_prefix('[').and_then(|tag| tag.split_once(" \""));
    let is_name = |name: &str| !name.is_empty() && name.chars().all(char::is_alphanumeric);
    read.is_ok() && tag.is_some_and(|(name, _)| is_name(name))
}

/// The error for a file that is known to be of another kind than the wanted one; `None` if its kind
/// contains one of the words in `may_be`.
pub(crate) fn other(path: &Path, wanted: &str, may_be: &[&str]) -> Option<WrongInput> {
    let kind = of(path).filter(|kind| !kind.starts_with(UNKNOWN))?;
    let is_other = !may_be.iter().any(|word| kind.contains(word));
    is_other.then(|| WrongInput::new(format!("{} is {kind}, not {wanted}", path.display())))
}

/// That error, or otherwise `problem`.
pub(crate) fn or_other(
    path: &Path,
    wanted: &str,
    may_be: &[&str],
    problem: impl FnOnce() -> WrongInput,
) -> WrongInput {
    other(path, wanted, may_be).unwrap_or_else(problem)
}
