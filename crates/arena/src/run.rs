//! Plays a plan in a folder: the journal is kept, games that it holds are not
//! played again, and at every end the games are written as PGN.
//!
//! The PGN is always made from the whole journal, when the run ends for
//! whatever reason but a kill: a file that grows along with the journal could
//! disagree with it after one. It must not know terminals: what happens is told
//! to a listener.

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
    /// The schedule makes no sense.
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
    /// The games cannot be played.
    #[error(transparent)]
    Work(#[from] DispatchError),
}

/// A plan to be played.
pub struct Run<'a, C> {
    /// What is played.
    pub plan: &'a Plan,
    /// Who plays it, in the order of the plan.
    pub contestants: &'a [C],
    /// The game of an opening, by its number.
    pub opening: &'a (dyn Fn(usize) -> Game + Sync),
    /// How games end.
    pub rules: &'a Rules,
    /// Where the files are.
    pub folder: &'a Path,
    /// What the PGN calls it.
    pub event: &'a str,
    /// Which build plays; none if somebody else watches over that.
    pub author: Option<&'a Author>,
    /// Who gives out the games, and how many at once.
    pub dispatcher: &'a dyn Dispatcher,
    /// How often a player may fail.
    pub most_failures: u64,
    /// Called when a worker is made, with its number.
    pub prepare: &'a (dyn Fn(usize) + Sync),
    /// What becomes of the games in play when the run is told to stop.
    pub stopping: Stopping,
}

/// What happens in a run.
#[derive(Debug)]
pub enum News<'a> {
    /// The journal is open; so many games are there already.
    Begun(usize),
    /// A game has ended.
    Finished(&'a GameLine),
    /// So many games turned out to be wrong, and are played again.
    Withdrawn(usize),
    /// Nothing has happened, for a moment.
    Quiet,
}

/// How a run ended.
#[derive(Debug)]
pub struct Conclusion {
    /// The results that count.
    pub ledger: Ledger,
    /// The verdict; none if the run was stopped before.
    pub verdict: Option<Verdict>,
    /// The builds of this program that played, the first one first.
    pub builds: Vec<Build>,
    /// What each player spent on the games that count.
    pub efforts: Vec<Effort>,
}

/// The file of the games.
pub const PGN_FILE: &str = "games.pgn";
/// The file of the journal.
pub const JOURNAL_FILE: &str = "journal.jsonl";

impl<C: Contestant> Run<'_, C> {
    /// Plays what is still to be played, until there is a verdict or `stop` is
    /// given. `listen` hears what happens, with the results that count so far.
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
    /// Counts finished pairs in order, up to the verdict.
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

    /// Keeps a finished game, and says whether it brought the verdict.
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

    /// Forgets games that turned out to be wrong, and counts the others anew.
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

    /// Brings everything to the disk.
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

    /// Games beyond the verdict are in the journal, but nowhere else: how many
    /// there are depends on the concurrency. What the others took is counted on the way.
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
