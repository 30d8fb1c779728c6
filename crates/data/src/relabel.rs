//! Units of positions to be rescored: whole chains, split in a way that depends only on
//! the files.
//!
//! Units come in the order of the files, so that work can continue after the units that
//! are done. A unit can be written as bytes, to be rescored on another machine. This
//! module must not know where scores come from.

use std::{
    fmt::Write,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        mpsc::{SyncSender, sync_channel},
    },
    thread,
};

use chess::{Board, Move};

use crate::{
    position::{Labels, Outcome, Position},
    shard::{self, Shard, ShardError},
};

/// A unit ends with the first chain that reaches this many positions.
const UNIT: usize = 256;

/// How many units are read ahead.
const READ_AHEAD: usize = 2;

/// Whole chains of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// The positions, and whether each begins a chain.
    pub positions: Vec<(Position, bool)>,
}

impl Unit {
    /// The unit as bytes: a line for each position. Binpack cannot store every position
    /// and every clock.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = String::new();
        for (position, begins_chain) in &self.positions {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{} {} {} {} {} {}",
                u8::from(*begins_chain),
                position.mv.map_or(0, Move::to_bits),
                position.score,
                position.result.number(),
                position.ply,
                position.board.fen(),
            );
        }
        text.into_bytes()
    }

    /// Reads the unit from these bytes; `None` if they are invalid.
    pub fn from_bytes(bytes: &[u8]) -> Option<Unit> {
        let text = std::str::from_utf8(bytes).ok()?;
        let positions = text.lines().map(position).collect::<Option<_>>()?;
        Some(Unit { positions })
    }
}

/// Reads a line of a unit.
fn position(line: &str) -> Option<(Position, bool)> {
    let mut words = line.splitn(6, ' ');
    let begins_chain = words.next()? == "1";
    let mv = match words.next()?.parse().ok()? {
        0 => None,
        bits => Some(Move::from_bits(bits)),
    };
    let score = words.next()?.parse().ok()?;
    let result = Outcome::from_number(words.next()?.parse().ok()?)?;
    let ply = words.next()?.parse().ok()?;
    let board = Board::from_fen(words.next()?).ok()?;
    let is_legal = mv.is_none_or(|mv| board.is_legal(mv));
    let position = Position {
        board,
        mv,
        score,
        result,
        ply,
    };
    is_legal.then_some((position, begins_chain))
}

/// The units of files.
pub struct Units<'a> {
    /// The files.
    pub files: &'a [PathBuf],
    /// From whose point of view their labels are.
    pub labels: Labels,
    /// How many units are skipped because they are done.
    pub done: u64,
}

impl Units<'_> {
    /// Passes an iterator over all units to `take`, which may stop early. A thread reads
    /// the units meanwhile.
    ///
    /// # Errors
    /// If a file cannot be read; the units before were passed on.
    pub fn give<T>(
        &self,
        take: impl FnOnce(&mut (dyn Iterator<Item = Unit> + Send)) -> T,
    ) -> Result<T, ShardError> {
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(READ_AHEAD);
            let reader = scope.spawn(|| self.read(sender));
            let taken = take(&mut receiver.into_iter());
            reader.join().unwrap_or(Ok(()))?;
            Ok(taken)
        })
    }

    /// Sends units until the receiver is gone.
    fn read(&self, sender: SyncSender<Unit>) -> Result<(), ShardError> {
        let cutter = Mutex::new(Cutter {
            unit: Unit::default(),
            left_out: self.done,
            sender,
            is_over: false,
        });
        for path in self.files {
            if self.read_file(path, &cutter)?.is_break() {
                return Ok(());
            }
        }
        let mut cutter = cutter.into_inner().unwrap_or_else(PoisonError::into_inner);
        cutter.send();
        Ok(())
    }

    fn read_file(
        &self,
        path: &Path,
        cutter: &Mutex<Cutter>,
    ) -> Result<ControlFlow<()>, ShardError> {
        let lock = || cutter.lock().unwrap_or_else(PoisonError::into_inner);
        let mut problem = None;
        shard::read(
            Shard::open(path)?,
            self.labels,
            1,
            |reading| {
                let mut cutter = lock();
                reading.try_for_each(|position, begins| cutter.add(position, begins));
            },
            |read| {
                problem = read.problem;
                match problem.is_some() || lock().is_over {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        )?;
        match problem {
            Some(problem) => Err(problem),
            None if lock().is_over => Ok(ControlFlow::Break(())),
            None => Ok(ControlFlow::Continue(())),
        }
    }
}

/// Splits positions into units.
struct Cutter {
    unit: Unit,
    /// How many units are still to be skipped.
    left_out: u64,
    sender: SyncSender<Unit>,
    /// Whether the receiver is gone.
    is_over: bool,
}

impl Cutter {
    fn add(&mut self, position: &Position, begins_chain: bool) -> ControlFlow<()> {
        if begins_chain && self.unit.positions.len() >= UNIT {
            self.send();
        }
        self.unit.positions.push((*position, begins_chain));
        match self.is_over {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn send(&mut self) {
        let unit = std::mem::take(&mut self.unit);
        if unit.positions.is_empty() {
            return;
        }
        match self.left_out.checked_sub(1) {
            Some(left_out) => self.left_out = left_out,
            None => self.is_over = self.sender.send(unit).is_err(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_survives_as_bytes() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            // A pawn that can be captured en passant, and impossible clocks.
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 77",
            "4k3/8/8/8/8/8/8/R3K3 w Q - 99 300",
            // Chess960, with a castling rook that is not the outermost.
            "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RKR1R2 w Dfb - 3 9",
        ];
        let mut unit = Unit::default();
        for (number, fen) in fens.iter().enumerate() {
            let board = Board::from_fen(fen).expect("a position");
            for (index, mv) in board.legal_moves().iter().enumerate() {
                let position = Position {
                    board,
                    mv: (index > 0).then_some(*mv),
                    score: [i16::MIN, -1, 0, 32_002][number],
                    result: Outcome::ALL[index % 3],
                    ply: [0, 65_535][index % 2],
                };
                unit.positions.push((position, index % 4 == 0));
            }
        }
        assert_eq!(Unit::from_bytes(&unit.to_bytes()).as_ref(), Some(&unit));
        assert_eq!(Unit::from_bytes(b""), Some(Unit::default()));
        let illegal = b"1 5 0 0 0 4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        for garbage in [&b"1 0 0 0 0"[..], b"\xff", b"1 0 0 2 0 8/8", illegal] {
            assert_eq!(Unit::from_bytes(garbage), None);
        }
    }
}
