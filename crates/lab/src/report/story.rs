//! The text of a run's report, for readers who do not know the code.

use super::document::Block;
use super::exploration;
use super::plots::Plot;
use super::trainings;
use crate::manifest::Manifest;
use crate::metrics::{Bench, Row};
use crate::settings::Experiment;
use crate::verdict::{Conclusion, Effect, Meeting, Ruling, over_seeds};
use arena::statistics::Estimate;
use data::journal::Build;
use serde_json::Value;

/// Everything that is reported.
pub(super) struct Story<'a> {
    pub(super) experiment: &'a Experiment,
    pub(super) manifest: &'a Manifest,
    pub(super) rows: &'a [Row],
    pub(super) conclusion: &'a Conclusion,
    pub(super) plots: &'a [Plot],
    /// The section about trainings.
    pub(super) curves: &'a [Block],
    /// Pictures of trained models.
    pub(super) models: &'a [Block],
    /// Remarks about the workers.
    pub(super) remarks: &'a [String],
    /// Whether the run was given more seeds, generations or games than its file says.
    pub(super) is_extended: bool,
}

impl Story<'_> {
    pub(super) fn title(&self) -> String {
        self.experiment
            .title
            .clone()
            .unwrap_or_else(|| self.manifest.name.clone())
    }

    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![Block::Title(self.title())];
        if let Some(question) = &self.experiment.question {
            blocks.push(Block::Paragraph(question.trim().to_owned()));
        }
        blocks.extend(self.learned());
        blocks.push(Block::Verdict(self.verdict()));
        blocks.extend(self.evidence());
        blocks.extend(self.pictures());
        blocks.extend(self.models.to_vec());
        blocks.extend(exploration::blocks(self.rows));
        blocks.extend(self.curves.to_vec());
        blocks.extend(self.generations());
        blocks.extend(trainings::times(self.experiment, self.rows));
        blocks.extend(self.setting());
        blocks.extend(super::who_did_it(self.remarks.to_vec()));
        blocks.extend(self.origin());
        blocks
    }

    /// How much each arm gained over its generation 0.
    fn learned(&self) -> Option<Block> {
        let Conclusion { arms, meetings, .. } = self.conclusion;
        let gained = arms.iter().map(|arm| {
            let name = &arm.arm;
            if arm.promoted_nothing {
                return format!("{name} found no net better than its first one");
            }
            // With one seed only the match itself has an interval.
            let only = arm.by_seed.len() == 1;
            let own = |meeting: &&Meeting| meeting.arm == *name && meeting.other.is_none();
            let elo = match meetings.iter().find(own).filter(|_| only) {
                Some(meeting) => meeting.in_words(),
                None => arm.in_words(),
            };
            format!("{name} gained {elo} Elo over its first net")
        });
        let gained: Vec<String> = gained.collect();
        let gained = gained.join("; ");
        (!gained.is_empty()).then(|| Block::Paragraph(format!("What was learned: {gained}.")))
    }

    /// The answer in a sentence or two.
    fn verdict(&self) -> String {
        let conclusion = self.conclusion;
        let head = match conclusion.ruling {
            Ruling::NoRule if !self.manifest.finished => "Not finished.".to_owned(),
            Ruling::NoRule => "Finished.".to_owned(),
            Ruling::Unfinished => format!("Not finished: {}.", conclusion.reason),
            ruling => {
                let mut word = ruling.to_string();
                word[..1].make_ascii_uppercase();
                format!("{word}: {}.", conclusion.reason)
            }
        };
        match &conclusion.difference {
            Some(effect) => format!("{head} {}", in_words(effect)),
            None => head,
        }
    }

    fn evidence(&self) -> Vec<Block> {
        let conclusion = self.conclusion;
        if conclusion.meetings.is_empty() {
            return Vec::new();
        }
        let mut blocks = vec![Block::Heading("Results of the final nets".to_owned())];
        blocks.push(Block::Paragraph(
            "Positive Elo favours the first arm. The interval of a match is only valid for its \
             two nets; ways of learning are compared by the mean over seeds, whose interval comes \
             from the spread between training runs (Student's t, 95 %)."
                .to_owned(),
        ));
        let rules = [
            ("reproduced if", &self.experiment.verdict.reproduced_if),
            ("refuted if", &self.experiment.verdict.refuted_if),
        ];
        let rules: Vec<String> = rules
            .into_iter()
            .filter_map(|(name, rule)| Some(format!("{name}: {}", rule.as_ref()?)))
            .collect();
        if !rules.is_empty() {
            blocks.push(Block::Paragraph("Stated before the run:".to_owned()));
            blocks.push(Block::List(rules));
        }
        blocks.push(self.means());
        blocks.push(self.meetings());
        blocks
    }

    fn means(&self) -> Block {
        let conclusion = self.conclusion;
        let row = |name: String, mean: String, deviation: f64, count: usize| {
            let spread = match count {
                1 => "unknown".to_owned(),
                _ => format!("{deviation:.0}"),
            };
            vec![name, count.to_string(), mean, spread]
        };
        let effects = conclusion.difference.iter().chain(&conclusion.effects);
        let effects = effects.map(|effect| {
            let name = match effect.name.as_str() {
                "difference" => effect.contrast.clone(),
                name => format!("{name}: {}", effect.contrast),
            };
            let seeds = effect.by_seed.len();
            let mean = over_seeds(&effect.mean);
            row(name, mean, effect.deviation, seeds)
        });
        let arms = conclusion.arms.iter().map(|arm| {
            let name = format!("{} against generation 0", arm.arm);
            row(name, arm.in_words(), arm.deviation, arm.by_seed.len())
        });
        Block::Table {
            header: vec!["over seeds", "seeds", "mean Elo", "spread between runs"],
            rows: effects.chain(arms).collect(),
        }
    }

    fn meetings(&self) -> Block {
        let rows = self.conclusion.meetings.iter().map(|meeting| {
            let games = meeting.counts.games();
            let other = meeting.other.as_deref().unwrap_or("generation 0");
            vec![
                format!("{} against {other}", meeting.arm),
                meeting.seed.to_string(),
                games.games().to_string(),
                format!("{} {} {}", games.wins, games.draws, games.losses),
                meeting.in_words(),
            ]
        });
        Block::Table {
            header: vec!["final match", "seed", "games", "won, drawn, lost", "Elo"],
            rows: rows.collect(),
        }
    }

    fn pictures(&self) -> Vec<Block> {
        if self.plots.is_empty() {
            return Vec::new();
        }
        let several = self.experiment.seeds.len() > 1;
        let words = match several {
            true => {
                "Thick lines are means over seeds with their intervals, thin lines single \
                runs."
            }
            false => "Bars are 95 % intervals of the matches, or of the fit of all games.",
        };
        let mut blocks = vec![
            Block::Heading("How the nets learned".to_owned()),
            Block::Paragraph(words.to_owned()),
        ];
        blocks.extend(self.plots.iter().map(picture));
        blocks
    }

    fn generations(&self) -> Vec<Block> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let bench = |bench: &Bench| elo(&bench.estimate());
        let rows = self.rows.iter().map(|row| {
            // A learner that plays during its training has no self-play.
            let played = |text: String| if row.games > 0 { text } else { String::new() };
            let benches = [&row.previous, &row.baseline];
            let [previous, baseline] =
                benches.map(|against| against.as_ref().map_or_else(String::new, bench));
            vec![
                row.arm.clone(),
                row.seed.to_string(),
                row.generation.to_string(),
                played(row.games.to_string()),
                played(format!("{:.1}", row.plies)),
                played(row.positions.to_string()),
                played(format!("{:.0} %", 100.0 * row.decisive)),
                played(format!("{:.0} %", 100.0 * row.repeated)),
                format!("{:.5}", row.validation_loss),
                previous,
                baseline,
                row.rating.as_ref().map_or_else(String::new, elo),
                if row.promoted { "promoted" } else { "rejected" }.to_owned(),
            ]
        });
        vec![
            Block::Heading("Generation by generation".to_owned()),
            without_empty_columns(
                vec![
                    "arm",
                    "seed",
                    "generation",
                    "games",
                    "plies",
                    "positions",
                    "decisive",
                    "duplicates",
                    "loss",
                    "against previous",
                    "against generation 0",
                    "by all games",
                    "",
                ],
                rows.collect(),
            ),
        ]
    }

    /// Setup: the settings in which the arms differ, and those that they share.
    fn setting(&self) -> Vec<Block> {
        let experiment = self.experiment;
        let mut blocks = vec![
            Block::Heading("Setup".to_owned()),
            Block::Paragraph(format!(
                "{} generations of {} with {}. All settings are in `run.toml`.",
                experiment.generations,
                counted(experiment.arms.len(), "arm"),
                counted(experiment.seeds.len(), "seed"),
            )),
        ];
        if experiment.arms.len() > 1 {
            blocks.push(differing(experiment));
        }
        blocks
    }

    fn origin(&self) -> Vec<Block> {
        let manifest = self.manifest;
        let machine = &manifest.machine;
        let timed = match manifest.is_timed {
            true => {
                "Games were limited by time: the same file gives different games on another \
                 machine."
            }
            false => {
                "The same run file gives the same nets with this program and arithmetic, for any \
                      number of threads."
            }
        };
        let builds = Build::mixed(&manifest.builds);
        let program = format!("Program: tabia {}", manifest.programs.join(", "));
        vec![
            Block::Heading("Provenance".to_owned()),
            Block::List(vec![
                builds.map_or(program.clone(), |builds| format!("{program}; {builds}")),
                format!(
                    "Machine: {}, {}, {} arithmetic",
                    machine.cpu,
                    counted(machine.cores, "core"),
                    machine.arithmetic
                ),
                format!("Time of all finished steps: {}", duration(manifest.seconds)),
                format!("Fingerprint of the settings: {}", manifest.fingerprint),
                timed.to_owned(),
                "`manifest.json` has the hash of every net and shard, `metrics.jsonl` all \
                 numbers, `training_log.csv` of each arm and seed the published columns. There, \
                 `bench_prev_elo` and `bench_base_elo` are not clamped; the columns with \
                 `_clamped` keep scores within 0.01 and 0.99 as in the published study."
                    .to_owned(),
            ]),
            Block::Paragraph("To reproduce it, in the folder of this report:".to_owned()),
            Block::Code(self.command()),
        ]
    }

    /// The command that reproduces the run.
    fn command(&self) -> String {
        let mut command = "tabia run run.toml".to_owned();
        if self.is_extended {
            let Experiment {
                seeds,
                generations,
                verdict,
                ..
            } = self.experiment;
            let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
            command += &format!(
                " --set seeds=[{}] --set generations={generations} --set verdict.games={}",
                seeds.join(","),
                verdict.games
            );
        }
        command
    }
}

/// A table without its empty columns.
fn without_empty_columns(header: Vec<&'static str>, rows: Vec<Vec<String>>) -> Block {
    let has_something = |&at: &usize| rows.iter().any(|row| !row[at].is_empty());
    let columns: Vec<usize> = (0..header.len()).filter(has_something).collect();
    let rows = rows
        .iter()
        .map(|row| columns.iter().map(|&at| row[at].clone()).collect());
    Block::Table {
        header: columns.iter().map(|&at| header[at]).collect(),
        rows: rows.collect(),
    }
}

/// A difference in a sentence.
pub(super) fn in_words(effect: &Effect) -> String {
    let Effect {
        contrast,
        mean,
        by_seed,
        ..
    } = effect;
    match by_seed.len() {
        1 => format!(
            "{contrast}: {:+.0} Elo between these two nets; a single seed has no interval.",
            mean.value
        ),
        seeds => format!("{contrast}: {} Elo over {seeds} seeds.", elo(mean)),
    }
}

fn elo(estimate: &Estimate) -> String {
    format!("{estimate:.0}")
}

/// A number of things, in words.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// A plot as a block of a report.
pub(crate) fn picture(plot: &Plot) -> Block {
    Block::Picture {
        file: format!("plots/{}", plot.file),
        title: plot.title.clone(),
        svg: plot.svg.clone(),
    }
}

/// A duration for people.
pub(crate) fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match minutes {
        0 | 1 => counted(seconds.round() as usize, "second"),
        2..=119 => format!("{minutes} minutes"),
        _ => format!(
            "{} hours {}",
            minutes / 60,
            counted((minutes % 60) as usize, "minute")
        ),
    }
}

/// The settings in which arms differ.
fn differing(experiment: &Experiment) -> Block {
    let arms: Vec<(&String, Value)> = experiment
        .arms
        .iter()
        .map(|(name, arm)| (name, serde_json::to_value(arm).unwrap_or_default()))
        .collect();
    let mut keys = Vec::new();
    for (_, arm) in &arms {
        leaves("", arm, &mut keys);
    }
    keys.sort();
    keys.dedup();
    let value = |arm: &Value, key: &str| {
        let mut value = arm;
        for part in key.split('.') {
            value = &value[part];
        }
        match value {
            Value::Null => "not given".to_owned(),
            Value::String(text) => text.clone(),
            value => value.to_string(),
        }
    };
    let mut rows = Vec::new();
    for key in keys {
        let values: Vec<String> = arms.iter().map(|(_, arm)| value(arm, &key)).collect();
        if values.windows(2).any(|pair| pair[0] != pair[1]) {
            for ((name, _), value) in arms.iter().zip(values) {
                rows.push(vec![key.clone(), (*name).clone(), value]);
            }
        }
    }
    Block::Table {
        header: vec!["differing setting", "arm", "value"],
        rows,
    }
}

/// The paths of all values in a tree of tables, except that some small tables are values as a
/// whole.
fn leaves(path: &str, value: &Value, keys: &mut Vec<String>) {
    const WHOLE: [&str; 3] = ["selfplay.horizon", "train.learning_rate", "train.lambda"];
    match value {
        Value::Object(table) if !WHOLE.contains(&path) => {
            for (key, value) in table {
                let path = match path {
                    "" => key.clone(),
                    path => format!("{path}.{key}"),
                };
                leaves(&path, value, keys);
            }
        }
        _ => keys.push(path.to_owned()),
    }
}
