//! A run that takes a second.

use data::journal::{Author, Build};
use engines::StopSignal;
use lab::{Ending, Event, LabError, Laboratory, Means, Program};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use work::Threads;

/// Two arms, one seed, two generations.
pub(crate) const FILE: &str = "\
title = 'Miniature'
question = 'Does the loop go round?'
generations = 2
seeds = [3]

[net]
hidden = 32

[selfplay]
nodes = 30
positions = 250
random_plies = 2

[buffer]
positions = 400

[train]
positions = 1_280
batch = 64
checkpoint_steps = 5

[gate]
games = 4
nodes = 20
horizon = 30
elo_above = [-10_000]

[verdict]
games = 4
reproduced_if = 'interval above 0 and curriculum above generation 0'

[arms.control.selfplay]
horizon = 40

[arms.curriculum.selfplay]
horizon = { start = 12, step = 6 }
at_horizon = 'material'
";

/// Steps of that run: six for each generation of each arm, the first nets, one
/// match of the arms and two against generation 0.
pub(crate) const STEPS: usize = 2 * (1 + 2 * 6) + 1 + 2;

pub(crate) fn program() -> Program {
    Program {
        version: "test".to_owned(),
        author: author(1),
    }
}

/// Who has this bench signature.
pub(crate) fn author(signature: u64) -> Author {
    Author {
        build: Build {
            signature,
            arithmetic: "test".to_owned(),
            format: 1,
        },
        accepts_others: false,
    }
}

/// An empty folder in that of the build: some live as long as the process, and are
/// then removed by nobody else.
pub(crate) fn temporary() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

/// An empty folder for a run, with what keeps it.
pub(crate) struct Place {
    _folder: tempfile::TempDir,
    pub(crate) path: PathBuf,
}

impl Place {
    pub(crate) fn new() -> Place {
        let folder = temporary();
        Place {
            path: folder.path().join("run"),
            _folder: folder,
        }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).expect("a text")
    }
}

/// Begins the run of a file, or goes on with it.
pub(crate) fn open(path: &Path, file: &str) -> Result<Laboratory, LabError> {
    match path.join("run.toml").exists() {
        true => Laboratory::resume(path, program(), &train::learners()),
        false => Laboratory::begin(path, file, program(), &train::learners()),
    }
}

/// Works on a run until `listen` says stop.
pub(crate) fn work(
    path: &Path,
    file: &str,
    threads: usize,
    listen: &mut dyn FnMut(&Event) -> bool,
) -> Result<Ending, LabError> {
    let stop = StopSignal::new();
    let means = Means {
        dispatcher: &Threads::new(threads),
        threads,
    };
    open(path, file)?.run(&means, &stop, &mut |event| {
        if listen(event) {
            stop.stop();
        }
    })
}

/// Does a run from beginning to end.
pub(crate) fn finish(path: &Path, file: &str, threads: usize) {
    let ending = work(path, file, threads, &mut |_| false).expect("no failure");
    assert!(matches!(ending, Ending::Finished(_)));
}

/// A run of a file in a folder of its own.
pub(crate) fn made(file: &str) -> Place {
    let place = Place::new();
    finish(&place.path, file, 2);
    place
}

/// The run of [`FILE`], for those who change nothing in it.
pub(crate) fn undisturbed() -> &'static Place {
    static RUN: LazyLock<Place> = LazyLock::new(|| made(FILE));
    &RUN
}

/// Every net, shard and checkpoint of a run, by path.
pub(crate) fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let entry = entry.expect("an entry").path();
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            let name = entry.strip_prefix(path).expect("a path below");
            let name = name.display().to_string();
            if name.ends_with(".tabianet") || name.ends_with(".binpack") {
                files.insert(name, fs::read(&entry).expect("a file"));
            }
        }
    }
    files
}

/// What counts of the state: everything but times and the folder.
pub(crate) fn results(path: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(path.join("state.jsonl")).expect("a state");
    // The first lines say what the run is, and which build works on it.
    let lines = text.lines().skip(2);
    lines
        .map(|line| {
            let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            line["at"].take();
            line["seconds"].take();
            let result = line["result"].as_object_mut().expect("a table");
            if let Some(totals) = result.get_mut("totals") {
                totals["seconds"].take();
                totals["thinking_seconds"].take();
            }
            if let Some(epoch) = result.get_mut("epoch") {
                epoch["positions_a_second"].take();
            }
            // It knows where its data lie.
            result.remove("checkpoint");
            line
        })
        .collect()
}
