//! A client that talks to a session in another thread and writes down both
//! sides.

use engines::Engine;
use engines::alphabeta::{AlphaBetaEngine, Options};
use engines::mcts::MctsEngine;
use engines::uci::{self, Identity};
use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Nothing that is asked here takes so long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The engine with the hand-written evaluation: what it does changes least.
pub(crate) fn classical() -> Box<dyn Engine> {
    Box::new(AlphaBetaEngine::new(
        nets::Model::classical(),
        Options::default(),
    ))
}

/// The tree search with the hand-written policy and value.
pub(crate) fn tree_search() -> Box<dyn Engine> {
    let options = engines::mcts::Options {
        hash: 1,
        ..engines::mcts::Options::default()
    };
    Box::new(MctsEngine::new(nets::Model::Heuristic, options))
}

pub(crate) fn identity() -> Identity {
    Identity {
        name: "Tabia test".to_owned(),
        author: "the Tabia developers".to_owned(),
    }
}

pub(crate) struct Client {
    to: Option<PipeWriter>,
    from: Receiver<String>,
    session: JoinHandle<io::Result<()>>,
    transcript: String,
}

impl Client {
    pub(crate) fn start() -> Client {
        Client::start_with(classical)
    }

    pub(crate) fn start_with(engine: fn() -> Box<dyn Engine>) -> Client {
        let (input, to) = io::pipe().expect("a pipe");
        let (from, output) = io::pipe().expect("a pipe");
        let session = thread::spawn(move || {
            let input = BufReader::new(input);
            uci::run(&identity(), engine(), input, output)
        });
        let (lines, received) = mpsc::channel();
        // Lines are waited for with patience, not for ever.
        thread::spawn(move || {
            for line in BufReader::new(from).lines() {
                if lines.send(line.expect("the session writes text")).is_err() {
                    return;
                }
            }
        });
        Client {
            to: Some(to),
            from: received,
            session,
            transcript: String::new(),
        }
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.transcript += &format!("> {line}\n");
        let to = self.to.as_mut().expect("the input is open");
        writeln!(to, "{line}").expect("the session listens");
    }

    /// The next line; none if the session has ended.
    pub(crate) fn receive(&mut self) -> Option<String> {
        match self.from.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.transcript += &format!("{line}\n");
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer after:\n{}", self.transcript),
        }
    }

    /// All lines until one that begins so.
    pub(crate) fn receive_until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.receive() else {
                panic!("no '{beginning}' in:\n{}", self.transcript);
            };
            let is_last = line.starts_with(beginning);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// Sends a line and waits for the line that begins so.
    pub(crate) fn ask(&mut self, line: &str, beginning: &str) -> String {
        self.send(line);
        self.receive_until(beginning).pop().expect("a last line")
    }

    /// What a line is answered with at once.
    pub(crate) fn answers(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.receive_until("readyok");
        lines.pop();
        lines
    }

    /// How many searches of so many have not been answered yet, as far as was
    /// heard.
    pub(crate) fn missing_answers(&self, searches: usize) -> usize {
        searches - self.transcript.matches("\nbestmove ").count()
    }

    /// Closes the input without a word.
    pub(crate) fn hang_up(&mut self) {
        self.to = None;
    }

    /// Waits until the session ends, and gives what was said.
    pub(crate) fn end(mut self) -> String {
        while self.receive().is_some() {}
        let ended = self.session.join().expect("the session does not panic");
        ended.expect("the session ends well");
        self.transcript
    }

    /// Quits, and gives what was said.
    pub(crate) fn quit(mut self) -> String {
        self.send("quit");
        self.end()
    }
}
