//! From positions to the bytes of chains.
//!
//! A position that follows the one before goes on with its chain; any other
//! begins a new one. Knows nothing of files.

use super::{
    bits::{BitWriter, fold, width},
    stem::{self, EncodeError},
    ways::{Ways, is_ordinary, man_number},
};
use crate::position::Position;

/// Whole chains, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chains {
    bytes: Vec<u8>,
    /// Where each chain ends.
    ends: Vec<usize>,
    positions: u64,
}

impl Chains {
    /// Their bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of each chain.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts
            .zip(&self.ends)
            .map(|(&start, &end)| &self.bytes[start..end])
    }

    /// How many positions they hold.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.positions = 0;
    }
}

/// Makes chains of positions.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    chains: Chains,
    bits: BitWriter,
    /// The latest position of the chain that is open, and how many of it follow
    /// the stem.
    open: Option<(Position, u16)>,
}

impl Encoder {
    /// An encoder without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a position. One that cannot be written is left out.
    pub fn push(&mut self, position: &Position) -> Result<(), EncodeError> {
        check(position)?;
        match self.open.take() {
            Some((last, count)) if goes_on(&last, count, position) => {
                self.follow(&last, position);
                self.open = Some((*position, count + 1));
            }
            open => {
                self.close(open);
                stem::write(position, &mut self.chains.bytes)?;
                self.open = Some((*position, 0));
            }
        }
        self.chains.positions += 1;
        Ok(())
    }

    /// Ends the chain that is open and gives all chains since the last time.
    pub fn finish(&mut self) -> &mut Chains {
        let open = self.open.take();
        self.close(open);
        &mut self.chains
    }

    fn follow(&mut self, last: &Position, position: &Position) {
        let board = &position.board;
        let Some(mv) = position.mv else {
            return;
        };
        let men = board.color(board.side_to_move()).count();
        self.bits.write(man_number(board, mv.from()), width(men));
        let ways = Ways::of(board, mv.from());
        self.bits.write(ways.number(mv), ways.width());
        let expected = last.score.wrapping_neg();
        let change = position.score.wrapping_sub(expected);
        self.bits.write_blocks(fold(change));
    }

    fn close(&mut self, open: Option<(Position, u16)>) {
        if let Some((_, count)) = open {
            self.chains.bytes.extend(count.to_be_bytes());
            self.bits.finish_into(&mut self.chains.bytes);
            self.chains.ends.push(self.chains.bytes.len());
        }
    }
}

/// Whether a position goes on with a chain. One without a move cannot: a chain
/// names its positions by their moves.
fn goes_on(last: &Position, count: u16, next: &Position) -> bool {
    count < u16::MAX && next.mv.is_some() && last.is_followed_by(next)
}

/// Whether a position can be written, in the midst of a chain too.
fn check(position: &Position) -> Result<(), EncodeError> {
    let board = &position.board;
    if position.ply > stem::MOST_PLIES {
        return Err(EncodeError::Ply(position.ply));
    }
    if !is_ordinary(board) {
        return Err(EncodeError::Chess960(board.fen()));
    }
    match position.mv {
        Some(mv) if !board.is_legal(mv) => Err(EncodeError::IllegalMove {
            mv,
            fen: board.fen(),
        }),
        _ => Ok(()),
    }
}
