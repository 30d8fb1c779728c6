//! Nodes a second beside another engine, on the same positions, in turns; and
//! what a second thread adds.
//!
//! `cargo bench -p tabia-engines --bench nodes -- [ROUNDS] [ENGINE]` asks the UCI
//! engine, Debian's ethereal-chess unless another is named, and this project's to
//! search each position of the bench for the same time. Each tells how many nodes
//! it had seen at what time with its last line, and only that counts. Run it on an
//! idle machine.

use chess::{Board, Game};
use engines::alphabeta::{AlphaBeta, Options, STACK_BYTES, StabilityOptions};
use engines::{Limits, StopSignal, bench};
use nets::Classical;
use std::env;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

const RIVAL: &str = "/usr/games/ethereal-chess";
const MOVE_TIME: Duration = Duration::from_millis(100);
const HASH: usize = 16;

/// Nodes and the time they took.
#[derive(Clone, Copy, Default)]
struct Work {
    nodes: u64,
    seconds: f64,
}

impl Work {
    fn add(&mut self, other: Work) {
        self.nodes += other.nodes;
        self.seconds += other.seconds;
    }

    fn speed(self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }
}

/// Another engine, over its pipes.
struct Rival {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Rival {
    fn start(program: &str) -> Option<Rival> {
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

    fn send(&mut self, text: &str) -> Option<()> {
        writeln!(self.input, "{text}").ok()?;
        self.input.flush().ok()
    }

    /// Reads up to a line that begins with the word; the work told last.
    fn wait_for(&mut self, word: &str) -> Option<Work> {
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

    fn search(&mut self, fen: &str) -> Option<Work> {
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

fn player(threads: usize) -> AlphaBeta<Classical> {
    let options = Options {
        hash: HASH,
        threads,
        stability: StabilityOptions {
            enabled: false,
            ..StabilityOptions::default()
        },
        ..Options::default()
    };
    AlphaBeta::new(Classical::default(), options)
}

fn search(player: &mut AlphaBeta<Classical>, fen: &str) -> Work {
    let board = Board::from_fen(fen).expect("the positions of the bench are sound");
    player.forget();
    let mut work = Work::default();
    player.think(
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
    work
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn run() {
    let words = || env::args().skip(1).filter(|word| !word.starts_with("--"));
    let rounds: usize = words().find_map(|word| word.parse().ok()).unwrap_or(5);
    let program = words()
        .find(|word| word.parse::<usize>().is_err())
        .unwrap_or_else(|| RIVAL.to_owned());
    let mut rival = Rival::start(&program);
    if rival.is_none() {
        println!("{program} does not run: no rival (Debian package ethereal-chess)");
    }
    let mut one = player(1);
    let mut two = player(2);
    let [mut ours, mut theirs, mut ratios, mut gains] = [const { Vec::new() }; 4];
    for _ in 0..rounds {
        let [mut own, mut other, mut doubled] = [Work::default(); 3];
        for fen in bench::positions() {
            if let Some(work) = rival.as_mut().and_then(|rival| rival.search(fen)) {
                other.add(work);
            }
            own.add(search(&mut one, fen));
            doubled.add(search(&mut two, fen));
        }
        ours.push(own.speed());
        gains.push(doubled.speed() / own.speed());
        if rival.is_some() {
            theirs.push(other.speed());
            ratios.push(own.speed() / other.speed());
        }
    }
    let count = bench::POSITION_COUNT;
    println!("nodes/s on {count} positions, median of {rounds} rounds");
    println!("{:9.0}  tabia, one thread", median(ours));
    println!("   x {:.2}  two threads", median(gains));
    if rival.is_some() {
        println!("{:9.0}  {program}", median(theirs));
        println!("   x {:.2}  tabia beside it", median(ratios));
    }
}

fn main() {
    let thread = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(run);
    thread.expect("a thread").join().expect("the bench ends");
}
