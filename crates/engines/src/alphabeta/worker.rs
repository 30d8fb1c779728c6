//! One searching thread: its line, its stack of frames, its histories, and when it must stop.

use super::correction::Correction;
use super::history::{History, NO_MOVE_ROW, piece_target};
use super::picker::{Context, is_quiet};
use super::root::RootMove;
use super::shared::Shared;
use crate::score::{self, MAX_PLY};
use chess::{Bitboard, Board, CheckMap, Line, Move};
use nets::Evaluator;

/// How often a thread looks at the clock and the stop signal, in nodes.
pub(super) const POLL_INTERVAL: u64 = 512;

/// Frames before the root, so that "four plies ago" always exists.
const FRAMES_BEFORE_ROOT: usize = 6;

/// What a node passes on to its descendants and to the next nodes at the same ply.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The row in the continuation tables of the move made here.
    pub(super) row: usize,
    /// The move made here; `None` for a null move.
    pub(super) made: Option<Move>,
    /// Whether that move was quiet.
    pub(super) made_quiet: bool,
    /// The squares that the opponent attacked before that move.
    pub(super) threats: Bitboard,
    /// The corrected evaluation, or [`score::NONE`] in check.
    pub(super) evaluation: i32,
    /// The move that is skipped while it is tested for being singular.
    pub(super) excluded: Option<Move>,
    /// The last quiet move that refuted a node at this ply.
    pub(super) killer: Option<Move>,
    /// How many nodes at this ply failed high below their current parent.
    pub(super) refutations: i32,
    /// By how many plies the move made here was reduced.
    pub(super) reduction: i32,
}

impl Frame {
    const EMPTY: Frame = Frame {
        row: NO_MOVE_ROW,
        made: None,
        made_quiet: false,
        threats: Bitboard::EMPTY,
        evaluation: score::NONE,
        excluded: None,
        killer: None,
        refutations: 0,
        reduction: 0,
    };
}

/// What a thread keeps from one search to the next.
pub(super) struct Memory<E> {
    pub(super) evaluator: E,
    pub(super) history: History,
    pub(super) correction: Correction,
}

impl<E> Memory<E> {
    pub(super) fn new(evaluator: E) -> Memory<E> {
        Memory {
            evaluator,
            history: History::new(),
            correction: Correction::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.correction.clear();
    }
}

/// One thread of a search.
pub(super) struct Worker<'a, E> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) memory: &'a mut Memory<E>,
    pub(super) line: Line,
    /// The length of the line at the root.
    root_length: usize,
    frames: Vec<Frame>,
    /// The principal variation of each ply.
    pub(super) variations: Vec<Vec<Move>>,
    pub(super) root_moves: Vec<RootMove>,
    /// The root moves before this index are the better lines of a MultiPV search.
    pub(super) first_root_move: usize,
    /// The root moves from this index on rank lower by the tablebases.
    pub(super) last_root_move: usize,
    pub(super) root_depth: i32,
    pub(super) root_delta: i32,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    /// No null move is tried before this ply while one is being verified; 0 otherwise.
    pub(super) null_move_from: usize,
    pub(super) stopped: bool,
    pub(super) is_main: bool,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<E>,
        line: &Line,
        root_moves: Vec<RootMove>,
        is_main: bool,
    ) -> Worker<'a, E> {
        memory.evaluator.reset(line.board());
        Worker {
            shared,
            memory,
            line: line.clone(),
            root_length: line.length(),
            frames: vec![Frame::EMPTY; MAX_PLY + FRAMES_BEFORE_ROOT + 4],
            variations: vec![Vec::new(); MAX_PLY + 2],
            last_root_move: root_moves.len(),
            root_moves,
            first_root_move: 0,
            root_depth: 0,
            root_delta: score::INFINITE,
            nodes: 0,
            selective_depth: 0,
            null_move_from: 0,
            stopped: false,
            is_main,
        }
    }

    #[inline(always)]
    pub(super) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + FRAMES_BEFORE_ROOT]
    }

    #[inline(always)]
    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + FRAMES_BEFORE_ROOT]
    }

    /// The frame this many plies earlier, even before the root.
    #[inline(always)]
    pub(super) fn frame_before(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + FRAMES_BEFORE_ROOT - back]
    }

    /// The continuation rows of the moves 1, 2 and 4 plies before.
    #[inline(always)]
    pub(super) fn rows(&self, ply: usize) -> [usize; 3] {
        [1, 2, 4].map(|back| self.frame_before(ply, back).row)
    }

    #[inline(always)]
    pub(super) fn context<'b>(
        &'b self,
        board: &'b Board,
        checks: &'b CheckMap,
        threats: Bitboard,
        ply: usize,
    ) -> Context<'b> {
        Context {
            board,
            checks,
            history: &self.memory.history,
            threats,
            rows: self.rows(ply),
        }
    }

    /// Counts a node and finds out whether the search must end. A node limit is exact; the clock
    /// and the stop signal are polled.
    #[inline(always)]
    pub(super) fn enter_node(&mut self, ply: usize) -> bool {
        if self.shared.spends_last_node(self.nodes) {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            self.shared.add_nodes(POLL_INTERVAL);
            if self.shared.must_stop(self.is_main) {
                self.stopped = true;
            }
        }
        !self.stopped
    }

    /// Makes a move of the node at `ply`.
    #[inline(always)]
    pub(super) fn make(&mut self, board: &Board, mv: Move, ply: usize) {
        let frame = self.frame_mut(ply);
        frame.row = piece_target(board, mv);
        frame.made = Some(mv);
        frame.made_quiet = is_quiet(board, mv);
        self.line.push(mv);
        let child = self.line.board();
        self.shared.table.prefetch(child.key());
        self.memory.evaluator.push(board, mv, child);
    }

    /// Passes the turn at the node at `ply`.
    pub(super) fn make_null(&mut self, ply: usize) {
        let frame = self.frame_mut(ply);
        frame.row = NO_MOVE_ROW;
        frame.made = None;
        self.line.push_null();
        self.shared.table.prefetch(self.line.board().key());
        self.memory.evaluator.push_null();
    }

    #[inline(always)]
    pub(super) fn take_back(&mut self) {
        self.line.pop();
        self.memory.evaluator.pop();
    }

    /// Whether the game is drawn here by the rules that a search applies: fifty moves, repetition,
    /// insufficient material.
    #[inline]
    pub(super) fn is_draw(&self, board: &Board) -> bool {
        if board.halfmove_clock() >= 100 {
            // Checkmate takes precedence over the fifty-move rule.
            return !board.in_check() || board.has_legal_move();
        }
        board.has_insufficient_material() || self.line.is_repetition(self.root_length)
    }

    #[inline]
    pub(super) fn can_repeat(&self) -> bool {
        self.line.has_upcoming_repetition(self.root_length)
    }

    /// The output of the evaluator, scaled towards 0 as the fifty-move draw comes nearer.
    #[inline]
    pub(super) fn raw_evaluation(&mut self, board: &Board) -> i32 {
        let value = self.memory.evaluator.evaluate(board) + self.shared.error.of(board);
        let faded = value * (200 - i32::from(board.halfmove_clock().min(100))) / 200;
        faded.clamp(1 - score::WIN_BOUND, score::WIN_BOUND - 1)
    }

    /// What the correction histories add to the evaluation.
    #[inline]
    pub(super) fn correction(&self, board: &Board, ply: usize) -> i32 {
        let last = self.frame_before(ply, 1).row;
        let earlier = self.frame_before(ply, 2).row;
        self.memory
            .correction
            .value(&self.shared.parameters, board, last, earlier)
    }

    /// Sets the variation of a ply to the move followed by the variation of the next ply.
    pub(super) fn extend_variation(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.variations.split_at_mut(ply + 1);
        let variation = &mut upper[ply];
        variation.clear();
        variation.push(mv);
        variation.extend_from_slice(&lower[0]);
    }
}
