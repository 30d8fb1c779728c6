//! Results of games, counted in the order of the schedule.
//!
//! Parallel games finish out of order, short ones first. Counting them as they finish would favour
//! short games; so results are only counted as whole pairs, in the order of their numbers, up to
//! the first pair that is not finished.

use crate::game::{Outcome, Reason};
use crate::schedule::Schedule;
use crate::statistics::{Pentanomial, Trinomial};
use chess::Color;
use std::collections::{BTreeMap, HashMap};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
}

/// The results of all finished pairs before the first unfinished one.
#[derive(Clone, Debug)]
pub struct Ledger {
    schedule: Schedule,
    /// Finished games behind an unfinished pair.
    waiting: BTreeMap<usize, GameResult>,
    /// The number of pairs counted.
    pairs: usize,
    /// For each meeting, the pairs from the point of view of its first player.
    meetings: Vec<Pentanomial>,
    /// For each meeting, the games from White's point of view: those in which the first player had
    /// White, and the others.
    colors: Vec<[Trinomial; 2]>,
    /// For each player, the number of failures of each kind.
    failures: Vec<HashMap<Reason, u64>>,
    reasons: HashMap<Reason, u64>,
}

impl Ledger {
    /// An empty ledger.
    pub fn new(schedule: Schedule, players: usize) -> Ledger {
        let meetings = schedule.meetings().len();
        Ledger {
            schedule,
            waiting: BTreeMap::new(),
            pairs: 0,
            meetings: vec![Pentanomial::default(); meetings],
            colors: vec![[Trinomial::default(); 2]; meetings],
            failures: vec![HashMap::new(); players],
            reasons: HashMap::new(),
        }
    }

    /// Enters a finished game, which is counted when its pair's turn comes.
    pub fn enter(&mut self, index: usize, result: GameResult) {
        if index / 2 >= self.pairs {
            self.waiting.insert(index, result);
        }
    }

    /// Counts the next pair, if it is finished.
    pub fn count_next(&mut self) -> bool {
        let first = 2 * self.pairs;
        let results = (self.waiting.get(&first), self.waiting.get(&(first + 1)));
        let (Some(&result), Some(&reversed)) = results else {
            return false;
        };
        self.waiting.remove(&first);
        self.waiting.remove(&(first + 1));
        self.count(first, result);
        self.count(first + 1, reversed);
        let meeting = self.schedule.meeting_of(self.pairs);
        *slot(&mut self.meetings[meeting], result, reversed) += 1;
        self.pairs += 1;
        true
    }

    fn count(&mut self, index: usize, result: GameResult) {
        let fixture = self.schedule.fixture(index);
        let meeting = self.schedule.meeting_of(fixture.pair);
        let games = &mut self.colors[meeting][index % 2];
        *match result.outcome {
            Outcome::WhiteWins => &mut games.wins,
            Outcome::BlackWins => &mut games.losses,
            Outcome::Draw => &mut games.draws,
        } += 1;
        *self.reasons.entry(result.reason).or_default() += 1;
        if let Some(winner) = result
            .outcome
            .winner()
            .filter(|_| result.reason.is_failure())
        {
            let loser = match winner {
                Color::White => fixture.black,
                Color::Black => fixture.white,
            };
            *self.failures[loser].entry(result.reason).or_default() += 1;
        }
    }

    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.failures.len()
    }

    /// The number of pairs counted.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// The number of finished games, counted or not.
    pub fn games(&self) -> usize {
        2 * self.pairs + self.waiting.len()
    }

    /// For each meeting of the schedule, the pairs from the point of view of its first player.
    pub fn meetings(&self) -> &[Pentanomial] {
        &self.meetings
    }

    /// For each two players that met, and each assignment of colours: White, Black, and the games
    /// from White's point of view.
    pub fn pairings(&self) -> impl Iterator<Item = (usize, usize, Trinomial)> {
        let meetings = self.schedule.meetings().iter().zip(&self.colors);
        meetings.flat_map(|(&(first, second), &[games, reversed])| {
            [(first, second, games), (second, first, reversed)]
        })
    }

    /// How often a player failed.
    pub fn failures(&self, player: usize) -> &HashMap<Reason, u64> {
        &self.failures[player]
    }

    /// How often games ended for each reason.
    pub fn reasons(&self) -> &HashMap<Reason, u64> {
        &self.reasons
    }
}

/// The points of the player with this colour, doubled.
fn half_points(result: GameResult, color: Color) -> usize {
    match result.outcome.winner() {
        Some(winner) if winner == color => 2,
        Some(_) => 0,
        None => 1,
    }
}

/// The entry for a pair, from the point of view of the player who had White first.
fn slot(counts: &mut Pentanomial, first: GameResult, reversed: GameResult) -> &mut u64 {
    let points = [
        half_points(first, Color::White),
        half_points(reversed, Color::Black),
    ];
    match points {
        [0, 0] => &mut counts.loss_loss,
        [0, 1] | [1, 0] => &mut counts.loss_draw,
        [1, 1] => &mut counts.draw_draw,
        [0, 2] | [2, 0] => &mut counts.win_loss,
        [1, 2] | [2, 1] => &mut counts.win_draw,
        _ => &mut counts.win_win,
    }
}
