//! The results of two players, for a match and for a test.

use super::run::Showing;
use super::setup::Contest;
use super::summary::Summary;
use crate::evidence::{Given, Report, percent};
use crate::progress::Standing;
use arena::ledger::Ledger;
use arena::statistics::{Sprt, Strength};
use serde::Serialize;
use std::fmt;

/// Shows the first player's results against the second.
pub(crate) struct Duel {
    players: [String; 2],
    sprt: Option<Sprt>,
}

impl Duel {
    pub(crate) fn new(contest: &Contest) -> Duel {
        let name = |number: usize| contest.plan.players[number].name.clone();
        Duel {
            players: [name(0), name(1)],
            sprt: contest.plan.sprt,
        }
    }
}

impl Showing for Duel {
    type Report = DuelReport;

    fn standing(&self, ledger: &Ledger) -> Standing {
        let pairs = &ledger.meetings()[0];
        let strength = Strength::of(pairs);
        let five = pairs.five().map(|count| count.to_string()).join(" ");
        let mut line = format!(
            "{} {}, Elo {:.1}, LOS {}, Ptnml {five}",
            self.players[0],
            percent(strength.score),
            strength.elo,
            percent(strength.los)
        );
        if let Some(sprt) = self.sprt {
            let judgement = sprt.judge(pairs);
            line += &format!(
                ", LLR {:.2} between {:.2} and {:.2}",
                judgement.llr, judgement.lower, judgement.upper
            );
        }
        Standing {
            lines: line.clone(),
            line,
        }
    }

    fn report(&self, summary: Summary, ledger: &Ledger) -> DuelReport {
        DuelReport {
            players: self.players.clone(),
            evidence: Report::new(Given::Six(ledger.meetings()[0]), self.sprt),
            summary,
        }
    }
}

/// The result of a match.
#[derive(Serialize)]
pub(crate) struct DuelReport {
    players: [String; 2],
    #[serde(flatten)]
    evidence: Report,
    #[serde(flatten)]
    summary: Summary,
}

impl fmt::Display for DuelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.players;
        writeln!(f, "{first} against {second}\n")?;
        write!(f, "{}\n{}", self.evidence, self.summary)
    }
}
