//! What follows from the numbers of pieces alone: the group `imbalance`, the
//! stage of the game, and which endgame it is.
//!
//! All of it is cached by these numbers, so that most positions pay only ten
//! population counts and one look-up. This module must not look at squares.

use super::endgames::Ending;
use super::scale::Scaling;
use super::weights::Weights;
use chess::{Board, Color, PieceKind};

/// The stage of the game is an integer from 0 in the endgame to this in the opening.
pub(super) const FULL_STAGE: i32 = 256;

/// How many bits a count takes in the key: a side has at most 15 men of a kind.
const COUNT_BITS: usize = 4;
/// The number of kinds of men without the king.
const KINDS: usize = 5;
/// The index of the pawns in a row of counts.
const PAWN: usize = PieceKind::Pawn as usize;
/// The number of entries in the table, a power of two.
const PLACES: usize = 1024;

/// The numbers of men of both sides by kind, without kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts([[i32; KINDS]; 2]);

impl Counts {
    #[inline(always)]
    fn key(board: &Board) -> u64 {
        let mut key = 0;
        for color in Color::ALL {
            for kind in &PieceKind::ALL[..KINDS] {
                let count = board.pieces(color, *kind).count();
                key = key << COUNT_BITS | u64::from(count);
            }
        }
        key
    }

    fn of(board: &Board) -> Counts {
        let mut counts = [[0; KINDS]; 2];
        for color in Color::ALL {
            for (count, kind) in counts[color.index()].iter_mut().zip(PieceKind::ALL) {
                *count = board.pieces(color, kind).count() as i32;
            }
        }
        Counts(counts)
    }

    /// One side's numbers, pawns first.
    pub(super) fn side(&self, color: Color) -> [i32; KINDS] {
        self.0[color.index()]
    }
}

/// What follows from the numbers of men.
#[derive(Clone, Copy)]
pub(super) struct Material {
    key: u64,
    /// The stage of the game, from 0 in the endgame to [`FULL_STAGE`] in the opening.
    pub(super) stage: i32,
    /// The opening value of each side's pieces other than pawns.
    pub(super) non_pawn: [i32; 2],
    /// The group `imbalance` for each side.
    pub(super) imbalance: [i32; 2],
    /// Which endgame it is.
    pub(super) ending: Ending,
    /// For each side, how its advantage is scaled in the endgame.
    pub(super) scaling: [Scaling; 2],
}

impl Material {
    pub(super) fn new(board: &Board, weights: &Weights) -> Material {
        let counts = Counts::of(board);
        let non_pawn = Color::ALL.map(|color| weights.non_pawn_material(&counts.side(color)));
        Material {
            key: Counts::key(board),
            stage: weights.stage(non_pawn[0] + non_pawn[1]),
            non_pawn,
            imbalance: Color::ALL.map(|color| imbalance(&counts, color, weights)),
            ending: Ending::of(&counts),
            scaling: Color::ALL.map(|color| Scaling::of(&counts, color, weights)),
        }
    }
}

/// How well the kinds of pieces work together and against the enemy's.
fn imbalance(counts: &Counts, color: Color, weights: &Weights) -> i32 {
    let parameters = &weights.parameters.imbalance;
    let own = counts.side(color);
    let enemy = counts.side(!color);
    let mut value = 0;
    for kind in 0..KINDS {
        for other in 0..=kind {
            let partners = match other {
                // Each pair of the same kind counts once.
                _ if other == kind => own[kind] * (own[kind] - 1) / 2,
                PAWN => own[kind] * (own[PAWN] - parameters.usual_pawns),
                _ => own[kind] * own[other],
            };
            value += parameters.own[kind][other] * partners;
        }
        for (number, weight) in enemy.iter().zip(parameters.enemy[kind]) {
            value += weight * own[kind] * number;
        }
    }
    value / parameters.unit
}

/// A table of [`Material`], found by the numbers of men.
#[derive(Clone)]
pub(super) struct MaterialCache {
    entries: Box<[Material]>,
}

impl MaterialCache {
    pub(super) fn new(weights: &Weights) -> MaterialCache {
        // Every slot starts with a valid entry, that of the starting position; it is
        // only used for the key of that position.
        let start = Material::new(&Board::start(), weights);
        MaterialCache {
            entries: vec![start; PLACES].into_boxed_slice(),
        }
    }

    #[inline(always)]
    pub(super) fn look_up(&mut self, board: &Board, weights: &Weights) -> &Material {
        /// Spreads the counts over the upper bits: 2^64 divided by the golden ratio.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let key = Counts::key(board);
        let place = key.wrapping_mul(SPREAD) >> (u64::BITS - PLACES.ilog2());
        let entry = &mut self.entries[place as usize % PLACES];
        if entry.key != key {
            *entry = Material::new(board, weights);
        }
        entry
    }
}
