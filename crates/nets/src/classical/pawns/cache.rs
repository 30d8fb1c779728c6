//! A cache of everything that depends on the pawns alone, and of the kings' shelters.

use super::{SideFacts, examine};
use crate::classical::collector::Sum;
use crate::classical::king::{Shelter, shelter_of};
use crate::classical::pieces;
use crate::classical::score::Score;
use crate::classical::weights::Weights;
use chess::{Board, CastlingRights, Color, Square};

/// The number of entries, a power of two: they take about a megabyte, and misses are rare
/// because few moves change the pawns.
const PLACES: usize = 8192;

/// The key of an empty entry; a position with this key is as unlikely as any collision.
const VACANT: u64 = u64::MAX;

/// What depends on the pawns, for both sides.
#[derive(Clone, Copy)]
pub(crate) struct PawnEntry {
    key: u64,
    /// The pawns' part of the group `piece-squares`.
    pub(crate) squares: [Score; 2],
    /// The group `pawns`.
    pub(crate) structure: [Score; 2],
    /// What other groups need to know about the pawns of each side.
    pub(crate) sides: [SideFacts; 2],
    shelters: [CachedShelter; 2],
}

/// The shelter of a king, valid as long as the king and its castling rights stay.
#[derive(Clone, Copy)]
struct CachedShelter {
    king: Square,
    castling: CastlingRights,
    shelter: Shelter,
}

impl PawnEntry {
    /// Computes the entry from the pawns and kings.
    pub(crate) fn new(board: &Board, weights: &Weights) -> PawnEntry {
        let mut sides = [SideFacts::default(); 2];
        let structure = Color::ALL.map(|color| {
            Sum::of(weights, |sum| {
                sides[color.index()] = examine(board, color, sum);
            })
        });
        let squares = Color::ALL.map(|color| {
            Sum::of(weights, |sum| {
                pieces::collect_pawn_squares(board, color, sum);
            })
        });
        PawnEntry {
            key: board.keys().pawns,
            squares,
            structure,
            sides,
            shelters: Color::ALL.map(|color| CachedShelter::new(board, color, weights)),
        }
    }

    /// How well a king is sheltered by its pawns.
    #[inline(always)]
    pub(crate) fn shelter(&self, color: Color) -> Shelter {
        self.shelters[color.index()].shelter
    }
}

impl CachedShelter {
    fn new(board: &Board, color: Color, weights: &Weights) -> CachedShelter {
        CachedShelter {
            king: board.king(color),
            castling: board.castling(),
            shelter: shelter_of(board, color, weights),
        }
    }

    #[inline(always)]
    fn refresh(&mut self, board: &Board, color: Color, weights: &Weights) {
        if self.king != board.king(color) || self.castling != board.castling() {
            *self = CachedShelter::new(board, color, weights);
        }
    }
}

/// A table of [`PawnEntry`], indexed by the key of the pawns.
#[derive(Clone)]
pub(crate) struct PawnCache {
    entries: Box<[PawnEntry]>,
}

impl PawnCache {
    /// An empty table.
    pub(crate) fn new(weights: &Weights) -> PawnCache {
        let mut vacant = PawnEntry::new(&Board::start(), weights);
        vacant.key = VACANT;
        PawnCache {
            entries: vec![vacant; PLACES].into_boxed_slice(),
        }
    }

    /// The entry of a board's pawns, computed if it is missing.
    #[inline(always)]
    pub(crate) fn look_up(&mut self, board: &Board, weights: &Weights) -> &PawnEntry {
        let key = board.keys().pawns;
        let entry = &mut self.entries[key as usize % PLACES];
        if entry.key != key {
            *entry = PawnEntry::new(board, weights);
        }
        for color in Color::ALL {
            entry.shelters[color.index()].refresh(board, color, weights);
        }
        entry
    }
}
