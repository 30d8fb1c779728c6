//! Talks with the program, records what was said, and restarts the program after a failure.
//!
//! It must not know what the steps test.

use super::log::Log;
use super::remarks::Remarks;
use super::{Conformity, LimitUse, Step, Verdict};
use crate::StopSignal;
use crate::external::answer::STOP_PATIENCE;
use crate::external::conversation::{Conversation, Silence};
use crate::external::handshake::Handshake;
use crate::external::{ProgramOptions, StartError, ask_ready, mute};
use std::time::{Duration, Instant};

/// How often the user's wish to stop is checked while the program is silent.
const PULSE: Duration = Duration::from_millis(100);

/// Why a step was not passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    /// The program violated the protocol: how.
    Broken(String),
    /// The step cannot be tested: why.
    Pointless(&'static str),
    /// The user stopped the check.
    Interrupted,
}

pub(super) fn broken<T>(how: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::Broken(how.into()))
}

pub(super) struct Examiner<'a> {
    pub(super) options: ProgramOptions,
    pub(super) handshake: Handshake,
    /// Faults of the info lines of all searches.
    pub(super) remarks: Remarks,
    /// `None` after a failure, until the next step.
    conversation: Option<Conversation>,
    found: Conformity,
    log: Log,
    stop: &'a StopSignal,
    report: &'a mut dyn FnMut(&Step),
}

impl<'a> Examiner<'a> {
    /// Starts the program; nothing has been said yet.
    pub(super) fn start(
        options: ProgramOptions,
        stop: &'a StopSignal,
        report: &'a mut dyn FnMut(&Step),
    ) -> Result<Examiner<'a>, StartError> {
        let conversation = Conversation::start(&options)?;
        Ok(Examiner {
            options,
            handshake: Handshake::default(),
            remarks: Remarks::default(),
            conversation: Some(conversation),
            found: Conformity::default(),
            log: Log::default(),
            stop,
            report,
        })
    }

    /// The findings; `None` if the user stopped the check.
    pub(super) fn conformity(mut self) -> Option<Conformity> {
        self.found.name = self.handshake.name.take();
        self.found.author = self.handshake.author.take();
        (!self.stop.is_stopped()).then_some(self.found)
    }

    /// Runs a step. Returns whether it was passed.
    pub(super) fn step(
        &mut self,
        name: &'static str,
        expected: &'static str,
        attempt: impl FnOnce(&mut Self) -> Result<(), Problem>,
    ) -> bool {
        let tried = self.revive().and_then(|()| attempt(self));
        let exchange = self.log.take();
        let verdict = match tried {
            Ok(()) => Verdict::Passed,
            Err(Problem::Broken(how)) => Verdict::Failed(how),
            Err(Problem::Pointless(why)) => Verdict::Skipped(why.to_owned()),
            Err(Problem::Interrupted) => return false,
        };
        let step = Step {
            name,
            expected,
            verdict,
            exchange,
        };
        (self.report)(&step);
        let is_good = !matches!(step.verdict, Verdict::Failed(_));
        self.found.steps.push(step);
        is_good
    }

    pub(super) fn note_limit(&mut self, limit: LimitUse) {
        self.found.limits.push(limit);
    }

    /// The options that the user wants set, as lines for the program.
    pub(super) fn settings(&mut self) -> Result<String, StartError> {
        let mut warnings = Vec::new();
        let settings = self
            .handshake
            .settings(&self.options, &mut |warning| warnings.push(warning))?;
        self.found.warnings = warnings;
        Ok(settings)
    }

    /// Sets the user's options again after other values were tried.
    pub(super) fn restore_settings(&mut self) {
        if self.conversation.is_some()
            && let Ok(settings) = self.settings()
            && !settings.is_empty()
        {
            // If the program no longer listens, the next step will notice.
            let _ = self.say(settings.trim_end());
        }
    }

    /// Restarts the program if the last step ended it.
    fn revive(&mut self) -> Result<(), Problem> {
        if self.stop.is_stopped() {
            return Err(Problem::Interrupted);
        }
        if self.conversation.is_some() {
            return Ok(());
        }
        let started = self.start_again();
        started
            .map(|conversation| self.conversation = Some(conversation))
            .or_else(|error| broken(format!("it does not restart: {error}")))
    }

    fn start_again(&mut self) -> Result<Conversation, StartError> {
        let mut conversation = Conversation::start(&self.options)?;
        let until = self.options.until();
        if let Err(silence) = Handshake::ask(&mut conversation, until) {
            return Err(mute(&self.options, conversation, "uci", silence));
        }
        let settings = self.settings()? + "isready\n";
        match ask_ready(&mut conversation, &settings, self.options.until()) {
            Ok(()) => Ok(conversation),
            Err(silence) => Err(mute(&self.options, conversation, "isready", silence)),
        }
    }

    /// Sends lines.
    pub(super) fn say(&mut self, lines: &str) -> Result<(), Problem> {
        for line in lines.lines() {
            self.log.sent(line);
        }
        let until = self.options.until();
        let Some(conversation) = &mut self.conversation else {
            return broken("it has ended");
        };
        match conversation.send(&format!("{lines}\n"), until) {
            Ok(()) => Ok(()),
            Err(silence) => self.lose(silence),
        }
    }

    /// The next line; `None` if none arrives before `until`.
    pub(super) fn hear(&mut self, until: Instant) -> Result<Option<String>, Problem> {
        loop {
            if self.stop.is_stopped() {
                return Err(Problem::Interrupted);
            }
            let Some(conversation) = &mut self.conversation else {
                return broken("it has ended");
            };
            let pulse = Instant::now() + PULSE;
            match conversation.receive(Some(until.min(pulse))) {
                Ok(line) => {
                    let line = String::from_utf8_lossy(line).into_owned();
                    self.log.received(&line);
                    return Ok(Some(line));
                }
                Err(Silence::TimedOut) if Instant::now() >= until => return Ok(None),
                Err(Silence::TimedOut) => {}
                Err(silence) => return self.lose(silence),
            }
        }
    }

    /// Waits for exactly this line, and returns the lines before it.
    pub(super) fn await_line(&mut self, wanted: &str) -> Result<Vec<String>, Problem> {
        let patience = self.options.patience;
        let until = Instant::now() + patience.min(LONGEST_PATIENCE);
        let mut before = Vec::new();
        while let Some(line) = self.hear(until)? {
            if line == wanted {
                return Ok(before);
            }
            if before.len() < MOST_LINES {
                before.push(line);
            }
        }
        self.give_up();
        broken(format!("no '{wanted}' within {patience:.1?}"))
    }

    /// Waits a short time for exactly this line; the step continues without it.
    pub(super) fn await_soon(&mut self, wanted: &str) -> Result<(), Problem> {
        let until = Instant::now() + STOP_PATIENCE;
        while let Some(line) = self.hear(until)? {
            if line == wanted {
                return Ok(());
            }
        }
        broken(format!("no '{wanted}' within {STOP_PATIENCE:.1?}"))
    }

    /// Sends `isready`, and waits for the answer.
    pub(super) fn await_ready(&mut self) -> Result<Vec<String>, Problem> {
        self.say("isready")?;
        self.await_line("readyok")
    }

    /// Ends the program; the next step starts it anew.
    pub(super) fn give_up(&mut self) {
        if let Some(conversation) = self.conversation.take() {
            conversation.kill();
        }
    }

    /// Closes the program's input.
    pub(super) fn hang_up(&mut self) {
        if let Some(conversation) = &mut self.conversation {
            conversation.hang_up();
        }
    }

    /// Waits until the program ends by itself, as it should.
    pub(super) fn await_end(&mut self, patience: Duration) -> Result<(), Problem> {
        let until = Instant::now() + patience;
        let Some(mut conversation) = self.conversation.take() else {
            return broken("it has ended before");
        };
        // Output that nobody reads must not block it.
        while conversation.receive(Some(until)).is_ok() {}
        let left = until.saturating_duration_since(Instant::now());
        match conversation.end(left.max(PULSE)) {
            Some(status) if status.success() => Ok(()),
            Some(status) => broken(format!("it ended with {status}")),
            None => broken(format!("it still ran after {patience:.1?}")),
        }
    }

    fn lose<T>(&mut self, silence: Silence) -> Result<T, Problem> {
        let Some(conversation) = self.conversation.take() else {
            return broken("it has ended");
        };
        match silence {
            Silence::Ended => broken(format!("it ended: {}", conversation.autopsy())),
            Silence::TimedOut => {
                conversation.kill();
                broken("it does not read its input")
            }
        }
    }
}

/// The upper limit of a patience, so that sums of times cannot overflow.
const LONGEST_PATIENCE: Duration = Duration::from_secs(1 << 20);
/// The upper limit of lines kept before an answer.
const MOST_LINES: usize = 1 << 12;
