//! Converts games of PGN files to sequence files, split by date.

use super::Part;
use super::file::{SequenceError, SequenceWriter};
use super::game::{Outcome, SequenceGame, player_number};
use crate::pgn::{
    Annotations, Batch, BatchReport, Batches, BrokenGame, Counted, Date, Ending, Facts, Filter,
    GameResult, Source, SourceError, Tag, Visitor, read_batch,
};
use crate::workers::process;
use chess::{Board, Move};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The dates that split games into training, validation and test. A model is tested on
/// games that were played after all games on which it was trained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dates {
    /// The first date of validation.
    pub valid: Date,
    /// The first date of the test part, if there is one.
    pub test: Option<Date>,
}

impl Dates {
    /// The part of a game; `None` if its date is not known precisely enough.
    fn part(self, date: Option<Date>) -> Option<Part> {
        let date = date?;
        match self.test {
            Some(test) if date.is_not_before(test) => Some(Part::Test),
            Some(test) if !date.is_before(test) => None,
            _ if date.is_not_before(self.valid) => Some(Part::Valid),
            _ => date.is_before(self.valid).then_some(Part::Train),
        }
    }
}

/// Which games to take, and where they go.
#[derive(Clone, Debug)]
pub struct GatherOptions {
    /// The file to write. With dates, the parts are named after it: `games.sequences`
    /// becomes `games-train.sequences` and so on.
    pub out: PathBuf,
    /// The games to take.
    pub filter: Filter,
    /// How to divide them.
    pub dates: Option<Dates>,
    /// The number of threads.
    pub threads: usize,
}

/// The numbers of games, by what happened to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// All games read.
    pub games: u64,
    /// Those that were taken.
    pub taken: u64,
    /// Those that the filter left out.
    pub left_out: u64,
    /// Those that do not start from the usual position, or have a null move.
    pub unusual: u64,
    /// Those whose date does not decide to which part they belong.
    pub undated: u64,
    /// Those that are broken.
    pub broken: u64,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenSequences {
    /// Its path.
    pub path: PathBuf,
    /// Its part.
    pub part: Part,
    /// The games in it.
    pub games: u64,
    /// Their moves.
    pub plies: u64,
}

/// Why games could not be gathered.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    /// A file could not be read to its end.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A file could not be written.
    #[error("cannot write {0}")]
    Write(#[from] SequenceError),
}

/// Gathers the games of one file after another. The same files give the same bytes for any
/// number of threads.
pub struct Gatherer {
    options: GatherOptions,
    writers: Vec<(Part, SequenceWriter)>,
    gathered: Gathered,
}

impl Gatherer {
    /// Begins the files.
    ///
    /// # Errors
    /// If they cannot be created.
    pub fn new(options: GatherOptions) -> Result<Gatherer, GatherError> {
        let parts: &[Part] = match options.dates {
            None => &[Part::All],
            Some(Dates { test: None, .. }) => &[Part::Train, Part::Valid],
            Some(_) => &[Part::Train, Part::Valid, Part::Test],
        };
        let writer = |&part: &Part| {
            let path = part_path(&options.out, part);
            Ok((part, SequenceWriter::create(&path, part)?))
        };
        Ok(Gatherer {
            writers: parts
                .iter()
                .map(writer)
                .collect::<Result<_, SequenceError>>()?,
            gathered: Gathered::default(),
            options,
        })
    }

    /// Adds the games of a file. After each batch, `follow` gets the counts so far and the
    /// broken games of the batch; it may stop.
    ///
    /// # Errors
    /// If the file is truncated, after its whole games were added, or if the output cannot
    /// be written.
    pub fn add(
        &mut self,
        source: Source,
        mut follow: impl FnMut(&Gathered, &[BrokenGame]) -> ControlFlow<()> + Send,
    ) -> Result<(), GatherError> {
        let Gatherer {
            options,
            writers,
            gathered,
        } = self;
        let mut counted = Counted::default();
        let before = gathered.games;
        let mut failure = None;
        let deliver = |batch: GatheredBatch| {
            let broken = counted.add(batch.report);
            gathered.games = before + counted.games;
            gathered.broken += broken.len() as u64;
            gathered.left_out += batch.left_out;
            gathered.unusual += batch.unusual;
            for game in &batch.games {
                let part = match options.dates {
                    None => Some(Part::All),
                    Some(dates) => dates.part(game.date),
                };
                let Some((_, writer)) = writers.iter_mut().find(|(of, _)| Some(*of) == part) else {
                    gathered.undated += 1;
                    continue;
                };
                match writer.add(game) {
                    Ok(true) => gathered.taken += 1,
                    Ok(false) => gathered.unusual += 1,
                    Err(error) => {
                        failure = Some(error);
                        return ControlFlow::Break(());
                    }
                }
            }
            follow(gathered, &broken)
        };
        let work = |batch: &Batch| gather_batch(batch, &options.filter);
        let mut batches = Batches::new(source);
        let next = |batch: &mut Batch| batches.next(batch);
        let outcome = process(next, options.threads, work, deliver);
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(outcome?),
        }
    }

    /// The counts so far.
    pub fn gathered(&self) -> Gathered {
        self.gathered
    }

    /// Completes the files and gives them their names.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(self) -> Result<Vec<WrittenSequences>, GatherError> {
        let finish = |(part, writer): (Part, SequenceWriter)| {
            let (games, plies) = writer.counts();
            Ok(WrittenSequences {
                path: writer.finish()?,
                part,
                games,
                plies,
            })
        };
        self.writers.into_iter().map(finish).collect()
    }
}

/// The file of a part.
fn part_path(out: &Path, part: Part) -> PathBuf {
    if part == Part::All {
        return out.to_owned();
    }
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let ending = out.extension().map(|ending| ending.to_string_lossy());
    let ending = ending
        .map(|ending| format!(".{ending}"))
        .unwrap_or_default();
    out.with_file_name(format!("{stem}-{}{ending}", part.name()))
}

struct GatheredBatch {
    report: BatchReport,
    left_out: u64,
    unusual: u64,
    games: Vec<SequenceGame>,
}

fn gather_batch(batch: &Batch, filter: &Filter) -> GatheredBatch {
    let (mut games, mut left_out, mut unusual) = (Vec::new(), 0, 0);
    let report = read_batch(batch, |replayer, batch_games, _| {
        let mut listener = Listener::new(filter);
        let outcome = replayer.next_game(batch_games, &mut listener)?;
        match listener.fate {
            Fate::Taken => games.push(listener.game),
            Fate::LeftOut => left_out += 1,
            Fate::Unusual => unusual += 1,
            Fate::Open => {}
        }
        Some(outcome)
    });
    GatheredBatch {
        report,
        left_out,
        unusual,
        games,
    }
}

/// What happens to a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Its end was not reached; this is final if it is broken.
    Open,
    Taken,
    LeftOut,
    Unusual,
}

/// Collects what a sequence needs from a game.
struct Listener<'a> {
    filter: &'a Filter,
    facts: Facts,
    game: SequenceGame,
    /// How many variations are open; their moves are ignored.
    depth: u32,
    fate: Fate,
}

impl<'a> Listener<'a> {
    fn new(filter: &'a Filter) -> Listener<'a> {
        Listener {
            filter,
            facts: Facts::default(),
            game: SequenceGame::default(),
            depth: 0,
            fate: Fate::Open,
        }
    }

    fn leave(&mut self, fate: Fate) -> ControlFlow<()> {
        self.fate = fate;
        ControlFlow::Break(())
    }
}

impl Visitor for Listener<'_> {
    fn tag(&mut self, tag: Tag<'_>) -> ControlFlow<()> {
        self.facts.note(tag);
        match tag.name() {
            b"White" => self.game.players[0] = player_number(&tag.value()),
            b"Black" => self.game.players[1] = player_number(&tag.value()),
            b"Termination" => {
                self.game.lost_on_time = tag.value().eq_ignore_ascii_case("time forfeit");
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, board: &Board) -> ControlFlow<()> {
        if *board != Board::start() {
            return self.leave(Fate::Unusual);
        }
        if !self.filter.takes_tags(&self.facts) {
            return self.leave(Fate::LeftOut);
        }
        self.game.ratings = self.facts.ratings();
        self.game.date = self.facts.date();
        self.game.time_control = self.facts.time_control();
        ControlFlow::Continue(())
    }

    fn play(&mut self, _before: &Board, mv: Option<Move>) {
        if self.depth > 0 || self.fate != Fate::Open {
            return;
        }
        match mv {
            Some(mv) => self.game.moves.push(mv),
            None => self.fate = Fate::Unusual,
        }
    }

    fn comment(&mut self, text: &[u8]) {
        // Clocks are kept only if there is one after each move.
        let is_next = self.game.clocks.len() + 1 == self.game.moves.len();
        if self.depth > 0 || !is_next {
            return;
        }
        let Ok(text) = std::str::from_utf8(text) else {
            return;
        };
        if let Some(clock) = Annotations::from(text).clock {
            let seconds = clock.as_secs().min(u64::from(u16::MAX));
            self.game.clocks.push(seconds as u16);
        }
    }

    fn open(&mut self) {
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
    }

    fn end(&mut self, ending: &Ending) {
        if self.fate != Fate::Open {
            return;
        }
        if self.game.clocks.len() != self.game.moves.len() {
            self.game.clocks.clear();
        }
        self.game.outcome = match ending.result() {
            GameResult::WhiteWins => Some(Outcome::WhiteWins),
            GameResult::BlackWins => Some(Outcome::BlackWins),
            GameResult::Draw => Some(Outcome::Draw),
            GameResult::Unknown => None,
        };
        let has_clocks = !self.game.clocks.is_empty();
        let is_wanted =
            self.filter.takes_ending(ending) && (has_clocks || !self.filter.with_clocks);
        self.fate = match is_wanted && !self.game.moves.is_empty() {
            true => Fate::Taken,
            false => Fate::LeftOut,
        };
    }
}
