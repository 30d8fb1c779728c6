//! Whether a program keeps the promises of the Universal Chess Interface.
//!
//! `examiner` holds the conversation and writes it down in a `log`, `search` asks
//! for a move, `remarks` looks at every line of the answer. `protocol`,
//! `settings`, `searches`, `limits`, `info_lines` and `ends` are the steps, in this
//! order. A program that fails in one step is started anew for the next. This
//! module must not know how its findings are shown.

mod ends;
mod examiner;
mod info_lines;
mod limits;
mod log;
mod protocol;
mod remarks;
mod search;
mod searches;
mod settings;

use super::{ProgramOptions, StartError};
use crate::StopSignal;
use examiner::Examiner;
use std::fmt;

/// What was found out about a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conformity {
    /// What it calls itself.
    pub name: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// The steps in their order.
    pub steps: Vec<Step>,
    /// How it treats the limits of a search.
    pub limits: Vec<LimitUse>,
    /// What could not be set as the user wants, one line each.
    pub warnings: Vec<String>,
}

/// One promise, and whether it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was tried.
    pub name: &'static str,
    /// What should happen.
    pub expected: &'static str,
    /// What happened.
    pub verdict: Verdict,
    /// What was said: `> ` by us, `< ` by the program.
    pub exchange: Vec<String>,
}

/// What a step found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All is well.
    Passed,
    /// A promise is broken: how.
    Failed(String),
    /// There was nothing to try: why.
    Skipped(String),
}

/// How a program treats a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitUse {
    /// The limit, as `go` calls it.
    pub limit: &'static str,
    /// What it is counted in.
    pub unit: &'static str,
    /// So much was allowed.
    pub allowed: u64,
    /// So much was used; none if it does not say.
    pub used: Option<u64>,
    /// Whether it kept to the limit; none if that cannot be known.
    pub obeyed: Option<bool>,
}

impl fmt::Display for LimitUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.obeyed {
            Some(true) => "obeyed",
            Some(false) => "not obeyed",
            None => "unknown",
        };
        write!(f, "{verdict}")?;
        match (self.used, self.unit) {
            (Some(used), "") => write!(f, ", {used} of {}", self.allowed),
            (Some(used), unit) => write!(f, ", {used} of {} {unit}", self.allowed),
            (None, _) => Ok(()),
        }
    }
}

impl Conformity {
    /// Whether no promise is broken.
    pub fn is_good(&self) -> bool {
        !self
            .steps
            .iter()
            .any(|step| matches!(step.verdict, Verdict::Failed(_)))
    }
}

/// How many steps there are.
pub const STEPS: usize = protocol::COUNT
    + settings::COUNT
    + searches::COUNT
    + limits::COUNT
    + info_lines::COUNT
    + ends::COUNT;

/// Examines a program; `report` hears of every step when it is done. Stopped
/// early, it gives nothing.
///
/// # Errors
/// If the program does not start, or a setting of the options is none that it
/// takes.
pub fn check(
    options: ProgramOptions,
    stop: &StopSignal,
    report: &mut dyn FnMut(&Step),
) -> Result<Option<Conformity>, StartError> {
    let mut examiner = Examiner::start(options, stop, report)?;
    if !protocol::introduce(&mut examiner)? {
        return Ok(examiner.conformity());
    }
    protocol::check(&mut examiner);
    settings::check(&mut examiner);
    searches::check(&mut examiner);
    limits::check(&mut examiner);
    info_lines::check(&mut examiner);
    ends::check(&mut examiner);
    Ok(examiner.conformity())
}
