//! Steps without a search: the handshake, readiness, and how unknown words are treated.

use super::examiner::{Examiner, Problem, broken};
use crate::external::StartError;
use crate::external::handshake::Handshake;
use std::collections::HashSet;

/// How many steps this module has.
pub(super) const COUNT: usize = 9;

/// Performs the handshake and sets the user's options. Returns false if the program is not a UCI
/// engine: then nothing else can be tested.
pub(super) fn introduce(examiner: &mut Examiner<'_>) -> Result<bool, StartError> {
    let is_engine = examiner.step("uci", "uciok", |examiner| {
        examiner.say("uci")?;
        let lines = examiner.await_line("uciok")?;
        let mut handshake = Handshake::default();
        for line in lines {
            handshake.hear(&line);
        }
        examiner.handshake = handshake;
        Ok(())
    });
    if !is_engine {
        return Ok(false);
    }
    examiner.step("id name", "id name NAME", |examiner| {
        told(examiner.handshake.name.as_deref(), "id name")
    });
    examiner.step("id author", "id author NAME", |examiner| {
        told(examiner.handshake.author.as_deref(), "id author")
    });
    examiner.step(
        "declared options",
        "each with a unique name, a type, and the fields of the type",
        |examiner| well_declared(&examiner.handshake),
    );
    let settings = examiner.settings()?;
    examiner.step("isready", "readyok", |examiner| {
        if !settings.is_empty() {
            examiner.say(settings.trim_end())?;
        }
        examiner.await_ready().map(drop)
    });
    Ok(true)
}

fn told(word: Option<&str>, what: &str) -> Result<(), Problem> {
    match word {
        Some(word) if !word.is_empty() => Ok(()),
        _ => broken(format!("no '{what}' before 'uciok'")),
    }
}

fn well_declared(handshake: &Handshake) -> Result<(), Problem> {
    if let Some(fault) = handshake.faults.first() {
        return broken(fault.clone());
    }
    let mut names = HashSet::new();
    for option in &handshake.options {
        if !names.insert(option.name.to_ascii_lowercase()) {
            return broken(format!("the option {} is declared twice", option.name));
        }
    }
    Ok(())
}

/// All further steps before the first search.
pub(super) fn check(examiner: &mut Examiner<'_>) {
    examiner.step("ucinewgame", "nothing; then readyok", |examiner| {
        examiner.say("ucinewgame")?;
        examiner.await_ready().map(drop)
    });
    examiner.step(
        "unknown commands",
        "they are ignored; readyok",
        |examiner| {
            examiner.say("xyzzy 12 e2e4\n\n   \nreadyok")?;
            examiner.await_ready().map(drop)
        },
    );
    examiner.step(
        "white space around a command",
        "readyok, as without it",
        |examiner| {
            examiner.say("  isready \t ")?;
            examiner.await_soon("readyok")
        },
    );
    examiner.step(
        "stop without a search",
        "it is ignored; readyok",
        |examiner| {
            examiner.say("stop")?;
            no_answer(&examiner.await_ready()?)
        },
    );
}

/// Fails if the program answered although nothing was asked.
pub(super) fn no_answer(lines: &[String]) -> Result<(), Problem> {
    match lines.iter().find(|line| line.starts_with("bestmove")) {
        Some(line) => broken(format!("unexpected '{line}'")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_declared_twice_is_found() {
        let mut handshake = Handshake::default();
        handshake.hear("option name Hash type spin default 1 min 1 max 2");
        assert_eq!(well_declared(&handshake), Ok(()));
        handshake.hear("option name hash type check default true");
        assert_eq!(
            well_declared(&handshake),
            broken("the option hash is declared twice")
        );
    }
}
