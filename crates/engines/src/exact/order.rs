//! In which order moves are looked at: this changes how much work a search is, and which
//! of several leaves with the same value it finds, but no value.

use arrayvec::ArrayVec;
use chess::{Board, EXCHANGE_VALUES, MAX_MOVES, Move, MoveFilter, PieceKind};

/// Above every capture.
const KILLER: i32 = 1 << 20;
/// Below every capture.
const QUIET: i32 = 0;
/// What every capture has, and every promotion to a queen.
const CAPTURE: i32 = 1 << 10;
/// What makes a victim count more than what takes it.
const VICTIM: i32 = 8;

/// Below the rating of a move in its word: its place, from the end, so that of equal
/// ratings the first is the largest word.
const PLACE_BITS: u32 = 9;
const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;
/// The word of a move that was given already.
const GIVEN: i32 = i32::MIN;

/// The moves of a board, the most promising first.
pub(super) struct Moves {
    moves: ArrayVec<Move, MAX_MOVES>,
    words: ArrayVec<i32, MAX_MOVES>,
}

impl Moves {
    #[inline]
    pub(super) fn of(board: &Board, filter: MoveFilter, killers: [Option<Move>; 2]) -> Moves {
        let mut all = Moves {
            moves: ArrayVec::new(),
            words: ArrayVec::new(),
        };
        board.for_each_move(filter, |mv| {
            let rating = match killers.iter().position(|&killer| killer == Some(mv)) {
                Some(place) => KILLER - place as i32,
                None => rating_of(board, mv),
            };
            let from_end = (LAST_PLACE - all.moves.len()) as i32;
            all.words.push(rating << PLACE_BITS | from_end);
            all.moves.push(mv);
        });
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The best of the moves that are left; of equal ones the first.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Move> {
        let best = self.words.iter().copied().fold(GIVEN, i32::max);
        if best == GIVEN {
            return None;
        }
        let place = LAST_PLACE - (best as usize & LAST_PLACE);
        self.words[place] = GIVEN;
        Some(self.moves[place])
    }
}

#[inline(always)]
fn rating_of(board: &Board, mv: Move) -> i32 {
    let promotion = match mv.promotes_to() {
        Some(PieceKind::Queen) => CAPTURE,
        Some(_) => -CAPTURE,
        None => 0,
    };
    promotion
        + match board.captured_kind(mv) {
            None => QUIET,
            Some(victim) => {
                let taker = board.kind_at(mv.from()).unwrap_or(PieceKind::King);
                CAPTURE + VICTIM * EXCHANGE_VALUES[victim.index()] - taker.index() as i32
            }
        }
}

/// Whether quiescence follows a capture or promotion: it must not lose by exchange, and
/// nobody wants less than a queen.
#[inline]
pub(super) fn is_worth_a_look(board: &Board, mv: Move) -> bool {
    mv.promotes_to().is_none_or(|kind| kind == PieceKind::Queen) && board.exchange_at_least(mv, 0)
}

/// For each ply the last two moves that refuted one before them.
#[derive(Default)]
pub(super) struct Killers(Vec<[Option<Move>; 2]>);

impl Killers {
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    pub(super) fn at(&self, ply: usize) -> [Option<Move>; 2] {
        self.0.get(ply).copied().unwrap_or_default()
    }

    pub(super) fn note(&mut self, ply: usize, mv: Move) {
        if self.0.len() <= ply {
            self.0.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.0[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
    }
}
