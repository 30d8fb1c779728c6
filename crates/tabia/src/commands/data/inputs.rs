//! The position files given on the command line: whether they exist, how they are read, and
//! progress.
//!
//! This module must not know what is done with the positions.

use crate::exit::{Interrupted, WrongInput};
use crate::interruption;
use crate::kind;
use crate::output::{self, Output};
use crate::progress::Progress;
use anyhow::Context;
use clap::{Args, ValueEnum};
use data::pgn::{BrokenGame, Meter, SourceError};
use data::position::Labels;
use data::shard::{self, Reading, Shard, ShardError};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The input files, and how they are read.
#[derive(Args)]
pub(super) struct InputOptions {
    /// Position files: binpack, plain text or games with scores, may be compressed; - is standard
    /// input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Number of threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Point of view of scores and results in the files
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = LabelsChoice::SideToMove)]
    labels: LabelsChoice,
    /// Skip a truncated chunk or record at the end of a file
    #[arg(long)]
    skip_torn: bool,
}

/// The point of view of the labels.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LabelsChoice {
    /// The side to move, as the formats specify
    SideToMove,
    /// White: flip the sign where Black is to move. Corrects a file written from White's point of
    /// view
    White,
}

/// Reads the files.
pub(super) struct Inputs<'a> {
    options: &'a InputOptions,
    output: &'a Output,
    progress: Progress,
    threads: usize,
    /// The total size of the files.
    pub(super) bytes: u64,
}

/// The result for a piece of a file.
pub(super) struct Piece<'a, T> {
    /// The value made from its positions.
    pub(super) made: T,
    /// The file.
    pub(super) path: &'a Path,
    /// Why the piece could not be read to its end.
    pub(super) problem: Option<ShardError>,
}

impl<'a> Inputs<'a> {
    /// Checks that all files exist before work begins.
    pub(super) fn open(options: &'a InputOptions, output: &'a Output) -> anyhow::Result<Self> {
        let mut bytes = 0;
        for path in options.files.iter().filter(|path| **path != Path::new("-")) {
            let metadata = std::fs::metadata(path).map_err(|error| {
                WrongInput::new(format!("cannot open {}: {error}", path.display()))
            })?;
            bytes += metadata.len();
        }
        let threads = match options.threads {
            Some(threads) => usize::from(threads),
            None => std::thread::available_parallelism()
                .context("cannot count the CPUs")?
                .get(),
        };
        Ok(Self {
            options,
            output,
            progress: Progress::new(output, bytes, "bytes"),
            threads,
            bytes,
        })
    }

    /// Uses only one thread, for results that depend on the order.
    pub(super) fn in_one_thread(mut self) -> Self {
        self.threads = 1;
        self
    }

    /// Refuses an output that is one of the inputs.
    pub(super) fn refuse(&self, output: &Path) -> Result<(), WrongInput> {
        let Ok(output) = output.canonicalize() else {
            return Ok(());
        };
        let is_same = |path: &&PathBuf| path.canonicalize().is_ok_and(|path| path == output);
        match self.options.files.iter().find(is_same) {
            None => Ok(()),
            Some(path) => Err(WrongInput::new(format!(
                "{} is both input and output; give the output another name",
                path.display()
            ))),
        }
    }

    /// Reads all files. `work` is called for each piece with its number; `deliver` gets the results
    /// in file order and may stop the reading. A damaged piece is an error.
    pub(super) fn read<T: Send>(
        &self,
        work: impl Fn(&mut Reading<'_>, u64) -> T + Sync,
        mut deliver: impl FnMut(T) -> anyhow::Result<ControlFlow<()>> + Send,
    ) -> anyhow::Result<()> {
        self.examine(work, |piece| match piece.problem {
            Some(problem) if self.options.skip_torn && problem.is_torn() => {
                self.warn_of_torn(&problem);
                deliver(piece.made)
            }
            Some(problem) => Err(described(problem)),
            None => deliver(piece.made),
        })
    }

    /// The same for callers that continue after damage.
    pub(super) fn examine<T: Send>(
        &self,
        work: impl Fn(&mut Reading<'_>, u64) -> T + Sync,
        mut deliver: impl FnMut(Piece<'_, T>) -> anyhow::Result<ControlFlow<()>> + Send,
    ) -> anyhow::Result<()> {
        for (number, path) in (0_u64..).zip(&self.options.files) {
            let flow = self.examine_file(
                path,
                |reading| {
                    let piece = number << 40 | reading.index();
                    work(reading, piece)
                },
                &mut deliver,
            )?;
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn examine_file<T: Send>(
        &self,
        path: &Path,
        work: impl Fn(&mut Reading<'_>) -> T + Sync,
        deliver: &mut (impl FnMut(Piece<'_, T>) -> anyhow::Result<ControlFlow<()>> + Send),
    ) -> anyhow::Result<ControlFlow<()>> {
        let shard = Shard::open(path).map_err(described)?;
        let mut shown = Shown::new(shard.meter(), &self.progress);
        let mut outcome = Ok(ControlFlow::Continue(()));
        let read = shard::read(shard, self.labels(), self.threads, work, |read| {
            shown.advance();
            self.tell_of(path, &read.broken);
            let piece = Piece {
                made: read.made,
                path,
                problem: read.problem,
            };
            outcome = deliver(piece);
            if interruption::requested() {
                outcome = Err(Interrupted.into());
            }
            match outcome {
                Ok(flow) => flow,
                Err(_) => ControlFlow::Break(()),
            }
        });
        match read {
            Err(error) if self.options.skip_torn && error.is_torn() && outcome.is_ok() => {
                self.warn_of_torn(&error);
            }
            read if outcome.is_ok() => read.map_err(described)?,
            _ => {}
        }
        outcome
    }

    fn labels(&self) -> Labels {
        match self.options.labels {
            LabelsChoice::SideToMove => Labels::SideToMove,
            LabelsChoice::White => Labels::White,
        }
    }

    fn warn_of_torn(&self, error: &ShardError) {
        self.progress.aside(|| self.output.warn(error));
    }

    fn tell_of(&self, path: &Path, broken: &[BrokenGame]) {
        for game in broken {
            let (place, problem) = (game.place, &game.problem);
            self.progress.aside(|| {
                output::print_words(format_args!(
                    "{}:{}: game {}: {problem}",
                    path.display(),
                    place.line,
                    place.game
                ));
            });
        }
    }
}

/// Shows the progress in a file.
struct Shown<'a> {
    meter: Meter,
    progress: &'a Progress,
    bytes: u64,
}

impl<'a> Shown<'a> {
    fn new(meter: Meter, progress: &'a Progress) -> Self {
        Self {
            meter,
            progress,
            bytes: 0,
        }
    }

    fn advance(&mut self) {
        let bytes = self.meter.bytes();
        self.progress.advance(bytes - self.bytes);
        self.bytes = bytes;
    }
}

/// Missing or empty files are wrong input; damaged ones are a failure.
pub(super) fn described(error: ShardError) -> anyhow::Error {
    match error {
        ShardError::UnknownFormat(path) => {
            let wanted = "a file of training positions or games";
            let problem = || WrongInput::new(ShardError::UnknownFormat(path.clone()).to_string());
            kind::or_other(&path, wanted, &[], problem).into()
        }
        ShardError::Source(SourceError::Open { .. }) | ShardError::Empty(_) => {
            WrongInput::new(error.to_string()).into()
        }
        error if error.is_torn() => {
            let words = format!("{error}; --skip-torn skips the truncated part");
            anyhow::Error::msg(words)
        }
        other => other.into(),
    }
}
