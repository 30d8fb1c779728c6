//! Other programs that Tabia can use, and what for.

use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// Debian's folder for chess engines, which may not be on the PATH.
const GAMES: &str = "/usr/games";

/// The programs to look for: their possible names, and their use.
const WANTED: [(&[&str], &str); 9] = [
    (
        &["stockfish"],
        "opponent; reference for nets in `make test`",
    ),
    (&["ethereal-chess", "ethereal"], "opponent"),
    (&["lc0"], "opponent"),
    (&["gnuchess"], "opponent"),
    (&["toga2"], "opponent"),
    (&["glaurung"], "opponent"),
    (&["node"], "builds the page of `tabia serve`"),
    (
        &["chromium", "google-chrome", "firefox"],
        "shows reports; tests of the page",
    ),
    (&["nats-server"], "`tabia cluster up`"),
];

/// A program that was looked for.
#[derive(Serialize)]
pub(super) struct Program {
    name: &'static str,
    path: Option<PathBuf>,
    good_for: &'static str,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Program { name, good_for, .. } = self;
        match &self.path {
            Some(path) => write!(f, "{name:<14} {}", path.display()),
            None => write!(f, "{name:<14} not found: {good_for}"),
        }
    }
}

/// Looks for all programs.
pub(super) fn find() -> Vec<Program> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.push(GAMES.into());
    let place = |name: &str| {
        let paths = folders.iter().map(|folder| folder.join(name));
        paths.into_iter().find(|path| path.is_file())
    };
    let found = |(names, good_for): &(&[&'static str], &'static str)| {
        let path = names.iter().find_map(|name| Some((*name, place(name)?)));
        let (name, path) = match path {
            Some((name, path)) => (name, Some(path)),
            None => (names[0], None),
        };
        Program {
            name,
            path,
            good_for,
        }
    };
    WANTED.iter().map(found).collect()
}
