//! Converts files: writes selected games, without duplicates, into new files.
//!
//! All threads read games, select them and format their text; the order of the games,
//! and hence the files, are the same for any number of threads.

mod date;
mod filter;
mod output;
mod split;

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hasher},
    io,
    ops::{ControlFlow, Range},
    path::{Path, PathBuf},
};

use chess::{Board, Move};

pub use date::{Date, DateError};
pub use filter::Filter;
pub use split::{Split, WrittenFile};

use super::{
    annotations::Annotations,
    batches::{Batch, Batches},
    builder::GameBuilder,
    game::Game,
    problem::BrokenGame,
    reading::{BatchReport, Counted, read_batch},
    replay::{Ending, Visitor},
    source::{Source, SourceError},
    tag::Tag,
};
use crate::workers::process;
pub(crate) use filter::Facts;
use split::Parts;

/// What to convert, and into what.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// The file to write; gzip or zstd if its name ends with `.gz` or `.zst`.
    pub output: PathBuf,
    /// The games to take.
    pub filter: Filter,
    /// How to divide them among files named after `output`.
    pub split: Split,
    /// Whether to keep games with the same start and moves as an earlier one.
    pub keep_duplicates: bool,
    /// The most games to write.
    pub limit: Option<u64>,
    /// The number of threads.
    pub threads: usize,
}

/// Why a conversion failed.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// A file could not be read to its end.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A file could not be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file, or the name from which the files' names are derived.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
}

/// The counts of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Converted {
    /// All games read.
    pub games: u64,
    /// Those that were written.
    pub written: u64,
    /// Those that the filter left out.
    pub left_out: u64,
    /// Those that are equal to an earlier game.
    pub duplicates: u64,
    /// Those that are broken.
    pub broken: u64,
}

/// Converts one file after another into one output.
///
/// The output does not appear before [`Converter::finish`].
pub struct Converter {
    options: ConvertOptions,
    parts: Parts,
    /// Hashes of start and moves of the games written so far.
    known: HashSet<u64>,
    converted: Converted,
}

impl Converter {
    /// Begins the output.
    pub fn new(options: ConvertOptions) -> Result<Self, ConvertError> {
        let parts = Parts::create(&options.output, options.split)
            .map_err(|error| write_error(&options.output, error))?;
        Ok(Self {
            options,
            parts,
            known: HashSet::new(),
            converted: Converted::default(),
        })
    }

    /// Adds the games of a file. After each batch, `follow` gets the counts so far and
    /// the broken games of the batch; it may stop the conversion.
    ///
    /// Of a truncated file, the whole games are added before the error.
    pub fn add(
        &mut self,
        source: Source,
        mut follow: impl FnMut(&Converted, &[BrokenGame]) -> ControlFlow<()> + Send,
    ) -> Result<(), ConvertError> {
        let Self {
            options,
            parts,
            known,
            converted,
        } = self;
        let mut counted = Counted::default();
        let games_before = converted.games;
        let mut failure = None;
        let deliver = |batch: ConvertedBatch| {
            let broken = counted.add(batch.report);
            converted.games = games_before + counted.games;
            converted.broken += broken.len() as u64;
            converted.left_out += batch.left_out;
            for game in batch.games {
                if options
                    .limit
                    .is_some_and(|limit| converted.written >= limit)
                {
                    return ControlFlow::Break(());
                }
                if !options.keep_duplicates && !known.insert(game.identity) {
                    converted.duplicates += 1;
                    continue;
                }
                if let Err(error) = parts.write(game.date, &batch.text[game.text]) {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
                converted.written += 1;
            }
            follow(converted, &broken)
        };
        let work = |batch: &Batch| convert_batch(batch, &options.filter);
        let mut batches = Batches::new(source);
        let next = |batch: &mut Batch| batches.next(batch);
        let outcome = process(next, options.threads, work, deliver);
        match failure {
            Some(error) => Err(write_error(&options.output, error)),
            None => Ok(outcome?),
        }
    }

    /// The counts so far.
    pub fn converted(&self) -> Converted {
        self.converted
    }

    /// Completes the output and gives the files their names.
    pub fn finish(self) -> Result<Vec<WrittenFile>, ConvertError> {
        let path = self.options.output;
        self.parts
            .finish()
            .map_err(|error| write_error(&path, error))
    }
}

fn write_error(path: &Path, error: io::Error) -> ConvertError {
    ConvertError::Write {
        path: path.to_owned(),
        error,
    }
}

/// The result of a batch: the text of the selected games, and where each begins in
/// it.
struct ConvertedBatch {
    report: BatchReport,
    left_out: u64,
    text: String,
    games: Vec<ChosenGame>,
}

struct ChosenGame {
    identity: u64,
    date: Option<Date>,
    text: Range<usize>,
}

fn convert_batch(batch: &Batch, filter: &Filter) -> ConvertedBatch {
    let (mut text, mut games, mut left_out) = (String::new(), Vec::new(), 0);
    let report = read_batch(batch, |replayer, batch_games, _| {
        let mut chooser = Chooser::new(filter);
        let outcome = replayer.next_game(batch_games, &mut chooser)?;
        left_out += u64::from(chooser.is_left_out);
        let game = chooser.builder.finish().filter(|_| !chooser.is_left_out);
        let is_wanted = |game: &Game| !filter.with_clocks || has_clocks(game);
        left_out += u64::from(game.as_ref().is_some_and(|game| !is_wanted(game)));
        if let Some(game) = game.filter(is_wanted) {
            let start = text.len();
            text += &game.to_string();
            let (identity, date) = (identity(&game), chooser.facts.date());
            games.push(ChosenGame {
                identity,
                date,
                text: start..text.len(),
            });
        }
        Some(outcome)
    });
    ConvertedBatch {
        report,
        left_out,
        text,
        games,
    }
}

/// Whether there is a clock after each move of the main line.
fn has_clocks(game: &Game) -> bool {
    let tells = |comment: &String| Annotations::from(comment.as_str()).clock.is_some();
    let moves = &game.moves.moves;
    !moves.is_empty() && moves.iter().all(|played| played.comments.iter().any(tells))
}

/// A hash of the start and the main line of a game.
fn identity(game: &Game) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write_u64(game.start().key());
    for played in &game.moves.moves {
        // No move has the bits 0, so they can stand for a null move.
        hasher.write_u16(played.mv.map_or(0, Move::to_bits));
    }
    hasher.finish()
}

/// Keeps a game if it satisfies the filter; its moves are not even read if the tags
/// already exclude it.
struct Chooser<'a> {
    filter: &'a Filter,
    facts: Facts,
    builder: GameBuilder,
    is_left_out: bool,
}

impl<'a> Chooser<'a> {
    fn new(filter: &'a Filter) -> Self {
        Self {
            filter,
            facts: Facts::default(),
            builder: GameBuilder::new(),
            is_left_out: false,
        }
    }
}

impl Visitor for Chooser<'_> {
    fn tag(&mut self, tag: Tag<'_>) -> ControlFlow<()> {
        self.facts.note(tag);
        self.builder.tag(tag)
    }

    fn start(&mut self, board: &Board) -> ControlFlow<()> {
        if self.filter.takes_tags(&self.facts) {
            return self.builder.start(board);
        }
        self.is_left_out = true;
        ControlFlow::Break(())
    }

    fn play(&mut self, before: &Board, mv: Option<Move>) {
        self.builder.play(before, mv);
    }

    fn nag(&mut self, nag: u8) {
        self.builder.nag(nag);
    }

    fn comment(&mut self, text: &[u8]) {
        self.builder.comment(text);
    }

    fn open(&mut self) {
        self.builder.open();
    }

    fn close(&mut self) {
        self.builder.close();
    }

    fn end(&mut self, ending: &Ending) {
        self.is_left_out = !self.filter.takes_ending(ending);
        if !self.is_left_out {
            self.builder.end(ending);
        }
    }
}

#[cfg(test)]
mod tests;
