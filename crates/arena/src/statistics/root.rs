//! Roots of functions that cross zero once between two bounds.

/// Enough to halve any interval down to neighbouring floats.
const MOST_HALVINGS: usize = 200;
/// Newton's method needs far fewer; then halving takes over.
const MOST_STEPS: usize = 200;

/// The root of a rising function between two bounds; the nearer bound if it does not cross zero
/// between them.
pub(super) fn bisect(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..MOST_HALVINGS {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + 0.5 * (high - low)
}

/// The root of a falling function, which returns its slope too, strictly between two bounds at
/// which it may be infinite. `start` lies between them.
///
/// Newton's method, with bisection wherever a step would leave the bounds.
pub(super) fn newton(f: impl Fn(f64) -> (f64, f64), low: f64, high: f64, start: f64) -> f64 {
    let (mut low, mut high, mut x) = (low, high, start);
    for _ in 0..MOST_STEPS {
        let (value, slope) = f(x);
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let step = x - value / slope;
        let next = if step > low && step < high {
            step
        } else {
            low + 0.5 * (high - low)
        };
        if (next - x).abs() <= 1e-15 * x.abs().max(1e-3) {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_finds_the_root_or_the_bound() {
        let cube = |x: f64| x.powi(3) - 2.0;
        assert!((bisect(cube, -10.0, 10.0) - 2f64.cbrt()).abs() < 1e-15);
        assert!((bisect(cube, 3.0, 10.0) - 3.0).abs() < 1e-12);
        assert!((bisect(cube, -10.0, 1.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn newton_stays_inside_poles() {
        // Poles at -1 and 1, root at 0.5.
        let f = |x: f64| {
            let value = 1.0 / (1.0 + x) + 1.0 / (x - 1.0) + 4.0 / 3.0;
            let slope = -1.0 / (1.0 + x).powi(2) - 1.0 / (x - 1.0).powi(2);
            (value, slope)
        };
        for start in [-0.999_999, 0.0, 0.999_999_999] {
            assert!((newton(f, -1.0, 1.0, start) - 0.5).abs() < 1e-14, "{start}");
        }
    }
}
