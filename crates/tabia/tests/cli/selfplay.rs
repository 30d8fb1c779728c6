//! Self-play as a process: the same command gives the same bytes, whatever
//! happens.

use crate::program::{folder, tabia, transcript};
use insta::assert_snapshot;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const QUICK: &[&str] = &[
    "--nodes",
    "100",
    "--model",
    "classical",
    "--horizon",
    "30",
    "--at-horizon",
    "material",
];

fn play(folder: &Path, options: &[&str]) -> String {
    let all = [&["selfplay"], options, QUICK].concat();
    transcript(tabia(&all).current_dir(folder))
}

fn shard(folder: &Path, options: &[&str]) -> Vec<u8> {
    let told = play(folder, &[options, &["-o", "a.binpack"]].concat());
    assert!(told.starts_with("exit 0\n"), "{told}");
    let path = folder.join("a.binpack");
    let bytes = fs::read(&path).expect("a shard");
    fs::remove_file(path).expect("removed");
    bytes
}

#[test]
fn a_shard_is_the_same_for_any_threads_and_after_a_kill() {
    let folder = folder("selfplay-same");
    let amount = ["--positions", "5000", "--seed", "3"];
    let alone = shard(&folder, &[&amount[..], &["--threads", "1"]].concat());
    assert!(shard(&folder, &[&amount[..], &["--threads", "3"]].concat()) == alone);
    let all = [&["selfplay", "-o", "a.binpack"], &amount[..], QUICK].concat();
    let mut child = tabia(&all)
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    // Some games are there, not all.
    let record = folder.join("a.binpack.games");
    let begin = Instant::now();
    while fs::read(&record).map_or(0, |bytes| bytes.len()) < 2_000 {
        assert!(begin.elapsed() < Duration::from_secs(60), "no games");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(record.exists() && !folder.join("a.binpack").exists());
    another_build_is_noticed(&folder, &record, &amount);
    assert!(shard(&folder, &amount) == alone);
    assert!(!record.exists());
    // Another seed, other games.
    assert!(shard(&folder, &["--positions", "5000", "--seed", "4"]) != alone);
}

/// A record that says it is of another build is not continued, unless that is accepted.
fn another_build_is_noticed(folder: &Path, record: &Path, amount: &[&str]) {
    let own = fs::read_to_string(record).expect("readable");
    let (before, after) = own.split_once("\"signature\":").expect("it is signed");
    let other = format!("{before}\"signature\":1{after}");
    fs::write(record, other).expect("written");
    let options = [amount, &["-o", "a.binpack"]].concat();
    let refused = play(folder, &options);
    assert!(refused.starts_with("exit 2\n"), "{refused}");
    assert!(
        refused.contains("a.binpack.games: this self-play was started by another build"),
        "{refused}"
    );
    let accepted = play(folder, &[&options[..], &["--accept-build"]].concat());
    assert!(accepted.starts_with("exit 0\n"), "{accepted}");
    assert!(
        accepted.contains("results of 2 builds are mixed"),
        "{accepted}"
    );
    fs::remove_file(folder.join("a.binpack")).expect("removed");
    fs::write(record, own).expect("written");
}

#[test]
fn what_was_made_is_told() {
    let folder = folder("selfplay-told");
    let told = play(&folder, &["--games", "5", "-o", "a.binpack", "--json"]);
    let json = told.split_once("--- stdout\n").expect("a report").1;
    let report: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(report["games"], 5);
    assert_eq!(report["is_timed"], false);
    let info = transcript(tabia(&["data", "info", "a.binpack", "--json"]).current_dir(&folder));
    let positions = report["positions"].to_string();
    assert!(
        info.contains(&format!("\"positions\":{positions}")),
        "{info}"
    );
}

#[test]
fn mistakes_are_named() {
    let folder = folder("selfplay-mistakes");
    assert_snapshot!(play(&folder, &["-o", "a.binpack"]));
    assert_snapshot!(play(&folder, &["--minutes", "0", "-o", "a.binpack"]));
    assert_snapshot!(play(&folder, &["--games", "1", "-o", "no/a.binpack"]));
    assert_snapshot!(play(
        &folder,
        &["--games", "1", "--book", "no.epd", "-o", "a.binpack"]
    ));
    fs::write(folder.join("there.binpack"), "BINP").expect("written");
    assert_snapshot!(play(&folder, &["--games", "1", "-o", "there.binpack"]));
}
