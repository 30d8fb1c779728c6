//! Many games at once: each worker has an engine and takes one game after the other.
//! Findings go into the journal as they come, and are given out in the order of the
//! games.

use crate::conditions::Conditions;
use crate::engine::{Analyst, name_of};
use crate::finding::Findings;
use crate::journal::{self, GameLine};
use crate::search::Searching;
use data::journal::{JournalError, remove};
use data::pgn::Salvaged;
use engines::recipe::Recipe;
use engines::{STACK_BYTES, StopSignal};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use work::{
    Assignment, DispatchError, Dispatcher, Done, Job, Order, Outcome, Piece, Stopping, Worker,
};

/// What one piece of the work is called.
const PIECE: &str = "game";

/// Why games could not be analysed. What was finished is in the journal.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The journal is of no use.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The engine does not start.
    #[error("{0}")]
    Start(String),
    /// The engine failed, was started again, and failed again.
    #[error("the engine {engine} failed twice in game {game}: it {failure}")]
    Engine {
        /// Its name.
        engine: String,
        /// The number of the game, from 1.
        game: usize,
        /// What it did.
        failure: String,
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
    /// The games cannot be given out.
    #[error(transparent)]
    Work(DispatchError),
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
    /// Who gives out the games, and how many at once.
    pub dispatcher: &'a dyn Dispatcher,
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
        let (mut journal, mut found) = journal::open(self.journal, self.conditions, self.games)?;
        let left: Vec<usize> = (0..self.games.len())
            .filter(|index| !found.contains_key(index))
            .collect();
        let positions = |index: &usize| self.games[*index].game.moves.moves.len() as u64 + 1;
        hear(News::Begun {
            finished: found.len(),
            positions: left.iter().map(positions).sum(),
        });
        let searched = AtomicU64::new(0);
        let job = Searches {
            work: self,
            searched: &searched,
        };
        let assignment = Assignment {
            job: &job,
            // Errors count games from 1, as people do.
            pieces: &mut left.iter().map(|&index| Piece::numbered(index as u64 + 1)),
            order: Order::AsFinished,
            stopping: Stopping::GiveUp,
            stop,
        };
        let mut broken = None;
        let worked = self.dispatcher.dispatch(assignment, &mut |done| {
            let Some(done) = done else {
                hear(News::Searched(searched.load(Ordering::Relaxed)));
                return ControlFlow::Continue(());
            };
            let kept = understood(&done).and_then(|GameLine { game, findings }| {
                journal.append_bytes(done.result)?;
                found.insert(game, findings);
                Ok(())
            });
            if let Err(error) = kept {
                broken = Some(error);
                return ControlFlow::Break(());
            }
            hear(News::Finished);
            ControlFlow::Continue(())
        });
        if let Some(error) = broken {
            return Err(error);
        }
        worked.map_err(|error| self.explained(error))?;
        let is_whole = found.len() == self.games.len();
        Ok(is_whole.then(|| found.into_values().collect()))
    }

    /// Forgets what the journal holds: everything was made of it.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn forget(&self) -> Result<(), WorkError> {
        Ok(remove(self.journal)?)
    }

    /// The fault that a worker has told, if it is one.
    fn explained(&self, error: DispatchError) -> WorkError {
        let DispatchError::Failed { number, fault, .. } = &error else {
            return WorkError::Work(error);
        };
        let (engine, game) = (name_of(self.player), *number as usize);
        match serde_json::from_slice(fault) {
            Ok(Fault::Start(problem)) => WorkError::Start(problem),
            Ok(Fault::Engine(failure)) => WorkError::Engine {
                engine,
                game,
                failure,
            },
            Ok(Fault::Restart(problem)) => WorkError::Restart {
                engine,
                game,
                problem,
            },
            Err(_) => WorkError::Work(error),
        }
    }
}

/// The line that a worker has made.
fn understood(done: &Done) -> Result<GameLine, WorkError> {
    serde_json::from_slice(&done.result).map_err(|error| {
        WorkError::Work(DispatchError::Failed {
            name: PIECE,
            number: done.number,
            fault: error.to_string().into_bytes(),
        })
    })
}

/// Why a game was not searched.
#[derive(Serialize, Deserialize)]
enum Fault {
    /// The engine does not start.
    Start(String),
    /// It failed, was started again, and failed again.
    Engine(String),
    /// It failed, and could not be started again.
    Restart(String),
}

/// The games as pieces of work.
struct Searches<'a> {
    work: &'a Work<'a>,
    /// Counts positions.
    searched: &'a AtomicU64,
}

impl Job for Searches<'_> {
    fn piece_name(&self) -> &'static str {
        PIECE
    }

    fn stack_bytes(&self) -> usize {
        STACK_BYTES
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        Box::new(Desk {
            searches: self,
            analyst: None,
        })
    }
}

/// A worker with its engine.
struct Desk<'a> {
    searches: &'a Searches<'a>,
    analyst: Option<Analyst>,
}

impl Worker for Desk<'_> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let index = piece.number as usize - 1;
        let told = match self.game(index, halt) {
            Ok(Some(findings)) => {
                let game = index;
                serde_json::to_vec(&GameLine { game, findings }).map(Outcome::Done)
            }
            Ok(None) => return Outcome::GivenUp,
            Err(fault) => serde_json::to_vec(&fault).map(Outcome::Failed),
        };
        told.unwrap_or_else(|error| Outcome::Failed(error.to_string().into_bytes()))
    }
}

impl Desk<'_> {
    /// Searches a game; an engine that fails is started again once.
    fn game(&mut self, index: usize, halt: &StopSignal) -> Result<Option<Findings>, Fault> {
        let Work {
            games,
            player,
            conditions,
            ..
        } = self.searches.work;
        let searching = Searching {
            limits: &conditions.limit.limits(),
            lines: conditions.multipv,
            stop: halt,
            searched: self.searches.searched,
        };
        let game = &games[index].game;
        let analyst = match &mut self.analyst {
            Some(analyst) => analyst,
            none => {
                let started = Analyst::start(player, conditions.multipv);
                none.insert(started.map_err(|error| Fault::Start(error.to_string()))?)
            }
        };
        let failure = match searching.game(game, analyst.player()) {
            Ok(findings) => return Ok(findings),
            Err(_) if halt.is_stopped() => return Ok(None),
            Err(failure) => failure,
        };
        analyst.restart(failure).map_err(Fault::Restart)?;
        match searching.game(game, analyst.player()) {
            Err(_) if halt.is_stopped() => Ok(None),
            searched => searched.map_err(|failure| Fault::Engine(failure.to_string())),
        }
    }
}
