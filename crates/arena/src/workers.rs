//! Plays many games at once.
//!
//! Which worker plays a game does not matter, since players forget everything
//! before each. Games come back as they end, as lines of the journal that the
//! worker has made. It must not know what the games are for, nor keep them.

use crate::game::{Played, Rules, Side, play};
use crate::journal::{Finished, GameLine};
use crate::schedule::Fixture;
use chess::{Color, Game};
use data::random;
use engines::recipe::{Pace, PlayerSpec};
use engines::{Player, STACK_BYTES, StopSignal};
use std::ops::ControlFlow;
use std::time::SystemTime;
use work::{
    Assignment, DispatchError, Dispatcher, Done, Job, Order, Outcome, Piece, Stopping, Worker,
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
            pieces: &mut games.map(|number| Piece::numbered(number as u64)),
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
        Box::new(Table {
            work: self,
            seats: self.contestants.iter().map(|_| None).collect(),
        })
    }
}

/// Where one worker plays, with the players that it has started.
struct Table<'a, C> {
    work: &'a Work<'a, C>,
    seats: Vec<Option<Box<dyn Player>>>,
}

impl<C: Contestant> Worker for Table<'_, C> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let fixture = (self.work.fixture)(piece.number as usize);
        let started = SystemTime::now();
        let Some(played) = self.play(&fixture, halt) else {
            return Outcome::GivenUp;
        };
        let name = |number: usize| self.work.contestants[number].name();
        let [white, black] = [name(fixture.white), name(fixture.black)];
        let finished = Finished {
            fixture,
            started,
            played,
        };
        match serde_json::to_vec(&GameLine::new(&finished, white, black)) {
            Ok(line) => Outcome::Done(line),
            Err(error) => Outcome::Failed(error.to_string().into_bytes()),
        }
    }
}

impl<C: Contestant> Table<'_, C> {
    fn play(&mut self, fixture: &Fixture, halt: &StopSignal) -> Option<Played> {
        let game = (self.work.opening)(fixture.round);
        let (white_number, black_number) = (fixture.white, fixture.black);
        let mut white = match self.seat(white_number) {
            Ok(player) => player,
            Err(_) if halt.is_stopped() => return None,
            Err(cause) => return Some(Played::forfeit(game, Color::White, cause)),
        };
        let mut black = match self.seat(black_number) {
            Ok(player) => player,
            Err(_) if halt.is_stopped() => return None,
            Err(cause) => return Some(Played::forfeit(game, Color::Black, cause)),
        };
        let [white_seed, black_seed] = seeds(fixture.index);
        let played = play(
            Side {
                player: white.as_mut(),
                pace: self.work.contestants[white_number].pace(),
                seed: white_seed,
            },
            Side {
                player: black.as_mut(),
                pace: self.work.contestants[black_number].pace(),
                seed: black_seed,
            },
            game,
            self.work.rules,
            halt,
        )?;
        // Who is broken is dropped, and started anew for its next game.
        let is_well = |color| played.broken != Some(color);
        self.seats[white_number] = is_well(Color::White).then_some(white);
        self.seats[black_number] = is_well(Color::Black).then_some(black);
        Some(played)
    }

    fn seat(&mut self, number: usize) -> Result<Box<dyn Player>, String> {
        match self.seats[number].take() {
            Some(player) => Ok(player),
            None => self.work.contestants[number].start(),
        }
    }
}

/// What decides whatever is random in the play of White and of Black in the game
/// with this number.
fn seeds(index: usize) -> [u64; 2] {
    [0, 1].map(|color| random::hashed(2 * index as u64 + color))
}
