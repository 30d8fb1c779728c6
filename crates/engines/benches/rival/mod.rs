//! Another engine beside ours, over its pipes, and what ours does meanwhile.

use chess::{Board, Game};
use engines::{Limits, Player, StopSignal};
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

pub(crate) const MOVE_TIME: Duration = Duration::from_millis(100);
pub(crate) const HASH: usize = 16;

/// Nodes and the time they took.
#[derive(Clone, Copy, Default)]
pub(crate) struct Work {
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

impl Work {
    pub(crate) fn add(&mut self, other: Work) {
        self.nodes += other.nodes;
        self.seconds += other.seconds;
    }

    pub(crate) fn speed(self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }
}

/// Another engine, over its pipes.
pub(crate) struct Rival {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Rival {
    pub(crate) fn start(program: &str) -> Option<Rival> {
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let input = process.stdin.take()?;
        let output = BufReader::new(process.stdout.take()?).lines();
        let mut rival = Rival {
            process,
            input,
            output,
        };
        rival.send(&format!("uci\nsetoption name Hash value {HASH}"))?;
        rival.wait_for("uciok")?;
        Some(rival)
    }

    pub(crate) fn send(&mut self, text: &str) -> Option<()> {
        writeln!(self.input, "{text}").ok()?;
        self.input.flush().ok()
    }

    /// Reads up to a line that begins with the word; the work told last.
    pub(crate) fn wait_for(&mut self, word: &str) -> Option<Work> {
        let mut work = Work::default();
        loop {
            let line = self.output.next()?.ok()?;
            if line.starts_with(word) {
                return Some(work);
            }
            let number = |name: &str| -> Option<u64> {
                let mut words = line.split_whitespace();
                words.find(|word| *word == name)?;
                words.next()?.parse().ok()
            };
            if let (Some(nodes), Some(time)) = (number("nodes"), number("time")) {
                work = Work {
                    nodes,
                    seconds: time as f64 / 1e3,
                };
            }
        }
    }

    pub(crate) fn search(&mut self, fen: &str) -> Option<Work> {
        self.send("ucinewgame\nisready")?;
        self.wait_for("readyok")?;
        let time = MOVE_TIME.as_millis();
        self.send(&format!("position fen {fen}\ngo movetime {time}"))?;
        self.wait_for("bestmove")
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.send("quit");
        let _ = self.process.wait();
    }
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What our own engine does with a position in the time of a move.
pub(crate) fn search(player: &mut dyn Player, fen: &str) -> Work {
    let board = Board::from_fen(fen).expect("the positions of the bench are sound");
    player.new_game(0).expect("it is ready");
    let mut work = Work::default();
    let answer = player.choose(
        &Game::new(board),
        &Limits::move_time(MOVE_TIME),
        &StopSignal::new(),
        &mut |report| {
            work = Work {
                nodes: report.nodes,
                seconds: report.time.as_secs_f64(),
            };
        },
    );
    answer.expect("it plays");
    work
}
