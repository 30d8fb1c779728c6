//! A run as a whole: every arm with every seed, then the final nets against each
//! other.
//!
//! Seeds come one after the other, all arms of one before the next, so that a run
//! that is stopped early has whole seeds to show. Each step uses all threads.

use crate::desk::Desk;
use crate::error::LabError;
use crate::folder::{Folder, NetRecord, remove};
use crate::generation::{Lineage, Met, Promotion};
use crate::manifest::{self, Manifest};
use crate::matches::{self, Match};
use crate::metrics::{self, Row};
use crate::news::News;
use crate::report;
use crate::seeds::{Purpose, seed};
use crate::settings::{self, Experiment};
use crate::state::{Place, State, Step};
use crate::verdict::{Conclusion, Rule};
use engines::StopSignal;
use std::path::{Path, PathBuf};

/// The file that says what is done.
pub(crate) const RUN_FILE: &str = "run.toml";
/// The file that says what is finished.
pub(crate) const STATE_FILE: &str = "state.jsonl";

/// The program that works.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Which build it is.
    pub version: String,
}

/// How the work on a run ended.
#[derive(Debug)]
pub enum Ending<T = Conclusion> {
    /// Everything is done.
    Finished(Box<T>),
    /// It was told to stop, and can go on.
    Stopped,
}

/// A run that is worked on.
pub struct Laboratory {
    folder: Folder,
    experiment: Experiment,
    rule: Rule,
    state: State,
    program: Program,
}

impl Laboratory {
    /// Begins the run of this text in a folder that has none.
    ///
    /// # Errors
    /// If the text is no run file, or the folder cannot be used.
    pub fn begin(path: &Path, text: &str, program: Program) -> Result<Laboratory, LabError> {
        let run_file = path.join(RUN_FILE);
        if run_file.exists() {
            return Err(LabError::Exists(path.to_owned()));
        }
        check(&read(&run_file, text)?)?;
        std::fs::create_dir_all(path).map_err(|cause| LabError::file(path, cause))?;
        data::file::write(&run_file, text.as_bytes())
            .map_err(|cause| LabError::file(&run_file, cause))?;
        Laboratory::resume(path, program)
    }

    /// Goes on with a run.
    ///
    /// # Errors
    /// If there is none, or it cannot be used.
    pub fn resume(path: &Path, program: Program) -> Result<Laboratory, LabError> {
        let experiment = open(path)?;
        check(&experiment)?;
        let folder = Folder::open(path)?;
        let fingerprint = experiment.fingerprint();
        let run_file = folder.path(RUN_FILE);
        let state = State::open(&folder.path(STATE_FILE), &fingerprint, &run_file)?;
        folder.sweep()?;
        Ok(Laboratory {
            rule: rule_of(&experiment),
            folder,
            experiment,
            state,
            program,
        })
    }

    /// What is done.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Where its files are.
    pub fn folder(&self) -> &Path {
        self.folder.root()
    }

    /// Works until everything is done or `stop` is given; then games in play and
    /// the step of a training are finished, and everything is saved.
    ///
    /// # Errors
    /// If something cannot be done; what was finished before stays.
    pub fn run(
        &mut self,
        threads: usize,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<Ending, LabError> {
        if let Some(warning) = manifest::another_program(&self.folder, &self.program) {
            listen(&News::Warning(&warning));
        }
        if !self.state.lines().is_empty() {
            listen(&News::Resumed(self.state.lines().len()));
        }
        self.publish()?;
        let worked = Round {
            laboratory: &mut *self,
            threads,
            stop,
            listen,
        }
        .work();
        self.publish()?;
        match worked {
            Ok(()) => Ok(Ending::Finished(Box::new(self.conclusion()))),
            Err(LabError::Stopped) => Ok(Ending::Stopped),
            Err(error) => Err(error),
        }
    }

    fn rows(&self) -> Vec<Row> {
        metrics::rows(self.state.lines())
    }

    fn conclusion(&self) -> Conclusion {
        conclude(&self.experiment, &self.rule, |place| {
            self.state.result(place).ok().flatten()
        })
    }

    /// Writes everything that is made from the state: tables, manifest, report.
    fn publish(&self) -> Result<(), LabError> {
        let rows = self.rows();
        metrics::write(&self.folder, &self.experiment, &rows)?;
        let conclusion = self.conclusion();
        let manifest = Manifest::new(
            &self.folder,
            &self.experiment,
            &self.program,
            self.state.lines(),
            &conclusion,
        );
        manifest.write(&self.folder)?;
        report::write(
            &self.folder,
            &self.experiment,
            &manifest,
            &rows,
            &conclusion,
        )
    }
}

/// Work on a run.
struct Round<'a> {
    laboratory: &'a mut Laboratory,
    threads: usize,
    stop: &'a StopSignal,
    listen: &'a mut dyn FnMut(&News<'_>),
}

impl Round<'_> {
    fn work(&mut self) -> Result<(), LabError> {
        let experiment = self.laboratory.experiment.clone();
        for &seed in &experiment.seeds {
            let mut nets = Vec::new();
            for (name, arm) in &experiment.arms {
                nets.push(self.raise(&Lineage {
                    experiment: &experiment,
                    name,
                    arm,
                    seed,
                    lane: self.laboratory.folder.lane(name, seed),
                })?);
            }
            let before = self.steps();
            self.finals(&experiment, seed, &nets)?;
            if self.steps() > before {
                self.laboratory.publish()?;
                (self.listen)(&News::Seed(&self.laboratory.conclusion()));
            }
        }
        Ok(())
    }

    fn steps(&self) -> usize {
        self.laboratory.state.lines().len()
    }

    fn desk(&mut self) -> Desk<'_> {
        Desk {
            folder: &self.laboratory.folder,
            state: &mut self.laboratory.state,
            threads: self.threads,
            stop: self.stop,
            listen: &mut *self.listen,
        }
    }

    /// All generations of an arm with a seed.
    fn raise(&mut self, lineage: &Lineage<'_>) -> Result<Raised, LabError> {
        let beginning = lineage.begin(&mut self.desk())?;
        let mut latest = Promotion {
            promoted: true,
            reason: String::new(),
            version: beginning.net.clone(),
            checkpoint: beginning.checkpoint.clone(),
        };
        for generation in 1..=lineage.experiment.generations {
            let before = self.steps();
            latest = lineage.generation(&mut self.desk(), generation, &beginning, &latest)?;
            if self.steps() > before {
                self.laboratory.publish()?;
                let rows = self.laboratory.rows();
                let is_own = |row: &&Row| {
                    let place = (row.arm.as_str(), row.seed, row.generation);
                    place == (lineage.name, lineage.seed, generation)
                };
                if let Some(row) = rows.iter().find(is_own) {
                    (self.listen)(&News::Generation(row));
                }
            }
        }
        Ok(Raised {
            arm: lineage.name.to_owned(),
            first: beginning.net,
            last: latest.version,
        })
    }

    /// The final matches of a seed.
    fn finals(
        &mut self,
        experiment: &Experiment,
        seed: u64,
        nets: &[Raised],
    ) -> Result<(), LabError> {
        if experiment.verdict.games == 0 {
            return Ok(());
        }
        for (index, first) in nets.iter().enumerate() {
            for second in &nets[index + 1..] {
                let other = Some(second.arm.as_str());
                self.final_match(experiment, seed, first, (other, &second.last))?;
            }
        }
        for raised in nets {
            self.final_match(experiment, seed, raised, (None, &raised.first))?;
        }
        Ok(())
    }

    /// A final net against that of another arm, or against generation 0.
    fn final_match(
        &mut self,
        experiment: &Experiment,
        run: u64,
        raised: &Raised,
        (other, other_net): (Option<&str>, &NetRecord),
    ) -> Result<(), LabError> {
        let arm = raised.arm.as_str();
        let place = final_place(experiment, run, arm, other);
        let folder = self.laboratory.folder.final_match(run, arm, other);
        let nets = [&raised.last, other_net];
        self.desk().step(place, |desk| {
            let [own, opponent] = [
                desk.folder.open_net(nets[0])?,
                desk.folder.open_net(nets[1])?,
            ];
            let game = Match {
                players: [(arm, &own), (other.unwrap_or("generation 0"), &opponent)],
                conditions: &experiment.finals,
                games: experiment.verdict.games,
                sprt: None,
                seed: seed(run, 0, Purpose::Finals),
                folder: &folder,
                threads: desk.threads,
            };
            Ok(Met {
                counts: desk.meet(&game)?,
                nets: nets.map(|net| net.name.clone()),
            })
        })?;
        match experiment.keep.games {
            true => Ok(()),
            false => remove(&folder),
        }
    }
}

/// What became of an arm with a seed.
struct Raised {
    arm: String,
    first: NetRecord,
    last: NetRecord,
}

/// Reads the run file of a folder.
pub(crate) fn open(path: &Path) -> Result<Experiment, LabError> {
    let run_file = path.join(RUN_FILE);
    let text = std::fs::read_to_string(&run_file).map_err(|cause| match cause.kind() {
        std::io::ErrorKind::NotFound => LabError::NoRun(path.to_owned()),
        _ => LabError::file(&run_file, cause),
    })?;
    read(&run_file, &text)
}

fn read(path: &Path, text: &str) -> Result<Experiment, LabError> {
    settings::read(text).map_err(|problem| LabError::Settings {
        path: PathBuf::from(path),
        line: problem.line(text),
        problem,
    })
}

/// What the run file alone does not tell: whether there are openings enough.
pub(crate) fn check(experiment: &Experiment) -> Result<(), LabError> {
    for arm in experiment.arms.values() {
        arm.selfplay.book.open()?;
        let conditions = arm.gate.conditions(&arm.selfplay, 1);
        let games = arm.gate.games.max(arm.gate.baseline_games());
        matches::check("gate", &conditions.book, conditions.random_plies, games)?;
    }
    let finals = &experiment.finals;
    let games = experiment.verdict.games;
    matches::check("verdict", &finals.book, finals.random_plies, games)
}

/// The rule was read with the settings, so that it is one.
pub(crate) fn rule_of(experiment: &Experiment) -> Rule {
    Rule::of(experiment, &|name| experiment.arms.contains_key(name)).unwrap_or(Rule {
        difference: None,
        effects: Vec::new(),
        reproduced_if: Vec::new(),
        refuted_if: Vec::new(),
    })
}

fn final_place(experiment: &Experiment, seed: u64, arm: &str, other: Option<&str>) -> Place {
    Place {
        arm: arm.to_owned(),
        seed,
        generation: experiment.generations,
        step: match other {
            Some(_) => Step::HeadToHead,
            None => Step::Final,
        },
        other: other.map(str::to_owned),
    }
}

/// What the final matches come to.
pub(crate) fn conclude(
    experiment: &Experiment,
    rule: &Rule,
    met: impl Fn(&Place) -> Option<Met>,
) -> Conclusion {
    Conclusion::of(experiment, rule, &|seed, arm, other| {
        met(&final_place(experiment, seed, arm, other)).map(|met| met.counts)
    })
}
