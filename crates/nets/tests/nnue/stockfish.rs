//! Stockfish 15.1 as the judge: what it prints of its own net and of ours is what
//! we compute.

use crate::positions::quiet;
use chess::{Board, Color};
use nets::nnue::sfnn::{Compression, SfnnWeights};
use nets::nnue::{Bucket, Explanation, Net, NetFile, SfnnRanges, SfnnShape};
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

struct Stockfish {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stockfish {
    fn start() -> Stockfish {
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

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it listens");
    }

    /// All lines until one that begins so; none if it ends before.
    fn lines_until(&mut self, beginning: &str) -> Option<Vec<String>> {
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

    fn use_net(&mut self, path: &Path) {
        self.send(&format!("setoption name EvalFile value {}", path.display()));
    }

    /// The lines of `eval`.
    fn evaluate(&mut self, board: &Board) -> Option<Vec<String>> {
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

/// Compares the table of buckets and the values of men; gives how many numbers
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
        // Its total is the sum of the parts as they are printed, each truncated.
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

/// Compares what each man adds.
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

fn compare_all(stockfish: &mut Stockfish, net: &Net, boards: &[Board]) -> usize {
    let compared = boards.iter().map(|board| {
        let lines = stockfish.evaluate(board).expect("it evaluates");
        compare(&lines, &net.explain(board), board)
    });
    compared.sum()
}

/// A file of this name in a folder of the test's own.
struct TestFile(PathBuf);

impl TestFile {
    fn new(name: &str) -> TestFile {
        let name = format!("tabia-{}-{name}", std::process::id());
        TestFile(std::env::temp_dir().join(name))
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn exported() -> (TestFile, Vec<u8>) {
    let file = TestFile::new("exported.nnue");
    let mut stockfish = Stockfish::start();
    stockfish.send(&format!("export_net {}", file.0.display()));
    stockfish
        .lines_until("Network saved successfully")
        .expect("it exports its net");
    let bytes = std::fs::read(&file.0).expect("the net");
    (file, bytes)
}

#[test]
#[ignore = "wants the Debian package stockfish; `make test` runs it"]
fn stockfish_agrees_on_its_own_net() {
    let (_file, bytes) = exported();
    assert_eq!(bytes.len(), 47_001_499);
    let (weights, compression) = SfnnWeights::read(&bytes).expect("its net");
    assert_eq!(compression, Compression::Raw);
    let mut again = Vec::new();
    weights
        .write(compression, &mut again)
        .expect("its net again");
    assert!(again == bytes, "it is not written as it was read");
    let file = NetFile::from_bytes(&bytes).expect("its net");
    assert_eq!(file.usual_name(), "nn-ad9b42354671.nnue");
    let compared = compare_all(&mut Stockfish::start(), &file.net, &quiet(2_000));
    assert_eq!(compared, 2_000 * 25);
}

fn random_net(ranges: SfnnRanges, adjust: impl Fn(&mut SfnnWeights)) -> (TestFile, Net) {
    let shape = SfnnShape::new(1024).expect("a width");
    let mut weights = SfnnWeights::zeros(shape).expect("memory");
    weights.fill_randomly(11, ranges);
    adjust(&mut weights);
    assert_eq!(weights.check_skip(), Ok(()));
    let mut bytes = Vec::new();
    weights
        .write(Compression::Raw, &mut bytes)
        .expect("within bounds");
    let file = TestFile::new(&format!("random-{}.nnue", ranges.psqt));
    std::fs::write(&file.0, &bytes).expect("written");
    let net = NetFile::from_bytes(&bytes).expect("a net").net;
    (file, net)
}

/// Weights up to the bounds; then weights so that one unit of any activation
/// changes the digits that are printed.
#[test]
#[ignore = "wants the Debian package stockfish; `make test` runs it"]
fn stockfish_agrees_on_our_nets() {
    let boards = quiet(400);
    let (file, extreme) = random_net(SfnnRanges::EXTREME, |_| {});
    let mut stockfish = Stockfish::start();
    stockfish.use_net(&file.0);
    compare_all(&mut stockfish, &extreme, &boards);

    let ranges = SfnnRanges {
        transformer: 100,
        psqt: 200_000,
        first: 6,
        ..SfnnRanges::EXTREME
    };
    let (file, visible) = random_net(ranges, |weights| {
        // A unit of an input is then a unit of the output at least, and a unit of
        // the last inputs is four of the value: more than a hundredth of a pawn.
        for stack in &mut weights.stacks {
            for layer in &mut stack.layers[1..] {
                for weight in layer.weights.iter_mut().filter(|weight| **weight != 0) {
                    *weight |= 64;
                }
            }
        }
    });
    stockfish.use_net(&file.0);
    compare_all(&mut stockfish, &visible, &boards);
}

/// A hash with one wrong byte is refused by both.
#[test]
#[ignore = "wants the Debian package stockfish; `make test` runs it"]
fn stockfish_refuses_what_we_refuse() {
    let (_file, bytes) = exported();
    let transformer = 12 + 75;
    let first_stack = 12 + 75 + 4 + 2 * 1024 + 45_056 * 1024 + 720_896;
    let last_stack = first_stack + 7 * (1256 + 16 * 1024);
    for at in [5, transformer, first_stack + 1, last_stack + 2] {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x01;
        assert!(NetFile::from_bytes(&wrong).is_err(), "byte {at}");
        let file = TestFile::new("wrong.nnue");
        std::fs::write(&file.0, &wrong).expect("written");
        let mut stockfish = Stockfish::start();
        stockfish.use_net(&file.0);
        assert_eq!(stockfish.evaluate(&Board::start()), None, "byte {at}");
    }
}
