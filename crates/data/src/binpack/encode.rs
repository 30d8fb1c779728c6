//! Encodes positions to the bytes of chains.
//!
//! A position that follows the one before in its game continues its chain; any other
//! begins a new one. This module must not know files.

use super::{
    bits::{BitWriter, fold, width},
    stem::{self, EncodeError},
    ways::{Ways, is_ordinary, man_number},
};
use crate::position::Position;

/// A series of whole chains.
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

    /// How many positions they have.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Removes all chains.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.positions = 0;
    }
}

/// Encodes positions as chains.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    chains: Chains,
    bits: BitWriter,
    /// The latest position of the open chain, and how many positions of the chain follow
    /// the stem.
    open: Option<(Position, u16)>,
}

impl Encoder {
    /// An encoder without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a position. One that cannot be encoded is left out.
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

    /// Ends the open chain and returns all chains since the last call.
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

/// Whether a position can continue a chain. One without a move cannot, because a chain
/// stores a move for each position after the stem.
fn goes_on(last: &Position, count: u16, next: &Position) -> bool {
    count < u16::MAX && next.mv.is_some() && last.is_followed_by(next)
}

/// Checks that a position can be encoded, even in the middle of a chain.
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
