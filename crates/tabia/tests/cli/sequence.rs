//! Sequence models as users meet them: games are taken, a model learns them whatever happens
//! on the way, and it plays.

use crate::program::{folder, kill_when, tabia, transcript};
use crate::train::make;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

const FILE: &str = "\
kind = 'sequence'
data = ['games.sequences']
validation_share = 0.2
batch = 128
epochs = 3
checkpoint_steps = 1
seed = 3
[net]
size = 'tiny'
";

/// A folder with games as sequences, and the file of a training.
fn sequence_folder(name: &str) -> PathBuf {
    let folder = folder(&format!("train/{name}"));
    // Whole games, which differ since moves are drawn.
    fs::write(folder.join("start.epd"), START.repeat(12)).expect("written");
    let player = |name: &str| {
        format!("name={name} kind=sequence model=heuristic nodes=1 option.Mode=sampled")
    };
    let [one, other] = ["a", "b"].map(player);
    let words = "match --out match --openings start.epd --games 24 --horizon 60";
    let mut words: Vec<&str> = words.split(' ').collect();
    words.extend(["--player", &one, "--player", &other]);
    make(&folder, &words);
    let taken = "pgn sequences match/games.pgn -o games.sequences";
    let taken: Vec<&str> = taken.split(' ').collect();
    let said = make(&folder, &taken);
    assert!(said.contains("taken         24"), "{said}");
    fs::write(folder.join("sequence.toml"), FILE).expect("written");
    folder
}

/// All models of a training.
fn models(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(folder).expect("a folder");
    let paths = files.map(|file| file.expect("a file").path());
    let is_model = |path: &PathBuf| path.extension().is_some_and(|it| it == "tabianet");
    let mut models: Vec<_> = paths
        .filter(is_model)
        .map(|path| {
            let bytes = fs::read(&path).expect("a file");
            (path, bytes)
        })
        .collect();
    models.sort();
    models
}

#[test]
fn games_become_a_model_that_plays_and_kills_change_no_byte() {
    let folder = sequence_folder("sequence");
    let train = ["train", "sequence.toml", "-o", "out"];
    let watched = [&train[..], &["--tensorboard", "events"]].concat();
    make(&folder, &watched);
    let out = folder.join("out");
    let whole = models(&out);
    assert_eq!(whole.len(), 4, "three epochs and the best");
    let mut events = fs::read_dir(folder.join("events")).expect("a folder");
    let events = events.next().expect("a file").expect("a file").path();
    let events = fs::read(events).expect("a file");
    let text = String::from_utf8_lossy(&events);
    for name in ["brain.Event:2", "train/loss", "epoch/hr_10"] {
        assert!(text.contains(name), "{name}");
    }
    // It may be over before the kill, if the machine has much to do; then again.
    let checkpoint = out.join("checkpoint");
    let was_disturbed = (0..20).any(|_| {
        let _ = fs::remove_dir_all(&out);
        (0..2).all(|_| {
            let before = fs::read(&checkpoint).ok();
            kill_when(&folder, &train, || fs::read(&checkpoint).ok() != before);
            !out.join("epoch-003.tabianet").exists()
        })
    });
    assert!(was_disturbed);
    make(&folder, &train);
    assert!(models(&out) == whole, "killed");
    for player in ["sequence", "mcts"] {
        let words = format!("{player} model=out/best.tabianet hash=16");
        let mut child = tabia(&["uci", "--player", &words])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut input = child.stdin.take().expect("a pipe");
        writeln!(input, "position startpos moves e2e4\ngo nodes 40\nquit").expect("a pipe");
        drop(input);
        let said = child.wait_with_output().expect("the program ends").stdout;
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains("bestmove "), "{player}: {said}");
    }
    let wrong = FILE.replace("games.sequences", "nothing.sequences");
    fs::write(folder.join("sequence.toml"), wrong).expect("written");
    let said = transcript(tabia(&["train", "sequence.toml", "-o", "new"]).current_dir(&folder));
    assert!(said.starts_with("exit 2\n"), "{said}");
    assert!(!folder.join("new").exists());
}
