use chess::Board;
use nets::nnue::{Activation, Inputs, Random, SimpleScales, SimpleShape};
use train::nnue::*;
fn main() {
    let threads: usize = std::env::args()
        .nth(1)
        .and_then(|t| t.parse().ok())
        .unwrap_or(2);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .unwrap();
    let shape = SimpleShape {
        inputs: Inputs::piece_square([0; 64], false).unwrap(),
        hidden: 256,
        activation: Activation::Screlu,
        output_buckets: 1,
        scales: SimpleScales::default(),
    };
    let mut random = Random::new(1);
    let mut batches = Vec::new();
    for _ in 0..4 {
        let mut batch = Batch::new(shape.inputs.clone());
        let mut board = Board::start();
        while batch.len() < 16384 {
            let moves = board.legal_moves();
            if moves.is_empty() || board.occupied().count() < 12 {
                board = Board::start();
                continue;
            }
            board.make(moves[(random.number() % moves.len() as u64) as usize]);
            let material = (board.color(board.side_to_move()).count() as f32
                - board.color(!board.side_to_move()).count() as f32)
                * 100.0;
            batch.push(&board, material, 0.5);
        }
        batches.push(batch);
    }
    let men: u32 = batches[0].men().iter().map(|&m| u32::from(m)).sum();
    println!("men {}", men as f64 / 16384.0);
    let keeping = Keeping {
        factored: false,
        slow: false,
        average: false,
        rounded: false,
        batch: 16384,
    };
    let mut net = SimpleTrainee::new(shape, keeping).unwrap();
    net.randomise(7);
    let loss = Loss::PLAIN;
    let mut trainer = Trainer::default();
    let mut targets = Targets::default();
    let start = std::time::Instant::now();
    let mut first = start;
    for n in 1..=60u64 {
        let batch = &batches[n as usize % 4];
        targets.set(batch, &loss, 1.0);
        let step = StepSettings {
            optimiser: Optimiser::default(),
            number: n,
            rate: 1e-3,
            average_share: 0.0,
        };
        let l = trainer.learn(&mut net, batch, &targets, &loss, &step);
        if n % 10 == 0 {
            println!(
                "{n} {l:.6} {:.0} pos/s",
                10.0 * 16384.0 / first.elapsed().as_secs_f64()
            );
            first = std::time::Instant::now();
        }
    }
}
