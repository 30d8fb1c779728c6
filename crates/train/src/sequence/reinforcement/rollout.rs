//! Plays many games at once: the positions of all games in which one model is to move form one
//! batch of that model.
//!
//! Games are distributed to threads in parts of a fixed size, and the randomness of a game depends
//! on its number alone: any number of threads gives the same games.

use super::settings::PlaySettings;
use crate::functions::exp;
use crate::search::Search;
use chess::{Board, Color, Game, Move};
use data::random::{self, Generator};
use data::sequences::{Outcome, SequenceGame};
use nets::policy::{PolicyValue, Wanted};
use nets::sequence::{GameFacts, SequenceNet, SequencePolicy};
use rayon::prelude::*;
use std::sync::Arc;

/// Games that one thread plays together.
const PART: usize = 32;
/// The size in mebibytes of a model's cache of events, for one part.
const MEBIBYTES: usize = 512;
/// The resolution of uniform random numbers.
const GRAIN: u64 = 1 << 53;

/// A game to train on.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rolled {
    /// Its moves and its result.
    pub(super) game: SequenceGame,
    /// The side whose moves are trained on; `None` for both.
    pub(super) own: Option<Color>,
    /// The first ply that is trained on.
    pub(super) first: usize,
    /// The result for White: 1, 0 or -1.
    pub(super) result: f32,
    /// The target probabilities from a search for each ply from `first` on, in the order of legal
    /// moves; empty without a search.
    pub(super) taught: Vec<Vec<f32>>,
}

impl Rolled {
    /// Whether the move of a ply is trained on.
    pub(super) fn learns(&self, ply: usize) -> bool {
        let side = [Color::White, Color::Black][ply % 2];
        ply >= self.first && self.own.is_none_or(|own| own == side)
    }

    /// The result for the side that moves at a ply.
    pub(super) fn reward(&self, ply: usize) -> f32 {
        match ply % 2 {
            0 => self.result,
            _ => -self.result,
        }
    }
}

/// The players of the games, and how they play.
pub(super) struct Rollout<'a> {
    pub(super) how: &'a PlaySettings,
    /// The model in training.
    pub(super) model: &'a Arc<SequenceNet>,
    /// Its opponent; `None` in self-play.
    pub(super) opponent: Option<&'a Arc<SequenceNet>>,
    /// The search that improves its moves, and the number of evaluations.
    pub(super) search: Option<(&'a dyn Search, u64)>,
    pub(super) seed: u64,
}

impl Rollout<'_> {
    /// Plays all games of a step.
    pub(super) fn play(&self) -> Vec<Rolled> {
        let games: Vec<usize> = (0..self.how.games).collect();
        let parts = games.par_chunks(PART);
        parts.flat_map_iter(|games| self.play_part(games)).collect()
    }

    fn play_part(&self, numbers: &[usize]) -> Vec<Rolled> {
        let mut tables: Vec<Table> = numbers.iter().map(|&number| self.table(number)).collect();
        let mut models: Vec<SequencePolicy> = std::iter::once(self.model)
            .chain(self.opponent)
            .map(|net| self.policy(net))
            .collect();
        loop {
            let mut is_over = true;
            for (which, model) in models.iter_mut().enumerate() {
                let waiting: Vec<&mut Table> = tables
                    .iter_mut()
                    .filter(|table| !table.is_over(self.how) && table.mover() == which)
                    .collect();
                if !waiting.is_empty() {
                    is_over = false;
                    self.advance(waiting, model);
                }
            }
            if is_over {
                break;
            }
        }
        tables
            .into_iter()
            .map(|table| table.rolled(self.how))
            .collect()
    }

    fn policy(&self, net: &Arc<SequenceNet>) -> SequencePolicy {
        let rating = self.how.told_rating;
        let facts = GameFacts {
            ratings: [(rating > 0).then_some(rating); 2],
            ..GameFacts::default()
        };
        let mut policy = SequencePolicy::with_facts(net.clone(), facts);
        policy.set_room(MEBIBYTES);
        policy
    }

    /// A game before its first move. All games of a group have the same opening and colours.
    fn table(&self, number: usize) -> Table {
        let group = (number / self.how.group) as u64;
        let seed = random::hashed(self.seed);
        Table {
            game: Game::new(Board::start()),
            own: self
                .opponent
                .map(|_| [Color::White, Color::Black][group as usize % 2]),
            opening: random::generator(seed ^ 1, group),
            own_moves: random::generator(seed ^ 2, number as u64),
            taught: Vec::new(),
        }
    }

    /// Makes a move in each game.
    fn advance(&self, mut tables: Vec<&mut Table>, model: &mut SequencePolicy) {
        let first = self.how.opening_plies;
        // Games are searched only after their opening.
        let (searched, plain): (Vec<_>, Vec<_>) = tables
            .iter_mut()
            .partition(|table| self.search.is_some() && table.ply() >= first);
        if !plain.is_empty() {
            let moves: Vec<_> = plain
                .iter()
                .map(|table| table.game.board().legal_moves())
                .collect();
            for (table, moves) in plain.iter().zip(&moves) {
                model.put(table.game.line(), Wanted::Policy(moves));
            }
            model.run();
            for (number, (table, moves)) in plain.into_iter().zip(&moves).enumerate() {
                let shares = shares(model.logits(number), self.how.temperature);
                table.draw(moves, &shares, first);
            }
        }
        if let (Some((search, evaluations)), false) = (self.search, searched.is_empty()) {
            let games: Vec<Game> = searched.iter().map(|table| table.game.clone()).collect();
            let improved = search.improve(&games, model, evaluations);
            for (table, improved) in searched.into_iter().zip(improved) {
                let moves = table.game.board().legal_moves();
                let shares: Vec<f32> = moves
                    .iter()
                    .map(|mv| {
                        let found = improved.iter().find(|(known, _)| known == mv);
                        found.map_or(0.0, |(_, share)| *share)
                    })
                    .collect();
                table.draw(&moves, &shares, first);
                table.taught.push(shares);
            }
        }
    }
}

/// The softmax of logits with a temperature.
pub(super) fn shares(logits: &[f32], temperature: f32) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut shares: Vec<f32> = logits
        .iter()
        .map(|logit| exp((logit - most) / temperature))
        .collect();
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// A game in progress.
struct Table {
    game: Game,
    own: Option<Color>,
    opening: Generator,
    own_moves: Generator,
    taught: Vec<Vec<f32>>,
}

impl Table {
    fn ply(&self) -> usize {
        self.game.moves().len()
    }

    /// The index of the model that is to move.
    fn mover(&self) -> usize {
        let side = self.game.board().side_to_move();
        usize::from(self.own.is_some_and(|own| own != side))
    }

    fn is_over(&self, how: &PlaySettings) -> bool {
        self.ply() >= how.most_plies || self.game.termination().is_some()
    }

    /// Plays one of these moves, sampled by its probability.
    fn draw(&mut self, moves: &[Move], shares: &[f32], first: usize) {
        let generator = match self.game.moves().len() < first {
            true => &mut self.opening,
            false => &mut self.own_moves,
        };
        let drawn = random::below(generator, GRAIN) as f64 / GRAIN as f64;
        let sum: f64 = shares.iter().map(|share| f64::from(*share)).sum();
        let mut rest = drawn * sum;
        let mut chosen = 0;
        for (number, share) in shares.iter().enumerate() {
            rest -= f64::from(*share);
            chosen = number;
            if rest < 0.0 {
                break;
            }
        }
        let played = self.game.play(moves[chosen]);
        debug_assert!(played.is_ok(), "moves are legal");
    }

    fn rolled(self, how: &PlaySettings) -> Rolled {
        let winner = self.game.termination().and_then(|end| end.winner());
        let rating = (how.told_rating > 0).then_some(how.told_rating);
        Rolled {
            game: SequenceGame {
                moves: self.game.moves().to_vec(),
                outcome: Some(match winner {
                    Some(Color::White) => Outcome::WhiteWins,
                    Some(Color::Black) => Outcome::BlackWins,
                    None => Outcome::Draw,
                }),
                ratings: [rating; 2],
                ..SequenceGame::default()
            },
            own: self.own,
            first: how.opening_plies,
            result: match winner {
                Some(Color::White) => 1.0,
                Some(Color::Black) => -1.0,
                None => 0.0,
            },
            taught: self.taught,
        }
    }
}
