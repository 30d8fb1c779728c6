//! The answer to a search: waiting for it, and what it means.

use super::conversation::{Conversation, Silence};
use crate::excerpt::excerpt;
use crate::score::Score;
use crate::{Answer, Failure, Report, StopSignal};
use chess::Board;
use memchr::memmem;
use std::time::{Duration, Instant};

/// How long after `stop` the answer is awaited.
pub(super) const STOP_PATIENCE: Duration = Duration::from_secs(1);
/// How often a search looks whether it must end. The answer itself is noticed
/// at once.
const STEP: Duration = Duration::from_millis(20);

/// Waits for the end of a search: the words behind `bestmove`.
pub(super) fn await_answer(
    conversation: &mut Conversation,
    last_info: &mut Vec<u8>,
    stop: &StopSignal,
    until: Option<Instant>,
) -> Result<String, Silence> {
    let mut until = until;
    let mut is_stopped = false;
    loop {
        let now = Instant::now();
        if until.is_some_and(|until| now >= until) {
            return Err(Silence::TimedOut);
        }
        if stop.is_stopped() && !is_stopped {
            is_stopped = true;
            until = Some(now + STOP_PATIENCE);
            conversation.send("stop\n", until)?;
        }
        let step = now + STEP;
        let step = until.map_or(step, |until| until.min(step));
        match hear_answer(conversation, last_info, step) {
            Err(Silence::TimedOut) => {}
            heard => return heard,
        }
    }
}

fn hear_answer(
    conversation: &mut Conversation,
    last_info: &mut Vec<u8>,
    until: Instant,
) -> Result<String, Silence> {
    loop {
        let line = conversation.receive(Some(until))?;
        if let Some(words) = line.strip_prefix(b"bestmove")
            && words.first().is_none_or(u8::is_ascii_whitespace)
        {
            return Ok(String::from_utf8_lossy(words.trim_ascii()).into_owned());
        }
        if tells_score(line) {
            last_info.clear();
            last_info.extend_from_slice(line);
        }
    }
}

/// Whether a line tells the score of the best move. The words are not read: most
/// lines are followed by a better one.
fn tells_score(line: &[u8]) -> bool {
    let is_best = |line: &[u8]| {
        memmem::find(line, b" multipv ").is_none_or(|place| {
            let rank = &line[place + b" multipv ".len()..];
            rank.starts_with(b"1 ")
        })
    };
    line.starts_with(b"info ")
        && !line.starts_with(b"info string ")
        && memmem::find(line, b" score ").is_some()
        && is_best(line)
}

/// What the words behind `bestmove` mean.
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
        best: Some(best),
        ponder,
        score: told.map_or(Score::Centipawns(0), |told| told.score),
        depth: told.map_or(0, |told| told.depth),
        nodes: told.map_or(0, |told| told.nodes),
    })
}

/// Whether a word stands where a move would, and says that there is none.
pub(super) fn is_no_move(word: &str) -> bool {
    matches!(word, "" | "(none)" | "none" | "0000" | "null" | "NULL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_score_of_the_best_move_is_kept() {
        for line in [
            "info depth 5 score cp 13 pv e2e4",
            "info depth 5 multipv 1 score mate 2",
        ] {
            assert!(tells_score(line.as_bytes()), "{line}");
        }
        for line in [
            "info depth 5 multipv 2 score cp 13 pv e2e4",
            "info depth 5 multipv 12 score cp 13 pv e2e4",
            "info string the score is good",
            "info depth 5 currmove e2e4 currmovenumber 1",
            "bestmove e2e4 score cp 1",
            "",
        ] {
            assert!(!tells_score(line.as_bytes()), "{line}");
        }
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
