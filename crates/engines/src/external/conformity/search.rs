//! One search: the command, the info lines and the answer.

use super::examiner::{Examiner, Problem, broken};
use super::remarks::Position;
use crate::excerpt::excerpt;
use crate::external::answer::{STOP_PATIENCE, is_no_move};
use chess::Move;
use std::time::{Duration, Instant};

/// How long a search with a limit may take. All limits used here are small.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// The result of a search.
#[derive(Default)]
pub(super) struct Found {
    /// The move; `None` if the program says that there is none.
    pub(super) best: Option<Move>,
    /// The last values that it reported.
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) time: Duration,
    /// Whether it had to be stopped.
    pub(super) was_stopped: bool,
    pub(super) has_score: bool,
    /// The first move of the last variation.
    pub(super) first: Option<String>,
}

impl Examiner<'_> {
    /// Searches; fails unless a legal move is returned without a `stop`.
    pub(super) fn search(&mut self, position: &Position, go: &str) -> Result<Found, Problem> {
        let found = self.try_search(position, go)?;
        if found.was_stopped {
            return broken(format!("it had to be stopped after {PATIENCE:.1?}"));
        }
        if found.best.is_none() {
            return broken("it claims that there is no move");
        }
        Ok(found)
    }

    /// Searches, and stops the search if it takes too long.
    pub(super) fn try_search(&mut self, position: &Position, go: &str) -> Result<Found, Problem> {
        self.say(&format!("{}\n{go}", position.command))?;
        let begin = Instant::now();
        let mut found = Found::default();
        let mut words = self.listen(position, begin + PATIENCE, &mut found)?;
        found.time = begin.elapsed();
        if words.is_none() {
            found.was_stopped = true;
            self.say("stop")?;
            let until = Instant::now() + STOP_PATIENCE;
            words = self.listen(position, until, &mut found)?;
        }
        let Some(words) = words else {
            self.give_up();
            return broken(format!(
                "no 'bestmove' within {PATIENCE:.1?}, nor after 'stop'"
            ));
        };
        self.judge(position, &words, found)
    }

    /// Reads lines up to `bestmove` and returns the words after it; `None` if it does not come.
    pub(super) fn listen(
        &mut self,
        position: &Position,
        until: Instant,
        found: &mut Found,
    ) -> Result<Option<String>, Problem> {
        while let Some(line) = self.hear(until)? {
            match line.split_once(' ').unwrap_or((&line, "")) {
                ("info", words) => self.remarks.look_at(words, position, found),
                ("bestmove", words) => return Ok(Some(words.trim().to_owned())),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Checks the words after `bestmove`.
    pub(super) fn judge(
        &mut self,
        position: &Position,
        words: &str,
        mut found: Found,
    ) -> Result<Found, Problem> {
        let mut parts = words.split_ascii_whitespace();
        let word = parts.next().unwrap_or_default();
        if is_no_move(word) {
            return Ok(found);
        }
        let best = match position.fault_of(&position.board, word) {
            Ok(best) => best,
            Err(fault) => return broken(format!("'bestmove {}': {fault}", excerpt(words))),
        };
        found.best = Some(best);
        if let Some("ponder") = parts.next() {
            let reply = parts.next().unwrap_or_default();
            let after = position.board.after(best);
            if let Err(fault) = position.fault_of(&after, reply) {
                return broken(format!("'bestmove {}': {fault}", excerpt(words)));
            }
        }
        self.remarks.conclude(word, position, &found);
        Ok(found)
    }
}
