//! Accumulators: the sums of the first layer along a line of play.
//!
//! Making a move only notes which men leave and enter. Sums are computed when a
//! value is asked for, from the nearest earlier ply that has them, and stored for
//! every ply up to the last. A king move that changes its side's view changes all
//! rows: then the sums of the last position with the same view are taken from a
//! cache, and only the men that differ are replaced.

use super::delta::{Delta, Man};
use super::inputs::{MOST_ACTIVE, View};
use super::memory::Rows;
use super::simd::{Changes, Kernels};
use super::transformer::Transformer;
use chess::{Bitboard, Board, Color, Move, Piece, PieceKind};

/// How many material values a side has.
pub(super) const MATERIAL: usize = 8;

/// The sums of a position for both sides.
pub struct Accumulated<'a> {
    pub(super) own: &'a [i16],
    pub(super) other: &'a [i16],
    pub(super) own_material: &'a [i32; MATERIAL],
    pub(super) other_material: &'a [i32; MATERIAL],
}

/// How many plies are allocated from the start.
const FIRST_ROOM: usize = 64;

/// One position of the line.
#[derive(Clone, Copy)]
struct Ply {
    delta: Delta,
    views: [View; 2],
    is_known: [bool; 2],
    material: [[i32; MATERIAL]; 2],
}

/// The cached sums of the last position that one side saw in one view; they are in
/// [`Accumulators::kept_sums`].
#[derive(Clone)]
struct Kept {
    /// Its men, by colour and kind.
    men: [[Bitboard; 6]; 2],
    material: [i32; MATERIAL],
}

/// The accumulators of one thread.
pub(super) struct Accumulators {
    kernels: &'static Kernels,
    plies: Vec<Ply>,
    /// Two rows for each ply, White's first.
    sums: Rows,
    /// The length of `plies` after each push. Null moves are pushed too, but add
    /// no ply because they change no man.
    lengths: Vec<u32>,
    /// By side and view.
    kept: Vec<Kept>,
    kept_sums: Rows,
}

impl Accumulators {
    pub(super) fn new(transformer: &Transformer, kernels: &'static Kernels) -> Accumulators {
        let width = transformer.width();
        let count = 2 * transformer.inputs().view_count();
        let mut kept_sums = Rows::zeros(count, width);
        for index in 0..count {
            kept_sums
                .row_mut(index)
                .copy_from_slice(&transformer.biases);
        }
        Accumulators {
            kernels,
            plies: Vec::with_capacity(FIRST_ROOM),
            sums: Rows::zeros(2 * FIRST_ROOM, width),
            lengths: Vec::with_capacity(2 * FIRST_ROOM),
            kept: vec![
                Kept {
                    men: [[Bitboard::EMPTY; 6]; 2],
                    material: [0; MATERIAL],
                };
                count
            ],
            kept_sums,
        }
    }

    pub(super) fn kernels(&self) -> &'static Kernels {
        self.kernels
    }

    /// Starts a new line with this board.
    pub(super) fn reset(&mut self, transformer: &Transformer, board: &Board) {
        let inputs = transformer.inputs();
        self.lengths.clear();
        self.plies.clear();
        self.lengths.push(1);
        self.plies.push(Ply {
            delta: Delta::NONE,
            views: Color::ALL.map(|color| inputs.view(color, board.king(color))),
            is_known: [false; 2],
            material: [[0; MATERIAL]; 2],
        });
    }

    /// Adds a move to the line.
    #[inline]
    pub(super) fn push(
        &mut self,
        transformer: &Transformer,
        parent: &Board,
        mv: Move,
        child: &Board,
    ) {
        let delta = Delta::of(parent, mv);
        let us = parent.side_to_move();
        let mut views = self.plies[self.plies.len() - 1].views;
        if delta
            .removed()
            .iter()
            .any(|(piece, _)| piece.kind == PieceKind::King)
        {
            views[us.index()] = transformer.inputs().view(us, child.king(us));
        }
        self.plies.push(Ply {
            delta,
            views,
            is_known: [false; 2],
            material: [[0; MATERIAL]; 2],
        });
        if 2 * self.plies.len() > self.sums.count() {
            self.sums.grow(4 * self.plies.len());
        }
        self.lengths.push(self.plies.len() as u32);
    }

    /// Adds a null move to the line.
    #[inline]
    pub(super) fn push_null(&mut self) {
        self.lengths.push(self.plies.len() as u32);
    }

    /// Removes the last move, real or null.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.lengths.pop();
        if let Some(&length) = self.lengths.last() {
            self.plies.truncate(length as usize);
        }
    }

    /// The sums of the last position, which is `board`.
    #[inline]
    pub(super) fn sums(&mut self, transformer: &Transformer, board: &Board) -> Accumulated<'_> {
        for color in Color::ALL {
            self.compute(transformer, board, color);
        }
        let last = self.plies.len() - 1;
        let us = board.side_to_move();
        let material = &self.plies[last].material;
        Accumulated {
            own: self.sums.row(2 * last + us.index()),
            other: self.sums.row(2 * last + (!us).index()),
            own_material: &material[us.index()],
            other_material: &material[(!us).index()],
        }
    }

    #[inline]
    fn compute(&mut self, transformer: &Transformer, board: &Board, color: Color) {
        let side = color.index();
        let last = self.plies.len() - 1;
        let view = self.plies[last].views[side];
        let mut known = last;
        while !self.plies[known].is_known[side] {
            if known == 0 || self.plies[known - 1].views[side] != view {
                return self.refresh(transformer, board, color);
            }
            known -= 1;
        }
        for ply in known + 1..=last {
            self.step(transformer, ply, side);
        }
    }

    /// Computes the sums of a ply from those of the ply before, which has the
    /// same view.
    #[inline]
    fn step(&mut self, transformer: &Transformer, ply: usize, side: usize) {
        let Ply { delta, views, .. } = self.plies[ply];
        let view = views[side];
        let row = |&(piece, square): &Man| view.feature(piece, square) as u32;
        let mut removed = [0; 2];
        let mut added = [0; 2];
        let removed = rows(delta.removed(), row, &mut removed);
        let added = rows(delta.added(), row, &mut added);
        let changes = Changes { removed, added };
        let (source, target) = self.sums.pair(2 * (ply - 1) + side, 2 * ply + side);
        self.kernels
            .update(&transformer.weights, source, target, changes);
        let mut material = self.plies[ply - 1].material[side];
        change_material(transformer, &mut material, changes);
        let ply = &mut self.plies[ply];
        ply.material[side] = material;
        ply.is_known[side] = true;
    }

    /// Computes the sums of the last ply from the last position with the same view.
    fn refresh(&mut self, transformer: &Transformer, board: &Board, color: Color) {
        let side = color.index();
        let last = self.plies.len() - 1;
        let view = self.plies[last].views[side];
        let index = transformer.inputs().view_count() * side + view.number();
        let kept = &mut self.kept[index];
        let mut removed = Men::new();
        let mut added = Men::new();
        for man_color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(man_color, kind);
                let before = &mut kept.men[man_color.index()][kind.index()];
                let now = board.pieces(man_color, kind);
                for square in before.without(now) {
                    removed.push(view.feature(piece, square));
                }
                for square in now.without(*before) {
                    added.push(view.feature(piece, square));
                }
                *before = now;
            }
        }
        let changes = Changes {
            removed: removed.rows(),
            added: added.rows(),
        };
        change_material(transformer, &mut kept.material, changes);
        let ply = &mut self.plies[last];
        ply.material[side] = kept.material;
        ply.is_known[side] = true;
        self.kernels.refresh(
            &transformer.weights,
            self.kept_sums.row_mut(index),
            self.sums.row_mut(2 * last + side),
            changes,
        );
    }
}

#[inline(always)]
fn rows<'a>(men: &[Man], row: impl Fn(&Man) -> u32, rows: &'a mut [u32; 2]) -> &'a [u32] {
    for (place, man) in rows.iter_mut().zip(men) {
        *place = row(man);
    }
    &rows[..men.len()]
}

/// A list of rows with room for all men of a board.
struct Men {
    rows: [u32; MOST_ACTIVE],
    count: usize,
}

impl Men {
    fn new() -> Men {
        Men {
            rows: [0; MOST_ACTIVE],
            count: 0,
        }
    }

    #[inline(always)]
    fn push(&mut self, feature: usize) {
        self.rows[self.count] = feature as u32;
        self.count += 1;
    }

    fn rows(&self) -> &[u32] {
        &self.rows[..self.count]
    }
}

#[inline]
fn change_material(transformer: &Transformer, sums: &mut [i32; MATERIAL], changes: Changes<'_>) {
    if !transformer.has_psqt() {
        return;
    }
    for &row in changes.removed {
        for (sum, weight) in sums.iter_mut().zip(transformer.psqt_row(row as usize)) {
            *sum -= weight;
        }
    }
    for &row in changes.added {
        for (sum, weight) in sums.iter_mut().zip(transformer.psqt_row(row as usize)) {
            *sum += weight;
        }
    }
}
