//! Plies a second of exploration, on all cores.
//!
//! `cargo bench -p tabia-lab --bench explore -- [SECONDS]` lets nets with random weights play
//! games with themselves as runs do, and prints plies and evaluations a second beside the
//! aims for two idle cores.

use arena::selfplay::{Amount, SelfPlay};
use engines::StopSignal;
use nets::{Model, Provenance};
use std::env;
use std::thread::available_parallelism;
use std::time::Instant;
use train::First;
use work::Threads;

/// What is played, the plies a second that are aimed at, and the tables of a run file.
const PLAYERS: [(&str, f64, &str); 3] = [
    (
        "ResNet 32x4, Gumbel 32 full, 8 cheap",
        1_500.0,
        "[train]\nkind = 'resnet'\n[net]\nchannels = 32\nblocks = 4\n\
         [explore]\nsimulations = 32\ncheap_simulations = 8\ngames_at_once = 64\n",
    ),
    (
        "ResNet 64x6, PUCT, 300 simulations",
        25.0,
        "[train]\nkind = 'resnet'\n[net]\nchannels = 64\nblocks = 6\n\
         [explore]\nsimulations = 300\nfull_share = 1.0\ngumbel_moves = 0\npolicy_plies = 0\n\
         noise = { alpha = 0.3, epsilon = 0.25 }\ngames_at_once = 64\n",
    ),
    (
        "fast net, Gumbel 200 full, 50 cheap",
        3_750.0,
        "[train]\nkind = 'policy'\n[explore]\nsimulations = 200\ncheap_simulations = 50\n",
    ),
];

fn main() {
    let seconds = env::args().find_map(|word| word.parse().ok());
    let seconds = seconds.unwrap_or(20.0);
    let threads = available_parallelism().map_or(1, usize::from);
    println!("{threads} threads, {seconds} seconds each");
    println!(
        "{:40} {:>9} {:>9} {:>14}",
        "", "plies/s", "aim", "evaluations/s"
    );
    for (name, aim, text) in PLAYERS {
        let [plies, evaluations] = speeds(text, seconds, threads);
        println!("{name:40} {plies:>9.0} {aim:>9.0} {evaluations:>14.0}");
    }
}

/// Plies and evaluations a second.
fn speeds(text: &str, seconds: f64, threads: usize) -> [f64; 2] {
    let text = format!("{text}[selfplay]\nbook = 'start'\nhorizon = 160\n");
    let experiment = lab::settings::read(&text, &train::learners()).expect("settings");
    let arm = &experiment.arms[lab::settings::ONLY_ARM];
    let folder = tempfile::tempdir().expect("a folder");
    let first = arm.learner.first(&First {
        seed: 1,
        start: None,
        checkpoint: &folder.path().join("checkpoint"),
        description: "",
        provenance: Provenance::default(),
    });
    let model = Model::from_bytes(&first.expect("a net").bytes).expect("a model");
    let work = SelfPlay {
        settings: &arm.selfplay,
        explore: arm.explore.as_ref(),
        generation: 1,
        player: &arm.player.clone().with_model(model),
        seed: 1,
        amount: Amount::Seconds(seconds),
        shard: &folder.path().join("shard.policy"),
        author: None,
        dispatcher: &Threads::new(threads),
    };
    let begin = Instant::now();
    let totals = work.play(&StopSignal::new(), &mut |_| {});
    let elapsed = begin.elapsed().as_secs_f64();
    let totals = totals.expect("games").expect("nobody stops them");
    let explored = totals.explored.expect("searches");
    [totals.plies as f64, explored.evaluations as f64].map(|count| count / elapsed)
}
