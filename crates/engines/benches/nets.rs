//! What nets cost: evaluations a second, computed afresh and along games, and the
//! nodes a second of the engine with each, in turns with Stockfish 15.1 and the
//! same net.
//!
//! `cargo bench -p tabia-engines --bench nets -- [ROUNDS] [STOCKFISH]` plays a few
//! games to have positions in their order, then values them. Debian's stockfish,
//! unless another is named, exports its net, which is the one of 1024 values; the
//! other nets are random and as large. Run it on an idle machine.

mod rival;

use chess::{Board, Game, Move};
use engines::alphabeta::{AlphaBetaEngine, Options, StabilityOptions};
use engines::{Limits, Player, STACK_BYTES, StopSignal, bench};
use nets::nnue::sfnn::{Sfnn, SfnnWeights};
use nets::nnue::simple::SimpleWeights;
use nets::nnue::{
    Activation, Inputs, Net, NetEvaluator, NetFile, Network, SfnnRanges, SfnnShape, SimpleScales,
    SimpleShape,
};
use nets::{Evaluator, Model};
use rival::{HASH, Rival, Work, median, search};
use std::env;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const STOCKFISH: &str = "/usr/games/stockfish";
const GAMES: u64 = 16;
const PLIES: usize = 120;

/// A game: its boards, and the moves between them.
type Played = (Vec<Board>, Vec<Move>);

/// Games of the engine against itself, with few nodes a move.
fn games() -> Vec<Played> {
    let mut player = AlphaBetaEngine::new(Model::classical(), options());
    (0..GAMES)
        .map(|number| {
            let start = Board::chess960((number * 61 % 960) as u16).expect("below 960");
            let mut game = Game::new(start);
            let mut boards = vec![start];
            player.new_game(0).expect("it is ready");
            while game.termination().is_none() && boards.len() <= PLIES {
                let answer = player
                    .choose(&game, &Limits::nodes(300), &StopSignal::new(), &mut |_| {})
                    .expect("it plays");
                let Some(mv) = answer.best else { break };
                game.play(mv).expect("a legal move");
                boards.push(*game.board());
            }
            (boards, game.moves().to_vec())
        })
        .collect()
}

fn options() -> Options {
    Options {
        hash: HASH,
        stability: StabilityOptions::OFF,
        ..Options::default()
    }
}

/// Evaluations a second: afresh, along the games, and along the games with every
/// move of each position, as a search meets them.
fn evaluations<N: Network>(net: &Arc<N>, games: &[Played]) -> [f64; 3] {
    let mut evaluator = NetEvaluator::new(net.clone());
    let mut best = [0.0f64; 3];
    for _ in 0..3 {
        let mut count = 0;
        let start = Instant::now();
        for board in games.iter().flat_map(|(boards, _)| boards) {
            black_box(evaluator.fresh_value(board));
            count += 1;
        }
        best[0] = best[0].max(f64::from(count) / start.elapsed().as_secs_f64());

        let mut count = 0;
        let start = Instant::now();
        for (boards, moves) in games {
            evaluator.reset(&boards[0]);
            for (ply, &mv) in moves.iter().enumerate() {
                evaluator.push(&boards[ply], mv, &boards[ply + 1]);
                black_box(evaluator.raw_value(&boards[ply + 1]));
                count += 1;
            }
        }
        best[1] = best[1].max(f64::from(count) / start.elapsed().as_secs_f64());
        best[2] = best[2].max(with_siblings(&mut evaluator, games));
    }
    best
}

fn with_siblings<N: Network>(evaluator: &mut NetEvaluator<N>, games: &[Played]) -> f64 {
    let mut count = 0;
    let mut seconds = 0.0;
    for (boards, moves) in games {
        evaluator.reset(&boards[0]);
        for (ply, &mv) in moves.iter().enumerate() {
            let board = &boards[ply];
            let children: Vec<(Move, Board)> = board
                .legal_moves()
                .iter()
                .map(|&mv| (mv, board.after(mv)))
                .collect();
            let start = Instant::now();
            for (mv, child) in &children {
                evaluator.push(board, *mv, child);
                black_box(evaluator.raw_value(child));
                evaluator.pop();
                count += 1;
            }
            seconds += start.elapsed().as_secs_f64();
            evaluator.push(board, mv, &boards[ply + 1]);
        }
    }
    f64::from(count) / seconds
}

fn random_sfnn(l1: usize) -> Vec<u8> {
    let shape = SfnnShape::new(l1).expect("a width");
    let mut weights = SfnnWeights::zeros(shape).expect("memory");
    weights.fill_randomly(1, SfnnRanges::USUAL);
    Sfnn::new(weights)
        .map(|net| bytes_of(&net))
        .expect("within bounds")
}

fn bytes_of(net: &Sfnn) -> Vec<u8> {
    let mut bytes = Vec::new();
    let compression = nets::nnue::sfnn::Compression::Raw;
    net.weights()
        .write(compression, &mut bytes)
        .expect("within bounds");
    bytes
}

fn random_simple(hidden: usize) -> Vec<u8> {
    let shape = SimpleShape {
        inputs: Inputs::piece_square([0; 64], true).expect("one bucket"),
        hidden,
        activation: Activation::Screlu,
        output_buckets: 8,
        scales: SimpleScales::default(),
    };
    let mut weights = SimpleWeights::zeros(shape).expect("memory");
    weights.fill_randomly(1, 60, 40);
    let mut bytes = Vec::new();
    weights.write(&mut bytes).expect("within bounds");
    bytes
}

/// The net of the rival.
fn exported(rival: &mut Rival) -> Option<Vec<u8>> {
    let path = env::temp_dir().join(format!("tabia-bench-{}.nnue", std::process::id()));
    rival.send(&format!("export_net {}", path.display()))?;
    rival.wait_for("Network saved successfully")?;
    let bytes = std::fs::read(&path).ok();
    let _ = std::fs::remove_file(&path);
    bytes
}

fn run() {
    let words = || env::args().skip(1).filter(|word| !word.starts_with("--"));
    let rounds: usize = words().find_map(|word| word.parse().ok()).unwrap_or(3);
    let program = words()
        .find(|word| word.parse::<usize>().is_err())
        .unwrap_or_else(|| STOCKFISH.to_owned());
    let mut rival = Rival::start(&program);
    let own_net = rival.as_mut().and_then(exported);
    if own_net.is_none() {
        println!("{program} does not run: no rival (Debian package stockfish)");
    }
    let nets = [
        ("simple 256", random_simple(256)),
        ("simple 1024", random_simple(1024)),
        ("sfnn 2560", random_sfnn(2560)),
        ("sfnn 1024", own_net.unwrap_or_else(|| random_sfnn(1024))),
    ]
    .map(|(name, bytes)| (name, NetFile::from_bytes(&bytes).expect("a net")));
    println!("arithmetic: {}", nets::nnue::instruction_set());
    let games = games();
    println!("evaluations/s      afresh  along games  with siblings");
    for (name, file) in &nets {
        let [afresh, along, siblings] = match &file.net {
            Net::Sfnn(net) => evaluations(net, &games),
            Net::Simple(net) => evaluations(net, &games),
        };
        println!("{name:12} {afresh:12.0} {along:12.0} {siblings:14.0}");
    }
    let mut players: Vec<_> = nets
        .iter()
        .map(|(name, file)| {
            let model = Model::Nnue(file.clone());
            (*name, AlphaBetaEngine::new(model, options()))
        })
        .collect();
    players.push((
        "classical",
        AlphaBetaEngine::new(Model::classical(), options()),
    ));
    let mut speeds = vec![Vec::new(); players.len()];
    let [mut theirs, mut ratios] = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        let mut works = vec![Work::default(); players.len()];
        let mut other = Work::default();
        for fen in bench::positions() {
            if let Some(work) = rival.as_mut().and_then(|rival| rival.search(fen)) {
                other.add(work);
            }
            for ((_, player), work) in players.iter_mut().zip(&mut works) {
                work.add(search(player, fen));
            }
        }
        for (speed, work) in speeds.iter_mut().zip(&works) {
            speed.push(work.speed());
        }
        theirs.push(other.speed());
        let same = players.iter().position(|(name, _)| *name == "sfnn 1024");
        ratios.push(same.map_or(0.0, |index| works[index].speed()) / other.speed());
    }
    println!(
        "nodes/s on {} positions, median of {rounds} rounds",
        bench::POSITION_COUNT
    );
    for ((name, _), speed) in players.iter().zip(speeds) {
        println!("{:9.0}  {name}", median(speed));
    }
    if rival.is_some() {
        println!("{:9.0}  {program}", median(theirs));
        println!(
            "   x {:.2}  sfnn 1024 beside it, with the same net",
            median(ratios)
        );
    }
}

fn main() {
    let thread = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(run);
    thread.expect("a thread").join().expect("the bench ends");
}
