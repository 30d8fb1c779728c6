//! Sequence models in play and in training beside PyTorch, in turns, by the CPU time of one
//! thread each: what else the machine does hardly matters.
//!
//! Ours includes the reading of games, boards, legal moves and rows; the rival gets tensors
//! that are ready. It runs in f32 and in bf16, if python3, or the interpreter that `PYTHON`
//! names, has torch. `SEQUENCE_BENCH=play` or `train` runs one half, `ROUNDS` says how often
//! they take turns.

#[path = "../resnet/rival.rs"]
mod rival;
#[path = "../resnet/turns.rs"]
mod turns;

use chess::{Board, Line};
use data::random;
use data::sequences::{Outcome, Part, SequenceGame, SequenceWriter};
use nets::kernels::Precision;
use nets::policy::{PolicyValue, Wanted};
use nets::sequence::{SequenceNet, SequencePolicy, SequenceShape, SequenceWeights};
use rival::Rival;
use std::sync::Arc;
use train::Training;
use train::sequence::{NetSettings, Session, Settings};
use turns::{measure, row};

const PRECISIONS: &[&str] = &["f32", "bf16"];
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/sequence.py");
const SIZES: [&str; 2] = ["small", "tiny"];
const PLAY: [usize; 3] = [1, 16, 64];
const TRAIN: usize = 2_048;
/// Plies before the position that is asked for.
const PREFIX: usize = 60;

fn main() {
    let wanted = std::env::var("SEQUENCE_BENCH").unwrap_or_default();
    let rounds = std::env::var("ROUNDS").ok();
    let rounds = rounds.and_then(|text| text.parse().ok()).unwrap_or(5);
    let mut rival = Rival::start("torch", SCRIPT);
    println!("events per CPU second of one thread, medians of {rounds} turns");
    println!("net    work   batch      ours   torch f32   ratio  torch bf16   ratio  aim");
    for size in SIZES {
        let shape = SequenceShape::named(size).expect("a name");
        let net = format!("{}x{}", shape.width, shape.layers);
        if wanted != "train" {
            for batch in PLAY {
                let mut player = Player::new(&shape, batch);
                let speed = &mut || player.speed();
                let aim = aim(size, "play", batch);
                let beside = &mut [(&mut rival, &*net, PRECISIONS)];
                row((&net, "play", batch), rounds, beside, speed, aim);
            }
        }
        if wanted != "play" {
            let mut trainee = Trainee::new(size);
            let speed = &mut || trainee.speed();
            let aim = aim(size, "train", TRAIN);
            let beside = &mut [(&mut rival, &*net, PRECISIONS)];
            row((&net, "train", TRAIN), rounds, beside, speed, aim);
        }
    }
}

/// What is aimed at, on an idle core.
fn aim(size: &str, work: &str, batch: usize) -> &'static str {
    match (size, work, batch) {
        ("small", "play", 1) => "2000 positions/s",
        ("small", "play", 64) => "16000 positions/s",
        ("small", "train", _) => "ratios of 2 and 1.3",
        _ => "",
    }
}

/// A random game of at least so many plies.
fn game(number: u64, plies: usize) -> Line {
    (0..)
        .find_map(|again| {
            let mut generator = random::generator(number, again);
            let mut line = Line::new(Board::start());
            for _ in 0..plies {
                let moves = line.board().legal_moves();
                let count = moves.len() as u64;
                if count == 0 {
                    return None;
                }
                line.push(moves[random::below(&mut generator, count) as usize]);
            }
            Some(line)
        })
        .expect("some game is long enough")
}

/// A model that is asked for a new position of each game, again and again.
struct Player {
    policy: SequencePolicy,
    /// Every move behind the prefix of each game, as a line.
    lines: Vec<Vec<Line>>,
    next: usize,
}

impl Player {
    fn new(shape: &SequenceShape, batch: usize) -> Player {
        let weights = SequenceWeights::zeros(shape.clone()).expect("a shape");
        let net = SequenceNet::new(&weights, Precision::Bf16);
        let lines = (0..batch as u64).map(|number| {
            let before = game(number, PREFIX);
            let replies = before.board().legal_moves();
            let replies = replies.iter().map(|&mv| {
                let mut line = before.clone();
                line.push(mv);
                line
            });
            replies.collect()
        });
        let mut player = Player {
            policy: SequencePolicy::new(Arc::new(net)),
            lines: lines.collect(),
            next: 0,
        };
        // The prefixes are known when the clock begins to run.
        player.ask();
        player
    }

    /// One batch of positions that were not asked for before.
    fn ask(&mut self) {
        let most = self.lines.iter().map(Vec::len).max().unwrap_or(1);
        if self.next >= most {
            // Begin again with nothing but the prefixes.
            self.next = 0;
        }
        for lines in &self.lines {
            let line = &lines[self.next % lines.len()];
            let moves = line.board().legal_moves();
            self.policy.put(line, Wanted::Both(&moves));
        }
        self.policy.run();
        self.next += 1;
    }

    fn speed(&mut self) -> f64 {
        let count = self.lines.len();
        let fresh = self.policy.clone();
        measure(count, || {
            if self.next == 0 || self.next >= self.lines[0].len() {
                self.policy.clone_from(&fresh);
                self.next = 1;
            }
            self.ask();
        })
    }
}

struct Trainee {
    session: Session,
    pool: rayon::ThreadPool,
    _folder: tempfile::TempDir,
}

impl Trainee {
    fn new(size: &str) -> Trainee {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.sequences");
        let mut writer = SequenceWriter::create(&path, Part::Train).expect("a file");
        for number in 0..400 {
            let line = game(number, 81);
            let boards = line.boards().windows(2);
            let moves = boards.filter_map(|pair| {
                let moves = pair[0].legal_moves();
                moves
                    .iter()
                    .copied()
                    .find(|&mv| pair[0].after(mv) == pair[1])
            });
            let game = SequenceGame {
                moves: moves.collect(),
                outcome: Some(Outcome::Draw),
                ratings: [Some(2_000); 2],
                ..SequenceGame::default()
            };
            assert!(writer.add(&game).expect("written"));
        }
        writer.finish().expect("written");
        let mut settings = Settings {
            net: NetSettings {
                size: size.to_owned(),
                ..NetSettings::default()
            },
            ..Settings::default()
        };
        settings.course.data = vec![path];
        settings.course.batch = TRAIN;
        settings.course.epoch_positions = Some(100_000_000);
        settings.course.validation_share = 0.01;
        Trainee {
            session: Session::begin(settings).expect("a session"),
            pool: rayon::ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .expect("a thread"),
            _folder: folder,
        }
    }

    fn speed(&mut self) -> f64 {
        let Trainee { session, pool, .. } = self;
        pool.install(|| {
            measure(TRAIN, || {
                session.step().expect("a step");
            })
        })
    }
}
