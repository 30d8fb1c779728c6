//! Whether one sort of counts comes from the same source as another: Pearson's
//! chi-square test of homogeneity.

/// A class with a smaller expectation says nothing.
const LEAST_EXPECTED: f64 = 5.0;

/// How many standard deviations the counts of `one` are off what those of the `rest`
/// lead to expect; 0 if there are too few to say anything.
///
/// By the approximation of Wilson and Hilferty, the cube root of a chi-square is
/// nearly normal.
pub(crate) fn deviation(one: &[u64], rest: &[u64]) -> f64 {
    let sum = |counts: &[u64]| counts.iter().sum::<u64>() as f64;
    let (own, others) = (sum(one), sum(rest));
    let all = own + others;
    if own == 0.0 || others == 0.0 {
        return 0.0;
    }
    let (mut square, mut classes) = (0.0, 0);
    for class in 0..one.len().max(rest.len()) {
        let count = |counts: &[u64]| counts.get(class).map_or(0.0, |&count| count as f64);
        let (mine, theirs) = (count(one), count(rest));
        let expected = [own, others].map(|part| part * (mine + theirs) / all);
        if expected.iter().any(|&expected| expected < LEAST_EXPECTED) {
            continue;
        }
        square += (mine - expected[0]).powi(2) / expected[0]
            + (theirs - expected[1]).powi(2) / expected[1];
        classes += 1;
    }
    if classes < 2 {
        return 0.0;
    }
    let freedom = f64::from(classes - 1);
    let spread = 2.0 / (9.0 * freedom);
    ((square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // [[30, 20], [20, 30]] has 4.0 with one degree of
        // freedom, p = 0.0455, 1.69 standard deviations one-sided.
        let found = deviation(&[30, 20], &[20, 30]);
        assert!((found - 1.69).abs() < 0.15, "{found}");
        // [[10, 20, 30], [30, 20, 10]]: 20.0 with two, p = 4.54e-5, 3.91.
        let found = deviation(&[10, 20, 30], &[30, 20, 10]);
        assert!((found - 3.91).abs() < 0.15, "{found}");
    }

    #[test]
    fn few_counts_say_nothing() {
        assert_eq!(deviation(&[], &[]), 0.0);
        assert_eq!(deviation(&[5, 0, 0], &[]), 0.0);
        assert_eq!(deviation(&[4, 0, 0], &[1000, 1000, 1000]), 0.0);
        assert!(deviation(&[100, 0], &[0, 100]) > 8.0);
        assert!(deviation(&[50, 50, 50], &[500, 500, 500]) < 0.0);
    }
}
