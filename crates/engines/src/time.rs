//! Time management: how much time a move gets, and when an iteration should be the last.

use crate::{Clock, Limits};
use std::time::Duration;

/// The number of moves for which the time is assumed to last when there is no next time control.
const EXPECTED_MOVES: u32 = 22;
/// The share of the increment that is used for each move.
const INCREMENT_SHARE: f64 = 0.75;
/// The soft limit as a share of the time allotted to a move: iterations that have begun exceed it.
const SOFT_SHARE: f64 = 0.65;
/// The least allotment as a share of the clock, for when the overhead would use it all up.
const LEAST_SHARE: f64 = 0.01;
/// The hard limit as a multiple of the allotment.
const HARD_ALLOTMENTS: f64 = 4.0;
/// The largest share of the clock that the hard limit may take.
const HARD_CLOCK_SHARE: f64 = 0.5;
/// The same with one move left to the time control.
const LAST_MOVE_CLOCK_SHARE: f64 = 0.9;

/// After the soft limit no new iteration begins; at the hard limit the search
/// stops where it is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct TimeLimits {
    pub(crate) soft: Option<Duration>,
    pub(crate) hard: Option<Duration>,
}

impl TimeLimits {
    pub(crate) fn of(limits: &Limits, overhead: Duration) -> TimeLimits {
        let from_clock = limits.clock.map(|clock| allot(&clock, overhead));
        let fixed = limits
            .move_time
            .map(|time| time.saturating_sub(overhead).max(Duration::from_millis(1)));
        TimeLimits {
            soft: from_clock.map(|(soft, _)| soft),
            hard: match (from_clock, fixed) {
                (Some((_, hard)), Some(fixed)) => Some(hard.min(fixed)),
                (Some((_, hard)), None) => Some(hard),
                (None, fixed) => fixed,
            },
        }
    }
}

fn allot(clock: &Clock, overhead: Duration) -> (Duration, Duration) {
    let left = clock
        .remaining
        .saturating_sub(overhead)
        .max(Duration::from_millis(1))
        .as_secs_f64();
    let moves = clock
        .moves_to_go
        .unwrap_or(EXPECTED_MOVES)
        .clamp(1, EXPECTED_MOVES);
    // The increment and the overhead occur with every move. Time reserved for the overhead also
    // covers moments in which a busy machine does not run the engine.
    let later = clock.increment.as_secs_f64() * INCREMENT_SHARE - overhead.as_secs_f64();
    let allotment = (left / f64::from(moves) + later).max(left * LEAST_SHARE);
    let share = if moves == 1 {
        LAST_MOVE_CLOCK_SHARE
    } else {
        HARD_CLOCK_SHARE
    };
    let hard = (allotment * HARD_ALLOTMENTS).min(left * share);
    let soft = (allotment * SOFT_SHARE).min(hard);
    (Duration::from_secs_f64(soft), Duration::from_secs_f64(hard))
}

/// Whether the iterations so far call for more or less time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Urgency {
    /// The number of iterations in a row with the same best move.
    stable_for: u32,
    best: Option<chess::Move>,
    earlier_value: Option<i32>,
}

impl Urgency {
    /// The factor of the soft limit after an iteration, from its best move, its value and the share
    /// of all nodes spent on the best move.
    pub(crate) fn factor(&mut self, best: chess::Move, value: i32, node_share: f64) -> f64 {
        // A best move that stays the same needs less confirmation.
        self.stable_for = if self.best == Some(best) {
            (self.stable_for + 1).min(8)
        } else {
            0
        };
        self.best = Some(best);
        let stability = 1.5 - 0.09 * f64::from(self.stable_for);
        // If nearly all nodes went into the best move, the others were refuted quickly.
        let effort = 2.1 - 1.5 * node_share;
        // A falling value calls for more time.
        let drop = self.earlier_value.map_or(0, |earlier| earlier - value);
        let trend = (1.0 + f64::from(drop.clamp(-40, 80)) / 120.0).clamp(0.8, 1.6);
        self.earlier_value = Some(match self.earlier_value {
            Some(earlier) => (earlier + 2 * value) / 3,
            None => value,
        });
        stability * effort * trend
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Move, squares};

    fn clock(seconds: f64, increment: f64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: Some(Clock {
                remaining: Duration::from_secs_f64(seconds),
                increment: Duration::from_secs_f64(increment),
                moves_to_go,
            }),
            ..Limits::default()
        }
    }

    #[test]
    fn never_more_than_the_clock_has() {
        for seconds in [0.0, 0.001, 0.02, 0.1, 1.0, 60.0, 5400.0] {
            for moves_to_go in [None, Some(1), Some(2), Some(40), Some(0)] {
                let limits = clock(seconds, 10.0, moves_to_go);
                let overhead = Duration::from_millis(10);
                let time = TimeLimits::of(&limits, overhead);
                let hard = time.hard.expect("a clock gives a hard limit").as_secs_f64();
                assert!(
                    hard <= (seconds - 0.01).max(0.001) + 1e-9,
                    "{seconds} {hard}"
                );
                assert!(time.soft <= time.hard);
            }
        }
    }

    #[test]
    fn a_low_clock_recovers_even_if_the_overhead_is_as_high_as_told() {
        let overhead = Duration::from_millis(10);
        let mut seconds = 1.0;
        for _ in 0..1000 {
            let time = TimeLimits::of(&clock(seconds, 0.012, None), overhead);
            seconds -= time.soft.expect("a clock gives a soft limit").as_secs_f64() + 0.01;
            assert!(seconds > 0.01, "{seconds}");
            seconds += 0.012;
        }
    }

    #[test]
    fn a_fixed_time_is_kept_less_the_overhead() {
        let limits = Limits::move_time(Duration::from_millis(100));
        let time = TimeLimits::of(&limits, Duration::from_millis(10));
        assert_eq!(time.hard, Some(Duration::from_millis(90)));
        assert_eq!(time.soft, None);
    }

    #[test]
    fn stable_moves_need_less_time_and_falling_values_more() {
        let mv = Move::normal(squares::E2, squares::E4);
        let other = Move::normal(squares::D2, squares::D4);
        let mut urgency = Urgency::default();
        let first = urgency.factor(mv, 20, 0.5);
        let second = urgency.factor(mv, 20, 0.5);
        assert!(second < first);
        let fallen = urgency.clone().factor(mv, -60, 0.5);
        let risen = urgency.clone().factor(mv, 60, 0.5);
        assert!(fallen > risen);
        assert!(urgency.clone().factor(other, 20, 0.5) > urgency.factor(mv, 20, 0.5));
    }
}
