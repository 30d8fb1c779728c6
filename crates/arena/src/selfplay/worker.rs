//! Games of self-play as pieces of work: a worker gets the number of a game and returns the line of
//! its record.
//!
//! It must not know which games are wanted, nor where lines are kept.

use super::game::{Finished, Table};
use super::record::{GameRecord, to_digits};
use data::binpack::Encoder;
use engines::external::StartError;
use engines::recipe::{Pace, Recipe};
use engines::{Player, STACK_BYTES, StopSignal};
use serde::{Deserialize, Serialize};
use work::{Job, Outcome, Piece, Portable, Worker};

/// The name of one piece of work.
pub(super) const PIECE: &str = "game";

/// Self-play of one player.
pub(super) struct Playing<'a> {
    pub(super) table: Table<'a>,
    pub(super) player: &'a Recipe,
}

/// Why a game was not played.
#[derive(Serialize, Deserialize)]
pub(super) enum Fault {
    /// The player failed.
    Player(String),
    /// A position cannot be written.
    Position(String),
}

impl Job for Playing<'_> {
    fn piece_name(&self) -> &'static str {
        PIECE
    }

    fn stack_bytes(&self) -> usize {
        STACK_BYTES
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        Box::new(Seat::new(self.table, self.player))
    }

    fn portable(&self) -> Option<&dyn Portable> {
        Some(self)
    }
}

/// A worker's player.
pub(super) struct Seat<'a> {
    table: Table<'a>,
    player: Result<Box<dyn Player>, StartError>,
}

impl<'a> Seat<'a> {
    pub(super) fn new(table: Table<'a>, player: &Recipe) -> Seat<'a> {
        Seat {
            table,
            player: player.player(Pace::MARGIN.0),
        }
    }
}

impl Worker for Seat<'_> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let game = match &mut self.player {
            Ok(player) => {
                let played = self.table.play(piece.number, player.as_mut(), halt);
                let Some(finished) = played else {
                    return Outcome::GivenUp;
                };
                record(&finished)
            }
            Err(error) => Err(Fault::Player(error.to_string())),
        };
        let told = match game {
            Ok(game) => serde_json::to_vec(&game).map(Outcome::Done),
            Err(fault) => serde_json::to_vec(&fault).map(Outcome::Failed),
        };
        told.unwrap_or_else(|error| Outcome::Failed(error.to_string().into_bytes()))
    }
}

/// The line of a finished game; `at` is set when the game is received.
fn record(finished: &Finished) -> Result<GameRecord, Fault> {
    if finished.reason.is_failure() {
        return Err(Fault::Player(finished.reason.in_words(finished.outcome)));
    }
    let mut encoder = Encoder::new();
    for position in &finished.positions {
        let pushed = encoder.push(position);
        pushed.map_err(|error| Fault::Position(error.to_string()))?;
    }
    let learned = finished.positions.iter().filter(|each| !each.is_marked());
    Ok(GameRecord {
        game: finished.number,
        result: finished.outcome,
        reason: finished.reason,
        plies: finished.positions.len() as u32,
        positions: learned.count() as u64,
        seconds: finished.time.as_secs_f64(),
        thinking_seconds: finished.thinking.as_secs_f64(),
        at: 0.0,
        chains: to_digits(encoder.finish().bytes()),
        explored: None,
    })
}
