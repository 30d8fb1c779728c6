//! Games of self-play as pieces of work: the number of a game goes to a worker,
//! and the line of its record comes back.
//!
//! It must not know which games are wanted, nor where lines are kept.

use super::game::{Finished, Table};
use super::record::{GameRecord, to_digits};
use data::binpack::Encoder;
use engines::external::StartError;
use engines::recipe::{Pace, Recipe};
use engines::{Player, STACK_BYTES, StopSignal};
use serde::{Deserialize, Serialize};
use std::time::Instant;
use work::{Job, Outcome, Piece, Worker};

/// Self-play of one player.
pub(super) struct Playing<'a> {
    pub(super) table: Table<'a>,
    pub(super) player: &'a Recipe,
    pub(super) clock: Clock,
}

/// Counts the seconds of the work, those of earlier runs included.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    pub(super) earlier: f64,
    pub(super) begin: Instant,
}

impl Clock {
    pub(super) fn seconds(self) -> f64 {
        self.earlier + self.begin.elapsed().as_secs_f64()
    }
}

/// Why there is no game.
#[derive(Serialize, Deserialize)]
pub(super) enum Fault {
    /// The player failed.
    Player(String),
    /// A position cannot be written.
    Position(String),
}

impl Job for Playing<'_> {
    fn piece_name(&self) -> &'static str {
        "game"
    }

    fn stack_bytes(&self) -> usize {
        STACK_BYTES
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        Box::new(Seat {
            playing: self,
            player: self.player.player(Pace::MARGIN.0),
        })
    }
}

/// A worker with its player.
struct Seat<'a> {
    playing: &'a Playing<'a>,
    player: Result<Box<dyn Player>, StartError>,
}

impl Worker for Seat<'_> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let Playing { table, clock, .. } = self.playing;
        let game = match &mut self.player {
            Ok(player) => {
                let Some(finished) = table.play(piece.number, player.as_mut(), halt) else {
                    return Outcome::GivenUp;
                };
                record(&finished, clock.seconds())
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

fn record(finished: &Finished, at: f64) -> Result<GameRecord, Fault> {
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
        at,
        chains: to_digits(encoder.finish().bytes()),
        explored: None,
    })
}
