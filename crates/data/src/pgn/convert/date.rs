//! The dates of games, which are often known only in part.

use std::{fmt, str::FromStr};

/// A year, with month and day if they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Date {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

/// The text is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a date like 2019, 2019.12 or 2019.12.31")]
pub struct DateError;

impl Date {
    /// The year.
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month, if it is known.
    pub fn month(self) -> Option<u8> {
        self.month
    }

    /// The day, if it is known.
    pub fn day(self) -> Option<u8> {
        self.day
    }

    /// The date from these numbers, where 0 means unknown; `None` without a year.
    pub(crate) fn from_parts(year: u32, month: u32, day: u32) -> Option<Date> {
        let known = |number: u32, most: u32| match number <= most {
            true => Some(u8::try_from(number).ok().filter(|&number| number > 0)),
            false => None,
        };
        let month = known(month, 12)?;
        Some(Date {
            year: u16::try_from(year)
                .ok()
                .filter(|year| (1..=9999).contains(year))?,
            month,
            day: known(day, 31)?.filter(|_| month.is_some()),
        })
    }

    /// Whether every day of this date comes before every day of another.
    pub fn is_before(self, other: Date) -> bool {
        self.last_day() < other.first_day()
    }

    /// Whether no day of this date comes before another date.
    pub fn is_not_before(self, other: Date) -> bool {
        self.first_day() >= other.first_day()
    }

    /// Whether no day of this date comes after another date.
    pub fn is_not_after(self, other: Date) -> bool {
        self.last_day() <= other.last_day()
    }

    fn first_day(self) -> (u16, u8, u8) {
        (self.year, self.month.unwrap_or(1), self.day.unwrap_or(1))
    }

    fn last_day(self) -> (u16, u8, u8) {
        (self.year, self.month.unwrap_or(12), self.day.unwrap_or(31))
    }
}

/// Reads dates such as `2019.12.31`. Parts that are missing or question marks are
/// unknown; without a month, the day is unknown too.
impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let mut parts = text.trim().split(['.', '-', '/']);
        let year = parts.next().unwrap_or_default();
        let year = (year.len() == 4)
            .then(|| part(year, 1..=9999))
            .ok_or(DateError)??;
        let month = parts.next().map_or(Ok(None), |text| part(text, 1..=12))?;
        let day = parts.next().map_or(Ok(None), |text| part(text, 1..=31))?;
        if parts.next().is_some() {
            return Err(DateError);
        }
        Ok(Self {
            year: year.ok_or(DateError)?,
            month: month.map(|month| month as u8),
            day: day.filter(|_| month.is_some()).map(|day| day as u8),
        })
    }
}

fn part(text: &str, range: std::ops::RangeInclusive<u16>) -> Result<Option<u16>, DateError> {
    if text.bytes().all(|byte| byte == b'?') {
        return Ok(None);
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text
        .parse()
        .ok()
        .filter(|number| is_number && range.contains(number));
    number.map(Some).ok_or(DateError)
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}", self.year)?;
        for part in [self.month, self.day].into_iter().flatten() {
            write!(formatter, ".{part:02}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        text.parse().expect(text)
    }

    #[test]
    fn dates_are_read_as_far_as_they_are_known() {
        assert_eq!(date("2019.12.31").to_string(), "2019.12.31");
        assert_eq!(date(" 2019-1-2 ").to_string(), "2019.01.02");
        assert_eq!(date("2019.??.??"), date("2019"));
        assert_eq!(date("2019.??.05"), date("2019"));
        assert_eq!(date("2019/12"), date("2019.12.??"));
        for wrong in [
            "",
            "????.??.??",
            "19",
            "2019.13",
            "2019.00",
            "2019.1.1.1",
            "2019.+1",
            "x",
        ] {
            assert!(wrong.parse::<Date>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_assumed() {
        let middle = date("2019.06.15");
        assert!(date("2019.06.14").is_before(middle) && date("2019.05").is_before(middle));
        assert!(!date("2019.06").is_before(middle) && !date("2019.06").is_not_before(middle));
        assert!(date("2019.07.??").is_not_before(middle) && middle.is_not_before(middle));
        assert!(date("2019").is_not_after(date("2019")) && !date("2019").is_not_after(middle));
    }
}
