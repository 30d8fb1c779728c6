//! ResNets in play and in training beside PyTorch, and in play beside onnxruntime, in
//! turns, by the CPU time of one thread each: what else the machine does hardly matters.
//!
//! Ours includes planes, legal moves and, in training, the reading of data; the rivals
//! get tensors that are ready. PyTorch runs in f32 and in bf16, onnxruntime the file that
//! we export, in f32, if python3, or the interpreter that `PYTHON` names, has torch and
//! onnxruntime. `RESNET_BENCH=play` or `train` runs one half, `ROUNDS` says how often
//! they take turns.

mod rival;
mod turns;

use chess::{Board, Line};
use data::position::{Outcome, Position};
use data::shard::{Format, ShardEncoder, ShardWriter};
use nets::nnue::Random;
use nets::policy::resnet::{ResNetBatch, ResNetShape, ResNetWeights};
use nets::policy::{PolicyValue, Wanted};
use rival::Rival;
use std::path::Path;
use train::Training;
use train::resnet::{Session, Settings};
use turns::{measure, row};

/// Channels and blocks.
const NETS: [(usize, usize); 2] = [(64, 6), (32, 4)];
const PLAY: [usize; 3] = [1, 16, 128];
const TRAIN: [usize; 2] = [64, 256];
const TORCH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/resnet.py");
const ONNX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/onnx.py");
const PRECISIONS: &[&str] = &["f32", "bf16"];

fn main() {
    let wanted = std::env::var("RESNET_BENCH").unwrap_or_default();
    let rounds = std::env::var("ROUNDS").ok();
    let rounds = rounds.and_then(|text| text.parse().ok()).unwrap_or(5);
    let mut torch = Rival::start("torch", TORCH);
    let mut onnx = Rival::start("onnxruntime", ONNX);
    let folder = tempfile::tempdir().expect("a folder");
    println!("positions per CPU second of one thread, medians of {rounds} turns");
    println!(
        "net    work   batch      ours   torch f32   ratio  torch bf16   ratio    onnx f32   ratio"
    );
    for (channels, blocks) in NETS {
        let shape = ResNetShape {
            channels,
            blocks,
            ..ResNetShape::published()
        };
        let name = format!("{channels}x{blocks}");
        if wanted != "train" {
            let weights = ResNetWeights::initialised(shape.clone(), 1);
            let file = folder.path().join(format!("{name}.onnx"));
            std::fs::write(&file, weights.to_onnx()).expect("written");
            let file = file.display().to_string();
            for batch in PLAY {
                let mut net = Player::new(&weights, batch);
                let speed = &mut || net.speed();
                let rivals = &mut [
                    (&mut torch, &*name, PRECISIONS),
                    (&mut onnx, &file, &["f32"]),
                ];
                row((&name, "play", batch), rounds, rivals, speed, "");
            }
        }
        if wanted != "play" {
            for batch in TRAIN {
                let mut trainee = Trainee::new(&shape, batch);
                let speed = &mut || trainee.speed();
                let rivals = &mut [(&mut torch, &*name, PRECISIONS)];
                row((&name, "train", batch), rounds, rivals, speed, "");
            }
        }
    }
}

/// Positions of random games.
fn lines(count: usize) -> Vec<Line> {
    let mut random = Random::new(4);
    let mut lines = Vec::new();
    while lines.len() < count {
        let mut line = Line::new(Board::start());
        for _ in 0..random.number() % 80 {
            let moves = line.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            line.push(moves[random.number() as usize % moves.len()]);
        }
        if !line.board().legal_moves().is_empty() {
            lines.push(line);
        }
    }
    lines
}

struct Player {
    net: ResNetBatch,
    lines: Vec<Line>,
}

impl Player {
    fn new(weights: &ResNetWeights, batch: usize) -> Player {
        Player {
            net: ResNetBatch::of(weights),
            lines: lines(batch),
        }
    }

    fn speed(&mut self) -> f64 {
        measure(self.lines.len(), || {
            for line in &self.lines {
                self.net
                    .put(line, Wanted::Both(&line.board().legal_moves()));
            }
            self.net.run();
        })
    }
}

struct Trainee {
    session: Session,
    batch: usize,
    pool: rayon::ThreadPool,
    _folder: tempfile::TempDir,
}

impl Trainee {
    fn new(shape: &ResNetShape, batch: usize) -> Trainee {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.binpack");
        write_data(&path);
        let mut settings = Settings {
            net: shape.clone(),
            ..Settings::default()
        };
        settings.course.data = vec![path];
        settings.course.batch = batch;
        settings.course.epoch_positions = Some(1_000_000);
        settings.course.validation_share = 0.01;
        Trainee {
            session: Session::begin(settings, 1).expect("a session"),
            batch,
            pool: rayon::ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .expect("a thread"),
            _folder: folder,
        }
    }

    fn speed(&mut self) -> f64 {
        let Trainee {
            session,
            batch,
            pool,
            ..
        } = self;
        pool.install(|| {
            measure(*batch, || {
                session.step().expect("a step");
            })
        })
    }
}

fn write_data(path: &Path) {
    let mut encoder = ShardEncoder::new(Format::Binpack);
    for line in lines(400) {
        for (ply, pair) in line.boards().windows(2).enumerate() {
            let moves = pair[0].legal_moves();
            let position = Position {
                board: pair[0],
                mv: moves
                    .iter()
                    .copied()
                    .find(|&mv| pair[0].after(mv) == pair[1]),
                score: 20,
                result: Outcome::Draw,
                ply: ply as u16,
            };
            encoder.push(&position).expect("a position");
        }
    }
    let mut writer = ShardWriter::begin(path, Format::Binpack).expect("a file");
    writer.add(&encoder.finish()).expect("written");
    writer.finish().expect("written");
}
