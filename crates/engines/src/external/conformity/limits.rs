//! Steps that check whether limits are obeyed.

use super::LimitUse;
use super::examiner::{Examiner, Problem, broken};
use super::remarks::Position;
use super::search::Found;
use super::searches::MIDDLEGAME;
use chess::CastlingStyle;
use std::ops::RangeInclusive;

/// How many steps this module has.
pub(super) const COUNT: usize = LIMITS.len();

/// A limit given to `go`, and how to measure what was used of it.
struct Limit {
    name: &'static str,
    question: &'static str,
    limit: &'static str,
    unit: &'static str,
    expected: &'static str,
    allowed: u64,
    /// What counts as obeying the limit; a search that uses less ended for another reason.
    tolerated: RangeInclusive<u64>,
    used: fn(&Found) -> Option<u64>,
}

const LIMITS: [Limit; 4] = [
    Limit {
        name: "go depth",
        question: "go depth 5",
        limit: "depth",
        unit: "",
        expected: "bestmove after 5 iterations",
        allowed: 5,
        tolerated: 5..=5,
        used: |found| found.depth.map(u64::from),
    },
    Limit {
        name: "go nodes",
        question: "go nodes 20000",
        limit: "nodes",
        unit: "",
        expected: "bestmove after about 20000 nodes, at most twice as many",
        allowed: 20_000,
        tolerated: 2_000..=40_000,
        used: |found| found.nodes,
    },
    Limit {
        name: "go movetime",
        question: "go movetime 300",
        limit: "movetime",
        unit: "ms",
        expected: "bestmove within 300 ms, or a little more on a busy machine",
        allowed: 300,
        tolerated: 0..=550,
        used: milliseconds,
    },
    Limit {
        name: "go wtime and btime",
        question: "go wtime 1000 btime 1000",
        limit: "clock",
        unit: "ms",
        expected: "bestmove within 1000 ms",
        allowed: 1000,
        tolerated: 0..=1000,
        used: milliseconds,
    },
];

fn milliseconds(found: &Found) -> Option<u64> {
    u64::try_from(found.time.as_millis()).ok()
}

pub(super) fn check(examiner: &mut Examiner<'_>) {
    for limit in &LIMITS {
        examiner.step(limit.name, limit.expected, |examiner| limit.check(examiner));
    }
}

impl Limit {
    fn check(&self, examiner: &mut Examiner<'_>) -> Result<(), Problem> {
        let position = Position::of(MIDDLEGAME, CastlingStyle::Standard);
        let found = examiner.try_search(&position, self.question)?;
        let used = (self.used)(&found);
        let obeyed = match used {
            _ if found.was_stopped => Some(false),
            Some(used) => Some(self.tolerated.contains(&used)),
            None => None,
        };
        examiner.note_limit(LimitUse {
            limit: self.limit,
            unit: self.unit,
            allowed: self.allowed,
            used,
            obeyed,
        });
        if found.was_stopped {
            return broken("it had to be stopped");
        }
        if found.best.is_none() {
            return broken("it claims that there is no move");
        }
        match (obeyed, used) {
            (Some(false), Some(used)) => broken(format!("it used {used} {}", self.unit).trim_end()),
            (None, _) => Err(Problem::Pointless("it does not report how much it used")),
            _ => examiner.await_silence(),
        }
    }
}
