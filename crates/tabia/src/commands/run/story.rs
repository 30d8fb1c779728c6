//! The output at the end of a run: what was learned, what is proved and what is not, and the
//! commands to try next.

use crate::laboratory::{RUNS, explained};
use crate::output::fitted;
use lab::runs;
use lab::verdict::{Conclusion, Ruling};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use train::learners;

/// A width that any terminal has.
const COLUMNS: usize = 80;
/// The preset that trains a stronger net.
const STRONGER: &str = "overnight";

/// The result of a run.
#[derive(Serialize)]
pub(super) struct Story {
    folder: PathBuf,
    report: PathBuf,
    /// Whether this run is already of the preset that would be suggested next.
    #[serde(skip)]
    is_strongest: bool,
    /// The strongest promoted net, to play with.
    #[serde(skip_serializing_if = "Option::is_none")]
    net: Option<PathBuf>,
    conclusion: Conclusion,
}

impl Story {
    pub(super) fn new(folder: &Path, conclusion: Conclusion) -> anyhow::Result<Story> {
        let rows = runs::look(folder, &learners()).map_err(explained)?.rows;
        let strength = |row: &&lab::Row| row.rating.map_or(0.0, |rating| rating.value);
        let best = rows
            .iter()
            .filter(|row| row.promoted)
            .max_by(|one, other| strength(one).total_cmp(&strength(other)));
        Ok(Story {
            folder: folder.to_owned(),
            report: folder.join("report.html"),
            is_strongest: RUNS.name_of(folder).starts_with(STRONGER),
            net: best.map(|row| folder.join(&row.version)),
            conclusion,
        })
    }

    /// The strength of each arm against its first net.
    fn learned(&self) -> Vec<String> {
        let line = |arm: &lab::verdict::ArmStrength| {
            let seeds = arm.by_seed.len();
            let gained = match (arm.promoted_nothing, seeds) {
                (true, _) => "no net better than the first one was found".to_owned(),
                (_, 1) => format!("{} against its first net", self.only_seed(&arm.arm)),
                _ => format!(
                    "{:.0} against its first net, mean of {seeds} seeds",
                    arm.mean
                ),
            };
            format!("{}: {gained}", arm.arm)
        };
        self.conclusion.arms.iter().map(line).collect()
    }

    /// The Elo of a match against generation 0, for a single seed.
    fn only_seed(&self, arm: &str) -> String {
        let mut meetings = self.conclusion.meetings.iter();
        let own = meetings.find(|meeting| meeting.arm == arm && meeting.other.is_none());
        own.map_or_else(String::new, |meeting| format!("{:.0}", meeting.elo))
    }

    /// The differences between arms, and the verdict of the rule.
    fn proved(&self) -> Vec<String> {
        let conclusion = &self.conclusion;
        let mut lines = Vec::new();
        let mut has_one_seed = false;
        for effect in conclusion.difference.iter().chain(&conclusion.effects) {
            let seeds = effect.by_seed.len();
            has_one_seed |= seeds == 1;
            lines.push(match seeds {
                1 => format!(
                    "{}: {:+.0} with one seed",
                    effect.contrast, effect.mean.value
                ),
                _ => format!(
                    "{}: {:.0}, mean of {seeds} seeds",
                    effect.contrast, effect.mean
                ),
            });
        }
        if has_one_seed {
            lines.push(
                "One seed cannot show which way of learning is better: another seed may reverse \
                 the difference."
                    .to_owned(),
            );
        }
        if conclusion.ruling != Ruling::NoRule {
            let Conclusion { ruling, reason, .. } = conclusion;
            lines.push(format!("verdict: {ruling}: {reason}"));
        }
        lines
    }

    /// The commands to try next, with their purpose.
    fn next(&self) -> Vec<(String, &'static str)> {
        let mut lines = Vec::new();
        if let Some(net) = &self.net {
            lines.push((
                format!("tabia play --model {}", net.display()),
                "play against the best net",
            ));
        }
        lines.push((
            self.report.display().to_string(),
            "open in a browser: curves, tables, games and settings",
        ));
        let parent = self.folder.parent().unwrap_or(Path::new(""));
        let served = match parent.as_os_str().is_empty() {
            true => String::new(),
            false => format!(" {}", parent.display()),
        };
        lines.push((
            format!("tabia serve{served} --open"),
            "watch it, inspect its games and nets, on a web page",
        ));
        if self.conclusion.arms.len() > 1 {
            let name = RUNS.name_of(&self.folder);
            let seeds = &self.conclusion.seeds;
            let next = seeds.iter().max().map_or(1, |last| last.saturating_add(1));
            let more = seeds.iter().copied().chain([next, next.saturating_add(1)]);
            let more: Vec<String> = more.map(|seed| seed.to_string()).collect();
            lines.push((
                format!("tabia run --resume {name} --set seeds=[{}]", more.join(",")),
                "add seeds; finished work is kept",
            ));
        }
        if !self.is_strongest {
            lines.push((
                format!("tabia run {STRONGER}"),
                "train a stronger net, in about two hours",
            ));
        }
        lines
    }
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut section = |title: &str, lines: Vec<String>| {
            if lines.is_empty() {
                return Ok(());
            }
            writeln!(f, "{title}")?;
            for line in lines {
                let line = fitted(&line, Some(COLUMNS - 2));
                writeln!(f, "  {}", line.replace('\n', "\n  "))?;
            }
            writeln!(f)
        };
        section(
            "What was learned (Elo, 95 % confidence interval)",
            self.learned(),
        )?;
        section("Conclusion", self.proved())?;
        writeln!(f, "Next")?;
        for (command, purpose) in self.next() {
            writeln!(f, "  # {purpose}\n  {command}")?;
        }
        Ok(())
    }
}
