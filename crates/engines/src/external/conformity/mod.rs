//! Checks whether a program conforms to the Universal Chess Interface.
//!
//! `examiner` holds the conversation and records it in a `log`, `search` asks for a move, `remarks`
//! checks every info line. `protocol`, `settings`, `searches`, `limits`, `info_lines` and `ends`
//! are the steps, in this order. A program that fails a step is restarted for the next one. This
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

/// The findings about a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conformity {
    /// The name that it gives.
    pub name: Option<String>,
    /// The author that it gives.
    pub author: Option<String>,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// How it obeys the limits of a search.
    pub limits: Vec<LimitUse>,
    /// Options of the user that could not be set, one line each.
    pub warnings: Vec<String>,
}

/// One requirement of the protocol, and whether it is met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was tried.
    pub name: &'static str,
    /// What the protocol requires.
    pub expected: &'static str,
    /// What happened.
    pub verdict: Verdict,
    /// The conversation: `> ` from us, `< ` from the program.
    pub exchange: Vec<String>,
}

/// The result of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The requirement is met.
    Passed,
    /// The requirement is violated: how.
    Failed(String),
    /// It could not be tested: why.
    Skipped(String),
}

/// How a program obeys a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitUse {
    /// The limit, by its name in `go`.
    pub limit: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// How much was allowed.
    pub allowed: u64,
    /// How much was used; `None` if the program does not say.
    pub used: Option<u64>,
    /// Whether the limit was obeyed; `None` if unknown.
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
    /// Whether all requirements are met.
    pub fn is_good(&self) -> bool {
        !self
            .steps
            .iter()
            .any(|step| matches!(step.verdict, Verdict::Failed(_)))
    }
}

/// The total number of steps.
pub const STEPS: usize = protocol::COUNT
    + settings::COUNT
    + searches::COUNT
    + limits::COUNT
    + info_lines::COUNT
    + ends::COUNT;

/// Checks a program; `report` receives every finished step. A check that is stopped early returns
/// `None`.
///
/// # Errors
/// If the program does not start, or does not accept a value of `options`.
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
