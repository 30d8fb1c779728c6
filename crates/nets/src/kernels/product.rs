//! Products of a matrix with a packed one, by register tiles.
//!
//! Every sum runs along the summed axis in the same order, in blocks of [`DEPTH`],
//! however many rows a tile has. A row of the result is therefore the same whatever
//! other rows are computed with it.

use super::activation::{Finish, finish};
use super::matrix::{GROUP, Matrix, Packed, Panel, Words, join, panels};
use super::tile::{Element, Pair, Rows, Single, Target, all_rows, below, part_of, tile};
use super::vector::Vector;
use std::mem::MaybeUninit;

/// How many rows of the packed factor a block has: with a full panel they take 48 kB, the
/// first-level cache.
const DEPTH: usize = 256;
/// How many rows of the result use one block before the next block is loaded.
const ROWS: usize = 64;
/// How many panels a tile of one or two rows covers at once, so that there are enough
/// independent sums to hide the latency of additions.
const WIDE: usize = 4;

/// A block of the packed factor: some rows of all panels.
struct Block<W> {
    /// The first word of the first panel.
    start: *const W,
    /// How many words there are along the summed axis: in the whole factor, before the
    /// block, and in the block.
    whole: usize,
    before: usize,
    depth: usize,
}

impl<W> Block<W> {
    #[inline(always)]
    fn panel(&self, panel: Panel) -> *const W {
        let width = panel.groups * GROUP;
        self.start
            .wrapping_add(panel.first * self.whole + self.before * width)
    }
}

/// `result = left * right`, or added to `result`, then finished.
///
/// # Safety
/// The CPU has the instructions of `V`; `left.columns() == right.rows()`;
/// `result` has `left.rows() * right.columns()` values, and `how` fits them.
#[inline(always)]
pub(super) unsafe fn product<V: Vector>(
    left: Matrix<'_>,
    right: &Packed,
    result: &mut [f32],
    add: bool,
    how: &Finish<'_>,
) {
    let columns = right.columns();
    for first in (0..left.rows()).step_by(ROWS) {
        let rows = ROWS.min(left.rows() - first);
        let span = first * columns..(first + rows) * columns;
        let target = Target {
            start: result[span.clone()].as_mut_ptr(),
            stride: columns,
            columns,
            add,
        };
        let start = left.as_ptr().wrapping_add(first * left.row_stride());
        let source = Rows {
            start,
            stride: left.row_stride(),
            step: left.column_stride(),
        };
        // SAFETY: `rows` rows of both factors and the result lie within them, as
        // the caller vouches.
        unsafe {
            match right.words() {
                Words::F32(words) => {
                    single::<V>(source, rows, words, right.rows(), target);
                }
                Words::Bf16(words) => pairs::<V>(source, rows, words, right.rows(), target),
            }
            finish::<V>(&mut result[span.clone()], &how.of(span));
        }
    }
}

/// A product of f32 rows whose result has room for whole groups of columns.
///
/// # Safety
/// The CPU has the instructions of `V`; `rows` rows of `stride` values can be
/// read and of `result_stride` written, where the strides reach over the rows
/// and the columns of `right` rounded up to whole groups.
#[inline(always)]
pub(super) unsafe fn padded_product<V: Vector>(
    left: *const f32,
    stride: usize,
    rows: usize,
    right: &Packed,
    result: *mut f32,
    result_stride: usize,
) {
    let Words::F32(words) = right.words() else {
        unreachable!("only f32 matrices are packed for padded products");
    };
    let source = Rows {
        start: left,
        stride,
        step: 1,
    };
    let target = Target {
        start: result,
        stride: result_stride,
        columns: right.columns().next_multiple_of(GROUP),
        add: false,
    };
    // SAFETY: as the caller's.
    unsafe { single::<V>(source, rows, words, right.rows(), target) }
}

/// Adds a product whose left factor is stored transposed: `depth` rows of `stride` values,
/// each of which has one value for every sum. The right factor is `depth` rows, stored in
/// panels of `columns` columns.
///
/// # Safety
/// The CPU has the instructions of `V`; `stride` reaches over `rows` values, the right
/// factor and the result over whole groups of columns; there are at most [`DEPTH`] rows.
#[inline(always)]
pub(super) unsafe fn add_transposed_product<V: Vector>(
    left: *const f32,
    stride: usize,
    depth: usize,
    right: *const f32,
    rows: usize,
    columns: usize,
    result: *mut f32,
) {
    let source = Rows {
        start: left,
        stride: 1,
        step: stride,
    };
    let block = Block {
        start: right,
        whole: depth,
        before: 0,
        depth,
    };
    let columns = columns.next_multiple_of(GROUP);
    let target = Target {
        start: result,
        stride: columns,
        columns,
        add: true,
    };
    // SAFETY: as the caller's.
    unsafe { multiply::<V, Single>(source, rows, &block, target) }
}

/// # Safety
/// As `product`, for `rows` rows.
#[inline(always)]
unsafe fn single<V: Vector>(
    source: Rows<f32>,
    rows: usize,
    words: &[f32],
    depth: usize,
    target: Target,
) {
    if depth == 0 {
        // SAFETY: as the caller's.
        return unsafe { empty(rows, target) };
    }
    let mut target = target;
    for at in (0..depth).step_by(DEPTH) {
        let block = Block {
            start: words.as_ptr(),
            whole: depth,
            before: at,
            depth: DEPTH.min(depth - at),
        };
        let start = source.start.wrapping_add(at * source.step);
        // SAFETY: the block lies within the factors.
        unsafe { multiply::<V, Single>(Rows { start, ..source }, rows, &block, target) };
        target.add = true;
    }
}

/// # Safety
/// As `product`, for `rows` rows, of which there are at most [`ROWS`].
#[inline(always)]
unsafe fn pairs<V: Vector>(
    source: Rows<f32>,
    rows: usize,
    words: &[u32],
    depth: usize,
    target: Target,
) {
    if depth == 0 {
        // SAFETY: as the caller's.
        return unsafe { empty(rows, target) };
    }
    let mut target = target;
    let mut room = [MaybeUninit::<u32>::uninit(); ROWS * DEPTH / 2];
    for at in (0..depth).step_by(DEPTH) {
        let taken = DEPTH.min(depth - at);
        let block = Block {
            start: words.as_ptr(),
            whole: depth.div_ceil(2),
            before: at / 2,
            depth: taken.div_ceil(2),
        };
        let start = source.start.wrapping_add(at * source.step);
        // SAFETY: the block lies within the factors, and the room is large enough for
        // the most rows of the deepest block.
        unsafe {
            let packed = pack_left(Rows { start, ..source }, rows, taken, &mut room);
            multiply::<V, Pair>(packed, rows, &block, target);
        }
        target.add = true;
    }
}

/// The product when the summed axis has length 0.
///
/// # Safety
/// `rows` rows of the target can be written.
#[inline(always)]
unsafe fn empty(rows: usize, target: Target) {
    if !target.add {
        for row in 0..rows {
            // SAFETY: the caller vouches for the rows.
            unsafe {
                std::ptr::write_bytes(target.start.add(row * target.stride), 0, target.columns)
            };
        }
    }
}

/// Rounds a block of the left factor to bf16 and joins neighbours along the summed axis.
/// For either layout, memory is read in order.
///
/// # Safety
/// `rows` rows of `depth` values can be read; there are at most [`ROWS`] and
/// [`DEPTH`] of them.
#[inline(always)]
unsafe fn pack_left(
    source: Rows<f32>,
    rows: usize,
    depth: usize,
    room: &mut [MaybeUninit<u32>; ROWS * DEPTH / 2],
) -> Rows<u32> {
    let room = room.as_mut_ptr().cast::<u32>();
    // SAFETY: places lie within the rows and the room, as the caller vouches.
    unsafe {
        if source.step == 1 {
            let stride = depth.div_ceil(2);
            for row in 0..rows {
                let from = source.start.add(row * source.stride);
                for pair in 0..depth / 2 {
                    *room.add(row * stride + pair) =
                        join(*from.add(2 * pair), *from.add(2 * pair + 1));
                }
                if depth % 2 == 1 {
                    *room.add(row * stride + depth / 2) = join(*from.add(depth - 1), 0.0);
                }
            }
            return Rows {
                start: room,
                stride,
                step: 1,
            };
        }
        for pair in 0..depth.div_ceil(2) {
            let low = source.start.add(2 * pair * source.step);
            let odd_end = 2 * pair + 1 == depth;
            for row in 0..rows {
                let low = low.add(row * source.stride);
                let high = if odd_end { 0.0 } else { *low.add(source.step) };
                *room.add(pair * ROWS + row) = join(*low, high);
            }
        }
        Rows {
            start: room,
            stride: 1,
            step: ROWS,
        }
    }
}

/// Multiplies one block: for each panel, all rows.
///
/// # Safety
/// The CPU has the instructions of `V`; rows, block and target lie within their
/// matrices.
#[inline(always)]
unsafe fn multiply<V: Vector, E: Element<V>>(
    source: Rows<E::Word>,
    rows: usize,
    block: &Block<E::Word>,
    target: Target,
) {
    let mut wide = 0;
    // SAFETY: as the caller's; panels lie within the packed factor.
    unsafe {
        if rows <= 2 {
            let full = full_panels(target.columns);
            let width = 3 * GROUP;
            while wide + WIDE <= full {
                let panel = Panel {
                    first: wide * width,
                    groups: 3,
                };
                let words = block.panel(panel);
                let part = part_of(target, panel.first);
                let stride = block.whole * width;
                if rows == 2 && V::TILE_ROWS == 8 {
                    tile::<V, E, 2, 3, WIDE>(source, words, stride, block.depth, part);
                } else {
                    for row in 0..rows {
                        let part = below(part, row);
                        tile::<V, E, 1, 3, WIDE>(
                            source.from(row),
                            words,
                            stride,
                            block.depth,
                            part,
                        );
                    }
                }
                wide += WIDE;
            }
        }
        for panel in panels(target.columns).skip(wide) {
            let words = block.panel(panel);
            let part = part_of(target, panel.first);
            match panel.groups {
                1 => all_rows::<V, E, 1>(source, rows, words, block.depth, part),
                2 => all_rows::<V, E, 2>(source, rows, words, block.depth, part),
                _ => all_rows::<V, E, 3>(source, rows, words, block.depth, part),
            }
        }
    }
}

/// How many panels of three whole groups precede any narrower or padded one.
#[inline(always)]
fn full_panels(columns: usize) -> usize {
    panels(columns)
        .take_while(|panel| panel.groups == 3 && panel.first + 3 * GROUP <= columns)
        .count()
}
