//! The results of a check, as text and as JSON.

use engines::external::conformity::{Conformity, LimitUse, Step, Verdict};
use serde::Serialize;
use std::fmt::{self, Display};

/// The result of a check.
#[derive(Serialize)]
pub(super) struct Report {
    command: String,
    name: Option<String>,
    author: Option<String>,
    passed: usize,
    failed: usize,
    skipped: usize,
    limits: Vec<LimitReport>,
    steps: Vec<StepReport>,
}

#[derive(Serialize)]
struct LimitReport {
    limit: &'static str,
    unit: &'static str,
    allowed: u64,
    used: Option<u64>,
    obeyed: Option<bool>,
    #[serde(skip)]
    text: String,
}

/// One step: shown in full if it failed, or with `--verbose`.
#[derive(Serialize)]
pub(super) struct StepReport {
    name: &'static str,
    verdict: &'static str,
    /// Why it failed or was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    expected: &'static str,
    exchange: Vec<String>,
}

impl Report {
    pub(super) fn new(command: String, conformity: &Conformity) -> Self {
        let steps: Vec<_> = conformity.steps.iter().map(StepReport::new).collect();
        let count = |verdict| steps.iter().filter(|step| step.verdict == verdict).count();
        Self {
            command,
            name: conformity.name.clone(),
            author: conformity.author.clone(),
            passed: count(PASSED),
            failed: count(FAILED),
            skipped: count(SKIPPED),
            limits: conformity.limits.iter().map(LimitReport::new).collect(),
            steps,
        }
    }
}

impl LimitReport {
    fn new(limit: &LimitUse) -> Self {
        Self {
            limit: limit.limit,
            unit: limit.unit,
            allowed: limit.allowed,
            used: limit.used,
            obeyed: limit.obeyed,
            text: limit.to_string(),
        }
    }
}

const PASSED: &str = "passed";
const FAILED: &str = "failed";
const SKIPPED: &str = "skipped";

impl StepReport {
    pub(super) fn new(step: &Step) -> Self {
        let (verdict, reason) = match &step.verdict {
            Verdict::Passed => (PASSED, None),
            Verdict::Failed(how) => (FAILED, Some(how.clone())),
            Verdict::Skipped(why) => (SKIPPED, Some(why.clone())),
        };
        Self {
            name: step.name,
            verdict,
            reason,
            expected: step.expected,
            exchange: step.exchange.clone(),
        }
    }

    /// The step in one line.
    fn headline(&self) -> String {
        let verdict = match self.verdict {
            // In capital letters, to be found easily.
            FAILED => "FAILED",
            other => other,
        };
        match &self.reason {
            Some(reason) => format!("{verdict:<8} {}: {reason}", self.name),
            None => format!("{verdict:<8} {}", self.name),
        }
    }
}

impl Display for StepReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}\n         expected: {}",
            self.headline(),
            self.expected
        )?;
        for line in &self.exchange {
            write!(formatter, "\n         {line}")?;
        }
        Ok(())
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_deref().unwrap_or(&self.command);
        match &self.author {
            Some(author) => writeln!(formatter, "{name} by {author}")?,
            None => writeln!(formatter, "{name}")?,
        }
        for step in &self.steps {
            if step.verdict == FAILED {
                writeln!(formatter, "{step}")?;
            } else {
                writeln!(formatter, "{}", step.headline())?;
            }
        }
        for limit in &self.limits {
            writeln!(formatter, "limit    {}: {}", limit.limit, limit.text)?;
        }
        writeln!(
            formatter,
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}
