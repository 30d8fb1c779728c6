//! Trainings that something happens to: threads, kills, full disks, weights that grow
//! without limit. Nothing is lost.

use super::{FILE, make, train, training_folder};
use crate::program::{interrupt_when, kill_when, tabia, transcript};
use std::fs;
use std::path::Path;
use std::process::Command;

/// All nets, curves and metrics of a training, without its speed and its time.
fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let speed = regex::bytes::Regex::new(r#""positions_a_second":[^,]*,|,\d+(,epoch)"#);
    let speed = speed.expect("a pattern");
    let files = fs::read_dir(folder).expect("a folder");
    let mut results: Vec<(String, Vec<u8>)> = files
        .map(|file| {
            let path = file.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            let bytes = fs::read(&path).expect("readable");
            let bytes = match name.starts_with("metrics") {
                true => speed.replace_all(&bytes, &b"$1"[..]).into_owned(),
                false => bytes,
            };
            (name.into_owned(), bytes)
        })
        .filter(|(name, _)| name != "training.json")
        .collect();
    results.sort();
    results
}

#[test]
fn threads_and_kills_change_no_byte() {
    let folder = training_folder("same");
    train(&folder, "out", "1");
    let alone = results(&folder.join("out"));
    let names: Vec<&str> = alone.iter().map(|(name, _)| &name[..]).collect();
    let [first, .., lines] = &names[..] else {
        panic!("{names:?}");
    };
    assert_eq!(
        (names.len(), *first, *lines),
        (9, "checkpoint", "metrics.jsonl")
    );
    for threads in ["2", "4"] {
        // The folder is named in the net, so it must be the same one.
        fs::remove_dir_all(folder.join("out")).expect("removed");
        train(&folder, "out", threads);
        assert!(results(&folder.join("out")) == alone, "{threads} threads");
    }
    kill_repeatedly(&folder, "epoch-004.tabianet");
    // Whoever is killed while writing leaves the beginning of a file, too.
    fs::write(folder.join("out/.tabia-abc.part"), "half of a net").expect("written");
    train(&folder, "out", "2");
    assert!(results(&folder.join("out")) == alone, "killed");
}

/// Moves are compared block by block, and averages are kept beside the weights.
const COMPARISON: &str = "\
kind = 'comparison'
data = ['games.binpack']
validation_share = 0.2
depth = 1
tuples = ['K', 'NP']
batch = 64
block = 8
epochs = 3
stop = false
checkpoint_steps = 1
seed = 3
";

#[test]
fn threads_and_kills_change_no_byte_of_a_comparison() {
    let folder = training_folder("killed-comparison");
    fs::write(folder.join("train.toml"), COMPARISON).expect("written");
    let words = |threads| ["train", "train.toml", "-o", "out", "--threads", threads];
    make(&folder, &words("1"));
    let alone = results(&folder.join("out"));
    let names: Vec<&str> = alone.iter().map(|(name, _)| &name[..]).collect();
    for name in ["checkpoint", "epoch-003.ntuple", "pairs.svg", "squares.svg"] {
        assert!(names.contains(&name), "{names:?}");
    }
    kill_repeatedly(&folder, "epoch-003.ntuple");
    make(&folder, &words("2"));
    assert!(results(&folder.join("out")) == alone, "killed");
}

/// Leaves a training that was killed three times before its last model.
fn kill_repeatedly(folder: &Path, last: &str) {
    // It may be over before the kill, if the machine has much to do; then again.
    let was_disturbed = (0..20).any(|_| {
        fs::remove_dir_all(folder.join("out")).expect("removed");
        (0..3).all(|_| begin_and_kill(folder, last))
    });
    assert!(was_disturbed);
}

/// Kills a training after it has written a checkpoint; whether that was before its
/// end.
fn begin_and_kill(folder: &Path, last: &str) -> bool {
    let checkpoint = folder.join("out/checkpoint");
    let before = fs::read(&checkpoint).ok();
    kill_when(folder, &["train", "train.toml", "-o", "out"], || {
        fs::read(&checkpoint).ok() != before
    });
    !folder.join("out").join(last).exists()
}

/// A limit of the size of files is as good as a full disk: what was written so far
/// stays, and the rest is refused.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = training_folder("full");
    train(&folder, "out", "1");
    let whole = results(&folder.join("out"));
    fs::remove_dir_all(folder.join("out")).expect("removed");
    let was_disturbed = (0..20).any(|_| {
        let _ = fs::remove_dir_all(folder.join("out"));
        begin_and_kill(&folder, "epoch-004.tabianet")
    });
    assert!(was_disturbed);
    let checkpoint = fs::read(folder.join("out/checkpoint")).expect("readable");
    let program = tabia(&[]).get_program().to_owned();
    // Blocks are of 512 or of 1024 bytes; a net has 50 KB, a checkpoint 300 KB.
    let limited = "trap '' XFSZ; ulimit -f 150; exec \"$0\" train train.toml -o out";
    let said = transcript(
        Command::new("sh")
            .arg("-c")
            .arg(limited)
            .arg(program)
            .current_dir(&folder),
    );
    let step = regex::Regex::new(r#"( at path "[^"]*")|step \d+"#).expect("a pattern");
    let said = step.replace_all(&said, |found: &regex::Captures<'_>| match found.get(1) {
        Some(_) => "",
        None => "step N",
    });
    assert_eq!(
        said,
        "exit 1\n--- stderr\nerror: cannot write the checkpoint out/checkpoint: File too large (os \
         error 27); out/checkpoint of step N is intact: to resume from it, repeat the command\n"
    );
    assert!(fs::read(folder.join("out/checkpoint")).expect("readable") == checkpoint);
    train(&folder, "out", "1");
    assert!(results(&folder.join("out")) == whole);
}

#[test]
fn a_stopped_training_says_how_far_it_is() {
    let folder = training_folder("stopped");
    let status = || {
        let text = fs::read_to_string(folder.join("out/training.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or(serde_json::Value::Null)
    };
    let words = ["train", "train.toml", "-o", "out", "--set", "epochs=4000"];
    let mut before = 0.0;
    for epochs in [1, 3] {
        let output = interrupt_when(&folder, &words, || {
            let lines = fs::read_to_string(folder.join("out/metrics.jsonl")).unwrap_or_default();
            lines.lines().count() >= epochs
        });
        assert!(!output.status.success());
        let status = status();
        assert_eq!(
            (&status["epochs"], &status["finished"]),
            (&4000.into(), &false.into())
        );
        let seconds = status["seconds"].as_f64().expect("a number");
        assert!(seconds > before, "{status}");
        before = seconds;
    }
}

#[test]
fn weights_that_no_file_can_hold_end_a_training() {
    let folder = training_folder("astray");
    let file = format!(
        "learning_rate = {{ kind = 'drop', from = 1e-3, factor = 1e3, after = 2 }}\n{FILE}"
    );
    fs::write(folder.join("train.toml"), file).expect("written");
    let wanted = regex::Regex::new(
        "^exit 1\n--- stderr\nerror: value \\d+ of the feature transformer can reach \\d+, beyond \
         16 bits[^:]*; out/checkpoint of step \\d+ is intact; to start another training from it, set start = \"out/epoch-002.tabianet\"\n$",
    )
    .expect("a pattern");
    for _ in 0..2 {
        let said = transcript(tabia(&["train", "train.toml", "-o", "out"]).current_dir(&folder));
        assert!(wanted.is_match(&said), "{said}");
        assert!(!folder.join("out/epoch-003.tabianet").exists());
    }
    let more = [
        "--set",
        "start=out/epoch-002.tabianet",
        "--set",
        "learning_rate=1e-3",
    ];
    make(
        &folder,
        &[&["train", "train.toml", "-o", "next"], &more[..]].concat(),
    );
}
