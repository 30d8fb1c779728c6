//! Relabelling as pieces of work: a worker gets the positions of a unit and returns them with new
//! labels as chains. The results are reproducible; `portable` lets other processes do the work.
//!
//! It must not know where units come from, nor where chains are stored.

mod portable;

pub(crate) use portable::KIND;

use chess::{Game, Move};
use data::binpack::Encoder;
use data::position::Position;
use data::relabel::Unit;
use data::score;
use engines::recipe::{Pace, Recipe};
use engines::score::Score;
use engines::{Failure, Limits, Player, STACK_BYTES, StopSignal};
use serde::{Deserialize, Serialize};
use work::{Job, Outcome, Piece, Portable, Worker};

/// The labels that positions get.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Task {
    /// New scores by a search.
    Scores {
        /// Whether only marked positions are searched, which have no score.
        only_marked: bool,
    },
    /// The move and the score of a search.
    Moves {
        /// One in this many positions is kept.
        every: u32,
    },
    /// The move that was played, without a search.
    PlayedMoves {
        /// One in this many positions is kept.
        every: u32,
    },
}

impl Task {
    /// One in this many positions is kept.
    pub(crate) fn every(self) -> u64 {
        match self {
            Task::Scores { .. } => 1,
            Task::Moves { every } | Task::PlayedMoves { every } => every.into(),
        }
    }
}

/// How positions are searched and labelled.
pub(crate) struct Relabelling {
    pub(crate) player: Recipe,
    pub(crate) nodes: Option<u64>,
    pub(crate) depth: Option<u32>,
    pub(crate) task: Task,
}

impl Job for Relabelling {
    fn piece_name(&self) -> &'static str {
        "unit"
    }

    fn stack_bytes(&self) -> usize {
        STACK_BYTES
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        let player = self.player.player(Pace::MARGIN.0);
        Box::new(Searcher {
            relabelling: self,
            player: player.map_err(|error| error.to_string()),
        })
    }

    fn portable(&self) -> Option<&dyn Portable> {
        Some(self)
    }
}

/// A worker's player, or why it could not be started.
struct Searcher<'a> {
    relabelling: &'a Relabelling,
    player: Result<Box<dyn Player>, String>,
}

impl Worker for Searcher<'_> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let Some(unit) = Unit::from_bytes(&piece.payload) else {
            return Outcome::Failed(b"its positions cannot be read".to_vec());
        };
        let player = match &mut self.player {
            Ok(player) => player.as_mut(),
            Err(problem) => return Outcome::Failed(problem.clone().into_bytes()),
        };
        let relabelled = match self.relabelling.relabelled(player, &unit, halt) {
            Ok(relabelled) => relabelled,
            Err(failure) => return Outcome::Failed(format!("the player {failure}").into_bytes()),
        };
        // The last search may have been cut short.
        if halt.is_stopped() {
            return Outcome::GivenUp;
        }
        match encoded(&relabelled) {
            Ok(chains) => Outcome::Done(chains),
            Err(problem) => Outcome::Failed(problem.into_bytes()),
        }
    }
}

/// Positions encoded as chains; the error is a text.
fn encoded(positions: &[Position]) -> Result<Vec<u8>, String> {
    let mut encoder = Encoder::new();
    for position in positions {
        encoder.push(position).map_err(|error| error.to_string())?;
    }
    Ok(encoder.finish().bytes().to_vec())
}

impl Relabelling {
    /// The positions of a unit, relabelled.
    fn relabelled(
        &self,
        player: &mut dyn Player,
        unit: &Unit,
        halt: &StopSignal,
    ) -> Result<Vec<Position>, Failure> {
        let limits = Limits {
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        };
        let mut game = None;
        let mut positions = Vec::with_capacity(unit.positions.len());
        for (number, &(position, begins_chain)) in unit.positions.iter().enumerate() {
            if begins_chain {
                // Clears the player's state, so that results do not depend on how units are
                // distributed.
                player.new_game(0)?;
                game = None;
            }
            let mut current = game.unwrap_or_else(|| Game::new(position.board));
            if *current.board() != position.board {
                current = Game::new(position.board);
            }
            let searched = match self.is_searched(&position, number) && !halt.is_stopped() {
                true => Some(player.choose(&current, &limits, halt, &mut |_| {})?),
                false => None,
            };
            let found = searched.map(|answer| Found {
                best: answer.best,
                score: stored(answer.score),
            });
            positions.extend(self.labelled(&position, number, found));
            // A game that has ended by the rules cannot continue; the next position then begins
            // without history.
            let is_played = position.mv.is_some_and(|mv| current.play(mv).is_ok());
            game = is_played.then_some(current);
        }
        Ok(positions)
    }

    /// Whether the position with this number in its unit is searched.
    fn is_searched(&self, position: &Position, number: usize) -> bool {
        match self.task {
            Task::Scores { only_marked } => !only_marked || position.is_marked(),
            Task::Moves { every } => number.is_multiple_of(every as usize),
            Task::PlayedMoves { .. } => false,
        }
    }

    /// The position with its new labels, if it is kept.
    fn labelled(
        &self,
        position: &Position,
        number: usize,
        found: Option<Found>,
    ) -> Option<Position> {
        let mut labelled = *position;
        match self.task {
            Task::Scores { .. } => {
                if let Some(found) = found {
                    labelled.score = found.score;
                }
            }
            Task::Moves { .. } => {
                let found = found?;
                labelled.mv = found.best;
                labelled.score = found.score;
            }
            Task::PlayedMoves { every } => {
                if !number.is_multiple_of(every as usize) {
                    return None;
                }
                if labelled.is_marked() {
                    labelled.score = 0;
                }
            }
        }
        Some(labelled)
    }
}

/// The result of a search, in the form in which it is stored.
#[derive(Clone, Copy)]
struct Found {
    best: Option<Move>,
    score: i16,
}

fn stored(score: Score) -> i16 {
    match score {
        Score::Centipawns(value) => score::from_centipawns(value),
        Score::Mate(moves) => score::from_mate(moves),
    }
}
