//! Speed of the fast net.
//!
//! `cargo bench -p tabia-nets --bench policy` prints, for all widths, for how many positions
//! per second the logits of all legal moves are computed, including move generation, in
//! turns with the same net in floats by the kernels of other nets, which it has to beat;
//! how long the parts take; and for how many positions per second the value is computed.

use chess::Board;
use nets::kernels::Kernels;
use nets::nnue::{Activation, Inputs, OUTCOMES, SimpleScales, SimpleShape};
use nets::policy::sparse::{PolicyShape, Seen};
use nets::policy::{PolicyEvaluator, PolicyNet, PolicyWeights};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const GAMES: u64 = 40;
const PLIES: usize = 100;
const ROUNDS: usize = 40;

fn main() {
    let boards = positions();
    let moves: usize = boards.iter().map(|board| board.legal_moves().len()).sum();
    let mean = moves as f64 / boards.len() as f64;
    println!("{} positions with {mean:.1} moves", boards.len());
    let [generation, rows] = nanoseconds(
        &boards,
        [&mut |board| board.legal_moves().len(), &mut rows_of],
    );
    println!("moves alone {generation:.0} ns, with rows and exchanges {rows:.0} ns\n");
    println!("hidden   integers/s     floats/s   ratio");
    for hidden in [128, 256, 512, 1024, 2048] {
        let net = net(hidden);
        let mut integers = PolicyEvaluator::new(net.clone());
        let mut floats = Floats::new(&net);
        let [own, rival] = nanoseconds(
            &boards,
            [
                &mut |board| integers.policy(board, &board.legal_moves()).len(),
                &mut |board| floats.policy(board),
            ],
        );
        let [own_rate, rival_rate] = [own, rival].map(|time| 1e9 / time);
        println!(
            "{hidden:6} {own_rate:12.0} {rival_rate:12.0} {:7.2}",
            rival / own
        );
    }
    let mut evaluator = PolicyEvaluator::new(net(128));
    let [value] = nanoseconds(
        &boards,
        [&mut |board| (evaluator.value(board).win > 0.5).into()],
    );
    println!("\nchances by 2 x 256: {:.0} positions/s", 1e9 / value);
}

fn rows_of(board: &Board) -> usize {
    let seen = Seen::of(board);
    let moves = board.legal_moves();
    moves
        .iter()
        .map(|&mv| usize::from(seen.row(board, mv)))
        .sum()
}

fn net(hidden: usize) -> Arc<PolicyNet> {
    let shape = PolicyShape {
        hidden,
        value: SimpleShape {
            inputs: Inputs::piece_square([0; 64], true).expect("one bucket"),
            hidden: 256,
            activation: Activation::Screlu,
            output_buckets: OUTCOMES * 8,
            scales: SimpleScales::default(),
        },
    };
    let mut weights = PolicyWeights::zeros(shape).expect("memory");
    weights.fill_randomly(1);
    Arc::new(PolicyNet::new(weights).expect("within bounds"))
}

/// The same net with sums of embeddings and products of listed rows in 32-bit floats.
struct Floats {
    hidden: usize,
    biases: Vec<f32>,
    inputs: Vec<f32>,
    moves: Vec<f32>,
    logits: Vec<f32>,
}

impl Floats {
    fn new(net: &PolicyNet) -> Floats {
        let policy = net.policy();
        let scaled = |values: &[i16]| values.iter().map(|&it| f32::from(it) / 255.0).collect();
        Floats {
            hidden: policy.hidden(),
            biases: scaled(&policy.biases),
            inputs: scaled(&policy.inputs),
            moves: policy
                .moves
                .iter()
                .map(|&it| f32::from(it) / 64.0)
                .collect(),
            logits: Vec::new(),
        }
    }

    fn policy(&mut self, board: &Board) -> usize {
        let seen = Seen::of(board);
        let mut active = Vec::with_capacity(32);
        seen.inputs(board, |input| active.push(input as u32));
        let mut sums = self.biases.clone();
        Kernels::best().add_embeddings(&self.inputs, &active, &mut sums);
        let (low, high) = sums.split_at_mut(self.hidden / 2);
        for (a, b) in low.iter_mut().zip(high) {
            *a = a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0);
        }
        let moves = board.legal_moves();
        let rows: Vec<u32> = moves.iter().map(|&mv| seen.row(board, mv).into()).collect();
        self.logits.resize(rows.len(), 0.0);
        Kernels::best().listed_rows(&self.moves, low, &rows, &mut self.logits);
        self.logits.len()
    }
}

/// The nanoseconds for a position with each method, the best of the rounds: whatever else
/// runs on the machine only adds time. The methods take turns, so that variations of speed
/// affect all.
fn nanoseconds<const N: usize>(
    boards: &[Board],
    mut ways: [&mut dyn FnMut(&Board) -> usize; N],
) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for (way, best) in ways.iter_mut().zip(&mut best) {
            let start = Instant::now();
            for board in boards {
                black_box(way(black_box(board)));
            }
            let time = start.elapsed().as_nanos() as f64 / boards.len() as f64;
            *best = best.min(time);
        }
    }
    best
}

/// Positions of random games in their order.
fn positions() -> Vec<Board> {
    let mut state = 1u64;
    let mut boards = Vec::new();
    for _ in 0..GAMES {
        let mut board = Board::start();
        for _ in 0..PLIES {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            boards.push(board);
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            board.make(moves[(state >> 33) as usize % moves.len()]);
        }
    }
    boards
}
