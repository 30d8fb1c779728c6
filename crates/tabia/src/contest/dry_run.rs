//! The output of `--dry-run`: what would be played.

use super::setup::Contest;
use crate::evidence::{Described, row};
use arena::game::Endings;
use arena::plan::Plan;
use engines::recipe::PlayerSpec;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// The plan of a contest, and where and how it would be played.
#[derive(Serialize)]
pub(crate) struct DryRun {
    plan: Plan,
    fingerprint: String,
    concurrency: usize,
    folder: PathBuf,
    #[serde(skip)]
    games: usize,
}

impl DryRun {
    pub(crate) fn new(contest: &Contest) -> anyhow::Result<DryRun> {
        Ok(DryRun {
            plan: contest.plan.clone(),
            fingerprint: contest.fingerprint.clone(),
            concurrency: contest.concurrency,
            folder: contest.folder.clone(),
            games: contest.plan.schedule()?.games(),
        })
    }
}

impl fmt::Display for DryRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plan = &self.plan;
        for player in &plan.players {
            row(f, "player", Player(player))?;
        }
        let pairs = self.games / 2;
        row(
            f,
            "games",
            format_args!(
                "{} in {pairs} pairs, {} at once",
                self.games, self.concurrency
            ),
        )?;
        let openings = &plan.openings;
        row(
            f,
            "openings",
            format_args!("{}, {} of them", openings.source, openings.count),
        )?;
        row(f, "ends", Ends(&plan.endings))?;
        if let Some(sprt) = plan.sprt {
            row(f, "SPRT", Described(sprt))?;
        }
        row(f, "fingerprint", &self.fingerprint)?;
        row(f, "folder", self.folder.display())
    }
}

struct Player<'a>(&'a PlayerSpec);

impl fmt::Display for Player<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlayerSpec { name, recipe, pace } = self.0;
        write!(f, "{name}: {recipe}")?;
        write!(f, " {pace}")?;
        if pace.is_timed() {
            write!(f, " margin={}", pace.margin)?;
        }
        Ok(())
    }
}

struct Ends<'a>(&'a Endings);

impl fmt::Display for Ends<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endings = self.0;
        f.write_str("the rules of chess")?;
        if let Some(rule) = endings.draw {
            write!(
                f,
                "; draw movenumber={} movecount={} score={}",
                rule.movenumber, rule.movecount, rule.score
            )?;
        }
        if let Some(rule) = endings.resign {
            write!(
                f,
                "; resign movecount={} score={} twosided={}",
                rule.movecount, rule.score, rule.twosided
            )?;
        }
        if let Some(horizon) = endings.horizon {
            write!(f, "; after {horizon} plies {}", endings.at_horizon)?;
        }
        match &endings.syzygy {
            Some(folders) => write!(f, "; tables in {folders}"),
            None => Ok(()),
        }
    }
}
