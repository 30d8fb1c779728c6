//! What a session does in the background: everything that involves the player.
//!
//! The player lives in one thread and takes one job after the other, so that an option set during a
//! search takes effect from the next search on. This module must not know when a line may be sent:
//! the session decides that.

use super::info::{self, Style};
use crate::options::OptionValue;
use crate::{Answer, Engine, Limits, Report, StopSignal, bench};
use chess::{Board, Game, perft};
use nets::Model;
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Instant;

/// A job for the player's thread.
pub(super) enum Job {
    /// Sets an option of the player.
    Set(&'static str, OptionValue),
    NewGame,
    /// Requests [`Event::Ready`] with this number, after all earlier jobs.
    Ping(u64),
    Search {
        game: Game,
        limits: Limits,
        style: Style,
        signal: StopSignal,
    },
    Perft {
        board: Board,
        depth: u32,
        style: Style,
        signal: StopSignal,
    },
    Bench {
        depth: u32,
        signal: StopSignal,
    },
    /// Requests an explanation of the evaluation of a board.
    Explain(Board),
}

/// An event for a session.
pub(super) enum Event {
    /// The client sent a line, at this time.
    Input(String, Instant),
    /// The client's input has ended.
    InputEnded,
    /// A line for the client.
    Line(String),
    /// The player now uses this model.
    Model(Model),
    /// The answer to [`Job::Ping`].
    Ready(u64),
    /// A search, count, bench or explanation has ended; this is its last line.
    Done(String),
}

/// The session has ended: nobody waits for more.
struct Gone;

/// The owner of the player.
pub(super) struct Worker {
    player: Box<dyn Engine>,
    /// The seed of the last game. The first one differs each time the program starts: a player that
    /// errs on purpose, or samples its moves, should not play the same games every day.
    seed: u64,
    events: SyncSender<Event>,
}

impl Worker {
    pub(super) fn new(player: Box<dyn Engine>, events: SyncSender<Event>) -> Worker {
        Worker {
            player,
            seed: RandomState::new().hash_one(0),
            events,
        }
    }

    /// Takes jobs until the session ends.
    pub(super) fn run(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            if self.take(job).is_err() {
                return;
            }
        }
    }

    fn take(&mut self, job: Job) -> Result<(), Gone> {
        match job {
            Job::Set(name, value) => self.set(name, &value),
            Job::NewGame => self.new_game(),
            Job::Ping(number) => self.send(Event::Ready(number)),
            Job::Search {
                game,
                limits,
                style,
                signal,
            } => {
                let answer = self.search(&game, &limits, style, &signal)?;
                let line = info::answer_line(&answer, &game, style);
                self.send(Event::Done(line))
            }
            Job::Perft {
                board,
                depth,
                style,
                signal,
            } => {
                let line = self.perft(&board, depth, style, &signal)?;
                self.send(Event::Done(line))
            }
            Job::Bench { depth, signal } => {
                let line = self.bench(depth, &signal);
                self.send(Event::Done(line))
            }
            Job::Explain(board) => {
                let lines = self.player.model().explain(&board);
                self.send(Event::Done(lines.trim_end().to_owned()))
            }
        }
    }

    fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), Gone> {
        let before = self.player.model().clone();
        let mut lines = Vec::new();
        self.player
            .set_option(name, value, &mut |line| lines.push(line));
        if *self.player.model() != before {
            self.send(Event::Model(self.player.model().clone()))?;
        }
        for line in lines {
            self.send(Event::Line(format!("info string {line}")))?;
        }
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), Gone> {
        self.seed = self.seed.wrapping_add(1);
        match self.player.new_game(self.seed) {
            Ok(()) => Ok(()),
            Err(failure) => self.send(Event::Line(format!("info string the player {failure}"))),
        }
    }

    fn bench(&mut self, depth: u32, signal: &StopSignal) -> String {
        let events = &self.events;
        let summary = bench::run(self.player.as_mut(), depth, signal, &mut |position| {
            let _ = events.send(Event::Line(position.to_string()));
        });
        match summary {
            Ok(summary) => summary.to_string(),
            Err(failure) => format!("info string the player {failure}"),
        }
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        style: Style,
        signal: &StopSignal,
    ) -> Result<Answer, Gone> {
        let events = &self.events;
        let mut tell = |report: &Report| {
            let line = info::report_line(report, game, style);
            if events.send(Event::Line(line)).is_err() {
                signal.stop();
            }
        };
        let player = &mut self.player;
        // A client waits for a move, and gets one even if the search panics.
        let searched = catch_unwind(AssertUnwindSafe(|| {
            player.choose(game, limits, signal, &mut tell)
        }));
        match searched {
            Ok(Ok(answer)) => {
                if answer.best.is_none() {
                    self.send(Event::Line(info::end_line(answer.score)))?;
                }
                for remark in self.player.take_remarks() {
                    self.send(Event::Line(format!("info string {remark}")))?;
                }
                Ok(answer)
            }
            Ok(Err(_)) | Err(_) => {
                let words = "info string internal error: the search failed, playing an arbitrary \
                    legal move";
                self.send(Event::Line(words.to_owned()))?;
                self.new_game()?;
                Ok(info::any_answer(game.board()))
            }
        }
    }

    fn perft(
        &self,
        board: &Board,
        depth: u32,
        style: Style,
        signal: &StopSignal,
    ) -> Result<String, Gone> {
        let mut total = 0;
        for &mv in &board.legal_moves() {
            let Some(leaves) = count(&board.after(mv), depth - 1, signal) else {
                return Ok("info string perft was stopped".to_owned());
            };
            total += leaves;
            let name = board.uci(mv, info::castling_of(mv, style.castling));
            self.send(Event::Line(format!("{name}: {leaves}")))?;
        }
        Ok(format!("\nNodes searched: {total}"))
    }

    fn send(&self, event: Event) -> Result<(), Gone> {
        self.events.send(event).map_err(|_| Gone)
    }
}

/// The number of leaves of a tree; `None` if the count was stopped.
fn count(board: &Board, depth: u32, signal: &StopSignal) -> Option<u64> {
    /// Trees up to this depth are counted without checking the signal.
    const QUICK: u32 = 3;
    if signal.is_stopped() {
        None
    } else if depth <= QUICK {
        Some(perft::perft(board, depth))
    } else {
        let moves = board.legal_moves();
        moves
            .iter()
            .map(|&mv| count(&board.after(mv), depth - 1, signal))
            .sum()
    }
}
