//! How much time a move gets, and when an iteration should be the last.

use crate::{Clock, Limits};
use std::time::Duration;

/// The soft limit is a share of the clock that grows from the first of these to the
/// second by move [`FULL_SHARE_MOVE`]: in the opening the least is decided, and
/// a clock that is spent evenly outlasts most games.
const FIRST_SHARE: f64 = 0.02;
const LAST_SHARE: f64 = 0.05;
const FULL_SHARE_MOVE: u16 = 40;
/// With few moves to the next control each of them may take this part of its equal share:
/// iterations that have begun run past the soft limit.
const CONTROL_SHARE: f64 = 0.65;
/// The share of the increment that is added to the soft limit.
const INCREMENT_SHARE: f64 = 0.5;
/// So many overheads stay on the clock for a moment in which a busy machine forgets the
/// engine. They are taken from the clock as a whole, not from every move.
const RESERVED_OVERHEADS: u32 = 5;
/// The least part of the clock that can be spent when the reserve eats it up.
const LEAST_SPENDABLE: f64 = 0.1;
/// The soft limit never takes more of what can be spent than this, however large the
/// increment.
const SOFT_CLOCK_SHARE: f64 = 0.5;
/// The hard limit in soft limits.
const HARD_SOFT_LIMITS: f64 = 6.0;
/// The hard limit never takes more of what can be spent than this.
const HARD_CLOCK_SHARE: f64 = 0.7;
/// The same with one move left to the time control.
const LAST_MOVE_CLOCK_SHARE: f64 = 0.9;

/// After the soft limit no new iteration begins; at the hard limit the search
/// stops where it is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct TimeLimits {
    pub(super) soft: Option<Duration>,
    pub(super) hard: Option<Duration>,
}

impl TimeLimits {
    /// The limits of a search at the move of this number.
    pub(super) fn of(limits: &Limits, overhead: Duration, move_number: u16) -> TimeLimits {
        let from_clock = limits
            .clock
            .map(|clock| allot(&clock, overhead, move_number));
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

fn allot(clock: &Clock, overhead: Duration, move_number: u16) -> (Duration, Duration) {
    let left = clock
        .remaining
        .saturating_sub(overhead)
        .max(Duration::from_millis(1))
        .as_secs_f64();
    let reserve = (overhead * RESERVED_OVERHEADS).as_secs_f64();
    let spendable = (left - reserve).max(left * LEAST_SPENDABLE);
    let (share, most) = match clock.moves_to_go.map(|moves| moves.max(1)) {
        Some(1) => (CONTROL_SHARE, LAST_MOVE_CLOCK_SHARE),
        Some(moves) => {
            let even = CONTROL_SHARE / f64::from(moves);
            (even.max(clock_share(move_number)), HARD_CLOCK_SHARE)
        }
        None => (clock_share(move_number), HARD_CLOCK_SHARE),
    };
    let wanted = spendable * share + clock.increment.as_secs_f64() * INCREMENT_SHARE;
    let soft = wanted.min(spendable * SOFT_CLOCK_SHARE.max(share));
    let hard = (soft * HARD_SOFT_LIMITS).min(spendable * most);
    (Duration::from_secs_f64(soft), Duration::from_secs_f64(hard))
}

/// The share of the clock that the move of this number gets.
fn clock_share(move_number: u16) -> f64 {
    let progress = f64::from(move_number.min(FULL_SHARE_MOVE)) / f64::from(FULL_SHARE_MOVE);
    FIRST_SHARE + (LAST_SHARE - FIRST_SHARE) * progress
}

/// What the iterations so far say about the need for more time.
#[derive(Clone, Debug, Default)]
pub(super) struct Urgency {
    /// Iterations in a row with the same best move.
    stable_for: u32,
    best: Option<chess::Move>,
    earlier_value: Option<i32>,
}

impl Urgency {
    /// The factor for the soft limit after an iteration: its best move, value
    /// and the share of all nodes spent on the best move.
    pub(super) fn factor(&mut self, best: chess::Move, value: i32, node_share: f64) -> f64 {
        // A move that stays best needs no more proof.
        self.stable_for = if self.best == Some(best) {
            (self.stable_for + 1).min(8)
        } else {
            0
        };
        self.best = Some(best);
        let stability = 1.5 - 0.09 * f64::from(self.stable_for);
        // If nearly all nodes went into it, the others were refuted quickly.
        let effort = 2.1 - 1.5 * node_share;
        // A falling value asks for another look.
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
                let time = TimeLimits::of(&limits, overhead, 20);
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
        for move_number in 1..1000 {
            let time = TimeLimits::of(&clock(seconds, 0.012, None), overhead, move_number);
            seconds -= time.soft.expect("a clock gives a soft limit").as_secs_f64() + 0.01;
            assert!(seconds > 0.01, "{seconds}");
            seconds += 0.012;
        }
    }

    #[test]
    fn later_moves_get_a_larger_share_of_the_clock() {
        let overhead = Duration::from_millis(10);
        let soft =
            |move_number| TimeLimits::of(&clock(10.06, 0.1, None), overhead, move_number).soft;
        assert_eq!(soft(40), Some(Duration::from_secs_f64(0.55)));
        assert_eq!(soft(200), soft(40));
        let mut before = soft(1);
        for move_number in 2..=40 {
            let now = soft(move_number);
            assert!(now > before, "{move_number}");
            before = now;
        }
    }

    #[test]
    fn a_fixed_time_is_kept_less_the_overhead() {
        let limits = Limits::move_time(Duration::from_millis(100));
        let time = TimeLimits::of(&limits, Duration::from_millis(10), 1);
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
