//! Whether a position is balanced according to a search.

use chess::{Board, Game};
use engines::alphabeta::{self, AlphaBeta, StabilityOptions};
use engines::score::Score;
use engines::{Limits, StopSignal};
use nets::Classical;
use std::fmt;
use std::str::FromStr;

/// Mebibytes of the transposition table: little, because it is cleared for each position.
const HASH: usize = 1;

/// The values that count as balanced: a range for the advantage of either side, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The smallest.
    pub least: u32,
    /// The largest.
    pub most: u32,
}

impl Window {
    /// Whether a value, from the point of view of the side to move, is within the window.
    pub fn contains(&self, score: Score) -> bool {
        match score {
            Score::Centipawns(value) => (self.least..=self.most).contains(&value.unsigned_abs()),
            Score::Mate(_) => false,
        }
    }
}

/// `0..80` in centipawns, or `0.0..0.8` in pawns: numbers with a decimal point are pawns.
impl FromStr for Window {
    type Err = String;

    fn from_str(text: &str) -> Result<Window, String> {
        let wrong = || {
            "not a window of values, such as 0..80 in centipawns or 0.0..0.8 in pawns".to_owned()
        };
        let (least, most) = text.split_once("..").ok_or_else(wrong)?;
        let value = |text: &str| -> Option<u32> {
            if text.contains('.') {
                let pawns: f64 = text.parse().ok()?;
                let is_value = (0.0..=300.0).contains(&pawns);
                is_value.then(|| (100.0 * pawns).round() as u32)
            } else {
                text.parse().ok()
            }
        };
        let least = value(least.trim()).ok_or_else(wrong)?;
        let most = value(most.trim()).ok_or_else(wrong)?;
        if least > most {
            return Err(format!(
                "the window from {least} to {most} centipawns is empty"
            ));
        }
        Ok(Window { least, most })
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.least, self.most)
    }
}

/// Evaluates positions by a search, reproducibly: with the hand-written evaluation, so that a book
/// does not change when the program gets another net.
pub(super) struct Judge {
    player: AlphaBeta<Classical>,
    limits: Limits,
}

impl Judge {
    /// A judge whose searches have this many nodes.
    pub(super) fn new(nodes: u64) -> Judge {
        let options = alphabeta::Options {
            hash: HASH,
            stability: StabilityOptions::OFF,
            ..alphabeta::Options::default()
        };
        Judge {
            player: AlphaBeta::new(Classical::default(), options),
            limits: Limits::nodes(nodes),
        }
    }

    /// The value for the side to move.
    pub(super) fn value(&mut self, board: &Board, stop: &StopSignal) -> Score {
        self.player.forget();
        let game = Game::new(*board);
        self.player
            .think(&game, &self.limits, stop, &mut |_| {})
            .score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_in_both_units() {
        let window = |least, most| Ok(Window { least, most });
        assert_eq!("0..80".parse(), window(0, 80));
        assert_eq!("0.0..0.8".parse(), window(0, 80));
        assert_eq!("0.45 .. 60".parse(), window(45, 60));
        assert_eq!("1..1".parse(), window(1, 1));
        assert_eq!(Window { least: 5, most: 60 }.to_string(), "5..60");
        for text in ["", "5", "a..b", "-5..5", "0.0..nan", "0.0..1e9.0"] {
            let error = text.parse::<Window>().expect_err(text);
            assert!(error.starts_with("not a window of values"), "{error}");
        }
        let error = "80..20".parse::<Window>().expect_err("empty");
        assert_eq!(error, "the window from 80 to 20 centipawns is empty");
    }

    #[test]
    fn either_side_may_be_better() {
        let window = Window {
            least: 20,
            most: 50,
        };
        for (value, expected) in [
            (-50, true),
            (-20, true),
            (0, false),
            (30, true),
            (51, false),
        ] {
            assert_eq!(
                window.contains(Score::Centipawns(value)),
                expected,
                "{value}"
            );
        }
        assert!(!window.contains(Score::Mate(30)));
    }

    /// Runs a function with a judge on a thread with the stack size of a search.
    fn with_judge<T: Send + 'static>(
        nodes: u64,
        ask: impl FnOnce(&mut Judge) -> T + Send + 'static,
    ) -> T {
        std::thread::Builder::new()
            .stack_size(engines::STACK_BYTES)
            .spawn(move || ask(&mut Judge::new(nodes)))
            .expect("a thread")
            .join()
            .expect("an answer")
    }

    #[test]
    fn a_judge_does_not_remember() {
        with_judge(2000, |judge| {
            let stop = StopSignal::new();
            let board = Board::start();
            let other = board.after(board.parse_san("e4").expect("a move"));
            let first = judge.value(&board, &stop);
            judge.value(&other, &stop);
            assert_eq!(judge.value(&board, &stop), first);
        });
    }

    /// They were made with 100000 nodes and up to 40 centipawns; with fewer nodes, and a search
    /// that has changed since, values may differ a little.
    #[test]
    fn the_built_in_openings_are_fair() {
        with_judge(20_000, |judge| {
            let window = Window {
                least: 0,
                most: 100,
            };
            for opening in crate::openings::Openings::built_in().iter().step_by(40) {
                let value = judge.value(opening.start(), &StopSignal::new());
                assert!(window.contains(value), "{:?}: {value}", opening.start());
            }
        });
    }
}
