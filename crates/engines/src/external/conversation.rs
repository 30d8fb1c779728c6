//! The exchange of lines with a running program: lines out and lines in, each with a time limit.
//!
//! One thread does it all: it sleeps in the system until the program writes something, so that no
//! answer has to pass from thread to thread. Output that nobody reads stays in the pipe, and a
//! program that writes too much blocks. This module must not know what the lines mean.

use super::StartError;
use super::hurry;
use super::lines::Lines;
use super::process::Process;
use super::program::ProgramOptions;
use crate::excerpt::excerpt;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use std::io::{self, ErrorKind, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

/// How long a program may take to exit when it should.
const END_PATIENCE: Duration = Duration::from_millis(500);
/// How often a waiting thread checks whether the process has begun to `hurry`.
const PULSE: Duration = Duration::from_millis(100);
/// How many bytes of its standard error are kept.
const LAST_WORDS: usize = 1 << 10;
/// How many times stale output is read before a command is sent; a program that writes more than
/// this is flooding.
const MOST_STALE_READS: usize = 16;

/// Why no line arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// The time limit has passed.
    TimedOut,
    /// The program closed its pipes, most likely because it ended.
    Ended,
}

/// A running program with its pipes.
pub(super) struct Conversation {
    process: Process,
    /// `None` once we have closed it.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// `None` once it is closed.
    errors: Option<ChildStderr>,
    lines: Lines,
    /// The end of what it wrote to standard error.
    last_words: Vec<u8>,
}

impl Conversation {
    pub(super) fn start(options: &ProgramOptions) -> Result<Conversation, StartError> {
        let mut process = Process::start(options)?;
        let child = process.child();
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), errors) = pipes else {
            let error = io::Error::from(ErrorKind::BrokenPipe);
            return Err(StartError::spawn(&options.name_of_program(), &error));
        };
        // A program that does not read must not block us.
        ioctl_fionbio(&input, true)
            .map_err(|error| StartError::spawn(&options.name_of_program(), &error.into()))?;
        Ok(Conversation {
            process,
            input: Some(input),
            output,
            errors,
            lines: Lines::new(),
            last_words: Vec::new(),
        })
    }

    /// Sends text: whole lines, each with its line end.
    pub(super) fn send(&mut self, text: &str, until: Option<Instant>) -> Result<(), Silence> {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let input = self.input.as_mut().ok_or(Silence::Ended)?;
            match input.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The program may itself be blocked until its output is read.
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait(until, true)?,
                Err(_) => return Err(Silence::Ended),
            }
        }
        Ok(())
    }

    /// The next line, without its end.
    pub(super) fn receive(&mut self, until: Option<Instant>) -> Result<&[u8], Silence> {
        loop {
            if let Some(line) = self.lines.take() {
                return Ok(self.lines.at(line));
            }
            self.wait(until, false)?;
        }
    }

    /// Drops all output so far: it cannot be the answer to what is sent next.
    pub(super) fn forget(&mut self) {
        self.lines.clear();
        for _ in 0..MOST_STALE_READS {
            // If the program has ended, this is noticed when it should answer.
            if !matches!(self.exchange(Some(Duration::ZERO), false), Ok(true)) {
                return;
            }
            self.lines.clear();
        }
    }

    /// Closes the program's input.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }

    /// The exit status if the program ends by itself within `patience`; otherwise it is killed and
    /// the result is `None`.
    pub(super) fn end(mut self, patience: Duration) -> Option<ExitStatus> {
        let ended = self.process.waits_for_end(patience);
        self.process.kill().filter(|_| ended)
    }

    /// Ends the program at once.
    pub(super) fn kill(mut self) {
        self.process.kill();
    }

    /// A message about how the program ended. If it only closed its pipes, it is killed.
    pub(super) fn autopsy(mut self) -> String {
        let ended = self.process.waits_for_end(END_PATIENCE);
        let status = self.process.kill().filter(|_| ended);
        let how = status.map_or("it closed its output".to_owned(), |status| {
            status.to_string()
        });
        self.hear_last_words();
        let text = String::from_utf8_lossy(&self.last_words);
        match text.lines().map(str::trim).rfind(|line| !line.is_empty()) {
            Some(line) => format!("{how}; its last output: {}", excerpt(line)),
            None => how,
        }
    }

    /// Waits until something was read or, if `speaks`, until the program's input can be written.
    fn wait(&mut self, until: Option<Instant>, speaks: bool) -> Result<(), Silence> {
        loop {
            let until = match (until, hurry::deadline()) {
                (Some(until), Some(deadline)) => Some(until.min(deadline)),
                (until, deadline) => until.or(deadline),
            };
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            // Checked even if there is always more to read.
            if left.is_some_and(|left| left.is_zero()) {
                return Err(Silence::TimedOut);
            }
            // The process may begin to hurry in the meantime.
            let patience = left.map_or(PULSE, |left| left.min(PULSE));
            if self.exchange(Some(patience), speaks)? {
                return Ok(());
            }
        }
    }

    /// Waits for output and reads it; false if nothing happened in time.
    fn exchange(&mut self, patience: Option<Duration>, speaks: bool) -> Result<bool, Silence> {
        // A closed pipe is replaced by the output, which is polled anyway.
        let output = PollFd::new(&self.output, PollFlags::IN);
        let errors = self.errors.as_ref();
        let errors = errors.map_or(output.clone(), |pipe| PollFd::new(pipe, PollFlags::IN));
        let input = self.input.as_ref();
        let input = input.map_or(output.clone(), |pipe| PollFd::new(pipe, PollFlags::OUT));
        let mut pipes = [output, errors, input];
        let asked = if speaks { 3 } else { 2 };
        let patience = patience.and_then(|patience| Timespec::try_from(patience).ok());
        match poll(&mut pipes[..asked], patience.as_ref()) {
            Ok(0) => return Ok(false),
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(true),
            Err(_) => return Err(Silence::Ended),
        }
        let [talks, complains, _] = pipes.map(|pipe| !pipe.revents().is_empty());
        if complains {
            self.read_errors();
        }
        if talks {
            self.read_output()?;
        }
        Ok(true)
    }

    fn read_output(&mut self) -> Result<(), Silence> {
        match self.output.read(self.lines.space()) {
            Ok(0) => return Err(Silence::Ended),
            Ok(count) => self.lines.add(count),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Err(Silence::Ended),
        }
        Ok(())
    }

    /// Reads standard error and keeps its end.
    fn read_errors(&mut self) {
        let mut bytes = [0; 4 * LAST_WORDS];
        let Some(errors) = &mut self.errors else {
            return;
        };
        match errors.read(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => self.errors = None,
            Ok(count) => {
                self.last_words.extend_from_slice(&bytes[..count]);
                let excess = self.last_words.len().saturating_sub(LAST_WORDS);
                self.last_words.drain(..excess);
            }
        }
    }

    /// Reads standard error while there is something to read.
    fn hear_last_words(&mut self) {
        for _ in 0..MOST_STALE_READS {
            let Some(errors) = &self.errors else { return };
            let mut pipes = [PollFd::new(errors, PollFlags::IN)];
            if poll(&mut pipes, Some(&Timespec::default())) != Ok(1) {
                return;
            }
            self.read_errors();
        }
    }
}

impl Drop for Conversation {
    /// Asks the program to quit, and kills it if it does not.
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            // A program that does not read its input will be killed.
            let _ = input.write_all(b"quit\n");
        }
        self.process.waits_for_end(END_PATIENCE);
    }
}
