//! The speed of the trainer beside PyTorch, in one interleaved run, and what a
//! training takes from the file to the net.
//!
//! `cargo bench -p tabia-train --bench trainer -- [FILE] [ROUNDS]` learns from the
//! quiet positions of a binpack file. Without one it takes the file of the folder
//! that the variable TABIA_DATA names, or else random games that it makes. Medians
//! of the rounds count. Run it on an idle machine.
//!
//! *Steps* learn from positions that are in memory, packed in 32 bytes each: the
//! inputs are found, the net goes forward and back and changes. The rival is
//! `rival.py`, run by the interpreter that the variable PYTHON names, or python3,
//! if that has torch. It is given its tensors of inputs beforehand, and has no part
//! that king buckets share, and so has less to do. *End to end* is a session of its
//! own process, whose peak of memory is told: it reads the file, filters, shuffles
//! and learns.

mod positions;
mod rival;
mod shapes;

use data::loader::{self, Loader};
use data::packed::PackedPosition;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rival::Rival;
use shapes::{BATCH, SHAPES, Shape};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use train::nnue::{Batch, Learner, Optimiser, Session, Settings, StepSettings, Targets, Trainer};
use train::{CourseSettings, Training, arithmetic};

/// The numbers of threads that are compared.
const THREADS: [usize; 2] = [1, 2];
/// A measurement takes at least so many seconds.
const SECONDS: f64 = 1.5;
/// The argument of a process that trains from end to end.
const END_TO_END: &str = "end-to-end";

fn main() {
    // Cargo passes `--bench`.
    let words: Vec<String> = env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    if let [END_TO_END, name, path] = words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        let shape = Shape::named(name).expect("a shape");
        return end_to_end(shape, Path::new(path));
    }
    let rounds: usize = words.iter().find_map(|word| word.parse().ok()).unwrap_or(5);
    let file = words.iter().find(|word| word.parse::<usize>().is_err());
    let (path, _folder) = positions::input(file.map(PathBuf::from));
    println!(
        "{}, batches of {BATCH}, {} arithmetic, medians of {rounds} rounds\n",
        path.display(),
        arithmetic()
    );
    steps(&path, rounds);
    loading(&path, rounds);
    whole_trainings(&path, rounds);
}

/// A net that learns from batches in turns.
struct Pupil {
    shape: Shape,
    net: Learner,
    trainer: Trainer,
    batch: Batch,
    targets: Targets,
    steps: u64,
}

impl Pupil {
    fn new(shape: Shape) -> Pupil {
        Pupil {
            shape,
            net: shape.learner(),
            trainer: Trainer::default(),
            batch: Batch::new(shape.inputs()),
            targets: Targets::default(),
            steps: 0,
        }
    }

    fn step(&mut self, batches: &[Vec<PackedPosition>]) {
        let positions = &batches[self.steps as usize % batches.len()];
        self.steps += 1;
        self.batch.set(positions);
        let loss = self.shape.loss();
        self.targets.set(&self.batch, &loss, 0.7);
        let step = StepSettings {
            optimiser: Optimiser::default(),
            number: self.steps,
            learning_rate: 1e-3,
            ema_share: 0.0,
        };
        let error = self
            .trainer
            .learn(&mut self.net, &self.batch, &self.targets, &loss, &step);
        assert!(error.is_finite());
    }

    /// Positions a second.
    fn speed(&mut self, batches: &[Vec<PackedPosition>], pool: &ThreadPool) -> f64 {
        pool.install(|| {
            self.step(batches);
            let begin = Instant::now();
            let mut steps = 0;
            while begin.elapsed().as_secs_f64() < SECONDS {
                self.step(batches);
                steps += 1;
            }
            f64::from(steps) * BATCH as f64 / begin.elapsed().as_secs_f64()
        })
    }
}

fn steps(path: &Path, rounds: usize) {
    let batches = positions::batches(path);
    let torch = rival::torch();
    let men: u32 = batches[0].iter().map(PackedPosition::piece_count).sum();
    println!(
        "steps, positions/s, {} batches in turns, {:.1} men a position",
        batches.len(),
        f64::from(men) / BATCH as f64
    );
    println!("{:<28}{:>12}{:>12}", "", "1 thread", "2 threads");
    let pools = THREADS.map(|threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads")
    });
    for shape in SHAPES {
        let torch = torch.as_ref().filter(|_| shape.has_rival);
        let mut rival = torch.map(|version| Rival::start(shape, &batches, version));
        let mut pupil = Pupil::new(shape);
        let mut ours = THREADS.map(|_| Vec::new());
        let mut theirs = THREADS.map(|_| Vec::new());
        let mut ratios = THREADS.map(|_| Vec::new());
        for _ in 0..rounds {
            for index in 0..THREADS.len() {
                let speed = pupil.speed(&batches, &pools[index]);
                ours[index].push(speed);
                if let Some(rival) = &mut rival {
                    let other = rival.speed(THREADS[index], SECONDS);
                    theirs[index].push(other);
                    ratios[index].push(speed / other);
                }
            }
        }
        row(shape.name, ours.map(median));
        if let Some(rival) = rival {
            row(&rival.name(), theirs.map(median));
            let [first, second] = ratios.map(median);
            println!("{:<28}{first:>12.2}{second:>12.2}", "  ratio");
        }
    }
    println!();
}

fn row(name: &str, [first, second]: [f64; 2]) {
    println!("{name:<28}{first:>12.0}{second:>12.0}");
}

/// The loader alone: positions a second that it hands on.
fn loading(path: &Path, rounds: usize) {
    let mut speeds = THREADS.map(|_| Vec::new());
    for _ in 0..rounds {
        for (index, threads) in THREADS.into_iter().enumerate() {
            let mut settings = loader::Settings::new(positions::files(path));
            settings.batch = BATCH;
            settings.threads = threads;
            settings.filters = positions::filters();
            let mut loader: Loader = Loader::open(settings).expect("a binpack file");
            let mut batch = loader::Batch::default();
            let mut positions = 0;
            let begin = Instant::now();
            while begin.elapsed().as_secs_f64() < SECONDS {
                loader.next(&mut batch).expect("a batch");
                positions += batch.positions.len();
            }
            speeds[index].push(positions as f64 / begin.elapsed().as_secs_f64());
        }
    }
    let words = positions::FILTERS.join(", ");
    println!("the loader alone, positions/s that are left by {words}");
    row("", speeds.map(median));
    println!();
}

/// Trainings in processes of their own.
fn whole_trainings(path: &Path, rounds: usize) {
    println!(
        "end to end, {} threads: reading, filters, learning",
        THREADS[1]
    );
    println!("{:<28}{:>12}{:>12}", "", "positions/s", "peak MB");
    for shape in SHAPES {
        let (mut speeds, mut peaks) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let output = Command::new(env::current_exe().expect("a name"))
                .args([END_TO_END, shape.name])
                .arg(path)
                .output()
                .expect("a process");
            assert!(output.status.success(), "{output:?}");
            let text = String::from_utf8(output.stdout).expect("text");
            let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>());
            let mut number = || numbers.next().expect("a number").expect("a number");
            speeds.push(number());
            peaks.push(number());
        }
        row(shape.name, [median(speeds), median(peaks)]);
    }
}

/// Trains from a file; prints positions a second and the peak of memory.
fn end_to_end(shape: Shape, path: &Path) {
    let threads = THREADS[1];
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().expect("threads");
    let settings = Settings {
        net: shape.settings(),
        course: CourseSettings {
            data: positions::files(path),
            filters: positions::FILTERS.map(str::to_owned).to_vec(),
            epoch_positions: Some(100_000_000),
            ..CourseSettings::default()
        },
        ..Settings::default()
    };
    let mut session = Session::begin(settings, threads).expect("a binpack file");
    session.step().expect("a step");
    let begin = Instant::now();
    let mut positions = 0;
    while begin.elapsed().as_secs_f64() < 2.0 * SECONDS {
        positions += session.step().expect("a step").positions;
    }
    let speed = positions as f64 / begin.elapsed().as_secs_f64();
    println!("{speed} {}", peak_megabytes());
}

/// The most memory that this process has had.
fn peak_megabytes() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1024.0
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() % 2 {
        0 => 0.5 * (numbers[middle - 1] + numbers[middle]),
        _ => numbers[middle],
    }
}
