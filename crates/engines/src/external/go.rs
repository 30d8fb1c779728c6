//! Writes limits as a `go` command, and computes how long to wait for the answer.

use super::program::ProgramOptions;
use crate::{Clock, Limits};
use chess::{Board, CastlingStyle};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Appends the command with its line end.
pub(super) fn write(text: &mut String, limits: &Limits, board: &Board, castling: CastlingStyle) {
    text.push_str("go");
    let begin = text.len();
    // Writing to a String cannot fail.
    if let Some(clock) = &limits.clock {
        write_clock(text, clock);
    }
    if let Some(time) = limits.move_time {
        let _ = write!(text, " movetime {}", milliseconds(time));
    }
    if let Some(depth) = limits.depth {
        let _ = write!(text, " depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let Some(moves) = limits.mate {
        let _ = write!(text, " mate {moves}");
    }
    if text.len() == begin {
        text.push_str(" infinite");
    }
    // Last, because some programs take every word after `searchmoves` for a move.
    if !limits.search_moves.is_empty() {
        text.push_str(" searchmoves");
        for &mv in &limits.search_moves {
            let _ = write!(text, " {}", board.uci(mv, castling));
        }
    }
    text.push('\n');
}

/// Gives both sides the time of the side to move: the opponent's is not known, and many programs
/// expect both.
fn write_clock(text: &mut String, clock: &Clock) {
    let time = milliseconds(clock.remaining);
    let increment = clock.increment.as_millis();
    let _ = write!(
        text,
        " wtime {time} btime {time} winc {increment} binc {increment}"
    );
    if let Some(moves) = clock.moves_to_go {
        let _ = write!(text, " movestogo {moves}");
    }
}

/// At least 1, because some programs take a time of 0 for no limit.
fn milliseconds(time: Duration) -> u128 {
    time.as_millis().max(1)
}

/// How long to wait for the answer, and until when; `None` if only `stop` ends the search.
pub(super) fn patience(
    limits: &Limits,
    options: &ProgramOptions,
    now: Instant,
) -> Option<(Duration, Instant)> {
    let clock = limits.clock.map(|clock| clock.remaining);
    let time = [clock, limits.move_time].into_iter().flatten().min();
    let has_limit = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
    let (begin, patience) = match time {
        Some(time) => (
            limits.since.unwrap_or(now),
            time.saturating_add(options.margin),
        ),
        None if has_limit => (now, options.search_patience),
        None => return None,
    };
    // A time beyond the range of the system clock is no limit.
    Some((patience, begin.checked_add(patience)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(limits: &Limits) -> String {
        let mut text = String::new();
        write(&mut text, limits, &Board::start(), CastlingStyle::Standard);
        text
    }

    fn clock(moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: Some(Clock {
                remaining: Duration::from_millis(60_500),
                increment: Duration::from_millis(100),
                moves_to_go,
            }),
            ..Limits::default()
        }
    }

    #[test]
    fn every_limit_has_its_words() {
        assert_eq!(text(&Limits::nodes(100)), "go nodes 100\n");
        assert_eq!(text(&Limits::depth(7)), "go depth 7\n");
        let time = Duration::from_micros(1_500);
        assert_eq!(text(&Limits::move_time(time)), "go movetime 1\n");
        assert_eq!(text(&Limits::move_time(Duration::ZERO)), "go movetime 1\n");
        assert_eq!(
            text(&clock(None)),
            "go wtime 60500 btime 60500 winc 100 binc 100\n"
        );
        assert_eq!(
            text(&clock(Some(12))),
            "go wtime 60500 btime 60500 winc 100 binc 100 movestogo 12\n"
        );
        let board = Board::start();
        let search_moves = vec![
            board.parse_uci("e2e4").expect("legal"),
            board.parse_uci("b1c3").expect("legal"),
        ];
        let limits = Limits {
            mate: Some(3),
            search_moves,
            ..Limits::default()
        };
        assert_eq!(text(&limits), "go mate 3 searchmoves e2e4 b1c3\n");
        assert_eq!(text(&Limits::default()), "go infinite\n");
    }

    #[test]
    fn patience_follows_the_time_that_is_left() {
        let options = ProgramOptions::new("engine");
        let now = Instant::now();
        let of = |limits: &Limits| patience(limits, &options, now);
        let seconds = Duration::from_secs;
        let with_margin = |time: Duration| time + options.margin;
        let time = with_margin(Duration::from_millis(60_500));
        assert_eq!(of(&clock(None)), Some((time, now + time)));
        let since = now - seconds(2);
        let limits = Limits {
            since: Some(since),
            move_time: Some(seconds(3)),
            depth: Some(9),
            ..clock(None)
        };
        let time = with_margin(seconds(3));
        assert_eq!(of(&limits), Some((time, since + time)));
        let time = options.search_patience;
        assert_eq!(of(&Limits::nodes(1)), Some((time, now + time)));
        assert_eq!(of(&Limits::default()), None);
        assert_eq!(of(&Limits::move_time(Duration::MAX)), None);
    }
}
