//! Matrices for products: views with strides, and matrices packed into the panels of
//! columns that a register tile covers.
//!
//! There is no arithmetic here except rounding to bf16.

/// The number of columns in a group, of which panels consist: the widest register.
pub(super) const GROUP: usize = 16;
/// How many groups the widest panel has; a tile of 8 rows then takes 24 of 32 registers.
const MOST_GROUPS: usize = 3;

/// A view of f32 values as a matrix.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    values: &'a [f32],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// A matrix whose rows follow each other in memory.
    ///
    /// # Panics
    /// If `values` has another length than `rows * columns`.
    pub fn new(values: &'a [f32], rows: usize, columns: usize) -> Self {
        let length = rows.checked_mul(columns);
        assert_eq!(Some(values.len()), length, "values of a matrix");
        Self {
            values,
            rows,
            columns,
            row_stride: columns,
            column_stride: 1,
        }
    }

    /// A view of the same values with rows and columns exchanged; nothing is copied.
    #[must_use]
    pub fn transposed(self) -> Self {
        Self {
            values: self.values,
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
        }
    }

    /// A view of some neighbouring columns; nothing is copied.
    ///
    /// # Panics
    /// If there are no such columns.
    #[must_use]
    pub fn some_columns(self, columns: std::ops::Range<usize>) -> Self {
        assert!(
            columns.start < columns.end && columns.end <= self.columns,
            "columns of a matrix"
        );
        Self {
            values: &self.values[columns.start * self.column_stride..],
            columns: columns.len(),
            ..self
        }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn row_stride(&self) -> usize {
        self.row_stride
    }

    pub(super) fn column_stride(&self) -> usize {
        self.column_stride
    }

    pub(super) fn as_ptr(&self) -> *const f32 {
        self.values.as_ptr()
    }
}

/// The precision of the factors of a product; sums are always f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 24 bits of mantissa.
    F32,
    /// 8 bits of mantissa. Measured peaks of a core: twice the rate of f32 on Zen 4,
    /// but half of it on Sapphire Rapids, where `vdpbf16ps` is a slow instruction.
    Bf16,
}

/// The right factor of products, packed into panels: a layer's weights are
/// packed once and used for every batch.
#[derive(Clone, Debug)]
pub struct Packed {
    rows: usize,
    columns: usize,
    words: Words,
}

/// The values panel by panel, and row by row in each; in bf16 two neighbouring rows share
/// a word, the first in its lower half. Missing rows and columns are zero.
#[derive(Clone, Debug)]
pub(super) enum Words {
    F32(Vec<f32>),
    Bf16(Vec<u32>),
}

impl Packed {
    /// Packs a matrix whose rows are the summed axis.
    pub fn new(matrix: Matrix<'_>, precision: Precision) -> Self {
        let words = match precision {
            Precision::F32 => Words::F32(pack(matrix, 1, |value, _| value)),
            Precision::Bf16 => Words::Bf16(pack(matrix, 2, join)),
        };
        Self {
            rows: matrix.rows,
            columns: matrix.columns,
            words,
        }
    }

    /// A matrix of zeros in f32.
    pub(super) fn zeros(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            words: Words::F32(vec![0.0; rows * columns.next_multiple_of(GROUP)]),
        }
    }

    /// Writes a row of a matrix in f32.
    pub(super) fn set_row(&mut self, row: usize, values: &[f32]) {
        let Words::F32(words) = &mut self.words else {
            unreachable!("only f32 matrices are written row by row");
        };
        for panel in panels(self.columns) {
            let width = panel.groups * GROUP;
            let start = panel.first * self.rows + row * width;
            let count = width.min(self.columns - panel.first);
            words[start..start + count].copy_from_slice(&values[panel.first..][..count]);
        }
    }

    /// How many rows there are: the length of the sums.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn words(&self) -> &Words {
        &self.words
    }
}

/// The words of all panels in their order; `step` rows, one or two, share a word.
fn pack<W>(matrix: Matrix<'_>, step: usize, word: impl Fn(f32, f32) -> W) -> Vec<W> {
    let width = matrix.columns.next_multiple_of(GROUP);
    let mut words = Vec::with_capacity(matrix.rows.div_ceil(step) * width);
    let [mut low, mut high] = [[0.0; MOST_GROUPS * GROUP]; 2];
    for panel in panels(matrix.columns) {
        let width = panel.groups * GROUP;
        for row in (0..matrix.rows).step_by(step) {
            copy_row(matrix, row, panel, &mut low);
            if step == 2 {
                copy_row(matrix, row + 1, panel, &mut high);
            }
            let pairs = low[..width].iter().zip(&high[..width]);
            words.extend(pairs.map(|(&low, &high)| word(low, high)));
        }
    }
    words
}

/// Copies the part of a row that lies in a panel; columns beyond the matrix become 0.
fn copy_row(matrix: Matrix<'_>, row: usize, panel: Panel, target: &mut [f32; MOST_GROUPS * GROUP]) {
    if row >= matrix.rows {
        target.fill(0.0);
        return;
    }
    let count = target.len().min(matrix.columns - panel.first);
    let (target, beyond) = target.split_at_mut(count);
    beyond.fill(0.0);
    let start = row * matrix.row_stride + panel.first * matrix.column_stride;
    let values = &matrix.values[start..];
    if matrix.column_stride == 1 {
        target.copy_from_slice(&values[..count]);
    } else {
        let column = values.iter().step_by(matrix.column_stride);
        for (target, value) in target.iter_mut().zip(column) {
            *target = *value;
        }
    }
}

/// The columns that a register tile covers at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Panel {
    pub(super) first: usize,
    /// The number of groups, 1 to 3.
    pub(super) groups: usize,
}

/// The panels for this many columns: three groups each, but 2 + 2 rather than 3 + 1, because
/// a tile that is one register wide is bound by the latency of its sums.
pub(super) fn panels(columns: usize) -> impl Iterator<Item = Panel> {
    let groups = columns.div_ceil(GROUP);
    let mut first = 0;
    std::iter::from_fn(move || {
        let taken = match groups - first {
            0 => return None,
            4 => 2,
            left => left.min(MOST_GROUPS),
        };
        let panel = Panel {
            first: first * GROUP,
            groups: taken,
        };
        first += taken;
        Some(panel)
    })
}

/// Rounds to the nearest bf16 value, ties to even.
#[inline(always)]
pub fn to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let nearest = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    // Rounding could turn a NaN into infinity: keep it a NaN.
    let not_a_number = bits >> 16 | 0x40;
    (if value.is_nan() {
        not_a_number
    } else {
        nearest
    }) as u16
}

/// The value of a bf16.
#[inline(always)]
pub fn from_bf16(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// Two bf16 values in a word, the first in its lower half.
#[inline(always)]
pub(super) fn join(low: f32, high: f32) -> u32 {
    u32::from(to_bf16(low)) | u32::from(to_bf16(high)) << 16
}
