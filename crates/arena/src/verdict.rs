//! When a match has had enough games.
//!
//! Checked after every pair, in order; it must not know more than the ledger.

use crate::ledger::Ledger;
use crate::statistics::{Decision, Sprt};
use serde::Serialize;

/// Why a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All games of the schedule were played.
    AllPlayed,
    /// The test accepted `elo1`.
    Accepted,
    /// The test accepted `elo0`.
    Rejected,
    /// A player failed too often.
    Failures {
        /// The player's number.
        player: usize,
        /// The number of failures.
        failures: u64,
    },
}

/// What ends a match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Criteria {
    /// A sequential test of the first meeting.
    pub sprt: Option<Sprt>,
    /// A player that fails this often ends the match.
    pub most_failures: u64,
}

impl Criteria {
    /// The verdict after the pairs counted so far, if there is one.
    pub fn verdict(&self, ledger: &Ledger) -> Option<Verdict> {
        let by_test = || match self.sprt?.judge(&ledger.meetings()[0]).decision {
            Decision::AcceptElo1 => Some(Verdict::Accepted),
            Decision::AcceptElo0 => Some(Verdict::Rejected),
            Decision::Continue => None,
        };
        by_test()
            .or_else(|| self.by_failures(ledger))
            .or_else(|| is_complete(ledger).then_some(Verdict::AllPlayed))
    }

    fn by_failures(&self, ledger: &Ledger) -> Option<Verdict> {
        let failures = |player| ledger.failures(player).values().sum();
        (0..ledger.players())
            .map(|player| (player, failures(player)))
            .find(|&(_, failures)| failures >= self.most_failures)
            .map(|(player, failures)| Verdict::Failures { player, failures })
    }
}

fn is_complete(ledger: &Ledger) -> bool {
    ledger.pairs() == ledger.schedule().pairs()
}
