//! The `go` command: its parsing, and the limits that it means.

use crate::excerpt::excerpt;
use crate::{Clock, Limits};
use chess::{Board, Color};
use std::time::{Duration, Instant};

/// A `go` command as the client sent it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GoWords {
    pub(super) white_time: Option<i64>,
    pub(super) black_time: Option<i64>,
    pub(super) white_increment: Option<i64>,
    pub(super) black_increment: Option<i64>,
    pub(super) moves_to_go: Option<i64>,
    pub(super) depth: Option<i64>,
    pub(super) nodes: Option<i64>,
    pub(super) move_time: Option<i64>,
    pub(super) mate: Option<i64>,
    pub(super) perft: Option<i64>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) search_moves: Vec<String>,
    /// What could not be parsed, as remarks for the client.
    pub(super) remarks: Vec<String>,
}

impl GoWords {
    /// The field of the limit that a word names.
    fn limit(&mut self, word: &str) -> Option<&mut Option<i64>> {
        Some(match word {
            "wtime" => &mut self.white_time,
            "btime" => &mut self.black_time,
            "winc" => &mut self.white_increment,
            "binc" => &mut self.black_increment,
            "movestogo" => &mut self.moves_to_go,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "movetime" => &mut self.move_time,
            "mate" => &mut self.mate,
            "perft" => &mut self.perft,
            _ => return None,
        })
    }

    fn read_limit(&mut self, word: &str, value: Option<&str>) {
        let number = value.and_then(read_number);
        if number.is_none() {
            let found = value.map_or("nothing".to_owned(), |value| {
                format!("'{}'", excerpt(value))
            });
            self.remarks
                .push(format!("'{word}' expects a number, but has {found}"));
        }
        if let Some(limit) = self.limit(word) {
            // The smallest limit, so that a client that asks for a limited search never waits
            // forever because of a typing error.
            *limit = Some(number.unwrap_or(1));
        }
    }
}

/// Parses what follows `go`.
pub(super) fn parse<'a>(words: impl Iterator<Item = &'a str>) -> GoWords {
    let mut go = GoWords::default();
    let mut words = words.peekable();
    let mut takes_moves = false;
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => takes_moves = true,
            _ if go.limit(word).is_some() => {
                // A word that begins another limit is not the value of this one.
                let value = words.next_if(|&next| !is_go_word(next));
                go.read_limit(word, value);
                takes_moves = false;
            }
            _ if takes_moves => go.search_moves.push(word.to_owned()),
            _ => {
                let word = excerpt(word);
                go.remarks.push(format!("go does not know '{word}'"));
            }
        }
    }
    go
}

fn is_go_word(word: &str) -> bool {
    matches!(word, "infinite" | "ponder" | "searchmoves")
        || GoWords::default().limit(word).is_some()
}

/// An integer; some clients send times with a fraction.
fn read_number(text: &str) -> Option<i64> {
    text.parse().ok().or_else(|| {
        let number: f64 = text.parse().ok()?;
        number.is_finite().then_some(number as i64)
    })
}

/// The limits of a `go` command that was received at `since`, and remarks for the client.
pub(super) fn limits(words: &GoWords, board: &Board, since: Instant) -> (Limits, Vec<String>) {
    let mut remarks = words.remarks.clone();
    let mut search_moves = Vec::new();
    for text in &words.search_moves {
        match board.parse_uci(text) {
            Ok(mv) => search_moves.push(mv),
            Err(error) => remarks.push(format!("searchmoves: {error}")),
        }
    }
    let limits = Limits {
        depth: words.depth.map(at_least_one),
        nodes: words.nodes.map(|nodes| nodes.max(1).unsigned_abs()),
        soft_nodes: None,
        move_time: words.move_time.map(milliseconds),
        clock: clock(words, board.side_to_move()),
        mate: words.mate.map(at_least_one),
        search_moves,
        since: Some(since),
    };
    (limits, remarks)
}

/// The clock of the side to move, if the client sends any clock. A side whose time is not sent gets
/// the minimum.
fn clock(words: &GoWords, side: Color) -> Option<Clock> {
    let told = [
        words.white_time,
        words.black_time,
        words.white_increment,
        words.black_increment,
        words.moves_to_go,
    ];
    told.iter().flatten().next()?;
    let (time, increment) = match side {
        Color::White => (words.white_time, words.white_increment),
        Color::Black => (words.black_time, words.black_increment),
    };
    Some(Clock {
        remaining: milliseconds(time.unwrap_or(0)),
        increment: Duration::from_millis(increment.unwrap_or(0).max(0).unsigned_abs()),
        moves_to_go: words
            .moves_to_go
            .filter(|&moves| moves > 0)
            .map(at_least_one),
    })
}

/// A time of at least one millisecond, even if the client's clock has run out.
fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.max(1).unsigned_abs())
}

fn at_least_one(number: i64) -> u32 {
    u32::try_from(number.max(1)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> GoWords {
        parse(line.split_whitespace().skip(1))
    }

    fn limits_of(line: &str, board: &Board) -> (Limits, Vec<String>) {
        limits(&go(line), board, Instant::now())
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let words = go("go movestogo 5 btime 2000 wtime 1000 searchmoves e2e4 d2d4 depth 7 ponder");
        assert_eq!(words.moves_to_go, Some(5));
        assert_eq!(words.white_time, Some(1000));
        assert_eq!(words.black_time, Some(2000));
        assert_eq!(words.depth, Some(7));
        assert_eq!(words.search_moves, ["e2e4", "d2d4"]);
        assert!(words.ponder && !words.infinite && words.remarks.is_empty());
    }

    #[test]
    fn times_may_be_negative_or_have_a_fraction() {
        let words = go("go wtime -25 btime 1000.7 nodes 99999999999999999999");
        assert_eq!(words.white_time, Some(-25));
        assert_eq!(words.black_time, Some(1000));
        assert_eq!(words.nodes, Some(i64::MAX));
    }

    #[test]
    fn unreadable_limits_are_the_smallest() {
        let words = go("go depth movetime x nodes inf joho");
        assert_eq!(words.depth, Some(1));
        assert_eq!(words.move_time, Some(1));
        assert_eq!(words.nodes, Some(1));
        assert_eq!(
            words.remarks,
            [
                "'depth' expects a number, but has nothing",
                "'movetime' expects a number, but has 'x'",
                "'nodes' expects a number, but has 'inf'",
                "go does not know 'joho'",
            ]
        );
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let line = "go wtime 1000 btime 2000 winc 10 binc 20 movestogo 0";
        let black = Board::start().after(Board::start().parse_uci("e2e4").expect("legal"));
        for (board, time, increment) in [(Board::start(), 1000, 10), (black, 2000, 20)] {
            let clock = limits_of(line, &board).0.clock.expect("a clock");
            assert_eq!(clock.remaining, Duration::from_millis(time));
            assert_eq!(clock.increment, Duration::from_millis(increment));
            assert_eq!(clock.moves_to_go, None);
        }
    }

    #[test]
    fn times_that_have_run_out_leave_a_millisecond() {
        for line in ["go wtime -500 winc -3", "go btime 60000", "go movestogo 4"] {
            let clock = limits_of(line, &Board::start()).0.clock.expect("a clock");
            assert_eq!(clock.remaining, Duration::from_millis(1), "{line}");
            assert_eq!(clock.increment, Duration::ZERO, "{line}");
        }
        assert!(!limits_of("go infinite", &Board::start()).0.is_timed());
    }

    #[test]
    fn moves_to_search_must_be_legal() {
        let (limits, remarks) = limits_of("go depth 3 searchmoves e2e4 e2e5", &Board::start());
        assert_eq!(limits.search_moves.len(), 1);
        assert_eq!(remarks.len(), 1, "{remarks:?}");
    }
}
