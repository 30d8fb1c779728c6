//! Decodes the bytes of a chunk to positions.
//!
//! A chunk is a series of chains. A chain is a stem, the number of positions that
//! follow, and for each of these a move and a score as bits. A position is obtained
//! from the one before by making its move on the board, so that nothing is allocated.

use super::{
    bits::{BitReader, unfold, width},
    stem::{self, StemProblem},
    ways::{Ways, nth},
};
use crate::position::{Outcome, Position};
use chess::{Board, Move};

/// The number of bytes before the moves of a chain: the stem and the count.
pub(super) const CHAIN_START: usize = stem::LENGTH + 2;

/// Why the rest of a chunk cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainProblem {
    /// A chain begins with an invalid position.
    #[error("a chain begins with an invalid position: {0}")]
    Stem(#[from] StemProblem),
    /// A chain has more positions than bytes.
    #[error("a chain is longer than its chunk: {left} of its positions are missing")]
    Overrun {
        /// How many positions are missing.
        left: u32,
    },
    /// There is no man or no move with the given number.
    #[error("ply {ply} has a move that does not exist in {fen}")]
    NoSuchMove {
        /// The ply of the position.
        ply: u32,
        /// The position.
        fen: String,
    },
    /// The move leaves the king in check.
    #[error("ply {ply} has the move {mv:?}, which is not legal in {fen}")]
    IllegalMove {
        /// The ply of the position.
        ply: u32,
        /// The move.
        mv: Move,
        /// The position.
        fen: String,
    },
    /// Positions follow one without a move.
    #[error("positions follow a position without a move")]
    NoMove,
    /// A score has more than 16 bits.
    #[error("ply {ply} has a score of more than 16 bits")]
    Score {
        /// The ply of the position.
        ply: u32,
    },
    /// The game is too long.
    #[error("the game continues after ply {}", u16::MAX)]
    Ply,
}

/// Iterates over the positions of a chunk.
///
/// Nothing can be read after an error, because the start of the next chain is not known.
#[derive(Clone, Debug)]
pub struct Positions<'a> {
    payload: &'a [u8],
    /// Where the current chain begins.
    chain: usize,
    /// Where its moves begin.
    moves: usize,
    bits: BitReader<'a>,
    /// How many positions of the chain still follow.
    left: u16,
    begins_chain: bool,
    current: Position,
}

impl<'a> Positions<'a> {
    /// The positions in the payload of a chunk.
    pub fn new(payload: &'a [u8]) -> Self {
        Self {
            payload,
            chain: 0,
            moves: 0,
            bits: BitReader::new(&[]),
            left: 0,
            begins_chain: false,
            current: Position {
                board: Board::start(),
                mv: None,
                score: 0,
                result: Outcome::Draw,
                ply: 0,
            },
        }
    }

    /// The next position, if there is one.
    // `Iterator` cannot lend items.
    #[allow(clippy::should_implement_trait)]
    #[inline]
    pub fn next(&mut self) -> Result<Option<&Position>, ChainProblem> {
        Ok(self.advance()?.then_some(&self.current))
    }

    /// Advances to the next position; false if there is none.
    #[inline]
    pub fn advance(&mut self) -> Result<bool, ChainProblem> {
        if self.left > 0 {
            self.follow()?;
            return Ok(true);
        }
        self.begin_chain()
    }

    /// The latest position.
    #[inline(always)]
    pub fn latest(&self) -> &Position {
        &self.current
    }

    /// Whether the latest position is the first of its chain.
    pub fn begins_chain(&self) -> bool {
        self.begins_chain
    }

    /// The offset in the payload at which the chain of the latest position begins.
    pub fn chain_offset(&self) -> usize {
        self.chain
    }

    fn begin_chain(&mut self) -> Result<bool, ChainProblem> {
        self.chain = self.moves + self.bits.bytes_read();
        let Some(start) = self.payload.get(self.chain..self.chain + CHAIN_START) else {
            return Ok(false);
        };
        let Some((stem, &[high, low])) = start.split_first_chunk() else {
            return Ok(false);
        };
        self.current = stem::read(stem)?;
        self.check_move()?;
        self.left = u16::from_be_bytes([high, low]);
        if self.left > 0 && self.current.mv.is_none() {
            return Err(ChainProblem::NoMove);
        }
        self.moves = self.chain + CHAIN_START;
        self.bits = BitReader::new(&self.payload[self.moves..]);
        self.begins_chain = true;
        Ok(true)
    }

    #[inline]
    fn follow(&mut self) -> Result<(), ChainProblem> {
        self.begins_chain = false;
        let Position {
            board,
            mv,
            score,
            result,
            ply,
        } = &mut self.current;
        if let Some(mv) = *mv {
            board.make(mv);
        }
        *ply = ply.checked_add(1).ok_or(ChainProblem::Ply)?;
        *result = result.reversed();
        let (read, is_legal) = read_move(&mut self.bits, board);
        *mv = read;
        let change = self.bits.read_blocks();
        if self.bits.is_overrun() {
            let left = u32::from(self.left);
            return Err(ChainProblem::Overrun { left });
        }
        if mv.is_none() {
            return Err(no_such_move(*ply, board));
        }
        let ply = u32::from(*ply);
        let change = unfold(change.ok_or(ChainProblem::Score { ply })?);
        *score = score.wrapping_neg().wrapping_add(change);
        self.left -= 1;
        if is_legal { Ok(()) } else { self.check_move() }
    }

    #[inline]
    fn check_move(&self) -> Result<(), ChainProblem> {
        let Position { board, mv, ply, .. } = &self.current;
        match *mv {
            Some(mv) if !board.is_legal(mv) => Err(illegal_move(*ply, mv, board)),
            _ => Ok(()),
        }
    }
}

/// Reads which man moves and where, `None` if there is no such man or move; and whether
/// the move is known to be legal.
#[inline]
fn read_move(bits: &mut BitReader<'_>, board: &Board) -> (Option<Move>, bool) {
    let own = board.color(board.side_to_move());
    let men = own.count();
    let man = bits.read(width(men));
    if man >= men {
        return (None, false);
    }
    let ways = Ways::of(board, nth(own, man));
    let mv = ways.mv(bits.read(ways.width()));
    (mv, ways.are_legal(board))
}

#[cold]
fn no_such_move(ply: u16, board: &Board) -> ChainProblem {
    ChainProblem::NoSuchMove {
        ply: ply.into(),
        fen: board.fen(),
    }
}

#[cold]
fn illegal_move(ply: u16, mv: Move, board: &Board) -> ChainProblem {
    ChainProblem::IllegalMove {
        ply: ply.into(),
        mv,
        fen: board.fen(),
    }
}
