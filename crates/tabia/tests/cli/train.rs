//! Trainings as processes: from games to a net that plays, the same whatever
//! happens on the way.

use crate::program::{folder, tabia, transcript};
use insta::assert_snapshot;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const FILE: &str = "\
data = ['games.binpack']
validation_share = 0.2
batch = 128
epochs = 4
checkpoint_steps = 1
seed = 3
[net]
hidden = 32
";

pub(crate) fn make(folder: &Path, arguments: &[&str]) -> String {
    let said = transcript(tabia(arguments).current_dir(folder));
    assert!(said.starts_with("exit 0\n"), "{said}");
    said
}

/// A folder with games of the engine against itself, and the file.
pub(crate) fn training_folder(name: &str) -> PathBuf {
    let folder = folder(&format!("train/{name}"));
    let games = "--games 24 --each nodes=40 --player name=a --player name=b --horizon 60";
    let mut words = vec!["match", "--out", "match"];
    words.extend(games.split(' '));
    make(&folder, &words);
    let convert = ["data", "convert", "match/games.pgn", "-o", "games.binpack"];
    make(&folder, &convert);
    fs::write(folder.join("train.toml"), FILE).expect("written");
    folder
}

fn train(folder: &Path, out: &str, threads: &str) -> Vec<u8> {
    make(
        folder,
        &["train", "train.toml", "-o", out, "--threads", threads],
    );
    fs::read(folder.join(out).join("epoch-004.tabianet")).expect("a net")
}

#[test]
fn games_become_a_net_that_plays() {
    let folder = training_folder("plays");
    let said = make(&folder, &["train", "train.toml"]);
    assert!(said.contains(" steps, in trainings/train\n"), "{said}");
    let table = fs::read_to_string(folder.join("trainings/train/metrics.csv")).expect("a table");
    assert_eq!(table.lines().count(), 5, "{table}");
    let net = "trainings/train/epoch-004.tabianet";
    let said = make(&folder, &["net", "info", net]);
    assert!(said.contains("trainings/train"), "{said}");
    let player = format!("name=new eval={net} nodes=40");
    let played = ["match", "--games", "2", "--player", &player];
    make(
        &folder,
        &[&played[..], &["--player", "name=old nodes=40", "-o", "m"]].concat(),
    );
}

#[test]
fn threads_and_kills_change_no_byte() {
    let folder = training_folder("same");
    let alone = train(&folder, "alone", "1");
    // The folder is named in the net, so it must be the same one.
    fs::rename(folder.join("alone"), folder.join("first")).expect("renamed");
    assert!(train(&folder, "alone", "3") == alone);
    fs::remove_dir_all(folder.join("alone")).expect("removed");
    let mut child = tabia(&["train", "train.toml", "-o", "alone"])
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let checkpoint = folder.join("alone/checkpoint");
    while !checkpoint.exists() && child.try_wait().expect("a process").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // It may be over already; then it was not disturbed.
    let _ = child.kill();
    child.wait().expect("a process");
    assert!(train(&folder, "alone", "2") == alone);
}

#[test]
fn mistakes_are_named() {
    let folder = folder("train/mistakes");
    fs::write(folder.join("empty.binpack"), "").expect("written");
    fs::write(
        folder.join("words.binpack"),
        "these are words, not positions",
    )
    .expect("written");
    let told = |file: &str| {
        fs::write(folder.join("train.toml"), file).expect("written");
        transcript(tabia(&["train", "train.toml"]).current_dir(&folder))
    };
    let told: Vec<String> = [
        "seed = 1",
        "data = ['nowhere.binpack']",
        "data = ['empty.binpack']",
        "data = ['words.binpack']",
        "data = ['nowhere.binpack']\nepoch = 5",
        "data = ['nowhere.binpack']\n[net]\nhidden = 100",
        "data = ['nowhere.binpack']\nfilters = ['capture']",
        "data = ['nowhere.binpack']\nrate = { kind = 'linear', from = 1 }",
    ]
    .into_iter()
    .map(|file| format!("{file}\n{}\n", told(file)))
    .collect();
    assert_snapshot!(told.concat());
}
