//! Plays a plan in a folder: games in its journal are not played again, and at the end the games
//! are written as PGN.
//!
//! The PGN is always written from the whole journal when the run ends, unless it is killed: a file
//! that grew along with the journal could disagree with it after a kill. This module must not know
//! terminals: progress goes to a listener.

use crate::effort::Effort;
use crate::game::Rules;
use crate::journal::{GameLine, Journal, JournalError};
use crate::ledger::Ledger;
use crate::pgn;
use crate::plan::Plan;
use crate::schedule::ScheduleError;
use crate::verdict::{Criteria, Verdict};
use crate::workers::{Contestant, Received, Work};
use chess::Game;
use data::file;
use data::journal::{Author, Build};
use engines::StopSignal;
use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use work::{DispatchError, Dispatcher, Stopping};

/// Why a plan cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The plan has no valid schedule.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file or folder cannot be written.
    #[error("cannot write {}: {cause}", path.display())]
    Write {
        /// Which one.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The games cannot be dispatched.
    #[error(transparent)]
    Work(#[from] DispatchError),
}

/// A plan to be played in a folder.
pub struct Run<'a, C> {
    /// What is played.
    pub plan: &'a Plan,
    /// The players, in the order of the plan.
    pub contestants: &'a [C],
    /// The game with an opening played, by the opening's number.
    pub opening: &'a (dyn Fn(usize) -> Game + Sync),
    /// The rules of adjudication.
    pub rules: &'a Rules,
    /// The folder for the journal and the PGN.
    pub folder: &'a Path,
    /// The event's name in the PGN.
    pub event: &'a str,
    /// The build that plays; `None` if the caller checks builds itself.
    pub author: Option<&'a Author>,
    /// Distributes the games, and decides how many are played at once.
    pub dispatcher: &'a dyn Dispatcher,
    /// How many failures of a player end the match.
    pub most_failures: u64,
    /// Called with the number of each new worker.
    pub prepare: &'a (dyn Fn(usize) + Sync),
    /// What happens to games in progress when the run is stopped.
    pub stopping: Stopping,
}

/// Progress of a run.
#[derive(Debug)]
pub enum News<'a> {
    /// The journal is open; it holds this many games.
    Begun(usize),
    /// A game has ended.
    Finished(&'a GameLine),
    /// This many games turned out to be wrong, and are played again.
    Withdrawn(usize),
    /// No game has ended for a moment.
    Quiet,
}

/// How a run ended.
#[derive(Debug)]
pub struct Conclusion {
    /// The results that are counted.
    pub ledger: Ledger,
    /// The verdict; `None` if the run was stopped before there was one.
    pub verdict: Option<Verdict>,
    /// The builds of this program that played, in order of their first game.
    pub builds: Vec<Build>,
    /// What each player spent on the games that are counted.
    pub efforts: Vec<Effort>,
}

/// The file name of the PGN.
pub const PGN_FILE: &str = "games.pgn";
/// The file name of the journal.
pub const JOURNAL_FILE: &str = "journal.jsonl";

impl<C: Contestant> Run<'_, C> {
    /// Plays the games that are missing, until there is a verdict or `stop` is set. `listen` gets
    /// the progress, with the results counted so far.
    pub fn play(
        &self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(News<'_>, &Ledger),
    ) -> Result<Conclusion, RunError> {
        std::fs::create_dir_all(self.folder).map_err(|cause| RunError::Write {
            path: self.folder.to_owned(),
            cause,
        })?;
        let schedule = self.plan.schedule()?;
        let mut ledger = Ledger::new(schedule.clone(), self.plan.players.len());
        let path = self.folder.join(JOURNAL_FILE);
        let journal = Journal::open(&path, self.plan, &schedule, self.author, &mut |line| {
            ledger.enter(line.index, line.result());
        })?;
        let mut state = State {
            run: self,
            criteria: Criteria {
                sprt: self.plan.sprt,
                most_failures: self.most_failures,
            },
            journal,
            ledger,
            verdict: None,
        };
        state.count();
        listen(News::Begun(state.journal.games()), &state.ledger);
        while state.verdict.is_none() {
            match state.play_on(stop, listen) {
                Err(RunError::Work(DispatchError::Withdrawn { numbers, .. })) => {
                    state.withdraw(&numbers)?;
                    listen(News::Withdrawn(numbers.len()), &state.ledger);
                }
                played => {
                    played?;
                    break;
                }
            }
        }
        state.conclude()
    }
}

/// A run in progress.
struct State<'a, C> {
    run: &'a Run<'a, C>,
    criteria: Criteria,
    journal: Journal,
    ledger: Ledger,
    verdict: Option<Verdict>,
}

impl<C: Contestant> State<'_, C> {
    /// Counts finished pairs in order, up to a verdict.
    fn count(&mut self) {
        while self.verdict.is_none() && self.ledger.count_next() {
            self.verdict = self.criteria.verdict(&self.ledger);
        }
    }

    fn play_on(
        &mut self,
        stop: &StopSignal,
        listen: &mut dyn FnMut(News<'_>, &Ledger),
    ) -> Result<(), RunError> {
        let run = self.run;
        let schedule = self.ledger.schedule().clone();
        let work = Work {
            contestants: run.contestants,
            fixture: &|index| schedule.fixture(index),
            opening: run.opening,
            rules: run.rules,
            dispatcher: run.dispatcher,
            prepare: run.prepare,
            stopping: run.stopping,
        };
        let finished: HashSet<usize> = self.journal.finished().collect();
        let missing = (0..schedule.games()).filter(|index| !finished.contains(index));
        let mut broken = None;
        work.play(
            missing,
            stop,
            &mut |received| match self.receive(received, listen) {
                Ok(None) => ControlFlow::Continue(()),
                Ok(Some(_)) => ControlFlow::Break(()),
                Err(error) => {
                    broken = Some(error);
                    ControlFlow::Break(())
                }
            },
        )?;
        broken.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Records a finished game, and returns the verdict if there is one now.
    fn receive(
        &mut self,
        received: Option<Received>,
        listen: &mut dyn FnMut(News<'_>, &Ledger),
    ) -> Result<Option<Verdict>, JournalError> {
        let Some(Received { game, line }) = received else {
            self.journal.sync_if_due()?;
            listen(News::Quiet, &self.ledger);
            return Ok(None);
        };
        self.journal.append(game.index, line)?;
        self.ledger.enter(game.index, game.result());
        self.count();
        listen(News::Finished(&game), &self.ledger);
        Ok(self.verdict)
    }

    /// Strikes out games that turned out to be wrong, and counts the others again.
    fn withdraw(&mut self, numbers: &[u64]) -> Result<(), RunError> {
        let games: Vec<usize> = numbers.iter().map(|&number| number as usize).collect();
        self.journal.strike(&games)?;
        let schedule = self.ledger.schedule().clone();
        self.ledger = Ledger::new(schedule, self.run.plan.players.len());
        for line in self.journal.lines(usize::MAX) {
            let line = line?;
            self.ledger.enter(line.index, line.result());
        }
        self.verdict = None;
        self.count();
        Ok(())
    }

    /// Syncs the journal and writes the PGN.
    fn conclude(mut self) -> Result<Conclusion, RunError> {
        self.journal.sync()?;
        let efforts = self.write_pgn()?;
        Ok(Conclusion {
            efforts,
            ledger: self.ledger,
            verdict: self.verdict,
            builds: self.journal.builds().to_vec(),
        })
    }

    /// Writes the games up to the verdict as PGN, and sums up what players spent on them. Games
    /// after the verdict are only in the journal: how many there are depends on the concurrency.
    fn write_pgn(&self) -> Result<Vec<Effort>, RunError> {
        let players = &self.run.plan.players;
        let mut efforts = vec![Effort::default(); players.len()];
        let limit = match self.verdict {
            Some(_) => 2 * self.ledger.pairs(),
            None => usize::MAX,
        };
        let path = self.run.folder.join(PGN_FILE);
        file::write_with(&path, |file| {
            for line in self.journal.lines(limit) {
                let line = line.map_err(io::Error::other)?;
                for (name, spent) in [&line.white, &line.black].into_iter().zip(line.efforts()) {
                    if let Some(at) = players.iter().position(|player| player.name == *name) {
                        efforts[at] += spent;
                    }
                }
                if let Some(game) = pgn::game(&line, self.run.plan, self.run.event) {
                    write!(file, "{game}")?;
                }
            }
            Ok(())
        })
        .map_err(|cause: io::Error| RunError::Write { path, cause })?;
        Ok(efforts)
    }
}
