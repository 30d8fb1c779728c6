//! The game files given on the command line: whether they exist, and progress.
//!
//! This module must not know what is done with the games.

use crate::exit::{Interrupted, WrongInput};
use crate::interruption;
use crate::output::{self, Output};
use crate::progress::Progress;
use data::pgn::{BrokenGame, Meter, Place, Source, SourceError};
use serde::Serialize;
use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Only the first broken games are kept for the report, to bound its memory.
const MOST_KEPT: usize = 1000;

/// Reads the files and shows progress.
pub(super) struct Files {
    paths: Vec<PathBuf>,
    progress: Progress,
    broken: Vec<BrokenGameReport>,
    /// Whether a file could not be read to its end.
    has_failed: bool,
}

/// One file being read.
pub(super) struct OpenFile<'a> {
    path: &'a Path,
    meter: Meter,
    bytes_shown: u64,
    progress: &'a Progress,
    broken: &'a mut Vec<BrokenGameReport>,
}

/// A broken game and where it is.
#[derive(Serialize)]
pub(super) struct BrokenGameReport {
    file: String,
    line: u64,
    game: u64,
    problem: String,
}

impl Files {
    /// Checks that all files exist before work begins.
    pub(super) fn new(paths: &[PathBuf], output: &Output) -> anyhow::Result<Self> {
        let mut bytes = 0;
        for path in paths.iter().filter(|path| !is_standard_input(path)) {
            let metadata = std::fs::metadata(path).map_err(|error| {
                WrongInput::new(format!("cannot open {}: {error}", path.display()))
            })?;
            bytes += metadata.len();
        }
        Ok(Self {
            paths: paths.to_vec(),
            progress: Progress::new(output, bytes, "bytes"),
            broken: Vec::new(),
            has_failed: false,
        })
    }

    /// Works on each file in turn. A file that cannot be read to its end is reported, and the work
    /// continues with the others; a file of another kind is wrong input.
    pub(super) fn for_each(
        &mut self,
        mut work: impl FnMut(Source, &mut OpenFile<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for path in &self.paths {
            let outcome = Source::open_games(path)
                .map_err(anyhow::Error::from)
                .and_then(|source| {
                    let mut file = OpenFile {
                        path,
                        meter: source.meter(),
                        bytes_shown: 0,
                        progress: &self.progress,
                        broken: &mut self.broken,
                    };
                    work(source, &mut file)
                });
            if interruption::requested() {
                return Err(Interrupted.into());
            }
            match outcome {
                Err(error) if is_other_kind(&error) => {
                    return Err(WrongInput::new(format!("{error:#}")).into());
                }
                Err(error) if error.is::<SourceError>() => {
                    self.has_failed = true;
                    self.progress
                        .aside(|| output::print_error(format_args!("{error:#}")));
                }
                other => other?,
            }
        }
        Ok(())
    }

    /// Whether a file could not be read to its end.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// The first broken games, for a report.
    pub(super) fn into_broken(self) -> Vec<BrokenGameReport> {
        self.broken
    }
}

impl OpenFile<'_> {
    /// Updates the progress and reports new broken games; breaks if the user has interrupted.
    pub(super) fn follow(&mut self, broken: &[BrokenGame]) -> ControlFlow<()> {
        let bytes = self.meter.bytes();
        self.progress.advance(bytes - self.bytes_shown);
        self.bytes_shown = bytes;
        for game in broken {
            self.print(game.place, &game.problem, |words| {
                output::print_words(words)
            });
            self.keep(game);
        }
        if interruption::requested() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Prints a message about a game with its position in the file, without disturbing the progress
    /// bar.
    pub(super) fn print(&self, place: Place, words: impl Display, print: impl FnOnce(&str)) {
        let Place { game, line } = place;
        let words = format!("{}:{line}: game {game}: {words}", self.path.display());
        self.progress.aside(|| print(&words));
    }

    fn keep(&mut self, game: &BrokenGame) {
        if self.broken.len() < MOST_KEPT {
            self.broken.push(BrokenGameReport {
                file: self.path.display().to_string(),
                line: game.place.line,
                game: game.place.game,
                problem: game.problem.to_string(),
            });
        }
    }
}

fn is_other_kind(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<SourceError>();
    matches!(error, Some(SourceError::OtherKind { .. }))
}

fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}
