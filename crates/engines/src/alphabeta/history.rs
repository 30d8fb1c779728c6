//! Move histories: statistics of which moves refuted a node and which failed to.
//!
//! All tables hold small integers. A bonus moves an entry towards a bound, by less the nearer it is
//! to that bound, so old statistics fade as new ones arrive.

use chess::{Bitboard, Board, Color, Move, PieceKind};

/// The bound of the capture and pawn tables.
const HISTORY_BOUND: i32 = 16_384;
/// The bound of the quiet table. Its entries are shared by all positions, so they should adapt
/// quickly to the current one: the smaller the bound, the sooner old statistics fade.
const QUIET_BOUND: i32 = 8_192;
/// The bound of the continuation table. A pair of moves occurs rarely but is more specific, so it
/// may outvote the quiet table.
const CONTINUATION_BOUND: i32 = 30_000;

/// Rows of the pawn table, selected by the pawn key.
const PAWN_ROWS: usize = 1_024;

/// A piece with its colour and its target: 12 times 64 values.
pub(crate) const PIECE_TARGETS: usize = 12 * 64;

/// The row of "no move", for plies before the root and null moves.
pub(crate) const NO_MOVE_ROW: usize = PIECE_TARGETS;

/// The kinds of piece that can be captured.
const VICTIMS: usize = 5;

/// Moves an entry towards `bonus`, within the bound.
#[inline(always)]
fn pull(entry: &mut i16, bonus: i32, bound: i32) {
    let bonus = bonus.clamp(-bound, bound);
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / bound) as i16;
}

/// The index of the moving piece and its target.
#[inline(always)]
pub(crate) fn piece_target(board: &Board, mv: Move) -> usize {
    let kind = board.kind_at(mv.from()).unwrap_or(PieceKind::Pawn);
    (board.side_to_move().index() * 6 + kind.index()) * 64 + mv.to().index()
}

/// The tables of one thread.
pub(crate) struct History {
    /// By side, whether origin and target are attacked, origin, target.
    quiet: Box<[[[[i16; 64 * 64]; 2]; 2]; 2]>,
    /// By piece and target, captured kind.
    capture: Box<[[i16; VICTIMS]; PIECE_TARGETS]>,
    /// By an earlier piece and target, then piece and target.
    continuation: Vec<[i16; PIECE_TARGETS]>,
    /// By the pawns, then piece and target.
    pawn: Vec<[i16; PIECE_TARGETS]>,
}

impl History {
    pub(crate) fn new() -> History {
        History {
            quiet: Box::new([[[[0; 64 * 64]; 2]; 2]; 2]),
            capture: Box::new([[0; VICTIMS]; PIECE_TARGETS]),
            continuation: vec![[0; PIECE_TARGETS]; PIECE_TARGETS + 1],
            pawn: vec![[0; PIECE_TARGETS]; PAWN_ROWS],
        }
    }

    /// Clears all tables.
    pub(crate) fn clear(&mut self) {
        *self.quiet = [[[[0; 64 * 64]; 2]; 2]; 2];
        *self.capture = [[0; VICTIMS]; PIECE_TARGETS];
        self.continuation.fill([0; PIECE_TARGETS]);
        self.pawn.fill([0; PIECE_TARGETS]);
    }

    #[inline(always)]
    pub(crate) fn quiet(&self, board: &Board, threats: Bitboard, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        i32::from(
            self.quiet[board.side_to_move().index()][usize::from(threats.contains(from))]
                [usize::from(threats.contains(to))][from.index() * 64 + to.index()],
        )
    }

    #[inline(always)]
    pub(crate) fn update_quiet(&mut self, side: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let (from, to) = (mv.from(), mv.to());
        let entry = &mut self.quiet[side.index()][usize::from(threats.contains(from))]
            [usize::from(threats.contains(to))][from.index() * 64 + to.index()];
        pull(entry, bonus, QUIET_BOUND);
    }

    #[inline(always)]
    pub(crate) fn capture(&self, board: &Board, mv: Move) -> i32 {
        i32::from(self.capture[piece_target(board, mv)][victim(board, mv)])
    }

    #[inline(always)]
    pub(crate) fn update_capture(&mut self, board: &Board, mv: Move, bonus: i32) {
        let entry = &mut self.capture[piece_target(board, mv)][victim(board, mv)];
        pull(entry, bonus, HISTORY_BOUND);
    }

    #[inline(always)]
    pub(crate) fn continuation(&self, row: usize, piece_target: usize) -> i32 {
        i32::from(self.continuation[row][piece_target])
    }

    #[inline(always)]
    pub(crate) fn update_continuation(&mut self, row: usize, piece_target: usize, bonus: i32) {
        if row != NO_MOVE_ROW {
            pull(
                &mut self.continuation[row][piece_target],
                bonus,
                CONTINUATION_BOUND,
            );
        }
    }

    #[inline(always)]
    pub(crate) fn pawn(&self, board: &Board, piece_target: usize) -> i32 {
        i32::from(self.pawn[pawn_row(board)][piece_target])
    }

    #[inline(always)]
    pub(crate) fn update_pawn(&mut self, board: &Board, piece_target: usize, bonus: i32) {
        pull(
            &mut self.pawn[pawn_row(board)][piece_target],
            bonus,
            HISTORY_BOUND,
        );
    }
}

/// The captured kind; a promotion without capture counts as taking a pawn.
#[inline(always)]
fn victim(board: &Board, mv: Move) -> usize {
    board
        .captured_kind(mv)
        .map_or(0, |kind| kind.index().min(VICTIMS - 1))
}

#[inline(always)]
fn pawn_row(board: &Board) -> usize {
    board.keys().pawns as usize % PAWN_ROWS
}
