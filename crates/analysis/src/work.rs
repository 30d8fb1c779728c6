//! Searches many games at once: each worker has an engine and takes one game after the other.
//! Findings go into the journal as they arrive; only games in progress are in memory.

use crate::conditions::Conditions;
use crate::engine::{Analyst, name_of};
use crate::error::AnalysisError;
use crate::finding::Findings;
use crate::games::{Games, GamesError, Survey};
use crate::journal::{Found, GameLine};
use crate::search::{MainLine, Searching};
use data::journal::{Author, JournalError};
use data::pgn::Game;
use engines::recipe::Recipe;
use engines::{STACK_BYTES, StopSignal};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use work::{Assignment, DispatchError, Dispatcher, Job, Order, Outcome, Piece, Stopping, Worker};

/// The name of one piece of work.
const PIECE: &str = "game";

/// Progress of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// The journal was read, and the rest of the work begins.
    Begun {
        /// Games that were finished before.
        finished: usize,
        /// Positions still to be searched.
        positions: u64,
    },
    /// The number of positions searched since then.
    Searched(u64),
    /// A game was finished.
    Finished,
}

/// The analysis to be done.
pub struct Work<'a> {
    /// The games; stopping their reading stops the work.
    pub games: &'a Games,
    /// What is known of the games.
    pub survey: &'a Survey,
    /// The engine that judges.
    pub player: &'a Recipe,
    /// The conditions, which also describe the games and the engine.
    pub conditions: &'a Conditions,
    /// The file that keeps the findings until everything is done.
    pub journal: &'a Path,
    /// The build that searches; `None` if results do not depend on it.
    pub author: Option<&'a Author>,
    /// Distributes the games, and decides how many are searched at once.
    pub dispatcher: &'a dyn Dispatcher,
}

impl Work<'_> {
    /// Searches all games that the journal does not hold; `None` if it was interrupted. The same
    /// call resumes interrupted work.
    ///
    /// # Errors
    /// If the games cannot be read, the journal is of another analysis, or the engine
    /// fails.
    pub fn run(&self, hear: &mut dyn FnMut(News)) -> Result<Option<Found>, AnalysisError> {
        let is_stopped = || self.games.stop().is_stopped();
        match self.search(hear) {
            Err(AnalysisError::Games(GamesError::Stopped)) => Ok(None),
            Err(AnalysisError::Journal(JournalError::Line { .. })) if is_stopped() => Ok(None),
            searched => searched.map(Some),
        }
    }

    fn search(&self, hear: &mut dyn FnMut(News)) -> Result<Found, AnalysisError> {
        let (count, stop) = (self.survey.games, self.games.stop());
        let mut found = Found::open(self.journal, self.conditions, self.author, count, stop)?;
        let finished = found.finished();
        let positions = self.checked(&found, &finished)?;
        hear(News::Begun {
            finished: finished.iter().filter(|&&is_finished| is_finished).count(),
            positions: self.survey.positions.saturating_sub(positions),
        });
        let mut unreadable = None;
        let mut games = self.games.read()?.enumerate();
        let mut pieces = std::iter::from_fn(|| {
            loop {
                match games.next()? {
                    (index, Ok(game)) if finished.get(index) == Some(&false) => {
                        return Some(piece(index, &game.game));
                    }
                    (_, Ok(_)) => {}
                    (_, Err(error)) => {
                        unreadable = Some(error);
                        return None;
                    }
                }
            }
        });
        self.give_out(&mut pieces, &mut found, hear)?;
        if let Some(error) = unreadable {
            return Err(error.into());
        }
        match found.finished().contains(&false) {
            false => Ok(found),
            true if stop.is_stopped() => Err(GamesError::Stopped.into()),
            true => Err(GamesError::Changed(self.games.path().to_owned()).into()),
        }
    }

    /// Dispatches the games and keeps their findings.
    fn give_out(
        &self,
        pieces: &mut (dyn Iterator<Item = Piece> + Send),
        found: &mut Found,
        hear: &mut dyn FnMut(News),
    ) -> Result<(), AnalysisError> {
        let searched = AtomicU64::new(0);
        let assignment = Assignment {
            job: &Searches {
                work: self,
                searched: &searched,
            },
            pieces,
            order: Order::AsFinished,
            stopping: Stopping::GiveUp,
            stop: self.games.stop(),
        };
        let mut unkept = None;
        let worked = self.dispatcher.dispatch(assignment, &mut |done| {
            let news = match done {
                None => News::Searched(searched.load(Ordering::Relaxed)),
                Some(done) => match found.keep(index_of(done.number), done.result) {
                    Ok(()) => News::Finished,
                    Err(error) => {
                        unkept = Some(error);
                        return ControlFlow::Break(());
                    }
                },
            };
            hear(news);
            ControlFlow::Continue(())
        });
        match unkept {
            Some(error) => Err(error.into()),
            None => worked.map_err(|error| self.explained(error)),
        }
    }

    /// Checks that the findings of finished games belong to them; returns how many positions these
    /// games have.
    fn checked(&self, found: &Found, finished: &[bool]) -> Result<u64, AnalysisError> {
        let mut positions = 0;
        if finished.contains(&true) {
            for (index, game) in self.games.read()?.enumerate() {
                let game = game?.game;
                if finished.get(index) == Some(&true) {
                    positions += found.findings(index, &game)?.0.len() as u64;
                }
            }
        }
        Ok(positions)
    }

    /// Translates a worker's fault, if the error is one.
    fn explained(&self, error: DispatchError) -> AnalysisError {
        let DispatchError::Failed { number, fault, .. } = &error else {
            return AnalysisError::Work(error);
        };
        let (engine, game) = (name_of(self.player), *number as usize);
        match serde_json::from_slice(fault) {
            Ok(Fault::Start(problem)) => AnalysisError::Start(problem),
            Ok(Fault::Engine(failure)) => AnalysisError::Engine {
                engine,
                game,
                failure,
            },
            Ok(Fault::Restart(problem)) => AnalysisError::Restart {
                engine,
                game,
                problem,
            },
            Err(_) => AnalysisError::Work(error),
        }
    }
}

/// A game as a piece of work, numbered from 1 as in error messages.
fn piece(index: usize, game: &Game) -> Piece {
    Piece {
        number: index as u64 + 1,
        // A worker reports an empty payload as an error.
        payload: MainLine::to_bytes(game).unwrap_or_default(),
    }
}

/// The index, from 0, of the game that is this piece.
fn index_of(piece: u64) -> usize {
    piece as usize - 1
}

/// Why a game was not searched.
#[derive(Serialize, Deserialize)]
enum Fault {
    /// The engine cannot be started.
    Start(String),
    /// The engine failed, was started again, and failed again.
    Engine(String),
    /// The engine failed, and could not be started again.
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
        Box::new(AnalysisWorker {
            searches: self,
            analyst: None,
        })
    }
}

/// A worker with its engine.
struct AnalysisWorker<'a> {
    searches: &'a Searches<'a>,
    analyst: Option<Analyst>,
}

impl Worker for AnalysisWorker<'_> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let line = match MainLine::from_bytes(&piece.payload) {
            Ok(line) => line,
            Err(problem) => return Outcome::Failed(problem.into_bytes()),
        };
        let told = match self.game(&line, halt) {
            Ok(Some(findings)) => {
                let game = index_of(piece.number);
                serde_json::to_vec(&GameLine { game, findings }).map(Outcome::Done)
            }
            Ok(None) => return Outcome::GivenUp,
            Err(_) if halt.is_stopped() => return Outcome::GivenUp,
            Err(fault) => serde_json::to_vec(&fault).map(Outcome::Failed),
        };
        told.unwrap_or_else(|error| Outcome::Failed(error.to_string().into_bytes()))
    }
}

impl AnalysisWorker<'_> {
    /// Searches a game; an engine that fails is started again once.
    fn game(&mut self, line: &MainLine, halt: &StopSignal) -> Result<Option<Findings>, Fault> {
        let Work {
            player, conditions, ..
        } = self.searches.work;
        let searching = Searching {
            limits: &conditions.limit.limits(),
            lines: conditions.multipv,
            stop: halt,
            searched: self.searches.searched,
        };
        let analyst = match &mut self.analyst {
            Some(analyst) => analyst,
            none => {
                let started = Analyst::start(player, conditions.multipv);
                none.insert(started.map_err(|error| Fault::Start(error.to_string()))?)
            }
        };
        let failure = match searching.game(line, analyst.player()) {
            Err(failure) if !halt.is_stopped() => failure,
            searched => return searched.map_err(|failure| Fault::Engine(failure.to_string())),
        };
        analyst.restart(failure).map_err(Fault::Restart)?;
        let searched = searching.game(line, analyst.player());
        searched.map_err(|failure| Fault::Engine(failure.to_string()))
    }
}
