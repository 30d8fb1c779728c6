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
    /// In the order of what they take.
    #[inline]
    pub(super) fn of(board: &Board, filter: MoveFilter) -> Moves {
        Moves::rated(board, filter, |mv| rating_of(board, mv))
    }

    /// All moves, first those that refuted others, quiet ones by how often they did.
    #[inline]
    pub(super) fn ordered(board: &Board, ply: usize, refutations: &Refutations) -> Moves {
        let killers = refutations.killers(ply);
        Moves::rated(board, MoveFilter::All, |mv| {
            match killers.iter().position(|&killer| killer == Some(mv)) {
                Some(place) => KILLER - place as i32,
                None => rating_of(board, mv) + refutations.often(board, mv),
            }
        })
    }

    #[inline(always)]
    fn rated(board: &Board, filter: MoveFilter, rating: impl Fn(Move) -> i32) -> Moves {
        let mut all = Moves {
            moves: ArrayVec::new(),
            words: ArrayVec::new(),
        };
        board.for_each_move(filter, |mv| {
            let from_end = (LAST_PLACE - all.moves.len()) as i32;
            all.words.push(rating(mv) << PLACE_BITS | from_end);
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

/// What has refuted moves within a search.
#[derive(Default)]
pub(super) struct Refutations {
    /// For each ply the last two moves that did.
    killers: Vec<[Option<Move>; 2]>,
    /// How often quiet moves did, by side, origin and target; empty until one does.
    quiets: Vec<u16>,
}

/// Places for quiet moves.
const QUIETS: usize = 2 * 64 * 64;
/// No quiet move counts more: captures come before them.
const MOST: u16 = CAPTURE as u16 - 1;

impl Refutations {
    pub(super) fn forget(&mut self) {
        self.killers.clear();
        self.quiets.clear();
    }

    fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers.get(ply).copied().unwrap_or_default()
    }

    #[inline(always)]
    fn often(&self, board: &Board, mv: Move) -> i32 {
        match self.quiets.get(place(board, mv)) {
            Some(&often) if !board.is_capture(mv) => often.into(),
            _ => 0,
        }
    }

    /// A move has refuted the one before it, at this depth and ply.
    pub(super) fn note(&mut self, board: &Board, mv: Move, (depth, ply): (u32, usize)) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
        // Deep refutations are worth more; shallow ones soon come again.
        if depth > 1 && !board.is_capture(mv) {
            self.quiets.resize(QUIETS, 0);
            let often = &mut self.quiets[place(board, mv)];
            *often = (*often + (depth * depth) as u16).min(MOST);
        }
    }
}

#[inline(always)]
fn place(board: &Board, mv: Move) -> usize {
    let side = board.side_to_move().index();
    (side * 64 + mv.from().index()) * 64 + mv.to().index()
}
