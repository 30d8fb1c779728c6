//! Group `passed`: pawns that no enemy pawn can stop.
//!
//! Each term is a feature, as in the linear groups, so that a trainer may
//! include this group; the published sources leave it out of training.

use super::collector::Collector;
use super::masks;
use super::terms::{self, *};
use super::view::View;
use chess::{Bitboard, Color, PieceKind, Rank, Square, attacks};

/// From this rank on, kings and paths matter: below it a pawn still has far to go.
const ADVANCED: usize = Rank::Fourth as usize;
/// The largest distance of a king that is distinguished.
const FAR: i32 = 5;

#[inline(always)]
pub(super) fn collect(view: &View<'_>, color: Color, to: &mut impl Collector) {
    for pawn in view.pawns.sides[color.index()].passed {
        let rank = masks::relative_rank(color, pawn);
        to.one(PASSED_RANK, rank);
        to.one(PASSED_FILE, terms::fold_file(pawn.file().index()));
        if view.maps.by(color, PieceKind::Pawn).contains(pawn) {
            to.one(PASSED_PROTECTED, rank);
        }
        if rank >= ADVANCED {
            collect_kings(view, color, pawn, rank, to);
            collect_path(view, color, pawn, rank, to);
        }
        to.when(is_unstoppable(view, color, pawn), PASSED_UNSTOPPABLE);
    }
}

#[inline(always)]
fn collect_kings(
    view: &View<'_>,
    color: Color,
    pawn: Square,
    rank: usize,
    to: &mut impl Collector,
) {
    let step = masks::ahead(color, pawn);
    let own = masks::distance(view.board.king(color), step).min(FAR);
    let enemy = masks::distance(view.board.king(!color), step).min(FAR);
    to.add(PASSED_OWN_KING, rank, own);
    to.add(PASSED_ENEMY_KING, rank, enemy);
}

/// Collects whether the path is free, safe and supported.
#[inline(always)]
fn collect_path(view: &View<'_>, color: Color, pawn: Square, rank: usize, to: &mut impl Collector) {
    let maps = &view.maps;
    let board = view.board;
    let (us, them) = (color.index(), (!color).index());
    let step = masks::ahead(color, pawn);
    let behind = heavy_piece_behind(view, color, pawn);
    to.when(behind.meets(board.color(color)), PASSED_ROOK_BEHIND);
    let enemy_behind = behind.meets(board.color(!color));
    to.when(enemy_behind, PASSED_ENEMY_ROOK_BEHIND);
    if board.occupied().contains(step) {
        if board.color(!color).contains(step) {
            to.one(PASSED_BLOCKED, rank);
        }
        return;
    }
    // An enemy rook behind the pawn attacks every square of its path.
    let attacked = if enemy_behind {
        Bitboard::ALL
    } else {
        maps.any[them] | board.color(!color)
    };
    let path = masks::file_ahead(color, pawn);
    if !attacked.meets(masks::passed_span(color, pawn)) {
        to.one(PASSED_SAFE_SPAN, rank);
    } else if !attacked.meets(path) {
        to.one(PASSED_SAFE_PATH, rank);
    } else if !attacked.contains(step) {
        to.one(PASSED_SAFE_STEP, rank);
    }
    if maps.any[us].contains(step) || behind.meets(board.color(color)) {
        to.one(PASSED_DEFENDED_STEP, rank);
    }
}

/// The rooks and queens that attack or guard the pawn from behind.
#[inline(always)]
fn heavy_piece_behind(view: &View<'_>, color: Color, pawn: Square) -> Bitboard {
    let heavy = view.board.kind(PieceKind::Rook) | view.board.kind(PieceKind::Queen);
    let candidates = heavy & masks::file_ahead(!color, pawn);
    if candidates.is_empty() {
        return candidates;
    }
    candidates & attacks::rook_attacks(pawn, view.board.occupied())
}

/// Whether the enemy has no piece left to stop the pawn, and its king comes too late.
#[inline(always)]
fn is_unstoppable(view: &View<'_>, color: Color, pawn: Square) -> bool {
    let board = view.board;
    let pawns_and_kings = board.kind(PieceKind::Pawn) | board.kind(PieceKind::King);
    if board.color(!color).without(pawns_and_kings).any() {
        return false;
    }
    let path = masks::file_ahead(color, pawn);
    if path.meets(board.occupied()) {
        return false;
    }
    let goal = Square::new(pawn.file(), Rank::Eighth.relative_to(color));
    // A pawn on the second rank can start with a double step.
    let rank = masks::relative_rank(color, pawn).max(Rank::Third.index());
    let steps = (Rank::Eighth.index() - rank) as i32;
    let late = (board.side_to_move() != color) as i32;
    masks::distance(board.king(!color), goal) - late > steps
}
