//! The UCI handshake: what a program reports about itself, and which options are set before its
//! first game.

use super::StartError;
use super::conversation::{Conversation, Silence};
use super::declared::DeclaredOption;
use super::program::ProgramOptions;
use crate::excerpt::excerpt;
use std::time::Instant;

/// The most options that are accepted; a program that declares more is flooding.
const MOST_OPTIONS: usize = 1 << 12;

/// What a program reports about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Handshake {
    pub(super) name: Option<String>,
    pub(super) author: Option<String>,
    pub(super) options: Vec<DeclaredOption>,
    /// Declarations that cannot be parsed, as messages.
    pub(super) faults: Vec<String>,
}

impl Handshake {
    /// Sends `uci` and reads the answer.
    pub(super) fn ask(
        conversation: &mut Conversation,
        until: Option<Instant>,
    ) -> Result<Handshake, Silence> {
        let mut handshake = Handshake::default();
        conversation.send("uci\n", until)?;
        loop {
            let line = String::from_utf8_lossy(conversation.receive(until)?);
            if line == "uciok" {
                return Ok(handshake);
            }
            handshake.hear(&line);
        }
    }

    /// Reads a line that comes before `uciok`.
    pub(super) fn hear(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = Some(name.trim().to_owned());
        } else if let Some(author) = line.strip_prefix("id author ") {
            self.author = Some(author.trim().to_owned());
        } else if let Some(words) = line.strip_prefix("option ")
            && self.options.len() + self.faults.len() < MOST_OPTIONS
        {
            match DeclaredOption::read(words) {
                Ok(option) => self.options.push(option),
                Err(fault) => self.faults.push(fault),
            }
        }
    }

    /// The option of this name.
    pub(super) fn option(&self, name: &str) -> Option<&DeclaredOption> {
        self.options.iter().find(|option| option.is_called(name))
    }

    /// The lines that set the user's options. Options that the program does not have are skipped
    /// and reported to `warn`.
    pub(super) fn settings(
        &self,
        options: &ProgramOptions,
        warn: &mut impl FnMut(String),
    ) -> Result<String, StartError> {
        let program = options.name_of_program();
        let mut lines = String::new();
        for (name, value) in &options.settings {
            let Some(option) = self.option(name) else {
                let name = excerpt(name);
                warn(format!(
                    "{program} has no option '{name}': the setting is ignored"
                ));
                continue;
            };
            match option.setting(value) {
                Ok(line) => lines = lines + &line + "\n",
                Err(problem) => return Err(StartError::Setting { program, problem }),
            }
        }
        Ok(lines)
    }
}
