//! Units of positions as pieces of work: their positions go to a worker, and
//! chains with new scores come back, always the same.

use chess::Game;
use data::binpack::Encoder;
use data::position::Position;
use data::relabel::Unit;
use data::score;
use engines::recipe::{Pace, Recipe};
use engines::score::Score;
use engines::{Failure, Limits, Player, STACK_BYTES, StopSignal};
use work::{Job, Outcome, Piece, Worker};

/// How positions are searched.
pub(super) struct Rescoring {
    pub(super) player: Recipe,
    pub(super) limits: Limits,
    /// Whether only positions without a score are searched.
    pub(super) only_marked: bool,
}

impl Job for Rescoring {
    fn piece_name(&self) -> &'static str {
        "unit"
    }

    fn stack_bytes(&self) -> usize {
        STACK_BYTES
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        let player = self.player.player(Pace::MARGIN.0);
        Box::new(Searcher {
            rescoring: self,
            player: player.map_err(|error| error.to_string()),
        })
    }
}

/// A worker with its player, or why there is none.
struct Searcher<'a> {
    rescoring: &'a Rescoring,
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
        let rescored = match self.rescoring.rescored(player, &unit, halt) {
            Ok(rescored) => rescored,
            Err(failure) => return Outcome::Failed(format!("the player {failure}").into_bytes()),
        };
        let mut encoder = Encoder::new();
        for position in rescored {
            if let Err(error) = encoder.push(&position) {
                return Outcome::Failed(error.to_string().into_bytes());
            }
        }
        // What was searched last may have been cut short.
        match halt.is_stopped() {
            true => Outcome::GivenUp,
            false => Outcome::Done(encoder.finish().bytes().to_vec()),
        }
    }
}

impl Rescoring {
    /// The positions of a unit with new scores.
    fn rescored(
        &self,
        player: &mut dyn Player,
        unit: &Unit,
        halt: &StopSignal,
    ) -> Result<Vec<Position>, Failure> {
        let mut game = None;
        let mut positions = Vec::with_capacity(unit.positions.len());
        for &(position, begins_chain) in &unit.positions {
            if begins_chain {
                // What was searched before depends on how units are given out.
                player.new_game(0)?;
                game = None;
            }
            let mut current = game.unwrap_or_else(|| Game::new(position.board));
            if *current.board() != position.board {
                current = Game::new(position.board);
            }
            let is_wanted = !self.only_marked || position.is_marked();
            let score = match is_wanted && !halt.is_stopped() {
                true => self.score(player, &current, halt)?,
                false => position.score,
            };
            positions.push(Position { score, ..position });
            // A game that ended by the rules cannot go on; the next position
            // then begins without history.
            let is_played = position.mv.is_some_and(|mv| current.play(mv).is_ok());
            game = is_played.then_some(current);
        }
        Ok(positions)
    }

    fn score(
        &self,
        player: &mut dyn Player,
        game: &Game,
        halt: &StopSignal,
    ) -> Result<i16, Failure> {
        let answer = player.choose(game, &self.limits, halt, &mut |_| {})?;
        Ok(match answer.score {
            Score::Centipawns(value) => score::from_centipawns(value),
            Score::Mate(moves) => score::from_mate(moves),
        })
    }
}
