//! Self-tests: whether the program gives the same results on this machine as elsewhere.

use arena::selfplay::{self, Amount, SelfPlay};
use chess::Board;
use engines::recipe::{AlphaBetaRecipe, Pace, Recipe};
use engines::{StopSignal, bench};
use nets::Model;
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::time::Instant;
use toml::de::DeTable;
use work::Threads;

/// The result of a test.
#[derive(Serialize)]
pub(super) struct Test {
    name: &'static str,
    pub(super) passed: bool,
    /// What was found, or what went wrong.
    words: String,
    seconds: f64,
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed { "passed" } else { "FAILED" };
        let Test {
            name,
            words,
            seconds,
            ..
        } = self;
        write!(f, "{name:<14} {verdict}: {words}, {seconds:.1} s")
    }
}

/// A test: its name and its code. An error says what went wrong.
pub(super) struct Case {
    name: &'static str,
    work: fn(&StopSignal) -> anyhow::Result<String>,
}

pub(super) const ALL: [Case; 4] = [
    Case {
        name: "rules",
        work: rules,
    },
    Case {
        name: "search",
        work: search,
    },
    Case {
        name: "self-play",
        work: self_play,
    },
    Case {
        name: "training",
        work: training,
    },
];

impl Case {
    pub(super) fn run(&self, stop: &StopSignal) -> Test {
        let begin = Instant::now();
        let result = (self.work)(stop);
        Test {
            name: self.name,
            passed: result.is_ok(),
            words: result.unwrap_or_else(|error| format!("{error:#}")),
            seconds: begin.elapsed().as_secs_f64(),
        }
    }
}

/// Positions with a depth and their known perft count.
const LEAVES: [(&str, u32, u64); 4] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
        4_865_609,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        4,
        3_894_594,
    ),
];

/// Checks known perft counts.
fn rules(_: &StopSignal) -> anyhow::Result<String> {
    let mut all = 0;
    for (fen, depth, expected) in LEAVES {
        let found = chess::perft::perft(&Board::from_fen(fen)?, depth);
        anyhow::ensure!(
            found == expected,
            "{found} leaves at depth {depth} of {fen}, not {expected}"
        );
        all += found;
    }
    Ok(format!("{all} leaves counted"))
}

/// A program that was built with another net has another signature.
const HAS_OWN_NET: bool = option_env!("TABIA_EMBED_NET").is_none();

/// Checks the node count of the bench, which is the same on every machine.
fn search(stop: &StopSignal) -> anyhow::Result<String> {
    let recipe = Recipe::AlphaBeta(AlphaBetaRecipe::new(Model::default(), 16));
    let mut player = recipe.player(Pace::MARGIN.0)?;
    let summary = std::thread::scope(|scope| {
        let work = || bench::run(player.as_mut(), bench::DEPTH, stop, &mut |_| {});
        let thread = std::thread::Builder::new().stack_size(engines::STACK_BYTES);
        let thread = thread.spawn_scoped(scope, work)?;
        let joined = thread.join();
        Ok::<_, anyhow::Error>(joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?)
    })?;
    let (nodes, speed) = (summary.nodes, summary.nodes_per_second());
    anyhow::ensure!(
        nodes == bench::SIGNATURE || !HAS_OWN_NET,
        "{nodes} nodes, not the {} of this search",
        bench::SIGNATURE
    );
    Ok(format!("{nodes} nodes, {speed} nodes/s"))
}

/// Plays games of the hand-written evaluation; returns the bytes of the shard.
fn play(path: &Path, threads: usize) -> anyhow::Result<Vec<u8>> {
    let settings = selfplay::Settings {
        nodes: Some(300),
        random_plies: 4,
        ..selfplay::Settings::default()
    };
    let work = SelfPlay {
        settings: &settings,
        explore: None,
        generation: 1,
        player: &Recipe::AlphaBeta(AlphaBetaRecipe::new(Model::classical(), 1)),
        seed: 1,
        amount: Amount::Games(100),
        shard: path,
        author: None,
        dispatcher: &Threads::new(threads),
    };
    work.play(&StopSignal::new(), &mut |_| {})?;
    Ok(std::fs::read(path)?)
}

fn all_threads() -> usize {
    std::thread::available_parallelism()
        .map_or(1, usize::from)
        .max(2)
}

/// One thread and all threads must play the same games.
fn self_play(_: &StopSignal) -> anyhow::Result<String> {
    let folder = tempfile::tempdir()?;
    let all = all_threads();
    let alone = play(&folder.path().join("alone.binpack"), 1)?;
    let together = play(&folder.path().join("together.binpack"), all)?;
    anyhow::ensure!(alone == together, "{all} threads make other games than one");
    Ok(format!("the same games with 1 and {all} threads"))
}

/// One thread and all threads must train the same net.
fn training(_: &StopSignal) -> anyhow::Result<String> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("games.binpack");
    play(&data, all_threads())?;
    let train = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        pool.install(|| trained(&data, &folder.path().join(format!("checkpoint-{threads}"))))
    };
    let all = all_threads();
    let [(alone, loss), (together, _)] = [train(1)?, train(all)?];
    anyhow::ensure!(loss.is_finite(), "the loss is no number");
    anyhow::ensure!(
        alone == together,
        "{all} threads train another net than one"
    );
    Ok(format!(
        "the same net with 1 and {all} threads, loss {loss:.5}"
    ))
}

/// The bytes of a small net after two epochs of training, and its loss.
fn trained(data: &Path, checkpoint: &Path) -> anyhow::Result<(Vec<u8>, f64)> {
    let text = format!(
        "data = [{data:?}]\nbatch = 256\nepochs = 2\n[net]\nshape = \"simple\"\nhidden = 32\n"
    );
    let table = DeTable::parse(&text)?.into_inner();
    let settings = train::Settings::from_table(table, 0).map_err(anyhow::Error::msg)?;
    let mut training = settings.training(1, None, lab::training_search())?;
    train::run(&mut *training, checkpoint, &|| false, &mut |_| {
        Ok::<(), train::TrainError>(())
    })?;
    let loss = training.validate().loss;
    let provenance = training.provenance();
    Ok((training.export("", provenance)?.bytes, loss))
}
