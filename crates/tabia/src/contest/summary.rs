//! The part of a contest's report besides its results: the verdict, how games ended, failures, and
//! the files.

use super::setup::Contest;
use crate::evidence::row;
use arena::game::Reason;
use arena::ledger::Ledger;
use arena::verdict::Verdict;
use data::journal::Build;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Numbers of games by how they ended.
type Counts = BTreeMap<String, u64>;

/// The summary of a contest.
#[derive(Serialize)]
pub(crate) struct Summary {
    /// `None` if the contest was interrupted.
    verdict: Option<Verdict>,
    #[serde(skip)]
    words: String,
    ends: Counts,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    failures: BTreeMap<String, Counts>,
    fingerprint: String,
    /// A remark if several builds played.
    #[serde(skip_serializing_if = "Option::is_none")]
    builds: Option<String>,
}

impl Summary {
    pub(super) fn new(
        contest: &Contest,
        ledger: &Ledger,
        verdict: Option<Verdict>,
        builds: &[Build],
    ) -> Self {
        let players = &contest.plan.players;
        let failures = players
            .iter()
            .enumerate()
            .map(|(number, player)| (player.name.clone(), counts(ledger.failures(number))))
            .filter(|(_, failures)| !failures.is_empty())
            .collect();
        Self {
            verdict,
            words: in_words(contest, verdict),
            ends: counts(ledger.reasons()),
            failures,
            fingerprint: contest.fingerprint.clone(),
            builds: Build::mixed(builds),
        }
    }
}

fn in_words(contest: &Contest, verdict: Option<Verdict>) -> String {
    match verdict {
        None => "none, interrupted".to_owned(),
        Some(Verdict::AllPlayed) => "all games played".to_owned(),
        Some(Verdict::Accepted) => "passed, elo1 is accepted".to_owned(),
        Some(Verdict::Rejected) => "failed, elo0 is accepted".to_owned(),
        Some(Verdict::Failures { player, failures }) => {
            let name = &contest.plan.players[player].name;
            format!("stopped, {name} failed {failures} times")
        }
    }
}

fn counts(reasons: &HashMap<Reason, u64>) -> Counts {
    reasons
        .iter()
        .map(|(reason, &count)| (reason.to_string(), count))
        .collect()
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        row(f, "ends", listed(&self.ends))?;
        for (name, failures) in &self.failures {
            row(f, "failures", format_args!("{name}: {}", listed(failures)))?;
        }
        if let Some(builds) = &self.builds {
            row(f, "builds", builds)?;
        }
        row(f, "verdict", &self.words)
    }
}

/// A list with the most frequent entries first.
fn listed(counts: &Counts) -> String {
    let mut counts: Vec<(&String, &u64)> = counts.iter().collect();
    counts.sort_by_key(|&(name, &count)| (std::cmp::Reverse(count), name));
    let words: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    words.join(", ")
}
