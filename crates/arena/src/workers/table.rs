//! One worker's games, with the players that it has started.

use super::Contestant;
use super::beginning::Beginning;
use crate::game::{Played, Rules, Side, play};
use crate::journal::{Finished, GameLine};
use crate::schedule::Fixture;
use chess::{Color, Game};
use data::random;
use engines::{Player, StopSignal};
use std::time::SystemTime;
use work::{Outcome, Piece, Worker};

/// A worker's players.
pub(super) struct Table<'a, C> {
    contestants: &'a [C],
    rules: &'a Rules,
    seats: Vec<Option<Box<dyn Player>>>,
}

impl<'a, C: Contestant> Table<'a, C> {
    pub(super) fn new(contestants: &'a [C], rules: &'a Rules) -> Table<'a, C> {
        Table {
            contestants,
            rules,
            seats: contestants.iter().map(|_| None).collect(),
        }
    }
}

impl<C: Contestant> Worker for Table<'_, C> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let (fixture, opening) = match self.begin(piece) {
            Ok(begun) => begun,
            Err(problem) => return Outcome::Failed(problem.into_bytes()),
        };
        let started = SystemTime::now();
        let Some(played) = self.play(&fixture, opening, halt) else {
            return Outcome::GivenUp;
        };
        let name = |number: usize| self.contestants[number].name();
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
    fn begin(&self, piece: &Piece) -> Result<(Fixture, Game), String> {
        let beginning = Beginning::from_bytes(&piece.payload)?;
        let fixture = beginning
            .fixture(piece.number as usize, self.contestants.len())
            .ok_or("it names players that do not exist")?;
        Ok((fixture, beginning.opening()?))
    }

    fn play(&mut self, fixture: &Fixture, game: Game, halt: &StopSignal) -> Option<Played> {
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
        // A broken player is dropped, and started again for its next game.
        let is_well = |color| played.broken != Some(color);
        self.seats[white_number] = is_well(Color::White).then_some(white);
        self.seats[black_number] = is_well(Color::Black).then_some(black);
        Some(played)
    }

    fn seat(&mut self, number: usize) -> Result<Box<dyn Player>, String> {
        match self.seats[number].take() {
            Some(player) => Ok(player),
            None => self.contestants[number].start(),
        }
    }
}

/// The seeds of White's and Black's random choices in the game with this number.
fn seeds(index: usize) -> [u64; 2] {
    [0, 1].map(|color| random::hashed(2 * index as u64 + color))
}
