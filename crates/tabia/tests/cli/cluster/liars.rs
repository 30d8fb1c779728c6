//! Workers with a program of their own that lies about games, each in its way.

use super::group::{Group, Mortal, wait_until};
use crate::program::run_in;
use cluster::{Identity, Worker, WorkerOptions};
use engines::bench;
use serde_json::{Value, json};
use std::fs;
use std::thread::{self, JoinHandle};
use work::{BoxedJob, Job, Kind, Outcome, Piece, StopSignal};

/// What is made of an honest result.
type Lie = fn(&mut Value);

/// Self-play, but for a lie in every result.
struct Lying {
    honest: BoxedJob,
    lie: Lie,
}

impl Job for Lying {
    fn piece_name(&self) -> &'static str {
        self.honest.piece_name()
    }

    fn stack_bytes(&self) -> usize {
        self.honest.stack_bytes()
    }

    fn worker(&self, number: usize) -> Box<dyn work::Worker + '_> {
        Box::new(Liar {
            honest: self.honest.worker(number),
            lie: self.lie,
        })
    }
}

struct Liar<'a> {
    honest: Box<dyn work::Worker + 'a>,
    lie: Lie,
}

impl work::Worker for Liar<'_> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let outcome = self.honest.work(piece, halt);
        let Outcome::Done(result) = outcome else {
            return outcome;
        };
        let mut game = serde_json::from_slice(&result).expect("a game");
        (self.lie)(&mut game);
        Outcome::Done(serde_json::to_vec(&game).expect("JSON"))
    }
}

const HONEST: Kind = arena::selfplay::KIND;

macro_rules! liar {
    ($lie:expr) => {
        Kind {
            name: HONEST.name,
            make: |settings, blobs| {
                let honest = (HONEST.make)(settings, blobs)?;
                Ok(Box::new(Lying { honest, lie: $lie }))
            },
        }
    };
}

/// Each lie with what is said of it.
fn liars() -> Vec<(Kind, &'static str)> {
    vec![
        // More positions than the game has.
        (
            liar!(|game| game["positions"] = json!(10_000)),
            "more positions than plies",
        ),
        // The result of another game: seen when it is played again.
        (
            liar!(|game| {
                let white_won = game["result"] == "1-0";
                game["result"] = json!(if white_won { "0-1" } else { "1-0" });
            }),
            "had a different result",
        ),
        // The same game, over and over.
        (liar!(|game| game["game"] = json!(0)), "it is game 0"),
        // No game at all.
        (liar!(|game| *game = json!("garbage")), "invalid type"),
    ]
}

/// A worker in a thread of this process.
fn start(
    group: &Group,
    name: &str,
    kind: Kind,
    stop: &StopSignal,
) -> JoinHandle<Result<u64, String>> {
    let options = WorkerOptions {
        access: group.access(name),
        identity: Identity {
            version: "a false one".to_owned(),
            build: format!(
                "{} with signature {}.1",
                env!("CARGO_PKG_VERSION"),
                bench::SIGNATURE
            ),
            arithmetic: train::arithmetic().to_owned(),
            speed: 1_000_000,
        },
        kinds: vec![kind],
        threads: 1,
        cache: group.folder.join("liars"),
        cache_bytes: 1 << 30,
    };
    let stop = stop.clone();
    thread::spawn(move || Worker::run(options, &stop, |_| {}).map_err(|error| error.to_string()))
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_keeps_nothing_of_workers_that_lie() {
    let group = Group::start("liars");
    let folder = group.folder.clone();
    let command = "selfplay --games 1500 --nodes 100 --model classical --horizon 30 \
                   --at-horizon material";
    let here = run_in(&folder, &format!("{command} -o here.binpack"));
    assert!(here.starts_with("exit 0\n"), "{here}");
    let _honest: Vec<Mortal> = ["worker-1", "worker-2"]
        .map(|name| Mortal::new(group.worker(name, None)))
        .into();
    for name in ["worker-1", "worker-2"] {
        wait_until("the honest ones are there", || {
            group.words(name).contains("waiting for work")
        });
    }
    let names = ["worker-3", "worker-4", "worker-5", "worker-6"];
    let liars: Vec<_> = liars()
        .into_iter()
        .zip(names)
        .map(|((kind, words), name)| {
            // One that is banned stops by its own signal.
            let stop = StopSignal::new();
            let thread = start(&group, name, kind, &stop);
            (name, words, stop, thread)
        })
        .collect();
    let words: Vec<&str> = command.split_whitespace().collect();
    let more = ["-o", "there.binpack", "--cluster-check", "2"];
    group.finish(&[&words[..], &more].concat());
    let read = |name: &str| fs::read(folder.join(name)).expect("a shard");
    assert!(
        read("here.binpack") == read("there.binpack"),
        "a lie is left"
    );
    let said = group.words("coordinator");
    for (name, words, stop, thread) in liars {
        let found = said
            .lines()
            .find(|line| line.contains(&format!("{name} is banned")));
        assert!(
            found.is_some_and(|line| line.contains(words)),
            "{name}: {said}"
        );
        // It was told, and has ended, unless the work was over before it heard of that.
        stop.stop();
        if let Err(end) = thread.join().expect("no panic") {
            assert!(end.contains("was banned"), "{end}");
        }
    }
}
