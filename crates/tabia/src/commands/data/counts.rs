//! Formatting of numbers of positions.

use std::fmt::{self, Display};

/// A number with thousands separators.
pub(super) struct Count(pub(super) u64);

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad(&text)
    }
}

/// A part of a whole in percent; 0 if the whole is 0.
pub(super) fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}

/// A line of a report: a name, a number and its share.
pub(super) fn row(f: &mut fmt::Formatter<'_>, name: &str, part: u64, whole: u64) -> fmt::Result {
    let share = percent(part, whole);
    writeln!(f, "{name:<18} {:>14} {share:>7.2} %", Count(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        let texts = [0, 12, 999, 1000, 434_921, 1_000_000].map(|number| Count(number).to_string());
        assert_eq!(texts, ["0", "12", "999", "1,000", "434,921", "1,000,000"]);
        assert_eq!(format!("{:>6}|", Count(1000)), " 1,000|");
        assert_eq!((percent(1, 8), percent(0, 0)), (12.5, 0.0));
    }
}
