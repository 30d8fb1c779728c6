//! Simulations a second of the tree search, by the CPU's clock, on one thread.
//!
//! `cargo bench -p tabia-engines --bench mcts -- [ROUNDS] [SIMULATIONS]` searches five
//! positions with each model in turns and prints the median of the rounds: the model that
//! knows nothing shows what the search itself costs, the fast net that is built in what
//! people play with.

use chess::{Board, Game};
use engines::mcts::{Mcts, Models, Options};
use engines::{Limits, StopSignal};
use nets::policy::sparse::embedded;
use nets::policy::{Heuristic, PolicyEvaluator, PolicyValue, Uniform};
use rustix::time::{ClockId, clock_gettime};
use std::env;

const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
];

/// Seconds that this process has used.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The simulations a second of one player on all positions.
fn speed(player: &mut Mcts, simulations: u64) -> f64 {
    let mut spent = 0.0;
    let mut done = 0;
    for fen in POSITIONS {
        let game = Game::new(Board::from_fen(fen).expect("the positions are sound"));
        player.forget();
        let begin = cpu_seconds();
        let limits = Limits::nodes(simulations);
        let answer = player.think(&game, &limits, &StopSignal::new(), &mut |_| {});
        spent += cpu_seconds() - begin;
        done += answer.nodes;
    }
    done as f64 / spent
}

fn main() {
    let numbers: Vec<u64> = env::args().filter_map(|word| word.parse().ok()).collect();
    let rounds = numbers.first().copied().unwrap_or(5);
    let simulations = numbers.get(1).copied().unwrap_or(40_000);
    let uniform: Models = Box::new(|| Box::new(Uniform::default()));
    let heuristic: Models = Box::new(|| Box::new(Heuristic::default()));
    let options = Options {
        hash: 64,
        ..Options::default()
    };
    let mut models = vec![
        ("uniform policy, value 0", uniform),
        ("hand-written policy and value", heuristic),
    ];
    if let Some(file) = embedded() {
        let fast = || Box::new(PolicyEvaluator::new(file.net.clone())) as Box<dyn PolicyValue>;
        models.push(("the fast net that is built in", Box::new(fast)));
    }
    let with_options = |(name, models)| (name, Mcts::new(models, options.clone()));
    let mut players: Vec<_> = models.into_iter().map(with_options).collect();
    let mut speeds = vec![Vec::new(); players.len()];
    for _ in 0..rounds {
        for ((_, player), speeds) in players.iter_mut().zip(&mut speeds) {
            speeds.push(speed(player, simulations));
        }
    }
    println!("simulations/s of CPU time, {simulations} a position, median of {rounds} rounds");
    for ((name, _), mut speeds) in players.iter().zip(speeds) {
        speeds.sort_by(f64::total_cmp);
        println!("{:9.0}  {name}", speeds[speeds.len() / 2]);
    }
}
