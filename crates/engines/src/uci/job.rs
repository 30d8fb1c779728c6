//! What a session does in the background: everything that touches the player.
//!
//! The player lives in one thread and takes one job after the other, so that a
//! setting sent during a search is in force from the next one on. It must not
//! know when a line may be told: the session decides that.

use super::info::{self, Style};
use super::options::Settings;
use crate::alphabeta::{self, Evaluation, Searcher};
use crate::excerpt::excerpt;
use crate::tablebase::Tablebases;
use crate::{Answer, Limits, Report, StopSignal, bench};
use chess::{Board, Game, perft};
use nets::nnue;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Instant;

/// Work for the player's thread.
pub(super) enum Job {
    Configure(Settings),
    ClearTable,
    NewGame,
    /// Asks for [`Event::Ready`] with this number, after everything that was
    /// sent before.
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
        options: bench::Options,
        signal: StopSignal,
    },
    /// Asks how the value of a board comes about.
    Explain(Board),
}

/// What happens to a session.
pub(super) enum Event {
    /// The client sent a line, at this time.
    Input(String, Instant),
    /// The client has nothing more to say.
    InputEnded,
    /// A line for the client.
    Line(String),
    /// Positions are now valued with this.
    Evaluation(Evaluation),
    /// The answer to [`Job::Ping`].
    Ready(u64),
    /// A search, count, bench or explanation has ended, with this as its last line.
    Done(String),
}

/// The session is gone: nobody waits for more.
struct Gone;

/// The owner of the player.
pub(super) struct Worker {
    player: Box<dyn Searcher>,
    evaluation: Evaluation,
    /// What plays if the client names no net.
    default_evaluation: Evaluation,
    /// The net in force, as the client named it.
    eval_file: Option<String>,
    /// The wish for a net that was refused.
    refused_wish: Option<u64>,
    /// The folders and the limit of men of the tables in use.
    tablebases: Option<(String, u32)>,
    events: SyncSender<Event>,
}

impl Worker {
    pub(super) fn new(
        evaluation: Evaluation,
        settings: &Settings,
        events: SyncSender<Event>,
    ) -> Worker {
        Worker {
            player: evaluation.player(settings.search_options()),
            default_evaluation: evaluation.clone(),
            evaluation,
            eval_file: None,
            refused_wish: None,
            tablebases: None,
            events,
        }
    }

    /// Takes jobs until the session sends no more.
    pub(super) fn run(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            if self.take(job).is_err() {
                return;
            }
        }
    }

    fn take(&mut self, job: Job) -> Result<(), Gone> {
        match job {
            Job::Configure(settings) => self.configure(&settings),
            Job::ClearTable => {
                self.player.clear_table();
                Ok(())
            }
            Job::NewGame => {
                self.player.forget();
                Ok(())
            }
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
            Job::Bench { options, signal } => {
                let summary = bench::run(&self.evaluation, &options, &signal, &mut |position| {
                    let _ = self.events.send(Event::Line(position.to_string()));
                });
                self.send(Event::Done(summary.to_string()))
            }
            Job::Explain(board) => {
                let lines = self.evaluation.explain(&board);
                self.send(Event::Done(lines.trim_end().to_owned()))
            }
        }
    }

    /// The one place where settings reach the player.
    fn configure(&mut self, settings: &Settings) -> Result<(), Gone> {
        self.choose_evaluation(settings)?;
        let options = settings.search_options();
        let is_new_size = options.hash != self.player.options().hash;
        self.player.set_options(options);
        let (size, wanted) = (self.player.table_size(), self.player.options().hash);
        if is_new_size && size < wanted {
            let words = format!("info string no memory for Hash {wanted}: it is now {size}");
            self.send(Event::Line(words))?;
        }
        self.open_tablebases(settings)
    }

    /// Loads the net or the weights that the client names; one that cannot be used changes
    /// nothing.
    fn choose_evaluation(&mut self, settings: &Settings) -> Result<(), Gone> {
        let wish = Some(settings.eval_file_wishes);
        if settings.eval_file == self.eval_file || self.refused_wish == wish {
            return Ok(());
        }
        let evaluation = match &settings.eval_file {
            None => self.default_evaluation.clone(),
            Some(path) => match Evaluation::named(Path::new(path)) {
                Ok(evaluation) => evaluation,
                Err(error) => {
                    self.refused_wish = wish;
                    let path = excerpt(path);
                    let words = format!("EvalFile {path}: {error}; {} is kept", self.evaluation);
                    return self.send(Event::Line(format!("info string {words}")));
                }
            },
        };
        let words = match &evaluation {
            Evaluation::Classical => "info string evaluation is classical".to_owned(),
            Evaluation::Weights(_) => {
                format!("info string evaluation is {evaluation}: the classical one, other weights")
            }
            Evaluation::Net(file) => format!(
                "info string evaluation is {evaluation}: {}, with {}",
                file.net,
                nnue::instruction_set()
            ),
        };
        self.eval_file.clone_from(&settings.eval_file);
        // Freed first: two tables may not fit.
        self.player.set_options(alphabeta::Options {
            hash: 1,
            ..settings.search_options()
        });
        self.player = evaluation.player(settings.search_options());
        self.tablebases = None;
        self.evaluation = evaluation.clone();
        self.send(Event::Evaluation(evaluation))?;
        self.send(Event::Line(words))
    }

    fn open_tablebases(&mut self, settings: &Settings) -> Result<(), Gone> {
        let limit = settings.syzygy_probe_limit;
        let wanted = settings.syzygy_path.clone().filter(|_| limit > 0);
        let wanted = wanted.map(|folders| (folders, limit));
        if wanted == self.tablebases {
            return Ok(());
        }
        self.tablebases = wanted;
        self.player.set_tablebases(None);
        let Some((folders, limit)) = &self.tablebases else {
            return Ok(());
        };
        let words = match Tablebases::open(folders, *limit as usize) {
            Ok(tablebases) => {
                let words = format!(
                    "info string found {} table files for up to {} men",
                    tablebases.files(),
                    tablebases.most_men()
                );
                self.player.set_tablebases(Some(Arc::new(tablebases)));
                words
            }
            Err(error) => format!("info string {error}"),
        };
        self.send(Event::Line(words))
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
        // A client waits for a move, and gets one even if the search is broken.
        let searched = catch_unwind(AssertUnwindSafe(|| {
            player.think(game, limits, signal, &mut tell)
        }));
        match searched {
            Ok(answer) => {
                if answer.best.is_none() {
                    self.send(Event::Line(info::end_line(answer.score)))?;
                }
                Ok(answer)
            }
            Err(_) => {
                self.player.forget();
                let words = "info string internal error: the search failed, any move is played";
                self.send(Event::Line(words.to_owned()))?;
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

/// The leaves of a tree; none if the count was stopped.
fn count(board: &Board, depth: u32, signal: &StopSignal) -> Option<u64> {
    /// Trees of this depth are counted in a moment.
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
