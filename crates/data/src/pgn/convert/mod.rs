//! Converting files: chosen games, without duplicates, into new files.
//!
//! Games are read, chosen and written to text by all threads; the order of
//! the games and hence the files are the same for any number of threads.

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
    /// Whether to keep games that have the same start and moves as an earlier
    /// one.
    pub keep_duplicates: bool,
    /// The most games that are written.
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
        /// The file, or the name after which the files are named.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
}

/// What a conversion has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Converted {
    /// All games read.
    pub games: u64,
    /// Those that were written.
    pub written: u64,
    /// Those that the filter did not take.
    pub left_out: u64,
    /// Those that an earlier game equals.
    pub duplicates: u64,
    /// Those that are broken.
    pub broken: u64,
}

/// Converts files, one after the other, into one output.
///
/// Nothing is to be seen of the output before [`Converter::finish`].
pub struct Converter {
    options: ConvertOptions,
    parts: Parts,
    /// The games written, as numbers that tell start and moves.
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

    /// Adds the games of a file. After each batch, `follow` hears what was
    /// counted up to there and which games of the batch are broken; it may
    /// break off the conversion.
    ///
    /// If the file is truncated, its whole games have been added.
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

    /// What was counted up to now.
    pub fn converted(&self) -> Converted {
        self.converted
    }

    /// Puts the output in its place.
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

/// What came of a batch: the text of the chosen games, and where each stands
/// in it.
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

/// Whether the time left is told after each move of the main line.
fn has_clocks(game: &Game) -> bool {
    let tells = |comment: &String| Annotations::from(comment.as_str()).clock.is_some();
    let moves = &game.moves.moves;
    !moves.is_empty() && moves.iter().all(|played| played.comments.iter().any(tells))
}

/// A number that tells the start and the main line of a game.
fn identity(game: &Game) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write_u64(game.start().key());
    for played in &game.moves.moves {
        // No move has the number 0, so it can stand for a pass.
        hasher.write_u16(played.mv.map_or(0, Move::to_bits));
    }
    hasher.finish()
}

/// Keeps a game if the filter wants it; its moves are not even read if the
/// tags are enough to leave it out.
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
