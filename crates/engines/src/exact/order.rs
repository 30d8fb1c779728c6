//! Move ordering. It changes how much work a search is, and which of several leaves with the same
//! value it finds, but never a value.

use arrayvec::ArrayVec;
use chess::{Board, EXCHANGE_VALUES, MAX_MOVES, Move, MoveFilter, PieceKind};

/// Killer moves are rated above all captures.
const KILLER: i32 = 1 << 20;
/// Quiet moves are rated below all captures.
const QUIET: i32 = 0;
/// The base rating of every capture and every promotion to a queen.
const CAPTURE: i32 = 1 << 10;
/// The weight that makes the victim count more than the attacker.
const VICTIM: i32 = 8;

/// The low bits of a move's rating word hold its place, counted from the end, so that among equal
/// ratings the first move has the largest word.
const PLACE_BITS: u32 = 9;
const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;
/// The rating word of a move that was already yielded.
const GIVEN: i32 = i32::MIN;

/// The moves of a position, the most promising first.
pub(super) struct Moves {
    moves: ArrayVec<Move, MAX_MOVES>,
    words: ArrayVec<i32, MAX_MOVES>,
}

impl Moves {
    /// Ordered by what they capture.
    #[inline]
    pub(super) fn of(board: &Board, filter: MoveFilter) -> Moves {
        Moves::rated(board, filter, |mv| rating_of(board, mv))
    }

    /// All moves: killers first, then captures, then quiet moves by how often they refuted others.
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

    /// The best of the remaining moves; of equal ones the first.
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

/// Whether quiescence tries a capture or promotion: it must not lose by static exchange, and
/// under-promotions are not tried.
#[inline]
pub(super) fn is_worth_a_look(board: &Board, mv: Move) -> bool {
    mv.promotes_to().is_none_or(|kind| kind == PieceKind::Queen) && board.exchange_at_least(mv, 0)
}

/// The moves that refuted others within a search.
#[derive(Default)]
pub(super) struct Refutations {
    /// For each ply the last two refuting moves.
    killers: Vec<[Option<Move>; 2]>,
    /// The score of quiet refuting moves, by side, origin and target; empty until there is one.
    quiets: Vec<u16>,
}

/// Entries for quiet moves.
const QUIETS: usize = 2 * 64 * 64;
/// The highest score of a quiet move: captures come before them.
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

    /// Records that a move refuted the previous one at this depth and ply.
    pub(super) fn note(&mut self, board: &Board, mv: Move, (depth, ply): (u32, usize)) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
        // Deep refutations weigh more; those at depth 1 are cheap to find again.
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
