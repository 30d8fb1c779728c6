//! A run on a cluster in which everything dies: it comes out as if nothing had been.

use super::group::{Group, Mortal, files, wait_until};
use super::proxy::Proxy;
use crate::program::{finished_steps, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

const FILE: &str = "\
generations = 2
[net]
hidden = 32
[selfplay]
nodes = 60
positions = 6_000
random_plies = 2
[train]
positions = 2_560
batch = 64
checkpoint_steps = 20
[gate]
games = 40
nodes = 60
horizon = 60
elo_above = [-10_000]
[verdict]
games = 40
[arms.control.selfplay]
horizon = 40
[arms.curriculum.selfplay]
horizon = { start = 12, step = 6 }
at_horizon = 'material'
";

/// Numbers that look like chance and are the same every time.
struct Lot(u64);

impl Lot {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// The workers of a group, one of them behind a proxy.
struct Crew<'a> {
    group: &'a Group,
    workers: Vec<Mortal>,
    started: usize,
}

impl Crew<'_> {
    fn start(&mut self, port: Option<u16>) -> Mortal {
        self.started += 1;
        let name = format!("worker-{}", (self.started - 1) % 9 + 1);
        let worker = Mortal::new(self.group.worker(&name, port));
        // It tries for as long as it takes only if it was connected once.
        wait_until("the worker is connected", || {
            self.group.words(&name).contains("connected as ")
        });
        worker
    }

    /// Kills one of the first two and starts another.
    fn replace(&mut self, number: usize) {
        self.workers[number].end();
        self.workers[number] = self.start(None);
    }
}

/// What a run has found, without its times.
fn findings(run: &Path) -> Vec<Value> {
    let text = fs::read_to_string(run.join("metrics.jsonl")).expect("metrics");
    let rows = text.lines().map(serde_json::from_str);
    let mut rows: Vec<Value> = rows.collect::<Result<_, _>>().expect("JSON");
    rows.iter_mut().for_each(forget_times);
    rows
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(table) => {
            // The share of time outside of searches is one, too.
            let is_time = |key: &str| key.contains("seconds") || ["elapsed", "idle"].contains(&key);
            table.retain(|key, _| !is_time(key));
            table.values_mut().for_each(forget_times);
        }
        Value::Array(list) => list.iter_mut().for_each(forget_times),
        _ => {}
    }
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_run_is_the_same_whatever_dies() {
    let mut group = Group::start("chaos");
    let folder = group.folder.clone();
    fs::write(folder.join("mini.toml"), FILE).expect("written");
    let here = run_in(&folder, "run mini.toml --out here --threads 2");
    assert!(here.starts_with("exit 0\n"), "{here}");

    let proxy = Proxy::before(group.port);
    let there = folder.join("there");
    let begun = group.begin(&["run", "mini.toml", "--out", "there"]);
    let mut coordinator = Mortal::new(begun);
    let mut lot = Lot(0x9e37_79b9);
    let mut workers: Vec<Mortal> = Vec::new();
    let mut started = 0;
    // They take the group in turns, since the server is killed, too.
    macro_rules! crew {
        () => {
            Crew {
                group: &group,
                workers: std::mem::take(&mut workers),
                started,
            }
        };
    }
    let mut crew = crew!();
    for port in [None, None, Some(proxy.port)] {
        let worker = crew.start(port);
        crew.workers.push(worker);
    }
    (workers, started) = (crew.workers, crew.started);

    wait_until("the first step is done", || finished_steps(&there) > 1);
    let mut crew = crew!();
    crew.replace(lot.below(2) as usize);
    (workers, started) = (crew.workers, crew.started);
    group.kill_server();
    thread::sleep(Duration::from_millis(lot.below(1500)));
    group.start_server();

    let before = finished_steps(&there);
    wait_until("it goes on", || finished_steps(&there) > before + 1);
    coordinator.end();
    let mut crew = crew!();
    crew.replace(lot.below(2) as usize);
    (workers, started) = (crew.workers, crew.started);
    let resumed = group.begin(&["run", "--resume", "there"]);
    let mut coordinator = resumed;

    let before = finished_steps(&there);
    wait_until("it goes on again", || finished_steps(&there) > before);
    // Longer than a lease.
    proxy.stall(true);
    let mut crew = crew!();
    for _ in 0..3 {
        thread::sleep(Duration::from_millis(1000 + lot.below(2000)));
        if coordinator.try_wait().expect("a process").is_none() {
            crew.replace(lot.below(2) as usize);
        }
    }
    proxy.stall(false);
    wait_until("the run is finished", || {
        coordinator.try_wait().expect("a process").is_some()
    });
    let status = coordinator.wait().expect("ended");
    assert!(status.success(), "{}", group.words("coordinator"));
    drop(crew);

    let ends = [".binpack", ".tabianet"];
    let (one, other) = (files(&folder.join("here"), &ends), files(&there, &ends));
    assert!(one.len() >= 8, "{}", one.len());
    let names = |all: &[(std::path::PathBuf, Vec<u8>)]| -> Vec<std::path::PathBuf> {
        all.iter().map(|(path, _)| path.clone()).collect()
    };
    assert_eq!(names(&one), names(&other));
    for ((path, here), (_, there)) in one.iter().zip(&other) {
        assert!(here == there, "{} differs", path.display());
    }
    assert_eq!(findings(&folder.join("here")), findings(&there));
    // Who worked is noted beside the results, for those who look.
    let note = fs::read(there.join("cluster.json")).expect("a note");
    let note: Value = serde_json::from_slice(&note).expect("JSON");
    assert_eq!(note["ended"], true);
    assert_eq!((&note["queued"], &note["open"]), (&0.into(), &0.into()));
    assert!(note["workers"].is_array() && !folder.join("here/cluster.json").exists());
}
