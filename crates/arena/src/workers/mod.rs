//! Plays many games at once.
//!
//! Which worker plays a game does not matter, since players clear their state before each game. A
//! worker gets a game as a [`beginning`] and returns it as a line of the journal; `table` plays it,
//! and `portable` lets other processes do so. This module must not know what the games are for, nor
//! keep them.

mod beginning;
mod portable;
mod table;

pub use portable::KIND;

use crate::game::Rules;
use crate::journal::GameLine;
use crate::schedule::Fixture;
use beginning::Beginning;
use chess::Game;
use engines::recipe::{Pace, PlayerSpec};
use engines::{Player, STACK_BYTES, StopSignal};
use std::ops::ControlFlow;
use table::Table;
use work::{
    Assignment, DispatchError, Dispatcher, Done, Job, Order, Piece, Portable, Stopping, Worker,
};

/// The name of one piece of work.
const PIECE: &str = "game";

/// A participant: its player is started where and when it is needed.
pub trait Contestant: Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// How long it may think.
    fn pace(&self) -> &Pace;

    /// Starts its player, for one worker at a time. The error is a text.
    fn start(&self) -> Result<Box<dyn Player>, String>;

    /// Its settings, by which other processes can start it; `None` if only this process can.
    fn spec(&self) -> Option<&PlayerSpec> {
        None
    }
}

impl Contestant for PlayerSpec {
    fn name(&self) -> &str {
        &self.name
    }

    fn pace(&self) -> &Pace {
        &self.pace
    }

    fn start(&self) -> Result<Box<dyn Player>, String> {
        self.player().map_err(|error| error.to_string())
    }

    fn spec(&self) -> Option<&PlayerSpec> {
        Some(self)
    }
}

/// Games to be played, and what they have in common.
pub struct Work<'a, C> {
    /// The participants; fixtures refer to them by index.
    pub contestants: &'a [C],
    /// The fixture of a game, by its number.
    pub fixture: &'a (dyn Fn(usize) -> Fixture + Sync),
    /// The game with an opening played, by the opening's number.
    pub opening: &'a (dyn Fn(usize) -> Game + Sync),
    /// The rules of adjudication.
    pub rules: &'a Rules,
    /// Distributes the games, and decides how many are played at once.
    pub dispatcher: &'a dyn Dispatcher,
    /// Called with the number of each new worker.
    pub prepare: &'a (dyn Fn(usize) + Sync),
    /// What happens to games in progress when the work is stopped.
    pub stopping: Stopping,
}

/// A game that a worker has returned.
#[derive(Debug)]
pub struct Received {
    /// The game.
    pub game: GameLine,
    /// Its line of the journal, without the newline.
    pub line: Vec<u8>,
}

impl<C: Contestant> Work<'_, C> {
    /// Plays the games with these numbers. Each is passed to `receive` when it ends, in no
    /// particular order; while none ends, `receive` is called with `None` from time to time. If
    /// `receive` breaks, games in progress are abandoned; if `stop` is set, [`Work::stopping`]
    /// decides.
    ///
    /// # Errors
    /// If there are no workers, or one panics outside its players.
    pub fn play(
        &self,
        games: impl Iterator<Item = usize> + Send,
        stop: &StopSignal,
        receive: &mut dyn FnMut(Option<Received>) -> ControlFlow<()>,
    ) -> Result<(), DispatchError> {
        let assignment = Assignment {
            job: self,
            pieces: &mut games.map(|number| self.piece(number)),
            order: Order::AsFinished,
            stopping: self.stopping,
            stop,
        };
        let mut unread = None;
        self.dispatcher.dispatch(
            assignment,
            &mut |done| match done.map(received).transpose() {
                Ok(received) => receive(received),
                Err(error) => {
                    unread = Some(error);
                    ControlFlow::Break(())
                }
            },
        )?;
        unread.map_or(Ok(()), Err)
    }

    fn piece(&self, number: usize) -> Piece {
        let fixture = (self.fixture)(number);
        let opening = (self.opening)(fixture.round);
        Piece {
            number: number as u64,
            payload: Beginning::new(&fixture, &opening).to_bytes(),
        }
    }
}

fn received(done: Done) -> Result<Received, DispatchError> {
    match serde_json::from_slice(&done.result) {
        Ok(game) => Ok(Received {
            game,
            line: done.result,
        }),
        Err(error) => Err(DispatchError::Failed {
            name: PIECE,
            number: done.number,
            fault: error.to_string().into_bytes(),
        }),
    }
}

impl<C: Contestant> Job for Work<'_, C> {
    fn piece_name(&self) -> &'static str {
        PIECE
    }

    fn stack_bytes(&self) -> usize {
        STACK_BYTES
    }

    fn worker(&self, number: usize) -> Box<dyn Worker + '_> {
        (self.prepare)(number);
        Box::new(Table::new(self.contestants, self.rules))
    }

    fn portable(&self) -> Option<&dyn Portable> {
        Some(self)
    }
}
