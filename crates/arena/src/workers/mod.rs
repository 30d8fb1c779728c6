//! Plays many games at once.
//!
//! Which worker plays a game does not matter, since players forget everything
//! before each. A game goes to a worker as a [`beginning`] and comes back when it ends,
//! as a line of the journal; `table` plays it, `portable` lets other processes do so.
//! It must not know what the games are for, nor keep them.

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

/// What one piece of the work is called.
const PIECE: &str = "game";

/// Who takes part: players are started where and when they are needed.
pub trait Contestant: Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// How long it may think.
    fn pace(&self) -> &Pace;

    /// Starts it, for one worker at a time. An error is told in words.
    fn start(&self) -> Result<Box<dyn Player>, String>;

    /// Its settings, by which other processes can start it; none if only this one can.
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

/// What all games have in common.
pub struct Work<'a, C> {
    /// Who takes part; fixtures name them by number.
    pub contestants: &'a [C],
    /// The fixture of a game, by its number.
    pub fixture: &'a (dyn Fn(usize) -> Fixture + Sync),
    /// The game of an opening, by its number.
    pub opening: &'a (dyn Fn(usize) -> Game + Sync),
    /// How games end.
    pub rules: &'a Rules,
    /// Who gives out the games, and how many at once.
    pub dispatcher: &'a dyn Dispatcher,
    /// Called when a worker is made, with its number.
    pub prepare: &'a (dyn Fn(usize) + Sync),
    /// What becomes of the games in play when the work is told to stop.
    pub stopping: Stopping,
}

/// A game that has come back.
#[derive(Debug)]
pub struct Received {
    /// The game.
    pub game: GameLine,
    /// Its line, without the end.
    pub line: Vec<u8>,
}

impl<C: Contestant> Work<'_, C> {
    /// Plays the games of these numbers; each goes to `receive` when it ends, in
    /// no certain order, and nothing goes there now and then while none ends.
    /// Games that are being played when `receive` breaks off are given up; when
    /// `stop` is given, they are or are not, as [`Work::stopping`] says.
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
