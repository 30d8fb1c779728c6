//! Stockfish as a judge that shares no code with us.

use crate::perft::suite;
use crate::program::tabia;
use chess::Board;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A Stockfish that stays open for many questions.
struct Stockfish {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Stockfish {
    fn start() -> Self {
        let mut process = Command::new(find())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Stockfish starts");
        let mut questions = process.stdin.take().expect("its input");
        let answers = BufReader::new(process.stdout.take().expect("its output"));
        writeln!(questions, "setoption name UCI_Chess960 value true").expect("it listens");
        Self {
            process,
            questions,
            answers,
        }
    }

    /// The leaves below each move.
    fn divide(&mut self, fen: &str, depth: u32) -> BTreeMap<String, u64> {
        writeln!(self.questions, "position fen {fen}\ngo perft {depth}").expect("it listens");
        let mut counts = BTreeMap::new();
        for line in self.answers.by_ref().lines() {
            let line = line.expect("it speaks text");
            match line.split_once(": ") {
                Some(("Nodes searched", _)) => return counts,
                Some((mv, nodes)) if (4..=5).contains(&mv.len()) => {
                    counts.insert(mv.to_owned(), nodes.parse().expect("a count"));
                }
                _ => {}
            }
        }
        panic!("Stockfish fell silent at {fen}");
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Debian keeps chess engines in a folder that is not on root's PATH.
fn find() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|folder| folder.join("stockfish"))
        .find(|program| program.is_file())
        .expect("Stockfish is installed (Debian package stockfish)")
}

fn our_divide(fen: &str, depth: u32) -> BTreeMap<String, u64> {
    let depth = depth.to_string();
    let output = tabia(&[
        "perft",
        &depth,
        "--divide",
        "--chess960",
        "--json",
        "--fen",
        fen,
    ])
    .output()
    .expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    serde_json::from_value(report["divide"].clone()).expect("counts by move")
}

/// The positions of our suites.
fn suite_positions() -> Vec<Board> {
    let mut boards = Vec::new();
    for name in ["perft.epd", "chess960.epd"] {
        let text = std::fs::read_to_string(suite(name)).expect("a suite");
        let fens = text.lines().filter_map(|line| line.split_once(';'));
        boards.extend(fens.map(|(fen, _)| Board::from_fen(fen.trim()).expect(fen)));
    }
    boards
}

/// Positions of games in which both sides move at random; the same every time.
fn random_positions(starts: &[Board], games: usize) -> Vec<Board> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % bound
    };
    let mut boards = Vec::new();
    for game in 0..games {
        let mut board = starts[game % starts.len()];
        for _ in 0..=random(60) {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board = board.after(moves[random(moves.len())]);
        }
        boards.push(board);
    }
    boards
}

#[test]
#[ignore = "wants the Debian package stockfish; `make test` runs it"]
fn perft_agrees_with_stockfish() {
    let mut stockfish = Stockfish::start();
    let suites = suite_positions();
    let random = random_positions(&suites, 200);
    for board in suites.iter().chain(&random) {
        let fen = board.shredder_fen();
        let depth = if board.occupied().count() > 8 { 3 } else { 4 };
        assert_eq!(
            our_divide(&fen, depth),
            stockfish.divide(&fen, depth),
            "{fen}"
        );
    }
}
