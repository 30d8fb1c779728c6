//! Counts in the form that users enter them: numbers separated by commas, as testing frameworks and
//! match programs print them.
//!
//! This module must not know the statistics of counts.

use arena::statistics::{Counts, Histogram, Pentanomial, Trinomial};

/// More games than any match has; sums of such counts are still exact.
const LARGEST_COUNT: u64 = 1_000_000_000_000;

/// The counts that were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// Games by result.
    Games(Trinomial),
    /// Pairs by points.
    Five([u64; 5]),
    /// Pairs by results.
    Six(Pentanomial),
}

impl Given {
    /// The pairs by points, if pairs were given.
    pub(crate) fn five(&self) -> Option<[u64; 5]> {
        match self {
            Given::Games(_) => None,
            Given::Five(five) => Some(*five),
            Given::Six(pairs) => Some(pairs.five()),
        }
    }

    /// The games by result, if they are known.
    pub(crate) fn games(&self) -> Option<Trinomial> {
        match self {
            Given::Games(games) => Some(*games),
            Given::Five(_) => None,
            Given::Six(pairs) => Some(pairs.games()),
        }
    }
}

impl Counts for Given {
    fn histogram(&self) -> Histogram {
        match self {
            Given::Games(games) => games.histogram(),
            Given::Five(five) => Histogram::of_pairs(*five),
            Given::Six(pairs) => pairs.histogram(),
        }
    }
}

/// Parses five or six counts of pairs.
pub(crate) fn pairs(text: &str) -> Result<Given, String> {
    match numbers(text)?[..] {
        [a, b, c, d, e] => Ok(Given::Five([a, b, c, d, e])),
        [loss_loss, loss_draw, draw_draw, win_loss, win_draw, win_win] => {
            Ok(Given::Six(Pentanomial {
                loss_loss,
                loss_draw,
                draw_draw,
                win_loss,
                win_draw,
                win_win,
            }))
        }
        ref other => Err(format!("expected five or six counts, got {}", other.len())),
    }
}

/// Parses three counts of games.
pub(crate) fn games(text: &str) -> Result<Given, String> {
    match numbers(text)?[..] {
        [losses, draws, wins] => Ok(Given::Games(Trinomial {
            losses,
            draws,
            wins,
        })),
        ref other => Err(format!("expected three counts, got {}", other.len())),
    }
}

/// Parses numbers separated by commas or spaces; brackets around them are ignored.
fn numbers(text: &str) -> Result<Vec<u64>, String> {
    let text = text.trim();
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .unwrap_or(text);
    let words = inner.split(|letter: char| letter == ',' || letter.is_whitespace());
    words
        .filter(|word| !word.is_empty())
        .map(|word| match word.parse() {
            Ok(count) if count <= LARGEST_COUNT => Ok(count),
            _ => Err(format!("'{word}' is not a count from 0 to {LARGEST_COUNT}")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_programs_print_them() {
        let five = Ok(Given::Five([1, 2, 3, 4, 5]));
        for text in ["1,2,3,4,5", "[1, 2, 3, 4, 5]", " 1 2 3 4 5 "] {
            assert_eq!(pairs(text), five, "{text}");
        }
        let six = pairs("1,2,3,4,5,6").expect("six counts");
        assert_eq!(six.five(), Some([1, 2, 7, 5, 6]));
        let three = games("1,2,3").expect("three counts");
        assert_eq!(three.games().map(|games| games.wins), Some(3));
    }

    #[test]
    fn what_is_no_count_is_named() {
        let complaint = |text| pairs(text).expect_err(text);
        assert_eq!(complaint("1,2"), "expected five or six counts, got 2");
        assert!(complaint("1,2,3,4,x").starts_with("'x' is not a count"));
        assert!(complaint("1,2,3,4,-5").starts_with("'-5' is not a count"));
        assert!(complaint("1,2,3,4,18446744073709551615").contains("not a count"));
        assert_eq!(games(""), Err("expected three counts, got 0".to_owned()));
    }
}
