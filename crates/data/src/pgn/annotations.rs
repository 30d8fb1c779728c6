//! Commands in comments for other programs: clocks, times and evaluations, besides the
//! words for people.
//!
//! This module works on the text of one comment.

use std::{fmt, time::Duration};

/// The parts of a comment.
///
/// ```
/// use data::pgn::{Annotations, Score};
///
/// let comment: Annotations = "[%eval -0.25,18] [%clk 0:09:58.5] A quiet move.".into();
/// assert_eq!(comment.evaluation.unwrap().score, Score::Centipawns(-25));
/// assert_eq!(comment.clock.unwrap().as_millis(), 598_500);
/// assert_eq!(comment.text, "A quiet move.");
/// assert_eq!(comment.to_string(), "[%eval -0.25,18] [%clk 0:09:58.5] A quiet move.");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// The value of the position: `[%eval 0.25]`, `[%eval #-3,20]`.
    pub evaluation: Option<Evaluation>,
    /// What the mover's clock shows: `[%clk 0:09:58]`.
    pub clock: Option<Duration>,
    /// The time taken for the move: `[%emt 0:00:02]`.
    pub elapsed: Option<Duration>,
    /// All other text, including unknown commands.
    pub text: String,
}

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The value.
    pub score: Score,
    /// The depth of the search that found it.
    pub depth: Option<u32>,
}

/// A value from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate; negative if Black mates.
    Mate(i32),
}

impl From<&str> for Annotations {
    fn from(comment: &str) -> Self {
        let mut annotations = Annotations::default();
        let mut rest = comment;
        while let Some(start) = rest.find("[%") {
            let Some(length) = rest[start..].find(']') else {
                break;
            };
            let (before, command) = (&rest[..start], &rest[start..=start + length]);
            annotations.add_text(before);
            if !annotations.take_command(&command[2..length]) {
                annotations.add_text(command);
            }
            rest = &rest[start + length + 1..];
        }
        annotations.add_text(rest);
        annotations
    }
}

impl Annotations {
    /// Takes a command such as `clk 0:01:00`; false if it is unknown, invalid, or a
    /// repetition.
    fn take_command(&mut self, command: &str) -> bool {
        let (name, value) = command
            .split_once(char::is_whitespace)
            .unwrap_or((command, ""));
        let value = value.trim();
        match name {
            "eval" => take(&mut self.evaluation, parse_evaluation(value)),
            "clk" => take(&mut self.clock, parse_time(value)),
            "emt" => take(&mut self.elapsed, parse_time(value)),
            _ => false,
        }
    }

    fn add_text(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(text);
        }
    }
}

fn take<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    let is_taken = place.is_none() && value.is_some();
    if is_taken {
        *place = value;
    }
    is_taken
}

/// Reads `h:mm:ss.f`; hours and minutes may be missing.
fn parse_time(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds = 0_u64;
    for (index, part) in whole.split(':').enumerate() {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if index > 2 || !is_number {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let nanoseconds = parse_fraction(fraction)?;
    Some(Duration::new(seconds, nanoseconds))
}

/// Reads the digits after a decimal point as nanoseconds.
fn parse_fraction(digits: &str) -> Option<u32> {
    const PLACES: usize = 9;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let kept = &digits[..digits.len().min(PLACES)];
    format!("{kept:0<PLACES$}").parse().ok()
}

fn parse_evaluation(text: &str) -> Option<Evaluation> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score.trim(), Some(depth.trim().parse().ok()?)),
        None => (text, None),
    };
    let score = match score.strip_prefix('#') {
        Some(moves) => Score::Mate(moves.parse().ok()?),
        None => {
            let centipawns = score.parse::<f64>().ok()? * 100.0;
            let is_sane = centipawns.abs() <= f64::from(i32::MAX);
            Score::Centipawns(is_sane.then_some(centipawns.round() as i32)?)
        }
    };
    Some(Evaluation { score, depth })
}

impl fmt::Display for Annotations {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let commands = [
            self.evaluation
                .map(|evaluation| format!("[%eval {evaluation}]")),
            self.clock.map(|time| format!("[%clk {}]", Time(time))),
            self.elapsed.map(|time| format!("[%emt {}]", Time(time))),
            (!self.text.is_empty()).then(|| self.text.clone()),
        ];
        let parts: Vec<String> = commands.into_iter().flatten().collect();
        formatter.write_str(&parts.join(" "))
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Score::Centipawns(centipawns) => {
                write!(formatter, "{:.2}", f64::from(centipawns) / 100.0)?
            }
            Score::Mate(moves) => write!(formatter, "#{moves}")?,
        }
        self.depth
            .map_or(Ok(()), |depth| write!(formatter, ",{depth}"))
    }
}

/// A time as `h:mm:ss`, with milliseconds if there are any.
struct Time(Duration);

impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(formatter, "{hours}:{minutes:02}:{seconds:02}")?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            millis => formatter.write_str(format!(".{millis:03}").trim_end_matches('0')),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_all_lengths() {
        let millis = |text| parse_time(text).map(|time| time.as_millis());
        assert_eq!(millis("1:02:03"), Some(3_723_000));
        assert_eq!(millis("0:00:05.25"), Some(5_250));
        assert_eq!(millis("02:03"), Some(123_000));
        assert_eq!(millis("7"), Some(7_000));
        assert_eq!(millis("5.1234567891234"), Some(5_123));
        for wrong in [
            "",
            "1:",
            ":1",
            "-1:00",
            "1:2:3:4",
            "a",
            "1.x",
            "99999999999999999999",
        ] {
            assert_eq!(millis(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn evaluations_in_pawns_and_moves() {
        let score = |text| parse_evaluation(text).map(|evaluation| evaluation.score);
        assert_eq!(score("0.17"), Some(Score::Centipawns(17)));
        assert_eq!(score("-2"), Some(Score::Centipawns(-200)));
        assert_eq!(score("#-3,20"), Some(Score::Mate(-3)));
        for wrong in ["", "#", "NaN", "inf", "1e300", "0.1,x", "x"] {
            assert_eq!(score(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_not_known_stays_in_the_text() {
        let comment = "before [%clk 0:01:00]after [%csl Ga4] [%clk 0:02:00] [%clk x] [%eval";
        let annotations = Annotations::from(comment);
        assert_eq!(annotations.clock, Some(Duration::from_secs(60)));
        assert_eq!(
            annotations.text,
            "before after [%csl Ga4] [%clk 0:02:00] [%clk x] [%eval"
        );
    }

    #[test]
    fn writing_and_reading_agree() {
        let annotations = Annotations {
            evaluation: Some(Evaluation {
                score: Score::Mate(-4),
                depth: Some(31),
            }),
            clock: Some(Duration::from_secs(3_600)),
            elapsed: Some(Duration::from_millis(1_050)),
            text: "and so on".to_owned(),
        };
        let written = annotations.to_string();
        assert_eq!(
            written,
            "[%eval #-4,31] [%clk 1:00:00] [%emt 0:00:01.05] and so on"
        );
        assert_eq!(Annotations::from(written.as_str()), annotations);
    }
}
