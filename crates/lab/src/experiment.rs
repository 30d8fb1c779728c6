//! A whole run: every arm with every seed, then matches between the final models.
//!
//! Seeds are run one after the other, all arms of one before the next, so that a run that is
//! stopped early has complete seeds to show. Each step uses all threads.

use crate::error::LabError;
use crate::events::{Event, Log};
use crate::extension;
use crate::finals::{self, Raised};
use crate::folder::{self, Folder};
use crate::generation::Lineage;
use crate::manifest::{Manifest, Program, is_time_over};
use crate::metrics::{self, Row};
use crate::report;
use crate::run_file::{self, RUN_FILE, STATE_FILE, check, rule_of, understood};
use crate::settings::{self, Experiment};
use crate::state::{self, State};
use crate::step_runner::{StepRunner, Tell};
use crate::steps::Promotion;
use crate::verdict::{Conclusion, Rule};
use crate::worker::Badge;
use data::journal::Build;
use engines::StopSignal;
use std::path::Path;
use train::Learners;
use work::Dispatcher;

/// How the work on a run ended.
#[derive(Debug)]
pub enum Ending<T = Conclusion> {
    /// Everything is done.
    Finished(Box<T>),
    /// It was stopped, and can be resumed.
    Stopped,
}

/// An open run.
pub struct Laboratory {
    folder: Folder,
    experiment: Experiment,
    rule: Rule,
    state: State,
    program: Program,
}

impl Laboratory {
    /// Begins a run with this run file, in a folder that has none.
    ///
    /// # Errors
    /// If the run file is invalid, or the folder cannot be used.
    pub fn begin(
        path: &Path,
        text: &str,
        program: Program,
        learners: &Learners,
    ) -> Result<Laboratory, LabError> {
        let run_file = path.join(RUN_FILE);
        if run_file.exists() {
            return Err(LabError::Exists(path.to_owned()));
        }
        check(&understood(
            &run_file,
            text,
            settings::read(text, learners),
        )?)?;
        folder::begin(path, RUN_FILE, text)?;
        Laboratory::resume(path, program, learners)
    }

    /// Gives a run more seeds, generations or verdict games, and resumes it. Finished steps stay as
    /// they are.
    ///
    /// # Errors
    /// If there is no run, or these settings would change anything else.
    pub fn extend(
        path: &Path,
        additions: &str,
        program: Program,
        learners: &Learners,
    ) -> Result<Laboratory, LabError> {
        state::refuse_earlier(&path.join(STATE_FILE))?;
        extension::extend(path, additions, learners)?;
        Laboratory::resume(path, program, learners)
    }

    /// Resumes a run.
    ///
    /// # Errors
    /// If there is no run, or it cannot be used.
    pub fn resume(
        path: &Path,
        program: Program,
        learners: &Learners,
    ) -> Result<Laboratory, LabError> {
        state::refuse_earlier(&path.join(STATE_FILE))?;
        let experiment = run_file::open(path, learners)?;
        check(&experiment)?;
        let folder = Folder::open(path)?;
        let run_file = folder.path(RUN_FILE);
        let state_file = folder.path(STATE_FILE);
        let state = State::open(
            &state_file,
            &experiment.fingerprint,
            &program.author,
            &run_file,
        )?;
        folder.sweep()?;
        Ok(Laboratory {
            rule: rule_of(&run_file, &experiment)?,
            folder,
            experiment,
            state,
            program,
        })
    }

    /// Its settings.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.root()
    }

    /// Works until everything is done or `stop` is set; then games in progress and the current
    /// training step are finished, and everything is saved. Events are passed to `listen` and
    /// logged in the folder.
    ///
    /// # Errors
    /// If a step fails; finished steps stay as they are.
    pub fn run(
        &mut self,
        means: &Means<'_>,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&Event),
    ) -> Result<Ending, LabError> {
        let mut log = Log::open(self.folder.root())?;
        let _badge = Badge::leave(self.folder.root());
        // A run goes on without a log that cannot be written.
        let mut tell = |event: Event| {
            let _ = log.keep(&event);
            listen(&event);
        };
        if let Some(text) = Build::mixed(self.state.builds()) {
            tell(Event::Warning { text });
        }
        if !self.state.lines().is_empty() {
            tell(Event::Resumed {
                steps: self.state.lines().len(),
            });
        }
        self.publish()?;
        let worked = Round {
            laboratory: &mut *self,
            means,
            stop,
            tell: &mut tell,
        }
        .work();
        self.publish()?;
        tell(Event::Stopped {
            finished: worked.is_ok(),
        });
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
        finals::conclude(&self.experiment, &self.rule, self.state.lines())
    }

    /// Writes everything that is derived from the state: tables, manifest, report.
    fn publish(&self) -> Result<(), LabError> {
        let rows = self.rows();
        let conclusion = self.conclusion();
        let manifest = Manifest::new(
            &self.folder,
            &self.experiment,
            &self.program,
            self.state.builds().to_vec(),
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

/// The resources for work on a run.
pub struct Means<'a> {
    /// Distributes the games, and decides how many are played at once.
    pub dispatcher: &'a dyn Dispatcher,
    /// The number of threads for training.
    pub threads: usize,
}

/// A session of work on a run.
struct Round<'a> {
    laboratory: &'a mut Laboratory,
    means: &'a Means<'a>,
    stop: &'a StopSignal,
    tell: &'a mut Tell<'a>,
}

impl Round<'_> {
    fn work(&mut self) -> Result<(), LabError> {
        let experiment = self.laboratory.experiment.clone();
        for &seed in &experiment.seeds {
            let mut raised = Vec::new();
            for (name, arm) in &experiment.arms {
                let folder = &self.laboratory.folder;
                let lane = folder.lane(name, seed, arm.learner.as_ref());
                raised.push(self.raise(&Lineage {
                    experiment: &experiment,
                    name,
                    arm,
                    seed,
                    lane,
                })?);
            }
            let before = self.steps();
            self.at_desk(|runner| finals::play(runner, &experiment, seed, &raised))?;
            if self.steps() > before {
                self.laboratory.publish()?;
                let conclusion = self.laboratory.conclusion();
                let effects = conclusion.difference.into_iter().chain(conclusion.effects);
                (self.tell)(Event::Seed {
                    seed,
                    effects: effects.collect(),
                });
            }
        }
        Ok(())
    }

    fn steps(&self) -> usize {
        self.laboratory.state.lines().len()
    }

    /// Calls `work` with a step runner.
    fn at_desk<T>(
        &mut self,
        work: impl FnOnce(&mut StepRunner<'_>) -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        let tell = &mut *self.tell;
        work(&mut StepRunner {
            folder: &self.laboratory.folder,
            state: &mut self.laboratory.state,
            dispatcher: self.means.dispatcher,
            threads: self.means.threads,
            stop: self.stop,
            tell: &mut |event| tell(event),
        })
    }

    /// Runs all generations of an arm with a seed.
    fn raise(&mut self, lineage: &Lineage<'_>) -> Result<Raised, LabError> {
        let beginning = self.at_desk(|runner| lineage.begin(runner))?;
        let mut latest = Promotion {
            promoted: true,
            reason: String::new(),
            version: beginning.model.clone(),
            checkpoint: beginning.checkpoint.clone(),
        };
        for generation in 1..=lineage.experiment.generations {
            let lane = (lineage.name, lineage.seed);
            let lines = self.laboratory.state.lines();
            if is_time_over(lineage.experiment, lines, lane, generation) {
                break;
            }
            let before = self.steps();
            latest =
                self.at_desk(|runner| lineage.generation(runner, generation, &beginning, &latest))?;
            if self.steps() > before {
                self.laboratory.publish()?;
                let is_own = |row: &Row| {
                    let place = (row.arm.as_str(), row.seed, row.generation);
                    place == (lineage.name, lineage.seed, generation)
                };
                if let Some(row) = self.laboratory.rows().into_iter().find(is_own) {
                    (self.tell)(Event::Generation { row: Box::new(row) });
                }
            }
        }
        Ok(Raised {
            name: lineage.name.to_owned(),
            arm: lineage.arm.clone(),
            first: beginning.model,
            last: latest.version,
        })
    }
}
