//! A line of play: a stack of boards with push, pop and detection of repetitions.

use super::upcoming;
use crate::{Board, Move};

/// A line of play from some position, as a search or a game walks it.
///
/// Every board is kept, so [`pop`](Line::pop) restores the one before bit for
/// bit, and a repetition is proved by comparing positions, not only keys.
#[derive(Clone, Debug)]
pub struct Line {
    boards: Vec<Board>,
    /// What the test for repetition needs, in compact form: a search asks at every node.
    plies: Vec<Ply>,
}

#[derive(Clone, Copy, Debug)]
struct Ply {
    key: u64,
    /// How many plies back a repetition can lie: to the last capture, pawn move or
    /// null move, or to the first board, and at most as far as the type can count.
    reversible: u16,
}

impl Line {
    /// A line that starts with this position.
    pub fn new(board: Board) -> Line {
        let mut line = Line {
            boards: Vec::with_capacity(256),
            plies: Vec::with_capacity(256),
        };
        line.append(board, 0);
        line
    }

    /// The position at the end of the line.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.boards[self.boards.len() - 1]
    }

    /// All positions of the line, the first one first.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// How many moves were made, null moves included.
    #[inline(always)]
    pub fn length(&self) -> usize {
        self.boards.len() - 1
    }

    /// Makes a legal move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        let child = self.board().after(mv);
        let reversible = match child.halfmove_clock() {
            0 => 0,
            _ => self.reversible().saturating_add(1),
        };
        self.append(child, reversible);
    }

    /// Gives the turn to the other side without a move. Must not be called in check.
    #[inline]
    pub fn push_null(&mut self) {
        let mut child = *self.board();
        child.make_null();
        self.append(child, 0);
    }

    /// Takes the last move back, real or null.
    ///
    /// # Panics
    /// If no move was made.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.length() > 0, "no move to take back");
        self.boards.pop();
        self.plies.pop();
    }

    /// How often the current position occurred earlier in the line.
    pub fn earlier_occurrences(&self) -> usize {
        self.earlier_indices().count()
    }

    /// Whether a search may call the position a draw by repetition: it occurred
    /// before, after `root` (the length of the line when the search began), so that
    /// searching it again tells nothing new, or twice in all, a draw by the rules.
    #[inline]
    pub fn is_repetition(&self, root: usize) -> bool {
        if self.reversible() < 4 {
            return false;
        }
        let mut earlier = self.earlier_indices();
        match earlier.next() {
            Some(index) if index > root => true,
            Some(_) => earlier.next().is_some(),
            None => false,
        }
    }

    /// Whether the side to move can return to an earlier position and so get at
    /// least a draw: to a position after `root`, or to one that would occur for the
    /// third time.
    pub fn has_upcoming_repetition(&self, root: usize) -> bool {
        let last = self.length();
        let furthest = self.reversible() as usize;
        (3..=furthest).step_by(2).any(|back| {
            let index = last - back;
            let difference = self.plies[last].key ^ self.plies[index].key;
            upcoming::is_reversible_move(self.board(), difference)
                && (index > root || self.occurred_before(index))
        })
    }

    fn occurred_before(&self, index: usize) -> bool {
        let ply = self.plies[index];
        (4..=ply.reversible as usize)
            .step_by(2)
            .any(|back| self.is_same(index, index - back))
    }

    /// The earlier occurrences of the current position, the latest first.
    #[inline]
    fn earlier_indices(&self) -> impl Iterator<Item = usize> {
        let last = self.length();
        (4..=self.reversible() as usize)
            .step_by(2)
            .map(move |back| last - back)
            .filter(move |&index| self.is_same(last, index))
    }

    #[inline]
    fn is_same(&self, a: usize, b: usize) -> bool {
        self.plies[a].key == self.plies[b].key && self.boards[a].same_position(&self.boards[b])
    }

    #[inline(always)]
    fn reversible(&self) -> u16 {
        self.plies[self.plies.len() - 1].reversible
    }

    #[inline(always)]
    fn append(&mut self, board: Board, reversible: u16) {
        self.plies.push(Ply {
            key: board.key(),
            reversible,
        });
        self.boards.push(board);
    }
}

impl Board {
    /// Whether two positions are the same for the repetition rule: pieces, side
    /// to move, castling rights and legal en passant, but not the clocks.
    pub fn same_position(&self, other: &Board) -> bool {
        self.occupied() == other.occupied()
            && self.side_to_move() == other.side_to_move()
            && self.castling() == other.castling()
            && self.en_passant() == other.en_passant()
            && crate::Color::ALL
                .into_iter()
                .all(|color| self.color(color) == other.color(color))
            && crate::PieceKind::ALL
                .into_iter()
                .all(|kind| self.kind(kind) == other.kind(kind))
    }
}
