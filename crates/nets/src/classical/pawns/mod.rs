//! Group `pawns`: pawn structure, linear in the weights, and what other groups need
//! to know about the pawns.
//!
//! All of it depends on the pawns alone, so that it can be cached by their key. This
//! module must not look at pieces.

mod cache;

pub(super) use cache::{PawnCache, PawnEntry};

use super::collector::Collector;
use super::masks;
use super::terms::{self, *};
use chess::{Bitboard, Board, Color, PieceKind, Square, attacks};

/// What other groups need to know about one side's pawns.
#[derive(Clone, Copy, Default)]
pub(super) struct SideFacts {
    /// Passed pawns.
    pub(super) passed: Bitboard,
    /// All squares the pawns may one day attack.
    pub(super) attack_span: Bitboard,
}

/// The pawns of both sides as one of them sees them.
struct Pawns {
    color: Color,
    own: Bitboard,
    enemy: Bitboard,
}

/// One pawn and its neighbours.
struct Pawn {
    square: Square,
    rank: usize,
    opposed: bool,
    neighbours: Bitboard,
    support: Bitboard,
    phalanx: Bitboard,
    /// Enemy pawns that it could capture.
    levers: Bitboard,
    /// Enemy pawns that could capture it after one step.
    guards: Bitboard,
    /// Enemy pawns in its passed-pawn span, which could stop it.
    stoppers: Bitboard,
    blocked: bool,
    doubled: bool,
}

/// Collects the structure of one side and returns what other groups need.
pub(super) fn examine(board: &Board, color: Color, to: &mut impl Collector) -> SideFacts {
    let pawns = Pawns {
        color,
        own: board.pieces(color, PieceKind::Pawn),
        enemy: board.pieces(!color, PieceKind::Pawn),
    };
    let mut facts = SideFacts::default();
    for square in pawns.own {
        let pawn = pawns.look_at(square);
        pawns.collect_weakness(&pawn, to);
        pawns.collect_strength(&pawn, to);
        facts.attack_span |= masks::attack_span(color, square);
        if pawns.is_passed(&pawn) {
            facts.passed |= square.into();
        } else if pawns.is_candidate(&pawn) {
            to.one(PAWN_CANDIDATE, pawn.rank);
        }
    }
    let files = masks::files_of(pawns.own);
    to.add(PAWN_ISLAND, 0, islands(files));
    facts
}

/// The number of pawn islands: each starts at a file whose left neighbour has no pawn.
fn islands(files: u8) -> i32 {
    (files & !(files << 1)).count_ones() as i32
}

impl Pawns {
    fn look_at(&self, square: Square) -> Pawn {
        let (color, own, enemy) = (self.color, self.own, self.enemy);
        let ahead = masks::ahead(color, square);
        let neighbours = own & masks::adjacent_files(square.file());
        Pawn {
            square,
            rank: masks::relative_rank(color, square),
            opposed: enemy.meets(masks::file_ahead(color, square)),
            neighbours,
            support: own & attacks::pawn_attacks(!color, square),
            phalanx: neighbours & Bitboard::rank(square.rank()),
            levers: enemy & attacks::pawn_attacks(color, square),
            guards: enemy & attacks::pawn_attacks(color, ahead),
            stoppers: enemy & masks::passed_span(color, square),
            blocked: enemy.contains(ahead),
            doubled: own.meets(masks::file_ahead(color, square)),
        }
    }

    fn collect_weakness(&self, pawn: &Pawn, to: &mut impl Collector) {
        let unsupported = pawn.support.is_empty();
        let isolated = pawn.neighbours.is_empty();
        let backward = !isolated && self.is_backward(pawn);
        if isolated {
            let file = terms::fold_file(pawn.square.file().index());
            to.one(PAWN_ISOLATED, file);
        }
        to.when(backward, PAWN_BACKWARD);
        to.when((isolated || backward) && !pawn.opposed, PAWN_WEAK_UNOPPOSED);
        to.when(pawn.doubled, PAWN_DOUBLED);
        to.when(pawn.doubled && unsupported, PAWN_DOUBLED_UNSUPPORTED);
        to.when(unsupported && pawn.levers.several(), PAWN_DOUBLY_ATTACKED);
        if pawn.blocked {
            to.one(PAWN_BLOCKED, pawn.rank);
        }
    }

    fn collect_strength(&self, pawn: &Pawn, to: &mut impl Collector) {
        let connected = (pawn.support | pawn.phalanx).any();
        if pawn.phalanx.any() {
            to.one(PAWN_PHALANX, pawn.rank);
        }
        if pawn.support.any() {
            to.add(PAWN_SUPPORTED, pawn.rank, pawn.support.count() as i32);
        }
        if connected && pawn.opposed {
            to.one(PAWN_CONNECTED_OPPOSED, pawn.rank);
        }
    }

    /// Whether all neighbours have gone ahead and the step towards them is stopped.
    fn is_backward(&self, pawn: &Pawn) -> bool {
        let ahead = masks::ranks_ahead(self.color, pawn.square);
        pawn.neighbours.without(ahead).is_empty() && (pawn.blocked || pawn.guards.any())
    }

    /// Whether no enemy pawn can stop it, except pawns that it can capture at once, or pawns
    /// that guard its next square while as many own pawns stand beside it.
    fn is_passed(&self, pawn: &Pawn) -> bool {
        let in_the_way = pawn.stoppers.without(pawn.levers);
        let helped = in_the_way == pawn.guards && pawn.phalanx.count() >= pawn.guards.count();
        !pawn.doubled && (in_the_way.is_empty() || (helped && pawn.levers.is_empty()))
    }

    /// Whether it may become passed: no enemy pawn is on its file, and enough neighbours
    /// can help to trade off those that guard its way.
    fn is_candidate(&self, pawn: &Pawn) -> bool {
        if pawn.opposed || pawn.doubled {
            return false;
        }
        let helpers = pawn
            .neighbours
            .without(masks::ranks_ahead(self.color, pawn.square));
        helpers.count() >= pawn.stoppers.count()
    }
}
