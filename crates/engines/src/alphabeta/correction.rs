//! Correction histories: by how much the evaluation was off in similar positions.
//!
//! Positions that share their pawns, or their pieces, tend to be misjudged in the same way. For
//! each such part the tables learn the difference between the value of a search and the static
//! evaluation; it is added to later evaluations.

use super::history::{NO_MOVE_ROW, PIECE_TARGETS};
use super::parameters::Parameters;
use chess::{Board, Color};

const ROWS: usize = 16_384;
const BOUND: i32 = 1_024;
/// An update is this many eighths of the difference in centipawns times the depth.
const LESSON_EIGHTHS: i32 = 3;
/// The sum of weighted entries is divided by this to give centipawns.
const GRAIN: i32 = 65_536;

type Rows = Box<[[i16; ROWS]; 2]>;

/// The tables of one thread, each indexed by the side to move.
pub(crate) struct Correction {
    pawns: Rows,
    minors: Rows,
    non_pawns: [Rows; 2],
    /// By the move before the last one, then by the last.
    continuation: Vec<[i16; PIECE_TARGETS + 1]>,
}

fn rows() -> Rows {
    Box::new([[0; ROWS]; 2])
}

#[inline(always)]
fn row(key: u64) -> usize {
    key as usize % ROWS
}

impl Correction {
    pub(crate) fn new() -> Correction {
        Correction {
            pawns: rows(),
            minors: rows(),
            non_pawns: [rows(), rows()],
            continuation: vec![[0; PIECE_TARGETS + 1]; PIECE_TARGETS + 1],
        }
    }

    /// Clears all tables.
    pub(crate) fn clear(&mut self) {
        let [white, black] = &mut self.non_pawns;
        for rows in [&mut self.pawns, &mut self.minors, white, black] {
            **rows = [[0; ROWS]; 2];
        }
        self.continuation.fill([0; PIECE_TARGETS + 1]);
    }

    /// What to add to the evaluation, in centipawns. `last` and `earlier` are
    /// the rows of the last move and of the one two plies before it.
    #[inline]
    pub(crate) fn value(
        &self,
        parameters: &Parameters,
        board: &Board,
        last: usize,
        earlier: usize,
    ) -> i32 {
        let side = board.side_to_move().index();
        let keys = board.keys();
        let mut sum = parameters.correction_pawns * i32::from(self.pawns[side][row(keys.pawns)])
            + parameters.correction_minors * i32::from(self.minors[side][row(keys.minors)])
            + parameters.correction_continuation * i32::from(self.continuation[earlier][last]);
        for color in Color::ALL {
            let key = keys.non_pawns[color.index()];
            sum += parameters.correction_non_pawns
                * i32::from(self.non_pawns[color.index()][side][row(key)]);
        }
        sum / GRAIN
    }

    /// Learns that a search of this depth returned `difference` more than the evaluation.
    pub(crate) fn update(
        &mut self,
        board: &Board,
        last: usize,
        earlier: usize,
        depth: i32,
        difference: i32,
    ) {
        let bonus = (difference * LESSON_EIGHTHS * depth / 8).clamp(-BOUND / 4, BOUND / 4);
        let side = board.side_to_move().index();
        let keys = board.keys();
        pull(&mut self.pawns[side][row(keys.pawns)], bonus);
        pull(&mut self.minors[side][row(keys.minors)], bonus);
        for color in Color::ALL {
            let key = keys.non_pawns[color.index()];
            pull(&mut self.non_pawns[color.index()][side][row(key)], bonus);
        }
        if last != NO_MOVE_ROW && earlier != NO_MOVE_ROW {
            pull(&mut self.continuation[earlier][last], bonus);
        }
    }
}

#[inline(always)]
fn pull(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / BOUND) as i16;
}
