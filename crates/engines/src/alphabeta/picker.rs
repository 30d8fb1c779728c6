//! Move ordering: yields the moves of a node one by one, the most promising first, and generates
//! them only when they are needed.

use super::history::{History, piece_target};
use arrayvec::ArrayVec;
use chess::{Bitboard, Board, CheckMap, EXCHANGE_VALUES, MAX_MOVES, Move, MoveFilter, PieceKind};

/// The bonus of a quiet check; histories reach about 16,384.
const CHECK_VALUE: i32 = 16_000;

/// The stages in which moves come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    Known,
    MakeCaptures,
    GoodCaptures,
    Killer,
    MakeQuiets,
    Quiets,
    MakeChecks,
    Checks,
    BadCaptures,
    Done,
}

/// Which moves the picker yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    All,
    Captures,
    CapturesAndChecks,
}

/// What the picker needs to know of the node.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) board: &'a Board,
    pub(super) checks: &'a CheckMap,
    pub(super) history: &'a History,
    /// Squares attacked by the opponent.
    pub(super) threats: Bitboard,
    /// Rows of the continuation table for the moves 1, 2 and 4 plies before.
    pub(super) rows: [usize; 3],
}

/// The low bits of a move's rating word hold its place, counted from the end, so that among equal
/// ratings the first move has the largest word.
const PLACE_BITS: u32 = 9;
const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;

/// The rating word of a move that was already yielded.
const GIVEN: i32 = i32::MIN;

/// Yields the legal moves of a node in order.
pub(super) struct Picker {
    stage: Stage,
    known: Option<Move>,
    killer: Option<Move>,
    /// What a capture must win by static exchange to count as good.
    threshold: i32,
    extent: Extent,
    moves: ArrayVec<Move, MAX_MOVES>,
    /// The rating of each move together with its place; see [`PLACE_BITS`].
    ratings: ArrayVec<i32, MAX_MOVES>,
    /// The first move of the stage.
    first: usize,
    /// The next move of a stage without ratings.
    next: usize,
    /// Captures that lose material, kept for the end.
    bad: ArrayVec<Move, MAX_MOVES>,
}

impl Picker {
    /// All moves of a node. `known` and `killer` need not be legal here.
    pub(super) fn new(board: &Board, known: Option<Move>, killer: Option<Move>) -> Picker {
        let known = known.filter(|&mv| board.is_legal(mv));
        Picker::start(known, killer, 0, Extent::All)
    }

    /// Captures and promotions only, for quiescence and ProbCut; captures that win less than the
    /// threshold come last.
    pub(super) fn captures(board: &Board, known: Option<Move>, threshold: i32) -> Picker {
        let known = known.filter(|&mv| !is_quiet(board, mv) && board.is_legal(mv));
        Picker::start(known, None, threshold, Extent::Captures)
    }

    /// Captures and promotions, then quiet checks that lose nothing.
    pub(super) fn captures_and_checks(board: &Board, known: Option<Move>) -> Picker {
        let known = known.filter(|&mv| !is_quiet(board, mv) && board.is_legal(mv));
        Picker::start(known, None, 0, Extent::CapturesAndChecks)
    }

    fn start(known: Option<Move>, killer: Option<Move>, threshold: i32, extent: Extent) -> Picker {
        Picker {
            stage: Stage::Known,
            known,
            killer,
            threshold,
            extent,
            moves: ArrayVec::new(),
            ratings: ArrayVec::new(),
            first: 0,
            next: 0,
            bad: ArrayVec::new(),
        }
    }

    /// The stage of the move that was yielded last.
    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    /// Skips the quiet moves that were not yielded yet.
    pub(super) fn skip_quiets(&mut self) {
        if self.stage <= Stage::Quiets && self.stage >= Stage::Killer {
            self.start_bad_captures();
        }
    }

    /// The next move.
    pub(super) fn next(&mut self, context: Context<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Known => {
                    self.stage = Stage::MakeCaptures;
                    if self.known.is_some() {
                        return self.known;
                    }
                }
                Stage::MakeCaptures => {
                    self.generate(context.board, MoveFilter::Captures);
                    self.rate(|mv| capture_value(context, mv));
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.pick() {
                    None => match self.extent {
                        Extent::All => self.stage = Stage::Killer,
                        Extent::Captures => self.start_bad_captures(),
                        Extent::CapturesAndChecks => self.stage = Stage::MakeChecks,
                    },
                    Some(mv) if context.board.exchange_at_least(mv, self.threshold) => {
                        return Some(mv);
                    }
                    Some(mv) => self.bad.push(mv),
                },
                Stage::Killer => {
                    self.stage = Stage::MakeQuiets;
                    // Only now checked to be legal: most nodes get a cut-off before this matters.
                    let known = self.known;
                    let board = context.board;
                    self.killer = self.killer.filter(|&mv| {
                        Some(mv) != known && is_quiet(board, mv) && board.is_legal(mv)
                    });
                    if self.killer.is_some() {
                        return self.killer;
                    }
                }
                Stage::MakeQuiets => {
                    self.generate(context.board, MoveFilter::Quiets);
                    self.rate(|mv| quiet_value(context, mv));
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.pick() {
                    Some(mv) if Some(mv) == self.killer => {}
                    Some(mv) => return Some(mv),
                    None => self.start_bad_captures(),
                },
                Stage::MakeChecks => {
                    self.generate(context.board, MoveFilter::Quiets);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => match self.moves.get(self.next) {
                    Some(&mv) => {
                        self.next += 1;
                        if context.checks.gives_check(context.board, mv)
                            && context.board.exchange_at_least(mv, 0)
                        {
                            return Some(mv);
                        }
                    }
                    None => self.start_bad_captures(),
                },
                Stage::BadCaptures => match self.bad.get(self.next) {
                    Some(&mv) => {
                        self.next += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn start_bad_captures(&mut self) {
        self.stage = Stage::BadCaptures;
        self.next = 0;
    }

    /// Appends the moves of a stage to those of the stages before.
    #[inline(always)]
    fn generate(&mut self, board: &Board, filter: MoveFilter) {
        self.first = self.moves.len();
        self.next = self.first;
        board.for_each_move(filter, |mv| self.moves.push(mv));
    }

    #[inline(always)]
    fn rate(&mut self, value: impl Fn(Move) -> i32) {
        for place in self.first..self.moves.len() {
            let value = value(self.moves[place]);
            let from_end = (LAST_PLACE - place) as i32;
            self.ratings.push(value << PLACE_BITS | from_end);
        }
    }

    /// The best of the remaining moves of the stage, except for the table's move. The maximum of a
    /// few words is found without branches, so the moves are not sorted.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        loop {
            let ratings = &mut self.ratings[self.first..];
            let best = ratings.iter().copied().fold(GIVEN, i32::max);
            if best == GIVEN {
                return None;
            }
            let place = LAST_PLACE - (best as usize & LAST_PLACE);
            self.ratings[place] = GIVEN;
            let mv = self.moves[place];
            if Some(mv) != self.known {
                return Some(mv);
            }
        }
    }
}

/// Whether a move is neither a capture nor a promotion.
#[inline(always)]
pub(super) fn is_quiet(board: &Board, mv: Move) -> bool {
    !(mv.is_en_passant()
        || mv.promotes_to().is_some()
        || board.color(!board.side_to_move()).contains(mv.to()))
}

/// The most valuable victim first, adjusted by the capture history.
#[inline(always)]
fn capture_value(context: Context<'_>, mv: Move) -> i32 {
    let victim = context
        .board
        .captured_kind(mv)
        .map_or(0, |kind| EXCHANGE_VALUES[kind.index()]);
    let promotion = match mv.promotes_to() {
        Some(PieceKind::Queen) => 900,
        // Under-promotions are hardly ever best.
        Some(_) => -2_000,
        None => 0,
    };
    16 * (victim + promotion) + context.history.capture(context.board, mv)
}

#[inline(always)]
fn quiet_value(context: Context<'_>, mv: Move) -> i32 {
    let Context {
        board,
        checks,
        history,
        threats,
        rows,
    } = context;
    let index = piece_target(board, mv);
    2 * history.quiet(board, threats, mv)
        + 2 * history.continuation(rows[0], index)
        + history.continuation(rows[1], index)
        + history.continuation(rows[2], index)
        + 2 * history.pawn(board, index)
        + escape_value(board, threats, mv)
        + check_value(board, checks, mv)
}

/// A bonus for moving a valuable piece that is attacked, and a penalty for moving it to an attacked
/// square.
#[inline(always)]
fn escape_value(board: &Board, threats: Bitboard, mv: Move) -> i32 {
    let worth = match board.kind_at(mv.from()) {
        Some(PieceKind::Queen) => 12_000,
        Some(PieceKind::Rook) => 7_000,
        Some(PieceKind::Bishop | PieceKind::Knight) => 4_000,
        _ => return 0,
    };
    let leaves = i32::from(threats.contains(mv.from()));
    let enters = i32::from(threats.contains(mv.to()));
    worth * (leaves - enters)
}

/// Checks are tried early: they force the answer.
#[inline(always)]
fn check_value(board: &Board, checks: &CheckMap, mv: Move) -> i32 {
    let kind = board.kind_at(mv.from()).unwrap_or(PieceKind::King);
    if checks.is_direct(kind, mv) {
        CHECK_VALUE
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIONS: [(&str, [u64; 3]); 4] = [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            [48, 2_039, 97_862],
        ),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            [14, 191, 2_812],
        ),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            [6, 264, 9_467],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            [44, 1_486, 62_379],
        ),
    ];

    fn drain(board: &Board, mut picker: Picker) -> Vec<Move> {
        let history = History::new();
        let context = Context {
            board,
            checks: &board.check_map(),
            history: &history,
            threats: board.attacked_by(!board.side_to_move(), board.occupied()),
            rows: [super::super::history::NO_MOVE_ROW; 3],
        };
        let mut moves = Vec::new();
        while let Some(mv) = picker.next(context) {
            moves.push(mv);
        }
        moves
    }

    /// Counts leaves with pickers that are given table moves and killers, some of them illegal.
    fn perft(board: &Board, hints: [Option<Move>; 2], depth: usize) -> u64 {
        let moves = drain(board, Picker::new(board, hints[0], hints[1]));
        if depth == 1 {
            return moves.len() as u64;
        }
        let hint = |index: usize| moves.get(index % moves.len().max(1)).copied();
        moves
            .iter()
            .enumerate()
            .map(|(index, &mv)| {
                let child = board.after(mv);
                // The reply is often a move of the other side, and then illegal.
                let reply = child.legal_moves().get(index % 5).copied();
                perft(&child, [reply.or(hint(index)), hint(index + 1)], depth - 1)
            })
            .sum()
    }

    #[test]
    fn a_picker_yields_the_legal_moves() {
        for (fen, leaves) in POSITIONS {
            let board = Board::from_fen(fen).expect("a position");
            for (depth, expected) in leaves.into_iter().enumerate() {
                assert_eq!(perft(&board, [None; 2], depth + 1), expected, "{fen}");
            }
        }
    }

    #[test]
    fn no_move_comes_twice_whatever_is_known() {
        for (fen, _) in POSITIONS {
            let board = Board::from_fen(fen).expect("a position");
            let mut legal = board.legal_moves().to_vec();
            legal.sort_unstable();
            for &known in &legal {
                for &killer in &legal {
                    let mut moves = drain(&board, Picker::new(&board, Some(known), Some(killer)));
                    assert_eq!(moves[0], known);
                    moves.sort_unstable();
                    assert_eq!(moves, legal, "{fen} {known:?} {killer:?}");
                }
            }
        }
    }

    #[test]
    fn quiescence_gets_what_changes_material_and_checks() {
        for (fen, _) in POSITIONS {
            let board = Board::from_fen(fen).expect("a position");
            let legal = board.legal_moves();
            let is_capture = |mv: &Move| !is_quiet(&board, *mv);
            let mut captures = drain(&board, Picker::captures(&board, None, 0));
            captures.sort_unstable();
            let mut expected: Vec<Move> = legal.iter().copied().filter(is_capture).collect();
            expected.sort_unstable();
            assert_eq!(captures, expected, "{fen}");
            let mut both = drain(&board, Picker::captures_and_checks(&board, None));
            both.sort_unstable();
            let safe_check = |mv: &Move| board.gives_check(*mv) && board.exchange_at_least(*mv, 0);
            let mut expected: Vec<Move> = legal
                .iter()
                .copied()
                .filter(|mv| is_capture(mv) || safe_check(mv))
                .collect();
            expected.sort_unstable();
            assert_eq!(both, expected, "{fen}");
        }
    }
}
