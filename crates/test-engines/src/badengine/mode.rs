//! What a bad engine does wrong, and from when on.

use std::time::Duration;

/// What goes wrong. Moves, and questions whether it is ready, are counted from
/// 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Nothing: it plays the first legal move.
    Correct,
    /// It aborts at this move.
    Crash(u64),
    /// It ends with code 3 at this move.
    Exit(u64),
    /// It closes its output at this move, and lives on.
    Close(u64),
    /// It never answers a search.
    HangGo,
    /// It never answers this question whether it is ready.
    HangIsReady(u64),
    /// It never answers the first word.
    HangUci,
    /// It plays an illegal move at this move.
    Illegal(u64),
    /// It says that there is no move.
    NoMove,
    /// It answers with what is no move at all.
    Garbage,
    /// It says so many lines before it answers; for ever, if none.
    FloodLines(Option<u64>),
    /// It says one line of so many bytes before it answers; for ever, if none.
    FloodLine(Option<u64>),
    /// It complains so many lines on standard error before it answers.
    Complain(u64),
    /// It takes so long before it listens.
    SlowStart(Duration),
    /// It answers no search that has to be stopped.
    IgnoresStop,
    /// A limit of nodes is none.
    IgnoresNodes,
    /// It uses so many times as many nodes as it may.
    ExceedsNodes(u64),
    /// It answers so much later than it could.
    Late(Duration),
    /// It answers every search twice.
    Twice,
    /// It declares and says things that are not well-formed.
    Sloppy,
    /// It ends neither by word nor by silence.
    Stays,
    /// It ends at words that it does not know, and aborts at values out of range.
    Fragile,
}

/// The words of the command line, for people.
pub(crate) const USAGE: &str = "\
usage: badengine MODE [NUMBER]
modes: correct, crash, exit, close, hang-go, hang-isready, hang-uci, illegal,
       no-move, garbage, flood-lines, flood-line, complain, slow-start,
       ignores-stop, ignores-nodes, exceeds-nodes, late, twice, sloppy, stays,
       fragile
NUMBER is the move at which it happens, a count, or milliseconds.";

impl Mode {
    /// Reads the command line.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Option<Mode> {
        let word = words.next()?;
        let number = words.next().and_then(|word| word.parse().ok());
        let which = number.unwrap_or(1);
        let time = Duration::from_millis(which);
        Some(match word.as_str() {
            "correct" => Mode::Correct,
            "crash" => Mode::Crash(which),
            "exit" => Mode::Exit(which),
            "close" => Mode::Close(which),
            "hang-go" => Mode::HangGo,
            "hang-isready" => Mode::HangIsReady(which),
            "hang-uci" => Mode::HangUci,
            "illegal" => Mode::Illegal(which),
            "no-move" => Mode::NoMove,
            "garbage" => Mode::Garbage,
            "flood-lines" => Mode::FloodLines(number),
            "flood-line" => Mode::FloodLine(number),
            "complain" => Mode::Complain(which),
            "slow-start" => Mode::SlowStart(time),
            "ignores-stop" => Mode::IgnoresStop,
            "ignores-nodes" => Mode::IgnoresNodes,
            "exceeds-nodes" => Mode::ExceedsNodes(which),
            "late" => Mode::Late(time),
            "twice" => Mode::Twice,
            "sloppy" => Mode::Sloppy,
            "stays" => Mode::Stays,
            "fragile" => Mode::Fragile,
            _ => return None,
        })
    }
}
