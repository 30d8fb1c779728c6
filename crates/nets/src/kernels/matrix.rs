//! Matrices as the products read them: views with strides, and matrices packed
//! into the panels of columns that a register tile covers.
//!
//! No arithmetic happens here but rounding to bf16.

/// Columns of a panel come in groups of this many: the widest register.
pub(super) const GROUP: usize = 16;
/// Groups of the widest panel; 8 rows of it take 24 of 32 registers.
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
    /// Rows behind each other in memory.
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

    /// The same values with rows and columns exchanged; nothing is moved.
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

/// How the factors of a product are kept; sums are f32 always.
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

/// Panel by panel, in each row by row; of bf16 two neighbouring rows share a
/// word, the first in its lower half. Missing rows and columns are zero.
#[derive(Clone, Debug)]
pub(super) enum Words {
    F32(Vec<f32>),
    Bf16(Vec<u32>),
}

impl Packed {
    /// Packs a matrix whose rows are the summed axis.
    pub fn new(matrix: Matrix<'_>, precision: Precision) -> Self {
        let words = match precision {
            Precision::F32 => Words::F32(pack(matrix, 1, |row, column| {
                value_or_zero(matrix, row, column)
            })),
            Precision::Bf16 => Words::Bf16(pack(matrix, 2, |row, column| {
                let low = value_or_zero(matrix, row, column);
                join(low, value_or_zero(matrix, row + 1, column))
            })),
        };
        Self {
            rows: matrix.rows,
            columns: matrix.columns,
            words,
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

/// The words of all places of the panels, in their order; `step` rows share one.
fn pack<W>(matrix: Matrix<'_>, step: usize, word: impl Fn(usize, usize) -> W) -> Vec<W> {
    let width = matrix.columns.next_multiple_of(GROUP);
    let mut words = Vec::with_capacity(matrix.rows.div_ceil(step) * width);
    for panel in panels(matrix.columns) {
        let columns = panel.first..panel.first + panel.groups * GROUP;
        for row in (0..matrix.rows).step_by(step) {
            words.extend(columns.clone().map(|column| word(row, column)));
        }
    }
    words
}

fn value_or_zero(matrix: Matrix<'_>, row: usize, column: usize) -> f32 {
    if row < matrix.rows && column < matrix.columns {
        matrix.values[row * matrix.row_stride + column * matrix.column_stride]
    } else {
        0.0
    }
}

/// Columns that a register tile covers at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Panel {
    pub(super) first: usize,
    /// 1 to 3.
    pub(super) groups: usize,
}

/// The panels of so many columns: three groups each, but 2 + 2 rather than
/// 3 + 1, for a tile of one register's width waits for its own sums.
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

/// The nearest bf16 value, the even one of two equally near.
#[inline(always)]
pub fn to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let nearest = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    // Rounding could carry a NaN's mantissa into infinity: keep it a NaN.
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
