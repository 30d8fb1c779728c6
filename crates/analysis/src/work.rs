//! Many games at once: each thread has an engine and takes one game after the other.
//! Findings go into the journal as they come, and are given out in the order of the
//! games.

use crate::conditions::Conditions;
use crate::engine::{Analyst, name_of};
use crate::finding::Findings;
use crate::journal::{Journal, JournalError};
use crate::search::Searching;
use data::pgn::Salvaged;
use engines::STACK_BYTES;
use engines::external::StartError;
use engines::recipe::Recipe;
use engines::{Failure, StopSignal};
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

/// How soon a request to stop is heard.
const ATTENTION: Duration = Duration::from_millis(50);

/// Why games could not be analysed. What was finished is in the journal.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The journal is of no use.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The engine does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The engine failed, was started again, and failed again.
    #[error("the engine {engine} failed twice in game {game}: it {failure}")]
    Engine {
        /// Its name.
        engine: String,
        /// The number of the game, from 1.
        game: usize,
        /// What it did.
        failure: Failure,
    },
    /// The engine failed, and could not be started again.
    #[error("the engine {engine} failed in game {game}, and could not be started again: {problem}")]
    Restart {
        /// Its name.
        engine: String,
        /// The number of the game, from 1.
        game: usize,
        /// Why.
        problem: String,
    },
    /// The system gives no threads.
    #[error("cannot start threads: {0}")]
    Threads(#[from] io::Error),
}

/// What happens meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// The journal was read; so many positions are left.
    Begun {
        /// Games that were finished before.
        finished: usize,
        /// Positions to be searched.
        positions: u64,
    },
    /// So many positions have been searched since.
    Searched(u64),
    /// A game was finished.
    Finished,
}

/// What is to be done.
pub struct Work<'a> {
    /// The games.
    pub games: &'a [Salvaged],
    /// Who judges.
    pub player: &'a Recipe,
    /// How; the games and the engine are described there too.
    pub conditions: &'a Conditions,
    /// Where findings are kept until everything is done.
    pub journal: &'a Path,
    /// How many games are searched at once.
    pub threads: usize,
}

/// What comes of a game: its number and what was found, or why nothing was.
type Outcome = Result<(usize, Findings), WorkError>;

/// What happens while games are searched.
enum Told {
    /// So many positions were searched, and no game ended.
    Quiet(u64),
    /// The number of a game, and what was found in it.
    Found(usize, Findings),
}

impl Work<'_> {
    /// Searches all games that the journal does not hold; nothing if it was told to
    /// stop. Interrupted work goes on with the same call.
    ///
    /// # Errors
    /// If the journal is of another analysis, or the engine fails.
    pub fn run(
        &self,
        stop: &StopSignal,
        hear: &mut dyn FnMut(News),
    ) -> Result<Option<Vec<Findings>>, WorkError> {
        let (mut journal, mut found) = Journal::open(self.journal, self.conditions, self.games)?;
        let left: Vec<usize> = (0..self.games.len())
            .filter(|index| !found.contains_key(index))
            .collect();
        let positions = |index: &usize| self.games[*index].game.moves.moves.len() as u64 + 1;
        hear(News::Begun {
            finished: found.len(),
            positions: left.iter().map(positions).sum(),
        });
        self.search(left, stop, &mut |told| {
            hear(match told {
                Told::Quiet(searched) => News::Searched(searched),
                Told::Found(index, findings) => {
                    journal.add(index, &findings)?;
                    found.insert(index, findings);
                    News::Finished
                }
            });
            Ok(())
        })?;
        let is_whole = found.len() == self.games.len();
        Ok(is_whole.then(|| found.into_values().collect()))
    }

    /// Searches the games of these numbers, and tells what is found as it comes.
    fn search(
        &self,
        games: Vec<usize>,
        stop: &StopSignal,
        tell: &mut dyn FnMut(Told) -> Result<(), WorkError>,
    ) -> Result<(), WorkError> {
        let threads = self.threads.clamp(1, games.len().max(1));
        let next = Mutex::new(games.into_iter());
        let (halt, searched) = (StopSignal::new(), AtomicU64::new(0));
        let (sender, receiver) = mpsc::sync_channel(2 * threads);
        thread::scope(|scope| {
            // Whatever happens here, the threads end.
            let _halting = Halting(&halt);
            for number in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                let (halt, searched) = (&halt, &searched);
                thread::Builder::new()
                    .name(format!("analyst {number}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || self.work(next, halt, searched, &sender))?;
            }
            drop(sender);
            // Dropped first: nobody with a result must wait when this ends early.
            let receiver = receiver;
            loop {
                if stop.is_stopped() {
                    halt.stop();
                }
                match receiver.recv_timeout(ATTENTION) {
                    Ok(found) => {
                        let (index, findings) = found?;
                        tell(Told::Found(index, findings))?;
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        tell(Told::Quiet(searched.load(Ordering::Relaxed)))?;
                    }
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            }
        })
    }

    /// Forgets what the journal holds: everything was made of it.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn forget(&self) -> Result<(), WorkError> {
        Ok(Journal::remove(self.journal)?)
    }

    fn work(
        &self,
        next: &Mutex<impl Iterator<Item = usize>>,
        halt: &StopSignal,
        searched: &AtomicU64,
        sender: &SyncSender<Outcome>,
    ) {
        let mut analyst = None;
        while !halt.is_stopped() {
            let Some(index) = next.lock().ok().and_then(|mut next| next.next()) else {
                return;
            };
            let told = match self.game(index, &mut analyst, halt, searched) {
                Ok(Some(findings)) => Ok((index, findings)),
                Ok(None) => return,
                Err(error) => Err(error),
            };
            let is_over = told.is_err();
            if sender.send(told).is_err() || is_over {
                return;
            }
        }
    }

    /// Searches a game; an engine that fails is started again once.
    fn game(
        &self,
        index: usize,
        analyst: &mut Option<Analyst>,
        halt: &StopSignal,
        searched: &AtomicU64,
    ) -> Result<Option<Findings>, WorkError> {
        let searching = Searching {
            limits: &self.conditions.limit.limits(),
            lines: self.conditions.multipv,
            stop: halt,
            searched,
        };
        let game = &self.games[index].game;
        let engine = || name_of(self.player);
        let analyst = match analyst {
            Some(analyst) => analyst,
            None => analyst.insert(Analyst::start(self.player, self.conditions.multipv)?),
        };
        let failure = match searching.game(game, analyst.player()) {
            Ok(findings) => return Ok(findings),
            Err(_) if halt.is_stopped() => return Ok(None),
            Err(failure) => failure,
        };
        analyst
            .restart(failure)
            .map_err(|problem| WorkError::Restart {
                engine: engine(),
                game: index + 1,
                problem,
            })?;
        match searching.game(game, analyst.player()) {
            Err(_) if halt.is_stopped() => Ok(None),
            searched => searched.map_err(|failure| WorkError::Engine {
                engine: engine(),
                game: index + 1,
                failure,
            }),
        }
    }
}

/// Stops the threads when it is dropped.
struct Halting<'a>(&'a StopSignal);

impl Drop for Halting<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
