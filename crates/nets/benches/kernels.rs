//! Speed of the kernels on one thread, with the shapes of nets.
//!
//! `cargo bench -p tabia-nets --bench kernels` prints the GFLOP/s of every instruction
//! set that the CPU has. If `python3` has torch, PyTorch computes the same products and
//! convolutions between the rounds, and the ratio is printed. The best of the rounds
//! counts: whatever else runs on the machine only adds time.

use nets::kernels::{
    Activation, Affine, Convolution, ConvolutionRoom, Finish, Kernels, Matrix, Packed, Precision,
    SQUARES,
};
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 5;
/// The approximate duration of each measurement of a round.
const SECONDS: f64 = 0.03;

/// Rows, columns, summed axis, and where the product occurs.
const PRODUCTS: [([usize; 3], &str); 13] = [
    ([1, 4096, 1024], "policy head, one position"),
    ([16, 4096, 1024], "policy head, 16 positions"),
    ([128, 4096, 1024], "policy head, 128 positions"),
    ([64, 16, 64], "1x1 convolution of 64x6, one position"),
    ([1024, 16, 64], "1x1 convolution of 64x6, 16 positions"),
    ([1024, 16, 32], "1x1 convolution of 32x4, 16 positions"),
    ([1, 768, 192], "sequence model, one token"),
    ([16, 768, 192], "sequence model, 16 tokens"),
    ([64, 768, 192], "sequence model, 64 tokens"),
    ([2048, 768, 192], "sequence model, forward"),
    ([2048, 192, 768], "sequence model, data gradient"),
    ([768, 192, 2048], "sequence model, weight gradient"),
    ([2048, 192, 192], "sequence model, output layer"),
];

/// Inputs, outputs, boards.
const CONVOLUTIONS: [[usize; 3]; 8] = [
    [18, 64, 16],
    [64, 64, 1],
    [64, 64, 16],
    [64, 64, 128],
    [18, 32, 16],
    [32, 32, 1],
    [32, 32, 16],
    [32, 32, 128],
];

fn main() {
    let mut torch = Torch::start();
    if torch.is_none() {
        println!("python3 has no torch: PyTorch is left out");
    }
    println!("GFLOP/s, best of {ROUNDS} rounds");
    for ([rows, columns, depth], what) in PRODUCTS {
        for precision in [Precision::F32, Precision::Bf16] {
            let label = format!("{rows}x{columns}x{depth} {precision:?}, {what}");
            let request = format!("product {precision:?} {rows} {columns} {depth}");
            let work = 2.0 * (rows * columns * depth) as f64;
            let product = product([rows, columns, depth], precision);
            compare(&label, work, product, torch.as_mut(), &request);
        }
    }
    for shape @ [inputs, outputs, boards] in CONVOLUTIONS {
        let label =
            format!("3x3 convolution {inputs} -> {outputs}, {boards} boards (as if direct)");
        let request = format!("convolution F32 {inputs} {outputs} {boards}");
        let work = 2.0 * (9 * SQUARES * inputs * outputs * boards) as f64;
        compare(&label, work, convolution(shape), torch.as_mut(), &request);
    }
    rows();
}

/// The kernels that are bound by memory, not by arithmetic.
fn rows() {
    println!("nanoseconds");
    for (width, name) in [(1024, "ResNet"), (192, "sequence model")] {
        let weights = values(4096 * width);
        let vector = values(width);
        // The rows of 35 moves, far from each other.
        let rows: Vec<u32> = (0..35).map(|row| row * 997 % 4096).collect();
        each(
            &format!("35 legal rows of 4096 x {width} and soft-max, {name}"),
            |kernels| {
                let mut target = [0.0; 35];
                kernels.listed_rows(&weights, black_box(&vector), &rows, &mut target);
                kernels.softmax(&mut target);
                black_box(target);
            },
        );
    }
    let table = values(1024 * 192);
    let listed: Vec<u32> = (0..32).map(|row| row * 29 % 1024).collect();
    each("sum of 32 embeddings of 192", |kernels| {
        let mut sum = [0.0; 192];
        kernels.add_embeddings(black_box(&table), &listed, &mut sum);
        black_box(sum);
    });
    let (source, scale) = (values(64 * 192), values(192));
    let affine = Affine {
        gain: &scale,
        offset: &scale,
    };
    let mut target = values(64 * 192);
    each("layer norm, 64 rows of 192", |kernels| {
        kernels.layer_norm(black_box(&source), 192, Some(affine), 1e-5, &mut target);
    });
    for activation in [Activation::Relu, Activation::Silu, Activation::Tanh] {
        let finish = Finish {
            bias: Some(&scale),
            residual: Some(&source),
            activation,
        };
        each(
            &format!("bias, residual, {activation:?}, 64 rows of 192"),
            |kernels| {
                kernels.finish(black_box(&mut target), &finish);
            },
        );
    }
}

fn values(count: usize) -> Vec<f32> {
    (0..count)
        .map(|at| (at * 7919 % 2003) as f32 / 1001.0 - 1.0)
        .collect()
}

fn product([rows, columns, depth]: [usize; 3], precision: Precision) -> impl FnMut(&Kernels) {
    let left = values(rows * depth);
    let right = values(depth * columns);
    let packed = Packed::new(Matrix::new(&right, depth, columns), precision);
    let mut result = vec![0.0; rows * columns];
    move |kernels| {
        let left = Matrix::new(black_box(&left), rows, depth);
        kernels.product(left, &packed, &mut result, &Finish::default());
    }
}

fn convolution([inputs, outputs, boards]: [usize; 3]) -> impl FnMut(&Kernels) {
    let convolution = Convolution::new(&values(outputs * inputs * 9), outputs, inputs);
    let source = values(boards * SQUARES * inputs);
    let bias = values(outputs);
    let mut target = vec![0.0; boards * SQUARES * outputs];
    let mut room = ConvolutionRoom::default();
    move |kernels| {
        let finish = Finish {
            bias: Some(&bias),
            residual: None,
            activation: Activation::Relu,
        };
        kernels.convolve(
            &convolution,
            black_box(&source),
            &mut target,
            &mut room,
            &finish,
        );
    }
}

/// One line: the speed of every instruction set, and of PyTorch in turns with the fastest.
fn compare(
    label: &str,
    work: f64,
    mut run: impl FnMut(&Kernels),
    mut torch: Option<&mut Torch>,
    request: &str,
) {
    let kinds = Kernels::available();
    let mut best = vec![f64::INFINITY; kinds.len()];
    let mut other = f64::INFINITY;
    for _ in 0..ROUNDS {
        for (kernels, best) in kinds.iter().zip(&mut best) {
            *best = best.min(seconds(|| run(kernels)));
        }
        if let Some(torch) = torch.as_deref_mut() {
            other = other.min(torch.seconds(request));
        }
    }
    let rate = |seconds: f64| work / seconds / 1e9;
    let rates = kinds.iter().zip(&best);
    let rates: Vec<String> = rates
        .map(|(kernels, &best)| format!("{} {:.1}", kernels.name(), rate(best)))
        .collect();
    println!("{label}: {}", rates.join(", "));
    if torch.is_some() {
        println!(
            "    PyTorch {:.1}: {:.2} times as fast",
            rate(other),
            other / best[0]
        );
    }
}

fn each(label: &str, mut run: impl FnMut(&Kernels)) {
    let mut line = Vec::new();
    for kernels in Kernels::available() {
        let rounds = (0..ROUNDS).map(|_| seconds(|| run(kernels)));
        let best = rounds.fold(f64::INFINITY, f64::min);
        line.push(format!("{} {:.0}", kernels.name(), best * 1e9));
    }
    println!("{label}: {}", line.join(", "));
}

/// The shortest time of a run, of as many as fit into [`SECONDS`].
fn seconds(mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut best = f64::INFINITY;
    let mut batch = 1;
    while start.elapsed().as_secs_f64() < SECONDS {
        let begun = Instant::now();
        for _ in 0..batch {
            run();
        }
        let time = begun.elapsed().as_secs_f64();
        best = best.min(time / f64::from(batch));
        // Long enough for the clock, short enough to run without interruption.
        if time < 1e-4 {
            batch *= 2;
        }
    }
    best
}

/// A PyTorch process on one thread that times requested operations.
struct Torch {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// Answers each line with the seconds of the best run.
const SCRIPT: &str = r#"
import sys, time, torch
torch.set_num_threads(1)
torch.set_grad_enabled(False)
print("ready", flush=True)
for line in sys.stdin:
    kind, precision, *sizes = line.split()
    a, b, c = map(int, sizes)
    dtype = torch.bfloat16 if precision == "Bf16" else torch.float32
    if kind == "product":
        left, weights = torch.rand(a, c).to(dtype), torch.rand(b, c).to(dtype)
        run = lambda: torch.nn.functional.linear(left, weights)
    else:
        source = torch.rand(c, a, 8, 8).to(memory_format=torch.channels_last)
        layer = torch.nn.Conv2d(a, b, 3, padding=1).to(memory_format=torch.channels_last)
        run = lambda: torch.relu_(layer(source))
    best, start = float("inf"), time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        begun = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begun)
    print(best, flush=True)
"#;

impl Torch {
    /// Starts it; `None` if there is no python3 with torch.
    fn start() -> Option<Self> {
        let script = SCRIPT.replace("SECONDS", &SECONDS.to_string());
        let mut process = Command::new("python3")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut answers = BufReader::new(process.stdout.take()?);
        let requests = process.stdin.take();
        let mut line = String::new();
        answers.read_line(&mut line).ok()?;
        if line.trim() == "ready" {
            return Some(Self {
                process,
                requests,
                answers,
            });
        }
        process.wait().ok()?;
        None
    }

    fn seconds(&mut self, request: &str) -> f64 {
        let requests = self.requests.as_mut().expect("open until the end");
        writeln!(requests, "{request}").expect("PyTorch takes requests");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("PyTorch answers");
        line.trim().parse().expect("PyTorch answers with seconds")
    }
}

impl Drop for Torch {
    fn drop(&mut self) {
        // The end of its input ends the script; its exit code does not matter.
        self.requests = None;
        let _ = self.process.wait();
    }
}
