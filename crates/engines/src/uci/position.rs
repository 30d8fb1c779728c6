//! The game that a client describes, and the limits of a search in it.

use super::parse::{GoWords, PositionWords};
use crate::{Clock, Limits};
use chess::{Board, Color, Game};
use std::time::{Duration, Instant};

/// The game of a `position` command. An error leaves the client's old position.
pub(super) fn set_up(words: &PositionWords) -> Result<Game, String> {
    let board = match &words.fen {
        None => Board::start(),
        Some(fen) => Board::from_fen(fen)
            .map_err(|error| format!("wrong FEN: {error}; the old position is kept"))?,
    };
    let mut game = Game::new(board);
    for (index, text) in words.moves.iter().enumerate() {
        let mv = game.board().parse_uci(text).map_err(|error| {
            format!(
                "wrong move {} of the position: {error}; the old position is kept",
                index + 1
            )
        })?;
        // Not played but pushed: a client may go on after a draw by the rules.
        game.push(mv);
    }
    Ok(game)
}

/// The limits of a `go` command that came at a certain time, and what the client
/// should hear about them.
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
        move_time: words.move_time.map(milliseconds),
        clock: clock(words, board.side_to_move()),
        mate: words.mate.map(at_least_one),
        search_moves,
        since: Some(since),
    };
    (limits, remarks)
}

/// The clock of the side to move, if the client tells of any clock. A side
/// whose time is not told has none to waste.
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

/// A time to think: never none, even if the client's clock has run out.
fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.max(1).unsigned_abs())
}

fn at_least_one(number: i64) -> u32 {
    u32::try_from(number.max(1)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::parse::{Command, parse};
    use super::*;

    fn position(line: &str) -> Result<Game, String> {
        match parse(line) {
            Command::Position(words) => set_up(&words),
            other => panic!("{line} is {other:?}"),
        }
    }

    fn limits_of(line: &str, board: &Board) -> (Limits, Vec<String>) {
        match parse(line) {
            Command::Go(words) => limits(&words, board, Instant::now()),
            other => panic!("{line} is {other:?}"),
        }
    }

    #[test]
    fn moves_are_played() {
        let game = position("position startpos moves e2e4 e7e5 g1f3").expect("a position");
        assert_eq!(game.line().length(), 3);
        assert_eq!(game.board().side_to_move(), Color::Black);
    }

    #[test]
    fn the_game_goes_on_after_a_draw_by_repetition() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ".repeat(3);
        let line = format!("position startpos moves {there_and_back}e2e4");
        let game = position(&line).expect("a position");
        assert_eq!(game.line().length(), 13);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = position("position startpos moves e2e4 e2e4").expect_err("illegal");
        assert!(
            error.starts_with("wrong move 2 of the position: "),
            "{error}"
        );
        let error = position("position fen 8/8 w - - 0 1").expect_err("broken");
        assert!(error.starts_with("wrong FEN: "), "{error}");
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
