//! Another engine beside ours, over its pipes.

mod measure;

pub(crate) use measure::{HASH, Work, median, search};

use measure::MOVE_TIME;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

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
