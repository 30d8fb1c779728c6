//! The clock of one side in one game.
//!
//! It is given the time of each move; it must not measure time itself.

use engines::Clock;
use engines::recipe::{Pace, TimeControl};
use std::time::Duration;

/// The time control of a side, and the time it has left.
#[derive(Clone, Debug)]
pub(super) struct Timer {
    control: Option<TimeControl>,
    remaining: Duration,
    /// Moves until the next time control.
    moves_to_go: Option<u32>,
    move_time: Option<Duration>,
    margin: Duration,
}

impl Timer {
    pub(super) fn new(pace: &Pace) -> Timer {
        let control = pace.clock;
        Timer {
            control,
            remaining: control.map_or(Duration::ZERO, |control| control.base),
            moves_to_go: control.and_then(|control| Some(control.moves?.get())),
            move_time: pace.move_time.map(|time| time.0),
            margin: pace.margin.0,
        }
    }

    /// What the clock shows, if there is one.
    pub(super) fn clock(&self) -> Option<Clock> {
        self.control.map(|control| Clock {
            remaining: self.remaining,
            increment: control.increment,
            moves_to_go: self.moves_to_go,
        })
    }

    /// How late a move is that took this long, not counting the margin; `None` if it is in time.
    pub(super) fn lateness(&self, elapsed: Duration) -> Option<Duration> {
        let on_clock = self.control.map(|_| self.remaining);
        let allowed = [on_clock, self.move_time].into_iter().flatten().min()?;
        (elapsed > allowed + self.margin).then(|| elapsed - allowed)
    }

    /// Charges the clock for a move made in time.
    pub(super) fn spend(&mut self, elapsed: Duration) {
        let Some(control) = self.control else {
            return;
        };
        self.remaining = self.remaining.saturating_sub(elapsed) + control.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                self.remaining += control.base;
                self.moves_to_go = control.moves.map(|moves| moves.get());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engines::recipe::Seconds;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn timer(control: &str) -> Timer {
        Timer::new(&Pace {
            clock: Some(control.parse().expect("a time control")),
            margin: Seconds(ms(50)),
            nodes: None,
            ..Pace::nodes(1)
        })
    }

    fn shown(timer: &Timer) -> (u128, Option<u32>) {
        let clock = timer.clock().expect("a clock");
        (clock.remaining.as_millis(), clock.moves_to_go)
    }

    #[test]
    fn moves_cost_time_and_bring_some() {
        let mut timer = timer("10+0.1");
        assert_eq!(shown(&timer), (10_000, None));
        timer.spend(ms(1500));
        assert_eq!(shown(&timer), (8_600, None));
        assert_eq!(timer.clock().map(|clock| clock.increment), Some(ms(100)));
    }

    #[test]
    fn the_margin_is_forgiven_but_not_given() {
        let mut timer = timer("1+0.1");
        assert_eq!(timer.lateness(ms(1050)), None);
        assert_eq!(timer.lateness(ms(1051)), Some(ms(51)));
        timer.spend(ms(1040));
        assert_eq!(shown(&timer), (100, None));
    }

    #[test]
    fn a_new_time_control_adds_its_time() {
        let mut timer = timer("2/5");
        timer.spend(ms(1000));
        assert_eq!(shown(&timer), (4_000, Some(1)));
        timer.spend(ms(1000));
        assert_eq!(shown(&timer), (8_000, Some(2)));
    }

    #[test]
    fn a_time_for_each_move_does_not_add_up() {
        let pace = Pace {
            move_time: Some(Seconds(ms(200))),
            margin: Seconds(ms(10)),
            ..Pace::nodes(1)
        };
        let mut timer = Timer::new(&pace);
        assert!(timer.clock().is_none());
        timer.spend(ms(150));
        assert_eq!(timer.lateness(ms(210)), None);
        assert_eq!(timer.lateness(ms(211)), Some(ms(11)));
        assert_eq!(Timer::new(&Pace::nodes(1)).lateness(ms(1_000_000)), None);
    }
}
