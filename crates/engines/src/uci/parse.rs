//! Turns lines of a client into commands.
//!
//! Parsing never fails: a line that cannot be understood becomes a command that says so, or a
//! remark with a command that can still be carried out. It must not know the position: moves remain
//! text here.

use super::go::{self, GoWords};
use crate::excerpt::excerpt;

/// The words that begin a command, with a description for `help`.
pub(super) const COMMANDS: &[(&str, &str)] = &[
    ("uci", "identify the engine and list its options"),
    ("isready", "answer readyok, also during a search"),
    ("setoption", "name NAME [value VALUE]: set an option"),
    (
        "ucinewgame",
        "start a new game: clear what was learned from the last one",
    ),
    (
        "position",
        "startpos | fen FEN [moves MOVE...]: set the position",
    ),
    (
        "go",
        "depth, nodes, movetime, wtime, btime, winc, binc, movestogo, mate N; infinite; ponder; searchmoves MOVE...: search; perft N: count leaves",
    ),
    ("stop", "stop the search and print the best move"),
    (
        "ponderhit",
        "the expected move was played: search with the clock now",
    ),
    ("quit", "quit the program"),
    ("d", "show the position"),
    ("eval", "show the evaluation of the position"),
    ("bench", "[DEPTH]: search a fixed set of positions"),
    ("help", "show this list"),
];

/// A command of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// An empty line, or a command that is accepted without effect.
    Nothing,
    Uci,
    IsReady,
    NewGame,
    Position(PositionWords),
    Go(Box<GoWords>),
    Stop,
    PonderHit,
    SetOption {
        name: String,
        value: Option<String>,
    },
    Display,
    Evaluate,
    Bench {
        depth: Option<u32>,
    },
    Help,
    Quit,
    /// The line cannot be obeyed; the text says why.
    Refused(String),
}

/// A `position` command as the client sent it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PositionWords {
    /// The FEN; `None` for the start position.
    pub(super) fen: Option<String>,
    pub(super) moves: Vec<String>,
}

/// Parses one line.
pub(super) fn parse(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else {
        return Command::Nothing;
    };
    match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => parse_position(words),
        "go" => Command::Go(Box::new(go::parse(words))),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "setoption" => parse_set_option(words),
        "d" => Command::Display,
        "eval" => Command::Evaluate,
        "bench" => parse_bench(words),
        "help" => Command::Help,
        "quit" => Command::Quit,
        // All useful output is sent anyway, and there is nothing to register.
        "debug" | "register" => Command::Nothing,
        _ => Command::Refused(format!(
            "unknown command '{}'; help lists all commands",
            excerpt(line)
        )),
    }
}

fn parse_position<'a>(mut words: impl Iterator<Item = &'a str>) -> Command {
    let fen = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => None,
            Some(other) => {
                let other = excerpt(other);
                return Command::Refused(format!(
                    "position startpos is followed by 'moves', not '{other}'; the old position is kept"
                ));
            }
        },
        Some("fen") => {
            let fields: Vec<_> = words.by_ref().take_while(|&word| word != "moves").collect();
            Some(fields.join(" "))
        }
        _ => {
            let help = "position expects 'startpos' or 'fen FEN'; the old position is kept";
            return Command::Refused(help.to_owned());
        }
    };
    Command::Position(PositionWords {
        fen,
        moves: words.map(str::to_owned).collect(),
    })
}

/// `setoption name NAME [value VALUE]`; both may contain spaces.
fn parse_set_option<'a>(mut words: impl Iterator<Item = &'a str>) -> Command {
    let form = "setoption expects 'name NAME value VALUE'";
    if words.next() != Some("name") {
        return Command::Refused(form.to_owned());
    }
    let mut has_value = false;
    let name: Vec<_> = words
        .by_ref()
        .take_while(|&word| {
            has_value = word == "value";
            !has_value
        })
        .collect();
    if name.is_empty() {
        return Command::Refused(form.to_owned());
    }
    let value: Vec<_> = words.collect();
    Command::SetOption {
        name: name.join(" "),
        value: has_value.then(|| value.join(" ")),
    }
}

fn parse_bench<'a>(mut words: impl Iterator<Item = &'a str>) -> Command {
    match words.next() {
        None => Command::Bench { depth: None },
        Some(word) => match word.parse() {
            Ok(depth) if depth > 0 => Command::Bench { depth: Some(depth) },
            _ => Command::Refused(format!(
                "bench expects a depth of at least 1, but has '{}'",
                excerpt(word)
            )),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_command_is_known() {
        for (word, _) in COMMANDS {
            let command = parse(word);
            let is_unknown =
                matches!(&command, Command::Refused(text) if text.starts_with("unknown"));
            assert!(!is_unknown, "{word}");
        }
    }

    #[test]
    fn positions_keep_their_words() {
        assert_eq!(
            parse("position startpos"),
            Command::Position(PositionWords {
                fen: None,
                moves: vec![]
            })
        );
        assert_eq!(
            parse(" position  fen 8/8/8/8/8/8/8/K1k5 w - -\tmoves a1a2 c1c2 \r"),
            Command::Position(PositionWords {
                fen: Some("8/8/8/8/8/8/8/K1k5 w - -".to_owned()),
                moves: vec!["a1a2".to_owned(), "c1c2".to_owned()],
            })
        );
        for line in ["position", "position e2e4", "position startpos e2e4"] {
            assert!(matches!(parse(line), Command::Refused(_)), "{line}");
        }
    }

    #[test]
    fn option_names_and_values_may_have_spaces() {
        let set = |line: &str| match parse(line) {
            Command::SetOption { name, value } => (name, value),
            other => panic!("{line} is {other:?}"),
        };
        assert_eq!(
            set("setoption name Move Overhead value 30"),
            ("Move Overhead".to_owned(), Some("30".to_owned()))
        );
        assert_eq!(
            set("setoption name SyzygyPath value /a folder/with value"),
            (
                "SyzygyPath".to_owned(),
                Some("/a folder/with value".to_owned())
            )
        );
        assert_eq!(
            set("setoption name Clear Hash"),
            ("Clear Hash".to_owned(), None)
        );
        for line in ["setoption", "setoption Hash 3", "setoption name value 3"] {
            assert!(matches!(parse(line), Command::Refused(_)), "{line}");
        }
    }

    #[test]
    fn unknown_words_are_told_back_without_harm() {
        let Command::Refused(text) = parse("\u{1b}[2J\u{0}garbage") else {
            panic!("it is not refused");
        };
        assert!(text.chars().all(|letter| !letter.is_control()), "{text}");
    }
}
