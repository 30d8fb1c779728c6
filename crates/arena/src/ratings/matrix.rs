//! Symmetric positive definite matrices: just what the fit needs of them.

/// A symmetric matrix; only the lower triangle is used.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

/// The inner product of two vectors. Eight separate sums keep the processor busy; their order is
/// fixed.
fn product(one: &[f64], other: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (heads, tail) = one.as_chunks::<LANES>();
    let (other_heads, other_tail) = other.as_chunks::<LANES>();
    for (one, other) in heads.iter().zip(other_heads) {
        for lane in 0..LANES {
            sums[lane] += one[lane] * other[lane];
        }
    }
    let rest: f64 = tail.iter().zip(other_tail).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// The matrix is not positive definite, at least not numerically.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Singular;

impl Matrix {
    /// The zero matrix.
    pub(super) fn new(size: usize) -> Matrix {
        Matrix {
            size,
            entries: vec![0.0; size * size],
        }
    }

    /// An entry.
    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        let (row, column) = (row.max(column), row.min(column));
        self.entries[row * self.size + column]
    }

    /// Adds to an entry and thus to its mirror image, which is the same number.
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        let (row, column) = (row.max(column), row.min(column));
        self.entries[row * self.size + column] += value;
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..][..self.size]
    }

    /// Its Cholesky factor: the lower triangle whose product with its transpose is this matrix.
    pub(super) fn triangle(mut self) -> Result<Triangle, Singular> {
        for row in 0..self.size {
            for column in 0..=row {
                let known = product(&self.row(row)[..column], &self.row(column)[..column]);
                let rest = self.entries[row * self.size + column] - known;
                self.entries[row * self.size + column] = if row > column {
                    rest / self.entries[column * self.size + column]
                } else if rest > 0.0 && rest.is_finite() {
                    rest.sqrt()
                } else {
                    return Err(Singular);
                };
            }
        }
        Ok(Triangle(self))
    }
}

/// The Cholesky factor of a matrix.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Triangle(Matrix);

impl Triangle {
    /// The vector that the matrix maps to `vector`.
    pub(super) fn solve(&self, vector: &[f64]) -> Vec<f64> {
        let Triangle(lower) = self;
        let mut solution = vector.to_vec();
        // Entries before the first that is not 0 need no work: most of a unit vector, when the
        // matrix is inverted.
        let first = vector.iter().position(|&entry| entry != 0.0);
        for row in first.unwrap_or(lower.size)..lower.size {
            let entries = lower.row(row);
            let known = product(&entries[..row], &solution[..row]);
            solution[row] = (solution[row] - known) / entries[row];
        }
        for row in (0..lower.size).rev() {
            let entries = lower.row(row);
            solution[row] /= entries[row];
            let value = solution[row];
            for (part, entry) in solution[..row].iter_mut().zip(entries) {
                *part -= entry * value;
            }
        }
        solution
    }

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut inverse = Matrix::new(size);
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            let solution = self.solve(&unit);
            for (row, value) in solution.iter().enumerate().skip(column) {
                inverse.add(row, column, *value);
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Matrix {
        let mut matrix = Matrix::new(3);
        for (row, column, value) in [
            (0, 0, 4.0),
            (1, 0, 2.0),
            (1, 1, 5.0),
            (0, 2, -2.0),
            (2, 1, 1.0),
            (2, 2, 6.0),
        ] {
            matrix.add(row, column, value);
        }
        matrix
    }

    #[test]
    fn systems_are_solved() {
        let solution = example()
            .triangle()
            .expect("positive")
            .solve(&[2.0, 9.0, 11.0]);
        for (found, expected) in solution.iter().zip([1.0, 1.0, 2.0]) {
            assert!((found - expected).abs() < 1e-12, "{solution:?}");
        }
    }

    #[test]
    fn the_inverse_undoes_the_matrix() {
        let matrix = example();
        let inverse = matrix.clone().triangle().expect("positive").inverse();
        for row in 0..3 {
            for column in 0..3 {
                let product: f64 = (0..3)
                    .map(|index| matrix.get(row, index) * inverse.get(index, column))
                    .sum();
                let expected = if row == column { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn what_is_not_positive_is_refused() {
        let mut matrix = Matrix::new(2);
        matrix.add(0, 0, 1.0);
        matrix.add(0, 1, 1.0);
        matrix.add(1, 1, 1.0);
        assert_eq!(matrix.clone().triangle(), Err(Singular));
        matrix.add(1, 1, f64::NAN);
        assert_eq!(matrix.triangle(), Err(Singular));
    }
}
