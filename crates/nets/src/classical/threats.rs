//! Group `threats`: which men attack which. Linear in the weights.

use super::collector::Collector;
use super::masks;
use super::terms::*;
use super::view::View;
use chess::{Bitboard, Board, Color, PieceKind, Rank, attacks};

/// The kinds that can be threatened; threats to the king belong to the group `king`.
const TARGETS: [PieceKind; 5] = [
    PieceKind::Pawn,
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Queen,
];

#[inline(always)]
pub(super) fn collect(view: &View<'_>, color: Color, to: &mut impl Collector) {
    let maps = &view.maps;
    let (us, them) = (color.index(), (!color).index());
    let enemy = view.board.color(!color);
    let enemy_pieces = enemy.without(view.board.kind(PieceKind::Pawn));
    // A man is not threatened if a pawn guards it, or two men guard it and only one attacks.
    let held = maps.by(!color, PieceKind::Pawn) | maps.twice[them].without(maps.twice[us]);
    let attacked = maps.any[us].without(held);
    let weak = enemy & attacked;

    let minors = maps.by(color, PieceKind::Knight) | maps.by(color, PieceKind::Bishop);
    let rooks = maps.by(color, PieceKind::Rook);
    let worth_a_minor = weak | (enemy_pieces & held);
    collect_targets(view.board, worth_a_minor & minors, THREAT_BY_MINOR, to);
    collect_targets(view.board, weak & rooks, THREAT_BY_ROOK, to);
    to.when(weak.meets(maps.by(color, PieceKind::King)), THREAT_BY_KING);
    let unguarded = weak.without(maps.any[them]) | (weak & enemy_pieces & maps.twice[us]);
    to.add(HANGING, 0, unguarded.count() as i32);
    let queen_guard = weak & maps.by(!color, PieceKind::Queen);
    to.add(DEFENDED_BY_QUEEN_ONLY, 0, queen_guard.count() as i32);
    let restricted = maps.any[them] & attacked;
    to.add(RESTRICTED, 0, restricted.count() as i32);

    collect_pawn_threats(view, color, enemy_pieces, to);
    collect_threats_to_queen(view, color, held, to);
}

#[inline(always)]
fn collect_targets(board: &Board, targets: Bitboard, term: Term, to: &mut impl Collector) {
    if targets.is_empty() {
        return;
    }
    for kind in TARGETS {
        let count = (targets & board.kind(kind)).count() as i32;
        to.add(term, kind.index(), count);
    }
}

/// Pieces that safe pawns attack, or would attack after a safe move.
#[inline(always)]
fn collect_pawn_threats(
    view: &View<'_>,
    color: Color,
    enemy_pieces: Bitboard,
    to: &mut impl Collector,
) {
    let maps = &view.maps;
    let (us, them) = (color.index(), (!color).index());
    let safe = maps.any[us] | !maps.any[them];
    let pawns = view.board.pieces(color, PieceKind::Pawn);
    let hits = attacks::pawn_attacks_of_all(pawns & safe, color) & enemy_pieces;
    collect_targets(view.board, hits, THREAT_BY_PAWN, to);

    let occupied = view.board.occupied();
    let single = pawns.forward(color).without(occupied);
    let third = masks::relative(color, Bitboard::rank(Rank::Third));
    let double = (single & third).forward(color).without(occupied);
    let landing = (single | double).without(maps.by(!color, PieceKind::Pawn)) & safe;
    let threatened = attacks::pawn_attacks_of_all(landing, color) & enemy_pieces;
    to.add(PAWN_PUSH, 0, threatened.count() as i32);
}

/// Safe squares from which a piece would attack the queen.
#[inline(always)]
fn collect_threats_to_queen(
    view: &View<'_>,
    color: Color,
    held: Bitboard,
    to: &mut impl Collector,
) {
    let queens = view.board.pieces(!color, PieceKind::Queen);
    if queens.is_empty() || queens.several() {
        return;
    }
    let maps = &view.maps;
    let us = color.index();
    let queen = queens.first();
    let occupied = view.board.occupied();
    let safe = maps.area[us].without(held);
    let jumps = maps.by(color, PieceKind::Knight) & attacks::knight_attacks(queen) & safe;
    to.add(KNIGHT_ON_QUEEN, 0, jumps.count() as i32);
    let lines = maps.by(color, PieceKind::Bishop) & attacks::bishop_attacks(queen, occupied)
        | maps.by(color, PieceKind::Rook) & attacks::rook_attacks(queen, occupied);
    let lines = lines & safe & maps.twice[us];
    to.add(SLIDER_ON_QUEEN, 0, lines.count() as i32);
}
