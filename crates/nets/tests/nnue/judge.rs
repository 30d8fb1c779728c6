//! Runs Stockfish 15.1 and compares its evaluation of nets with the one computed here.

use chess::{Board, Color};
use nets::nnue::{Bucket, Explanation, Net};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Debian keeps chess engines in a folder that is not on root's PATH.
fn program() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|folder| folder.join("stockfish"))
        .find(|program| program.is_file())
        .expect("Stockfish is installed (Debian package stockfish)")
}

pub(crate) struct Stockfish {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stockfish {
    pub(crate) fn start() -> Stockfish {
        let mut process = Command::new(program())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        Stockfish {
            input: process.stdin.take().expect("a pipe"),
            output: BufReader::new(process.stdout.take().expect("a pipe")),
            process,
        }
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it listens");
    }

    /// All lines up to one with this beginning; `None` if the output ends before.
    pub(crate) fn lines_until(&mut self, beginning: &str) -> Option<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("text") == 0 {
                return None;
            }
            let is_last = line.starts_with(beginning);
            lines.push(line);
            if is_last {
                return Some(lines);
            }
        }
    }

    pub(crate) fn use_net(&mut self, path: &Path) {
        self.send(&format!("setoption name EvalFile value {}", path.display()));
    }

    /// The lines of `eval`.
    pub(crate) fn evaluate(&mut self, board: &Board) -> Option<Vec<String>> {
        self.send(&format!("position fen {}\neval", board.fen()));
        self.lines_until("Final evaluation")
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.process.wait();
    }
}

/// As Stockfish writes a value: pawns with two decimals, and a sign unless the
/// digits are all 0 by truncation to 0.
fn printed(units: i32) -> String {
    let pawns = f64::from(units.abs()) / 361.0;
    let sign = match units {
        0 => " ",
        units if units > 0 => "+",
        _ => "-",
    };
    format!("{sign}{pawns:.2}")
}

fn numbers_of_row(line: &str) -> Vec<String> {
    let cells = line.split('|').skip(2).take(3);
    let number = |cell: &str| {
        let words: String = cell.split_whitespace().collect();
        if words.starts_with(['+', '-']) {
            words
        } else {
            format!(" {words}")
        }
    };
    cells.map(number).collect()
}

/// Compares the table of buckets and the values of men; returns how many numbers
/// were compared.
fn compare(lines: &[String], ours: &Explanation, board: &Board) -> usize {
    let heading = lines
        .iter()
        .position(|line| line.contains("NNUE network contributions"))
        .expect("a table of buckets");
    for (number, bucket) in ours.buckets.iter().enumerate() {
        let Bucket::Sfnn(parts) = *bucket else {
            panic!("it is of Stockfish's shape");
        };
        let line = &lines[heading + 5 + number];
        // Stockfish's total is the sum of the printed parts, each truncated.
        let [psqt, positional] = [parts.psqt / 16, parts.positional / 16];
        let expected = [psqt, positional, psqt + positional].map(printed);
        assert_eq!(numbers_of_row(line), expected, "{board:?} bucket {number}");
        assert_eq!(line.contains("this bucket is used"), number == ours.bucket);
    }
    let white = if ours.side_to_move == Color::White {
        1
    } else {
        -1
    };
    let total = lines
        .iter()
        .find(|line| line.starts_with("NNUE evaluation"))
        .expect("a value");
    let total = total.split_whitespace().nth(2).expect("a number");
    let expected = format!("{:+.2}", f64::from(white * ours.value) / 361.0);
    assert_eq!(total, expected, "{board:?}");
    compare_men(lines, ours, board);
    3 * ours.buckets.len() + 1
}

/// Compares the contributions of men.
fn compare_men(lines: &[String], ours: &Explanation, board: &Board) {
    let heading = lines
        .iter()
        .position(|line| line.contains("NNUE derived piece values"))
        .expect("a board");
    for &(square, _, units) in &ours.men {
        let line = &lines[heading + 3 + 3 * (7 - square.rank().index())];
        let cell = line.split('|').nth(1 + square.file().index());
        let hundredths = 100 * units.abs() / 361;
        let sign = if units < 0 { "-" } else { "+" };
        let expected = match hundredths {
            // So large values are cut to the digits that fit.
            10_000.. => continue,
            1_000.. => format!("{sign}{}.{}", hundredths / 100, hundredths / 10 % 10),
            _ => format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100),
        };
        if units != 0 {
            let found = cell.map(str::trim);
            assert_eq!(found, Some(&expected[..]), "{board:?} {square}");
        }
    }
}

pub(crate) fn compare_all(stockfish: &mut Stockfish, net: &Net, boards: &[Board]) -> usize {
    let compared = boards.iter().map(|board| {
        let lines = stockfish.evaluate(board).expect("it evaluates");
        compare(&lines, &net.explain(board), board)
    });
    compared.sum()
}

/// A file with this name in the test's own folder.
pub(crate) struct TestFile(pub(crate) PathBuf);

impl TestFile {
    pub(crate) fn new(name: &str) -> TestFile {
        let name = format!("tabia-{}-{name}", std::process::id());
        TestFile(std::env::temp_dir().join(name))
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
