//! Plays many games at once.
//!
//! Workers take games in their order; which worker plays a game does not
//! matter, since players forget everything before each. Games come back as they
//! end. It must not know what the games are for, nor keep them.

use crate::game::{Played, Rules, Side, play};
use crate::schedule::Fixture;
use chess::{Color, Game};
use data::random;
use engines::STACK_BYTES;
use engines::recipe::Pace;
use engines::recipe::PlayerSpec;
use engines::{Player, StopSignal};
use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, SystemTime};

/// How soon a request to stop is heard.
const ATTENTION: Duration = Duration::from_millis(50);

/// Who takes part: players are started where and when they are needed.
pub trait Contestant: Sync {
    /// How long it may think.
    fn pace(&self) -> &Pace;

    /// Starts it, for one worker at a time. An error is told in words.
    fn start(&self) -> Result<Box<dyn Player>, String>;
}

impl Contestant for PlayerSpec {
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
    /// The game of an opening, by its number.
    pub opening: &'a (dyn Fn(usize) -> Game + Sync),
    /// How games end.
    pub rules: &'a Rules,
    /// How many games are played at once.
    pub concurrency: usize,
    /// Called by each worker first, with its number.
    pub prepare: &'a (dyn Fn(usize) + Sync),
    /// What becomes of the games in play when the work is told to stop.
    pub stopping: Stopping,
}

/// What becomes of the games in play when work is told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stopping {
    /// They are given up.
    #[default]
    GiveUp,
    /// They are played to their ends; no other is begun.
    Finish,
}

/// A game that has ended.
#[derive(Debug)]
pub struct Finished {
    /// Which one.
    pub fixture: Fixture,
    /// When it began.
    pub started: SystemTime,
    /// What happened.
    pub played: Played,
}

impl<C: Contestant> Work<'_, C> {
    /// Plays the games; each goes to `receive` when it ends, in no certain
    /// order, and nothing goes there now and then while none ends. Games that
    /// are being played when `receive` breaks off are given up; when `stop` is
    /// given, they are or are not, as [`Work::stopping`] says.
    pub fn play(
        &self,
        fixtures: impl Iterator<Item = Fixture> + Send,
        stop: &StopSignal,
        receive: &mut dyn FnMut(Option<Finished>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let fixtures = Mutex::new(fixtures);
        // No new games, and no more of those in play.
        let (rest, halt) = (StopSignal::new(), StopSignal::new());
        let (sender, receiver) = mpsc::sync_channel(2 * self.concurrency);
        thread::scope(|scope| {
            // Dropped at the end, whatever happens: workers see it and stop.
            let _halting = Halting(&halt);
            for number in 0..self.concurrency {
                let (sender, fixtures) = (sender.clone(), &fixtures);
                let signals = [&rest, &halt];
                thread::Builder::new()
                    .name(format!("worker {number}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || self.work(number, fixtures, signals, &sender))?;
            }
            drop(sender);
            loop {
                let finished = match receiver.recv_timeout(ATTENTION) {
                    Ok(finished) => Some(finished),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if receive(finished).is_break() {
                    break;
                }
                if stop.is_stopped() {
                    match self.stopping {
                        Stopping::GiveUp => halt.stop(),
                        Stopping::Finish => rest.stop(),
                    }
                }
            }
            // Nobody listens any more: a worker with a result must not wait.
            drop(receiver);
            Ok(())
        })
    }

    fn work(
        &self,
        number: usize,
        fixtures: &Mutex<impl Iterator<Item = Fixture>>,
        [rest, halt]: [&StopSignal; 2],
        sender: &SyncSender<Finished>,
    ) {
        (self.prepare)(number);
        let mut seats: Vec<Option<Box<dyn Player>>> =
            self.contestants.iter().map(|_| None).collect();
        loop {
            let next = match fixtures.lock() {
                Ok(mut fixtures) => fixtures.next(),
                Err(_) => None,
            };
            let Some(fixture) = next.filter(|_| !rest.is_stopped() && !halt.is_stopped()) else {
                return;
            };
            let started = SystemTime::now();
            let Some(played) = self.play_one(&fixture, &mut seats, halt) else {
                return;
            };
            let finished = Finished {
                fixture,
                started,
                played,
            };
            if sender.send(finished).is_err() {
                return;
            }
        }
    }

    fn play_one(
        &self,
        fixture: &Fixture,
        seats: &mut [Option<Box<dyn Player>>],
        halt: &StopSignal,
    ) -> Option<Played> {
        let game = (self.opening)(fixture.round);
        let (white_number, black_number) = (fixture.white, fixture.black);
        let mut white = match self.seat(white_number, seats) {
            Ok(player) => player,
            Err(cause) => return Some(Played::forfeit(game, Color::White, cause)),
        };
        let mut black = match self.seat(black_number, seats) {
            Ok(player) => player,
            Err(cause) => return Some(Played::forfeit(game, Color::Black, cause)),
        };
        let [white_seed, black_seed] = seeds(fixture.index);
        let played = play(
            Side {
                player: white.as_mut(),
                pace: self.contestants[white_number].pace(),
                seed: white_seed,
            },
            Side {
                player: black.as_mut(),
                pace: self.contestants[black_number].pace(),
                seed: black_seed,
            },
            game,
            self.rules,
            halt,
        )?;
        // Who is broken is dropped, and started anew for its next game.
        let is_well = |color| played.broken != Some(color);
        seats[white_number] = is_well(Color::White).then_some(white);
        seats[black_number] = is_well(Color::Black).then_some(black);
        Some(played)
    }

    fn seat(
        &self,
        number: usize,
        seats: &mut [Option<Box<dyn Player>>],
    ) -> Result<Box<dyn Player>, String> {
        match seats[number].take() {
            Some(player) => Ok(player),
            None => self.contestants[number].start(),
        }
    }
}

/// What decides whatever is random in the play of White and of Black in the game
/// with this number.
fn seeds(index: usize) -> [u64; 2] {
    [0, 1].map(|color| random::hashed(2 * index as u64 + color))
}

/// Stops the workers when it is dropped.
struct Halting<'a>(&'a StopSignal);

impl Drop for Halting<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
