//! Results of games, put back into the order of the schedule.
//!
//! Games that are played at once end in any order, short ones first. Whoever
//! looked at them as they come would see too many short games; so results are
//! only counted as whole pairs, in the order of their numbers, up to the first
//! that is still missing.

use crate::game::{Outcome, Reason};
use crate::schedule::Schedule;
use crate::statistics::{Pentanomial, Trinomial};
use chess::Color;
use std::collections::{BTreeMap, HashMap};

/// What a game came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
}

/// The results of the unbroken run of finished pairs.
#[derive(Clone, Debug)]
pub struct Ledger {
    schedule: Schedule,
    /// Finished games that wait for others.
    waiting: BTreeMap<usize, GameResult>,
    /// Pairs counted.
    pairs: usize,
    /// For each meeting, from the view of its first player.
    meetings: Vec<Pentanomial>,
    /// For each meeting, the games from White's view: those in which the first
    /// player had White, and the others.
    colors: Vec<[Trinomial; 2]>,
    /// How often a player failed, and how.
    failures: Vec<HashMap<Reason, u64>>,
    reasons: HashMap<Reason, u64>,
}

impl Ledger {
    /// No results yet.
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

    /// A game has ended. It counts once its turn comes.
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

    /// Pairs counted.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// Games that have ended, counted or not.
    pub fn games(&self) -> usize {
        2 * self.pairs + self.waiting.len()
    }

    /// For each meeting of the schedule, the pairs from the view of its first
    /// player.
    pub fn meetings(&self) -> &[Pentanomial] {
        &self.meetings
    }

    /// Each two players that met, with the colours they had: White, Black, and
    /// the games from White's view.
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

/// Points of the player of this color, doubled.
fn half_points(result: GameResult, color: Color) -> usize {
    match result.outcome.winner() {
        Some(winner) if winner == color => 2,
        Some(_) => 0,
        None => 1,
    }
}

/// Where a pair is counted, for the player who had White first.
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
