//! Sequence files: a header, one record for each game, an index of all records, and a
//! checksum. Games can be read in any order and by several threads; neither writing nor
//! reading keeps more than one game in memory.

use super::Part;
use super::game::{Outcome, SequenceGame};
use crate::file::{begin, finish, read_exact_at};
use crate::pgn::{Date, TimeControl};
use chess::Move;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const MAGIC: &[u8; 8] = b"tabiaseq";
const VERSION: u32 = 1;
/// The size of the header: magic, version, part, games, plies.
const HEADER: u64 = 32;
const CHECKSUM: u64 = blake3::OUT_LEN as u64;
/// The size of a record before its moves.
const META: usize = 24;
/// The size of a move.
const MOVE: u64 = 2;
/// The size of an entry of the index.
const PLACE: u64 = 8;
/// The largest record: the number of plies has 16 bits, and each has a move and a clock.
const LARGEST: usize = META + 4 * u16::MAX as usize;
/// Stands for an unknown outcome or clock.
const UNKNOWN: u8 = 3;
const HAS_CLOCKS: u8 = 1;
const LOST_ON_TIME: u8 = 2;
const NO_TIME: u32 = u32::MAX;

/// Why a sequence file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SequenceError {
    /// It cannot be read or written.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// It is something else, or damaged.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
}

impl SequenceError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> SequenceError {
        let path = path.to_owned();
        move |cause| SequenceError::Io { path, cause }
    }

    pub(super) fn format(path: &Path, problem: impl Into<String>) -> SequenceError {
        SequenceError::Format {
            path: path.to_owned(),
            problem: problem.into(),
        }
    }
}

/// Writes a file, which does not appear before [`finish`](SequenceWriter::finish).
pub struct SequenceWriter {
    path: PathBuf,
    part: Part,
    body: BufWriter<NamedTempFile>,
    /// The index, which is appended after all records.
    index: BufWriter<File>,
    games: u64,
    plies: u64,
    length: u64,
    record: Vec<u8>,
}

impl SequenceWriter {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path, part: Part) -> Result<SequenceWriter, SequenceError> {
        let start = || -> io::Result<SequenceWriter> {
            let mut body = BufWriter::new(begin(path)?);
            body.write_all(&[0; HEADER as usize])?;
            Ok(SequenceWriter {
                path: path.to_owned(),
                part,
                body,
                index: BufWriter::new(tempfile::tempfile()?),
                games: 0,
                plies: 0,
                length: HEADER,
                record: Vec::new(),
            })
        };
        start().map_err(SequenceError::io(path))
    }

    /// Adds a game; false if it is too long for the format.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &SequenceGame) -> Result<bool, SequenceError> {
        let Ok(plies) = u16::try_from(game.moves.len()) else {
            return Ok(false);
        };
        self.record.clear();
        encode(game, plies, &mut self.record);
        let place = self.length;
        let mut write = || -> io::Result<()> {
            self.body.write_all(&self.record)?;
            self.index.write_all(&place.to_le_bytes())
        };
        write().map_err(SequenceError::io(&self.path))?;
        self.length += self.record.len() as u64;
        self.games += 1;
        self.plies += u64::from(plies);
        Ok(true)
    }

    /// The numbers of games and plies so far.
    pub fn counts(&self) -> (u64, u64) {
        (self.games, self.plies)
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<PathBuf, SequenceError> {
        let path = self.path.clone();
        self.complete().map_err(SequenceError::io(&path))?;
        Ok(path)
    }

    fn complete(mut self) -> io::Result<()> {
        let mut index = self.index.into_inner()?;
        index.seek(SeekFrom::Start(0))?;
        io::copy(&mut index, &mut self.body)?;
        let mut file = self.body.into_inner()?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header(self.part, self.games, self.plies))?;
        file.seek(SeekFrom::Start(0))?;
        let mut hasher = blake3::Hasher::new();
        io::copy(&mut file, &mut hasher)?;
        file.write_all(hasher.finalize().as_bytes())?;
        finish(file, &self.path)
    }
}

fn header(part: Part, games: u64, plies: u64) -> [u8; HEADER as usize] {
    let part = Part::ALL.iter().position(|&other| other == part);
    let mut bytes = [0; HEADER as usize];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[12] = part.unwrap_or_default() as u8;
    bytes[16..24].copy_from_slice(&games.to_le_bytes());
    bytes[24..32].copy_from_slice(&plies.to_le_bytes());
    bytes
}

fn encode(game: &SequenceGame, plies: u16, record: &mut Vec<u8>) {
    let has_clocks = game.clocks.len() == game.moves.len() && !game.clocks.is_empty();
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let flags = flag(has_clocks, HAS_CLOCKS) | flag(game.lost_on_time, LOST_ON_TIME);
    let outcome = match game.outcome {
        Some(Outcome::BlackWins) => 0,
        Some(Outcome::Draw) => 1,
        Some(Outcome::WhiteWins) => 2,
        None => UNKNOWN,
    };
    let [white, black] = game.ratings.map(Option::unwrap_or_default);
    let time = game.time_control.map_or(NO_TIME, |time| {
        // The days of correspondence chess are clamped.
        let [base, increment] = [time.base, time.increment].map(|part| part.min(0xfffe));
        base << 16 | increment
    });
    record.extend_from_slice(&plies.to_le_bytes());
    record.extend_from_slice(&[outcome, flags]);
    record.extend_from_slice(&white.to_le_bytes());
    record.extend_from_slice(&black.to_le_bytes());
    record.extend_from_slice(&time.to_le_bytes());
    record.extend_from_slice(&date_number(game.date).to_le_bytes());
    for player in game.players {
        record.extend_from_slice(&player.to_le_bytes());
    }
    for mv in &game.moves {
        record.extend_from_slice(&mv.to_bits().to_le_bytes());
    }
    if has_clocks {
        for clock in &game.clocks {
            record.extend_from_slice(&clock.to_le_bytes());
        }
    }
}

/// A date as a number such as 20191231; unknown parts are 0.
fn date_number(date: Option<Date>) -> u32 {
    date.map_or(0, |date| {
        let part = |part: Option<u8>| u32::from(part.unwrap_or_default());
        u32::from(date.year()) * 10_000 + part(date.month()) * 100 + part(date.day())
    })
}

fn date_of(number: u32) -> Option<Date> {
    (number > 0).then(|| Date::from_parts(number / 10_000, number / 100 % 100, number % 100))?
}

/// A sequence file, open for reading.
#[derive(Debug)]
pub struct SequenceFile {
    path: PathBuf,
    file: File,
    part: Part,
    games: u64,
    plies: u64,
    /// Where records end and the index begins.
    index: u64,
    checksum: [u8; CHECKSUM as usize],
}

impl SequenceFile {
    /// Opens a file, and reads it once to verify its checksum.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is not a sequence file.
    pub fn open(path: &Path) -> Result<SequenceFile, SequenceError> {
        let file = File::open(path).map_err(SequenceError::io(path))?;
        let wrong = |problem: &str| SequenceError::format(path, problem);
        let mut start = [0; HEADER as usize];
        let length = file.metadata().map_err(SequenceError::io(path))?.len();
        if length < HEADER + CHECKSUM || read_exact_at(&file, &mut start, 0).is_err() {
            return Err(wrong("it is too short for a sequence file"));
        }
        if start[..8] != MAGIC[..] {
            return Err(wrong(
                "it is not a sequence file; make one with `tabia pgn sequences`",
            ));
        }
        if start[8..12] != VERSION.to_le_bytes() {
            return Err(wrong(
                "it was made by another version of the program: create it again",
            ));
        }
        let number = |at: usize| {
            let bytes = start[at..at + 8].try_into().unwrap_or_default();
            u64::from_le_bytes(bytes)
        };
        let (games, plies) = (number(16), number(24));
        let part = Part::ALL.get(usize::from(start[12])).copied();
        let index = games
            .checked_mul(PLACE)
            .and_then(|index| (length - CHECKSUM).checked_sub(index))
            .filter(|&index| index >= HEADER)
            // Training allocates by the number of plies, so the records must be long enough.
            .filter(|&index| plies <= (index - HEADER) / MOVE);
        let (Some(part), Some(index)) = (part, index) else {
            return Err(wrong("it is damaged: create it again"));
        };
        let checksum = checksum(&file, length).map_err(SequenceError::io(path))?;
        let Some(checksum) = checksum else {
            return Err(wrong(
                "its checksum is wrong: it is damaged; create it again",
            ));
        };
        Ok(SequenceFile {
            path: path.to_owned(),
            file,
            part,
            games,
            plies,
            index,
            checksum,
        })
    }

    /// The checksum of the contents, 32 bytes.
    pub fn checksum(&self) -> &[u8] {
        &self.checksum
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which part of the data set it has.
    pub fn part(&self) -> Part {
        self.part
    }

    /// How many games it has.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many moves all games have together.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Reads the game with this number, below [`games`](SequenceFile::games), into a reused
    /// buffer. The legality of its moves is checked by [`replay`](SequenceGame::replay),
    /// which users of the moves need anyway.
    ///
    /// # Errors
    /// If it cannot be read, or is not a valid game.
    pub fn read(&self, number: u64, game: &mut SequenceGame) -> Result<(), SequenceError> {
        let wrong = || {
            let problem = format!("game {} is damaged: create the file again", number + 1);
            SequenceError::format(&self.path, problem)
        };
        let place = |number: u64| -> Result<u64, SequenceError> {
            let mut bytes = [0; PLACE as usize];
            read_exact_at(&self.file, &mut bytes, self.index + number * PLACE)
                .map_err(SequenceError::io(&self.path))?;
            Ok(u64::from_le_bytes(bytes))
        };
        let start = place(number)?;
        let end = match number + 1 < self.games {
            true => place(number + 1)?,
            false => self.index,
        };
        let length = end.checked_sub(start).filter(|_| end <= self.index);
        let length = length.and_then(|length| usize::try_from(length).ok());
        let length = length.filter(|length| (META..=LARGEST).contains(length));
        let mut record = vec![0; length.ok_or_else(wrong)?];
        read_exact_at(&self.file, &mut record, start).map_err(SequenceError::io(&self.path))?;
        decode(&record, game).ok_or_else(wrong)
    }
}

/// The checksum of a file, if it is correct.
fn checksum(file: &File, length: u64) -> io::Result<Option<[u8; CHECKSUM as usize]>> {
    let mut reader = BufReader::with_capacity(1 << 20, file);
    reader.seek(SeekFrom::Start(0))?;
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut reader.by_ref().take(length - CHECKSUM), &mut hasher)?;
    let mut checksum = [0; CHECKSUM as usize];
    reader.read_exact(&mut checksum)?;
    Ok((hasher.finalize() == checksum).then_some(checksum))
}

fn decode(record: &[u8], game: &mut SequenceGame) -> Option<()> {
    let (meta, rest) = record.split_first_chunk::<META>()?;
    let short = |at: usize| u16::from_le_bytes([meta[at], meta[at + 1]]);
    let word = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
    let plies = usize::from(short(0));
    let has_clocks = meta[3] & HAS_CLOCKS != 0;
    let (numbers, odd) = rest.as_chunks::<2>();
    let wanted = plies * if has_clocks { 2 } else { 1 };
    if !odd.is_empty() || numbers.len() != wanted || meta[3] > HAS_CLOCKS | LOST_ON_TIME {
        return None;
    }
    let (moves, clocks) = numbers.split_at(plies);
    game.moves.clear();
    game.moves.extend(
        moves
            .iter()
            .map(|&bytes| Move::from_bits(u16::from_le_bytes(bytes))),
    );
    game.clocks.clear();
    game.clocks
        .extend(clocks.iter().map(|&bytes| u16::from_le_bytes(bytes)));
    game.outcome = match meta[2] {
        0 => Some(Outcome::BlackWins),
        1 => Some(Outcome::Draw),
        2 => Some(Outcome::WhiteWins),
        UNKNOWN => None,
        _ => return None,
    };
    game.lost_on_time = meta[3] & LOST_ON_TIME != 0;
    game.ratings = [short(4), short(6)].map(|rating| (rating > 0).then_some(rating));
    game.time_control = (word(8) != NO_TIME).then(|| TimeControl {
        base: word(8) >> 16,
        increment: word(8) & 0xffff,
    });
    game.date = date_of(word(12));
    game.players = [word(16), word(20)];
    Some(())
}
