//! The names of filters and their settings.

use std::{fmt, str::FromStr};

use super::remembered::REMEMBERED_MEBIBYTES;

/// The kinds of filters, by what they remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FilterKind {
    /// Marked positions, which only keep a chain together; always removed.
    Marked,
    /// Positions whose score seems to stand for no score.
    Placeholders,
    /// The first plies of a game.
    Early,
    /// Plies out of range.
    Ply,
    /// Scores out of range.
    Score,
    /// Positions whose move is a capture.
    Captures,
    /// Positions whose move is a promotion.
    Promotions,
    /// Positions in check.
    InCheck,
    /// Positions whose result is unlikely for their score.
    Result,
    /// Random positions.
    Random,
    /// Positions with numbers of men that are too common.
    Pieces,
    /// Positions that occurred before.
    Duplicates,
}

impl FilterKind {
    /// Every kind, in the order in which they are applied: the first that removes
    /// a position counts it.
    pub const ALL: [FilterKind; 12] = [
        FilterKind::Marked,
        FilterKind::Placeholders,
        FilterKind::Early,
        FilterKind::Ply,
        FilterKind::Score,
        FilterKind::Captures,
        FilterKind::Promotions,
        FilterKind::InCheck,
        FilterKind::Result,
        FilterKind::Random,
        FilterKind::Pieces,
        FilterKind::Duplicates,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            FilterKind::Marked => "marked",
            FilterKind::Placeholders => "placeholders",
            FilterKind::Early => "early",
            FilterKind::Ply => "ply",
            FilterKind::Score => "score",
            FilterKind::Captures => "captures",
            FilterKind::Promotions => "promotions",
            FilterKind::InCheck => "in-check",
            FilterKind::Result => "result",
            FilterKind::Random => "random",
            FilterKind::Pieces => "pieces",
            FilterKind::Duplicates => "duplicates",
        }
    }
}

/// A range of numbers to keep, including both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first.
    pub from: u16,
    /// The last.
    pub to: u16,
}

impl Range {
    /// Whether the number is in the range.
    #[inline(always)]
    pub const fn contains(self, number: u16) -> bool {
        self.from <= number && number <= self.to
    }
}

/// A filter with its setting. It is written as its name, followed by `=` and the
/// setting if it has one.
///
/// ```
/// use data::filter::{Filter, Range};
///
/// assert_eq!("captures".parse(), Ok(Filter::Captures));
/// assert_eq!("random=3".parse(), Ok(Filter::Random(3.0)));
/// assert_eq!("score=..3000".parse(), Ok(Filter::Score(Range { from: 0, to: 3000 })));
/// assert_eq!(Filter::Pieces([1.0, 2.0, 1.0]).to_string(), "pieces=1,2,1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filter {
    /// `placeholders`: positions with the score 0 in a decisive game, after a score
    /// of more than a pawn; in some files 0 stands for no score.
    Placeholders,
    /// `early=N`: positions up to ply N.
    Early(u16),
    /// `ply=A..B`: positions at plies out of this range.
    Ply(Range),
    /// `score=A..B`: positions with absolute scores out of this range; a mate is
    /// 31,755 or more.
    Score(Range),
    /// `captures`: positions whose move is a capture.
    Captures,
    /// `promotions`: positions whose move is a promotion.
    Promotions,
    /// `in-check`: positions in check.
    InCheck,
    /// `result`: each position is kept with the probability that its score leads
    /// to its result.
    Result,
    /// `random=N`: on average N random positions for each that is kept.
    Random(f64),
    /// `pieces=X,Y,Z`: thins out by numbers of men, with X, Y and Z as the wanted
    /// weights of 0, 16 and 32 men, and the parabola through them for others.
    Pieces([f64; 3]),
    /// `duplicates=N`: positions whose men and side to move occurred before, as far as a table
    /// of N MiB remembers.
    Duplicates(u32),
}

impl Filter {
    /// What it removes.
    pub const fn kind(&self) -> FilterKind {
        match self {
            Filter::Placeholders => FilterKind::Placeholders,
            Filter::Early(_) => FilterKind::Early,
            Filter::Ply(_) => FilterKind::Ply,
            Filter::Score(_) => FilterKind::Score,
            Filter::Captures => FilterKind::Captures,
            Filter::Promotions => FilterKind::Promotions,
            Filter::InCheck => FilterKind::InCheck,
            Filter::Result => FilterKind::Result,
            Filter::Random(_) => FilterKind::Random,
            Filter::Pieces(_) => FilterKind::Pieces,
            Filter::Duplicates(_) => FilterKind::Duplicates,
        }
    }
}

/// The text is not a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongFilter {
    /// There is no filter with this name.
    #[error(
        "'{0}' is not a filter; there are captures, promotions, in-check, early=N, ply=A..B, \
         score=A..B, result, placeholders, random=N, pieces=X,Y,Z and duplicates=N"
    )]
    Unknown(String),
    /// The setting is wrong or missing.
    #[error("the filter {name} expects {wants}, not '{found}'")]
    Setting {
        /// The filter.
        name: &'static str,
        /// What it expects.
        wants: &'static str,
        /// What was found.
        found: String,
    },
}

impl FromStr for Filter {
    type Err = WrongFilter;

    fn from_str(text: &str) -> Result<Filter, WrongFilter> {
        let (name, setting) = match text.split_once('=') {
            Some((name, setting)) => (name.trim(), setting.trim()),
            None => (text.trim(), ""),
        };
        let short: String = name
            .chars()
            .take(40)
            .flat_map(char::escape_default)
            .collect();
        let kind = FilterKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name && *kind != FilterKind::Marked)
            .ok_or(WrongFilter::Unknown(short))?;
        of_kind(kind, setting).map_err(|wants| WrongFilter::Setting {
            name: kind.name(),
            wants,
            found: setting
                .chars()
                .take(40)
                .flat_map(char::escape_default)
                .collect(),
        })
    }
}

/// The filter of a kind with this setting, or else what the setting should be.
fn of_kind(kind: FilterKind, setting: &str) -> Result<Filter, &'static str> {
    const NOTHING: &str = "no setting";
    const A_PLY: &str = "a ply, as in early=16";
    const PLIES: &str = "plies from 0 to 65535, as in ply=16..200";
    const SCORES: &str = "scores from 0 to 65535 without a sign, as in score=..3000";
    const A_NUMBER: &str = "a number from 0 to 1000000, as in random=3";
    const WEIGHTS: &str = "three numbers, not all 0, as in pieces=1,2,1";
    const MEMORY: &str = "mebibytes from 1 to 65536, as in duplicates=256";
    let alone = |filter| {
        if setting.is_empty() {
            Ok(filter)
        } else {
            Err(NOTHING)
        }
    };
    match kind {
        FilterKind::Marked | FilterKind::Captures => alone(Filter::Captures),
        FilterKind::Placeholders => alone(Filter::Placeholders),
        FilterKind::Promotions => alone(Filter::Promotions),
        FilterKind::InCheck => alone(Filter::InCheck),
        FilterKind::Result => alone(Filter::Result),
        FilterKind::Early => setting.parse().map(Filter::Early).map_err(|_| A_PLY),
        FilterKind::Ply => range(setting).map(Filter::Ply).ok_or(PLIES),
        FilterKind::Score => range(setting).map(Filter::Score).ok_or(SCORES),
        FilterKind::Random => number(setting).map(Filter::Random).ok_or(A_NUMBER),
        FilterKind::Pieces => weights(setting).map(Filter::Pieces).ok_or(WEIGHTS),
        FilterKind::Duplicates if setting.is_empty() => {
            Ok(Filter::Duplicates(REMEMBERED_MEBIBYTES))
        }
        FilterKind::Duplicates => match setting.parse() {
            Ok(mebibytes @ 1..=65_536) => Ok(Filter::Duplicates(mebibytes)),
            _ => Err(MEMORY),
        },
    }
}

fn range(text: &str) -> Option<Range> {
    let (from, to) = text.split_once("..")?;
    let number = |text: &str, default: u16| match text.trim() {
        "" => Some(default),
        text => text.parse().ok(),
    };
    let range = Range {
        from: number(from, 0)?,
        to: number(to, u16::MAX)?,
    };
    (range.from <= range.to).then_some(range)
}

fn number(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    (0.0..=1e6).contains(&number).then_some(number)
}

fn weights(text: &str) -> Option<[f64; 3]> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| number(part.trim()))
        .collect::<Option<_>>()?;
    let weights: [f64; 3] = numbers.try_into().ok()?;
    weights
        .iter()
        .any(|&weight| weight > 0.0)
        .then_some(weights)
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.kind().name();
        match self {
            Filter::Placeholders
            | Filter::Captures
            | Filter::Promotions
            | Filter::InCheck
            | Filter::Result => f.write_str(name),
            Filter::Early(ply) => write!(f, "{name}={ply}"),
            Filter::Ply(range) | Filter::Score(range) => {
                write!(f, "{name}={}..{}", range.from, range.to)
            }
            Filter::Random(number) => write!(f, "{name}={number}"),
            Filter::Pieces([x, y, z]) => write!(f, "{name}={x},{y},{z}"),
            Filter::Duplicates(mebibytes) => write!(f, "{name}={mebibytes}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_written_as_they_are_read() {
        for text in [
            "captures",
            "promotions",
            "in-check",
            "result",
            "placeholders",
            "early=16",
            "ply=10..200",
            "score=0..3000",
            "random=2.5",
            "pieces=1,2,0.5",
            "duplicates=64",
        ] {
            let filter: Filter = text.parse().expect(text);
            assert_eq!(filter.to_string(), text);
        }
        let open: Filter = "ply=16..".parse().expect("a range");
        assert_eq!(open.to_string(), "ply=16..65535");
    }

    #[test]
    fn mistakes_are_told() {
        for (text, complaint) in [
            (
                "capture",
                "'capture' is not a filter; there are captures, promotions, ",
            ),
            ("marked", "'marked' is not a filter; "),
            (
                "captures=1",
                "the filter captures expects no setting, not '1'",
            ),
            (
                "early",
                "the filter early expects a ply, as in early=16, not ''",
            ),
            (
                "score=9..3",
                "the filter score expects scores from 0 to 65535",
            ),
            (
                "random=-1",
                "the filter random expects a number from 0 to 1000000",
            ),
            ("random=nan", "the filter random expects a number"),
            ("pieces=0,0,0", "the filter pieces expects three numbers"),
            ("pieces=1,2", "the filter pieces expects three numbers"),
            ("duplicates=0", "the filter duplicates expects mebibytes"),
        ] {
            let error = text.parse::<Filter>().expect_err(text).to_string();
            assert!(error.starts_with(complaint), "{error}");
        }
    }
}
