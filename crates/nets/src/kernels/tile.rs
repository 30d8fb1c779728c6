//! The register tiles of products: a few rows of the left factor by a panel of
//! the right one, all sums in registers.
//!
//! This module must not know how a product is split into blocks.

use super::matrix::GROUP;
use super::vector::Vector;

/// How factors are stored in memory and in registers.
pub(super) trait Element<V: Vector> {
    type Word: Copy;
    type Register: Copy;
    /// # Safety
    /// The CPU has the instructions; a register full of words can be read.
    unsafe fn load(from: *const Self::Word) -> Self::Register;
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn splat(word: Self::Word) -> Self::Register;
    fn add_product(sum: V, a: Self::Register, b: Self::Register) -> V;
}

pub(super) struct Single;

impl<V: Vector> Element<V> for Single {
    type Word = f32;
    type Register = V;
    #[inline(always)]
    unsafe fn load(from: *const f32) -> V {
        // SAFETY: as the caller's.
        unsafe { V::load(from) }
    }
    #[inline(always)]
    unsafe fn splat(word: f32) -> V {
        // SAFETY: as the caller's.
        unsafe { V::splat(word) }
    }
    #[inline(always)]
    fn add_product(sum: V, a: V, b: V) -> V {
        a.times_plus(b, sum)
    }
}

pub(super) struct Pair;

impl<V: Vector> Element<V> for Pair {
    type Word = u32;
    type Register = V::Pairs;
    #[inline(always)]
    unsafe fn load(from: *const u32) -> V::Pairs {
        // SAFETY: as the caller's.
        unsafe { V::load_pairs(from) }
    }
    #[inline(always)]
    unsafe fn splat(word: u32) -> V::Pairs {
        // SAFETY: as the caller's.
        unsafe { V::splat_pair(word) }
    }
    #[inline(always)]
    fn add_product(sum: V, a: V::Pairs, b: V::Pairs) -> V {
        sum.plus_pairs(a, b)
    }
}

/// Rows of the left factor: where they begin, and their strides in words.
pub(super) struct Rows<W> {
    pub(super) start: *const W,
    pub(super) stride: usize,
    pub(super) step: usize,
}

// Not derived, because that would require `W: Clone`.
impl<W> Clone for Rows<W> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<W> Copy for Rows<W> {}

impl<W> Rows<W> {
    #[inline(always)]
    pub(super) fn from(self, row: usize) -> Self {
        let start = self.start.wrapping_add(row * self.stride);
        Self { start, ..self }
    }
}

/// Rows of the result.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) start: *mut f32,
    pub(super) stride: usize,
    pub(super) columns: usize,
    /// Whether the products are added to the previous contents.
    pub(super) add: bool,
}

#[inline(always)]
pub(super) fn part_of(target: Target, column: usize) -> Target {
    Target {
        start: target.start.wrapping_add(column),
        columns: target.columns - column,
        ..target
    }
}

#[inline(always)]
pub(super) fn below(target: Target, row: usize) -> Target {
    Target {
        start: target.start.wrapping_add(row * target.stride),
        ..target
    }
}

/// Multiplies all rows by one panel of `GROUPS` groups, in tiles of 8, 4, 2 and 1 rows.
///
/// # Safety
/// The CPU has the instructions of `V`; rows, words and target lie within their
/// matrices.
#[inline(always)]
pub(super) unsafe fn all_rows<V: Vector, E: Element<V>, const GROUPS: usize>(
    source: Rows<E::Word>,
    rows: usize,
    words: *const E::Word,
    depth: usize,
    target: Target,
) {
    let mut row = 0;
    // SAFETY: `row` and the tile's rows lie below `rows`.
    unsafe {
        if V::TILE_ROWS == 8 {
            while row + 8 <= rows {
                tile::<V, E, 8, GROUPS, 1>(source.from(row), words, 0, depth, below(target, row));
                row += 8;
            }
        }
        while row + 4 <= rows {
            tile::<V, E, 4, GROUPS, 1>(source.from(row), words, 0, depth, below(target, row));
            row += 4;
        }
        if row + 2 <= rows {
            tile::<V, E, 2, GROUPS, 1>(source.from(row), words, 0, depth, below(target, row));
            row += 2;
        }
        if row < rows {
            tile::<V, E, 1, GROUPS, 1>(source.from(row), words, 0, depth, below(target, row));
        }
    }
}

/// Multiplies some rows by `PANELS` panels of `GROUPS` groups, `stride` words apart. Where
/// a register is narrower than a group, the panel is computed in strips of `GROUPS`
/// registers.
///
/// # Safety
/// The CPU has the instructions of `V`; rows, words and target lie within their
/// matrices.
#[inline(always)]
pub(super) unsafe fn tile<
    V: Vector,
    E: Element<V>,
    const ROWS: usize,
    const GROUPS: usize,
    const PANELS: usize,
>(
    source: Rows<E::Word>,
    words: *const E::Word,
    stride: usize,
    depth: usize,
    target: Target,
) {
    let strip = GROUPS * V::LANES;
    for column in (0..GROUPS * GROUP).step_by(strip) {
        // SAFETY: as the caller's.
        unsafe {
            let zero = V::splat(0.0);
            let mut sums = [[[zero; GROUPS]; PANELS]; ROWS];
            for step in 0..depth {
                let row_of_panel = words.add(step * GROUPS * GROUP + column);
                let mut right = [[E::splat(*source.start); GROUPS]; PANELS];
                for (panel, right) in right.iter_mut().enumerate() {
                    for (vector, right) in right.iter_mut().enumerate() {
                        *right = E::load(row_of_panel.add(panel * stride + vector * V::LANES));
                    }
                }
                let left = source.start.add(step * source.step);
                for (row, sums) in sums.iter_mut().enumerate() {
                    let left = E::splat(*left.add(row * source.stride));
                    for panel in 0..PANELS {
                        for vector in 0..GROUPS {
                            let sum = &mut sums[panel][vector];
                            *sum = E::add_product(*sum, left, right[panel][vector]);
                        }
                    }
                }
            }
            for (row, sums) in sums.iter().enumerate() {
                for (panel, sums) in sums.iter().enumerate() {
                    for (vector, &sum) in sums.iter().enumerate() {
                        let at = panel * GROUPS * GROUP + column + vector * V::LANES;
                        write(sum, below(target, row), at);
                    }
                }
            }
        }
    }
}

/// Writes or adds a register at a column, without the lanes past the last column.
///
/// # Safety
/// The target's row can be written.
#[inline(always)]
unsafe fn write<V: Vector>(sum: V, target: Target, column: usize) {
    let to = target.start.wrapping_add(column);
    let left = target.columns.saturating_sub(column);
    // SAFETY: no more than `left` values are read or written.
    unsafe {
        if left >= V::LANES {
            let sum = if target.add {
                V::load(to).plus(sum)
            } else {
                sum
            };
            sum.store(to);
        } else if left > 0 {
            let sum = if target.add {
                V::load_first(to, left).plus(sum)
            } else {
                sum
            };
            sum.store_first(to, left);
        }
    }
}
