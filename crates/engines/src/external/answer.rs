//! The answer to a search of another program: waiting for it, and reading it.

use super::conversation::{Conversation, Silence};
use super::hurry;
use crate::excerpt::excerpt;
use crate::score::Score;
use crate::{Answer, Failure, Report, StopSignal};
use chess::Board;
use memchr::memmem;
use std::time::{Duration, Instant};

/// How long to wait for the answer after `stop`.
pub(super) const STOP_PATIENCE: Duration = Duration::from_secs(1);
/// How often a waiting search checks whether it must end. The answer itself is noticed at once.
const STEP: Duration = Duration::from_millis(20);

/// The last info lines with a score of a search, by MultiPV rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Heard {
    infos: Vec<Vec<u8>>,
    /// Whether a score that is only a bound never replaces an exact one.
    prefers_exact: bool,
}

impl Default for Heard {
    /// Keeps the last line of the best move.
    fn default() -> Heard {
        Heard {
            infos: vec![Vec::new()],
            prefers_exact: false,
        }
    }
}

impl Heard {
    /// Keeps the last line of each rank up to `lines`, exact scores in preference to bounds.
    pub(super) fn of_lines(lines: usize) -> Heard {
        Heard {
            infos: vec![Vec::new(); lines.max(1)],
            prefers_exact: true,
        }
    }

    /// Clears the lines for the next search.
    pub(super) fn forget(&mut self) {
        self.infos.iter_mut().for_each(Vec::clear);
    }

    /// The words after `info` of each line, the best rank first.
    pub(super) fn words(&self) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
        let told = self
            .infos
            .iter()
            .filter_map(|info| info.strip_prefix(b"info"));
        told.map(String::from_utf8_lossy)
    }

    fn hear(&mut self, line: &[u8]) {
        let Some(info) = rank_of(line).and_then(|rank| self.infos.get_mut(rank - 1)) else {
            return;
        };
        let is_bound = || memmem::find(line, b"erbound").is_some();
        if self.prefers_exact && !info.is_empty() && is_bound() {
            return;
        }
        info.clear();
        info.extend_from_slice(line);
    }
}

/// Waits for the end of a search; returns the words after `bestmove`.
pub(super) fn await_answer(
    conversation: &mut Conversation,
    heard: &mut Heard,
    stop: &StopSignal,
    until: Option<Instant>,
) -> Result<String, Silence> {
    let mut until = until;
    let mut is_stopped = false;
    loop {
        let now = Instant::now();
        let is_over = |time: Option<Instant>| time.is_some_and(|time| now >= time);
        if is_over(until) || is_over(hurry::deadline()) {
            return Err(Silence::TimedOut);
        }
        if stop.is_stopped() && !is_stopped {
            is_stopped = true;
            until = Some(now + STOP_PATIENCE);
            conversation.send("stop\n", until)?;
        }
        let step = now + STEP;
        let step = until.map_or(step, |until| until.min(step));
        match hear_answer(conversation, heard, step) {
            Err(Silence::TimedOut) => {}
            answer => return answer,
        }
    }
}

fn hear_answer(
    conversation: &mut Conversation,
    heard: &mut Heard,
    until: Instant,
) -> Result<String, Silence> {
    loop {
        let line = conversation.receive(Some(until))?;
        if let Some(words) = line.strip_prefix(b"bestmove")
            && words.first().is_none_or(u8::is_ascii_whitespace)
        {
            return Ok(String::from_utf8_lossy(words.trim_ascii()).into_owned());
        }
        heard.hear(line);
    }
}

/// The MultiPV rank of an info line with a score. The rest is not parsed: most lines are soon
/// replaced by a better one.
fn rank_of(line: &[u8]) -> Option<usize> {
    let tells_score = line.starts_with(b"info ")
        && !line.starts_with(b"info string ")
        && memmem::find(line, b" score ").is_some();
    if !tells_score {
        return None;
    }
    let Some(place) = memmem::find(line, b" multipv ") else {
        return Some(1);
    };
    let rest = &line[place + b" multipv ".len()..];
    let digits = rest.split(|&byte| byte == b' ').next()?;
    let rank: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (rank > 0).then_some(rank)
}

/// Interprets the words after `bestmove`.
pub(super) fn read(words: &str, board: &Board, told: Option<&Report>) -> Result<Answer, Failure> {
    let mut words = words.split_ascii_whitespace();
    let text = words.next().unwrap_or_default();
    if is_no_move(text) {
        return Err(Failure::NoMove(
            format!("bestmove {text}").trim().to_owned(),
        ));
    }
    let best = board
        .parse_uci(text)
        .map_err(|_| Failure::IllegalMove(excerpt(text)))?;
    let ponder = match (words.next(), words.next()) {
        (Some("ponder"), Some(reply)) => board.after(best).parse_uci(reply).ok(),
        _ => None,
    };
    Ok(Answer {
        ponder,
        depth: told.map_or(0, |told| told.depth),
        nodes: told.map_or(0, |told| told.nodes),
        ..Answer::new(
            Some(best),
            told.map_or(Score::Centipawns(0), |told| told.score),
        )
    })
}

/// Whether a word in the place of a move says that there is no move.
pub(super) fn is_no_move(word: &str) -> bool {
    matches!(word, "" | "(none)" | "none" | "0000" | "null" | "NULL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_tell_a_score_have_a_rank() {
        for (line, rank) in [
            ("info depth 5 score cp 13 pv e2e4", Some(1)),
            ("info depth 5 multipv 1 score mate 2", Some(1)),
            ("info depth 5 multipv 2 score cp 13 pv e2e4", Some(2)),
            ("info depth 5 multipv 12 score cp 13 pv e2e4", Some(12)),
            ("info depth 5 multipv 0 score cp 13", None),
            ("info depth 5 multipv x score cp 13", None),
            ("info string the score is good", None),
            ("info depth 5 currmove e2e4 currmovenumber 1", None),
            ("bestmove e2e4 score cp 1", None),
            ("", None),
        ] {
            assert_eq!(rank_of(line.as_bytes()), rank, "{line}");
        }
    }

    #[test]
    fn what_is_heard_is_the_last_of_each_wanted_line() {
        let words = |mut heard: Heard| -> Vec<String> {
            for line in [
                "info multipv 1 score cp 1",
                "info multipv 2 score cp 2",
                "info multipv 3 score cp 3",
                "info multipv 2 score cp 4",
                "info multipv 1 score cp 5 lowerbound",
            ] {
                heard.hear(line.as_bytes());
            }
            heard.words().map(|words| words.into_owned()).collect()
        };
        assert_eq!(
            words(Heard::default()),
            [" multipv 1 score cp 5 lowerbound"]
        );
        assert_eq!(
            words(Heard::of_lines(2)),
            [" multipv 1 score cp 1", " multipv 2 score cp 4"]
        );
    }

    #[test]
    fn moves_are_read_with_the_expected_reply() {
        let board = Board::start();
        let words =
            |answer: Answer| [answer.best, answer.ponder].map(|mv| mv.map(|mv| format!("{mv:?}")));
        let of = |text: &str| read(text, &board, None).map(words);
        let text = |word: &str| Some(word.to_owned());
        assert_eq!(of("e2e4"), Ok([text("e2e4"), None]));
        assert_eq!(of("e2e4 ponder e7e5"), Ok([text("e2e4"), text("e7e5")]));
        assert_eq!(of("e2e4 ponder e2e4"), Ok([text("e2e4"), None]));
        assert_eq!(of("e2e4 ponder"), Ok([text("e2e4"), None]));
    }

    #[test]
    fn answers_without_a_legal_move_are_failures() {
        let board = Board::start();
        let failure = |words: &str| read(words, &board, None).expect_err(words);
        for (words, shown) in [
            ("", "bestmove"),
            ("(none)", "bestmove (none)"),
            ("0000 ponder 0000", "bestmove 0000"),
        ] {
            assert_eq!(failure(words), Failure::NoMove(shown.to_owned()));
        }
        for word in ["a1a8", "e2", "Nf3", "e7e8q"] {
            assert_eq!(failure(word), Failure::IllegalMove(word.to_owned()));
        }
        let shown = r"\u{1b}[2J".to_owned();
        assert_eq!(failure("\u{1b}[2J"), Failure::IllegalMove(shown));
    }
}
