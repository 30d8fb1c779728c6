//! Stand-in for `conversation` on systems where talking to other programs is not implemented: no
//! conversation ever starts.

use super::StartError;
use super::program::ProgramOptions;
use std::io::{self, ErrorKind};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Why no line arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// The time limit has passed.
    TimedOut,
    /// The program closed its pipes.
    #[expect(dead_code, reason = "nobody ever waits here")]
    Ended,
}

/// Cannot exist on this system.
pub(super) enum Conversation {}

impl Conversation {
    pub(super) fn start(options: &ProgramOptions) -> Result<Conversation, StartError> {
        let problem = "external programs can only play on Linux; on Windows, use the Linux \
                       program under WSL";
        let error = io::Error::new(ErrorKind::Unsupported, problem);
        Err(StartError::spawn(&options.name_of_program(), &error))
    }

    pub(super) fn send(&mut self, _text: &str, _until: Option<Instant>) -> Result<(), Silence> {
        match *self {}
    }

    pub(super) fn receive(&mut self, _until: Option<Instant>) -> Result<&[u8], Silence> {
        match *self {}
    }

    pub(super) fn forget(&mut self) {
        match *self {}
    }

    pub(super) fn hang_up(&mut self) {
        match *self {}
    }

    pub(super) fn end(self, _patience: Duration) -> Option<ExitStatus> {
        match self {}
    }

    pub(super) fn kill(self) {
        match self {}
    }

    pub(super) fn autopsy(self) -> String {
        match self {}
    }
}
