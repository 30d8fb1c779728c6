//! One numbered game: its opening, its random moves, its positions.
//!
//! It must not know which games were played before, nor where positions are stored.

use super::settings::Settings;
use crate::game::{Outcome, Played, Reason, Rules, Side, play_alone};
use crate::openings::{Openings, random_move};
use chess::{Board, Game};
use data::position::{self, Position};
use data::random::{self, Generator};
use data::score;
use engines::recipe::Pace;
use engines::score::Score;
use engines::{Answer, Failure, Limits, Player, Report, StopSignal};
use std::time::Duration;

/// What all games have in common.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub(super) settings: &'a Settings,
    pub(super) openings: &'a Openings,
    pub(super) rules: &'a Rules,
    pub(super) pace: &'a Pace,
    pub(super) seed: u64,
}

/// A game that has ended.
pub(super) struct Finished {
    pub(super) number: u64,
    pub(super) positions: Vec<Position>,
    pub(super) outcome: Outcome,
    pub(super) reason: Reason,
    pub(super) time: Duration,
    /// The part of it in which the player thought.
    pub(super) thinking: Duration,
}

impl Table<'_> {
    /// Plays the game with this number. `None` if it was stopped.
    pub(super) fn play(
        &self,
        number: u64,
        player: &mut dyn Player,
        stop: &StopSignal,
    ) -> Option<Finished> {
        let mut generator = random::generator(self.seed, number);
        let game = self.begin(&mut generator);
        let first = game.moves().len();
        let mut wanderer = Wanderer {
            player,
            plies: self.random_plies(first, &mut generator),
            generator,
        };
        let side = Side {
            player: &mut wanderer,
            pace: self.pace,
            seed: random::hashed(self.seed ^ random::hashed(number)),
        };
        let played = play_alone(side, game, self.rules, stop)?;
        Some(Finished {
            number,
            positions: positions(&played, first),
            outcome: played.outcome,
            reason: played.reason,
            time: played.time,
            thinking: played.thoughts.iter().map(|thought| thought.time).sum(),
        })
    }

    /// A random opening, and random plies.
    fn begin(&self, generator: &mut Generator) -> Game {
        let number = random::below(generator, self.openings.len() as u64);
        let opening = self.openings.get(number as usize);
        opening.wander(self.settings.random_plies, generator)
    }

    /// The plies of the game, opening included, at which a random move is played.
    fn random_plies(&self, first: usize, generator: &mut Generator) -> Vec<usize> {
        let mut plies: Vec<usize> = (0..self.settings.random_until as usize).collect();
        random::shuffle_with(&mut plies, generator);
        plies.truncate(self.settings.random_moves as usize);
        plies.iter().map(|ply| first + ply).collect()
    }
}

/// A player that plays some moves at random. It reports no score for these.
struct Wanderer<'a> {
    player: &'a mut dyn Player,
    plies: Vec<usize>,
    generator: Generator,
}

impl Player for Wanderer<'_> {
    fn new_game(&mut self, seed: u64) -> Result<(), Failure> {
        self.player.new_game(seed)
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure> {
        if !self.plies.contains(&game.moves().len()) {
            return self.player.choose(game, limits, stop, report);
        }
        let best = random_move(game.board(), &mut self.generator);
        Ok(Answer::new(best, Score::Centipawns(0)))
    }
}

/// The positions from which the player moved. Those without a score are marked: they keep the chain
/// of moves together.
fn positions(played: &Played, first: usize) -> Vec<Position> {
    let boards = played.game.line().boards();
    let moves = &played.game.moves()[first..];
    let for_white = match played.outcome {
        Outcome::WhiteWins => position::Outcome::Win,
        Outcome::Draw => position::Outcome::Draw,
        Outcome::BlackWins => position::Outcome::Loss,
    };
    moves
        .iter()
        .zip(&boards[first..])
        .zip(&played.thoughts)
        .map(|((&mv, board), thought)| Position {
            board: *board,
            mv: Some(mv),
            score: thought.score.map_or(score::MARK, stored),
            result: for_white.seen_by(board.side_to_move()),
            ply: ply(board),
        })
        .collect()
}

fn stored(value: Score) -> i16 {
    match value {
        Score::Centipawns(value) => score::from_centipawns(value),
        Score::Mate(moves) => score::from_mate(moves),
    }
}

/// The number of plies before this position, by its move number.
fn ply(board: &Board) -> u16 {
    let moves = board.fullmove_number().saturating_sub(1);
    moves
        .saturating_mul(2)
        .saturating_add(board.side_to_move() as u16)
}
