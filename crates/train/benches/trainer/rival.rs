//! PyTorch beside us: `rival.py` in a process of its own, fed through its pipes
//! and files.

use crate::shapes::{BATCH, Shape};
use chess::{PieceKind, Square};
use data::packed::PackedPosition;
use nets::nnue::SfnnShape;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/rival.py");
/// Gradients of the first layer as a whole, or of the rows that were used.
const WAYS: [&str; 2] = ["dense", "sparse"];

/// The rival, with the way that was the faster one.
pub(crate) struct Rival {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    version: String,
    way: &'static str,
    _folder: tempfile::TempDir,
}

fn python() -> String {
    env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// The version of torch, if the interpreter has it.
pub(crate) fn torch() -> Option<String> {
    let answer = Command::new(python())
        .args(["-c", "import torch; print(torch.__version__)"])
        .stderr(Stdio::null())
        .output();
    let Some(answer) = answer.ok().filter(|answer| answer.status.success()) else {
        println!(
            "torch is not installed, no rival (asked {}; PYTHON names another)",
            python()
        );
        return None;
    };
    Some(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}

impl Rival {
    /// Starts it with the same positions.
    pub(crate) fn start(shape: Shape, batches: &[Vec<PackedPosition>], torch: &str) -> Rival {
        let folder = tempfile::tempdir().expect("a folder");
        dump(shape, batches, folder.path());
        let mut process = Command::new(python())
            .arg(SCRIPT)
            .args([shape.name, &batches.len().to_string()])
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the rival");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let mut rival = Rival {
            process,
            input,
            output,
            version: torch.to_owned(),
            way: WAYS[0],
            _folder: folder,
        };
        rival.choose_way();
        rival
    }

    /// Takes the way that is the faster one with two threads.
    fn choose_way(&mut self) {
        let speeds = WAYS.map(|way| {
            self.way = way;
            self.speed(2, 0.0)
        });
        self.way = WAYS[usize::from(speeds[1] > speeds[0])];
    }

    /// Its name in tables.
    pub(crate) fn name(&self) -> String {
        format!("  PyTorch {}, {}", self.version, self.way)
    }

    /// Positions a second, measured for at least so many seconds.
    pub(crate) fn speed(&mut self, threads: usize, seconds: f64) -> f64 {
        writeln!(self.input, "{} {threads} {seconds}", self.way).expect("the rival listens");
        self.input.flush().expect("the rival listens");
        let answer = self.output.next().expect("an answer").expect("text");
        answer.parse().expect("positions a second")
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Writes what the rival reads, one file for each list and batch. Positions come in
/// the order of their men, so that those of one stack lie together.
fn dump(shape: Shape, batches: &[Vec<PackedPosition>], folder: &Path) {
    for (number, positions) in batches.iter().enumerate() {
        let mut positions = positions.clone();
        positions.sort_by_key(PackedPosition::piece_count);
        let mut lists = Lists::default();
        for position in &positions {
            lists.push(shape, position);
        }
        let numbers: Vec<u8> = lists.targets.iter().flat_map(|t| t.to_le_bytes()).collect();
        fs::write(folder.join(format!("targets-{number}")), numbers).expect("written");
        for (name, list) in [
            ("own", lists.own),
            ("other", lists.other),
            ("starts", lists.starts),
            ("stacks", lists.stacks),
        ] {
            let numbers: Vec<u8> = list.iter().flat_map(|n| n.to_le_bytes()).collect();
            fs::write(folder.join(format!("{name}-{number}")), numbers).expect("written");
        }
        assert_eq!(lists.targets.len(), BATCH);
    }
}

#[derive(Default)]
struct Lists {
    own: Vec<i32>,
    other: Vec<i32>,
    starts: Vec<i32>,
    stacks: Vec<i32>,
    targets: Vec<f32>,
}

impl Lists {
    fn push(&mut self, shape: Shape, position: &PackedPosition) {
        let inputs = shape.inputs();
        let side = position.side_to_move();
        let mut kings = [Square::from_index(0); 2];
        for (square, piece) in position.pieces() {
            if piece.kind == PieceKind::King {
                kings[piece.color.index()] = square;
            }
        }
        let own = inputs.view(side, kings[side.index()]);
        let other = inputs.view(!side, kings[(!side).index()]);
        self.starts.push(self.own.len() as i32);
        for (square, piece) in position.pieces() {
            self.own.push(own.feature(piece, square) as i32);
            self.other.push(other.feature(piece, square) as i32);
        }
        let stack = SfnnShape::bucket(position.piece_count());
        self.stacks.push(stack as i32);
        let expected = 1.0 / (1.0 + (f32::from(-position.score()) / 400.0).exp());
        let result = 0.5 * (1.0 + f32::from(position.result().number()));
        self.targets.push(0.7 * expected + 0.3 * result);
    }
}
