//! Words with a running program: lines out, lines in, each with a time until
//! which it is worth waiting.
//!
//! One thread does it all: it sleeps in the system until the program says
//! something, so that no answer is handed from thread to thread. What nobody
//! listens to stays in the pipe, and a program that talks too much waits. It
//! must not know what the lines mean.

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

/// How long a program may take to end when it should.
const END_PATIENCE: Duration = Duration::from_millis(500);
/// How often one who waits looks whether it hurries.
const PULSE: Duration = Duration::from_millis(100);
/// How much of its last complaints is kept.
const LAST_WORDS: usize = 1 << 10;
/// How often stale output is read before a question is asked; whoever says more
/// than this is flooding.
const MOST_STALE_READS: usize = 16;

/// Why no line comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// The time is over.
    TimedOut,
    /// The program closed its pipes, most likely by ending.
    Ended,
}

/// A running program with its pipes.
pub(super) struct Conversation {
    process: Process,
    /// None once we have hung up.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// None once it is closed.
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
        // A program that does not listen must not make us wait.
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

    /// Says something: whole lines with their ends.
    pub(super) fn send(&mut self, text: &str, until: Option<Instant>) -> Result<(), Silence> {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let input = self.input.as_mut().ok_or(Silence::Ended)?;
            match input.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // It may be waiting itself until its own words are heard.
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

    /// Forgets everything said so far: it cannot be the answer to what comes.
    pub(super) fn forget(&mut self) {
        self.lines.clear();
        for _ in 0..MOST_STALE_READS {
            // That the program has ended is noticed when it should answer.
            if !matches!(self.exchange(Some(Duration::ZERO), false), Ok(true)) {
                return;
            }
            self.lines.clear();
        }
    }

    /// Closes the program's input: no more will be said.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }

    /// How the program ends by itself; none if it does not within the patience,
    /// and has to be ended.
    pub(super) fn end(mut self, patience: Duration) -> Option<ExitStatus> {
        let ended = self.process.waits_for_end(patience);
        self.process.kill().filter(|_| ended)
    }

    /// Ends the program at once.
    pub(super) fn kill(mut self) {
        self.process.kill();
    }

    /// How the program ended, in words. If it only closed its pipes, it is ended.
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

    /// Waits until something was read, or something can be said if that is
    /// wanted.
    fn wait(&mut self, until: Option<Instant>, speaks: bool) -> Result<(), Silence> {
        loop {
            let until = match (until, hurry::deadline()) {
                (Some(until), Some(deadline)) => Some(until.min(deadline)),
                (until, deadline) => until.or(deadline),
            };
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            // Even if there is always more to read.
            if left.is_some_and(|left| left.is_zero()) {
                return Err(Silence::TimedOut);
            }
            // It may begin to hurry meanwhile.
            let patience = left.map_or(PULSE, |left| left.min(PULSE));
            if self.exchange(Some(patience), speaks)? {
                return Ok(());
            }
        }
    }

    /// Reads what there is to read, waiting for it; false if nothing came in
    /// time.
    fn exchange(&mut self, patience: Option<Duration>, speaks: bool) -> Result<bool, Silence> {
        // A pipe that is closed is replaced by the output, which is asked anyway.
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

    /// Keeps the end of what the program complains of.
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

    /// Reads complaints as long as there are any; whoever is gone makes none.
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
    /// Asks the program to end, and ends it if it does not.
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            // If it does not read its input it will be killed.
            let _ = input.write_all(b"quit\n");
        }
        self.process.waits_for_end(END_PATIENCE);
    }
}
