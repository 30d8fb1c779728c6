//! Tunings as processes: the same file gives the same record, whatever happens.

use crate::program::{folder, tabia, transcript};
use insta::assert_snapshot;
use std::fs;
use std::path::{Path, PathBuf};

const FILE: &str = "\
constants = ['futility_base', 'reverse_futility_slope']
iterations = 6
pairs = 2
learning_rate = 0.1
[player]
nodes = 60
[endings]
horizon = 30
at_horizon = 'material'
";

/// A folder of one test's own, with the file.
fn tuning_folder(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("tune.toml"), FILE).expect("written");
    folder
}

fn tune(folder: &Path, options: &[&str]) -> String {
    let mut command = tabia(&[&["tune", "tune.toml"], options].concat());
    let told = transcript(command.current_dir(folder));
    assert!(told.starts_with("exit 0\n"), "{told}");
    fs::read_to_string(folder.join("tunings/tune/record.jsonl")).expect("a record")
}

#[test]
fn the_record_is_the_same_for_any_concurrency_and_after_a_kill() {
    let folder = tuning_folder("tune-same");
    let alone = tune(&folder, &["--concurrency", "1"]);
    // The plan, the build and six iterations.
    assert_eq!(alone.lines().count(), 8);
    let picture = fs::read_to_string(folder.join("tunings/tune/paths.svg")).expect("a picture");
    assert_eq!(picture.matches("<polyline").count(), 2);
    fs::remove_dir_all(folder.join("tunings")).expect("removed");
    assert_eq!(tune(&folder, &["--concurrency", "3"]), alone);
    // As a kill leaves it: some iterations, and a torn line.
    let half: String = alone.split_inclusive('\n').take(5).collect();
    let record = folder.join("tunings/tune/record.jsonl");
    fs::write(&record, half + "{\"iteration\":3,\"sur").expect("written");
    assert_eq!(tune(&folder, &[]), alone);
}

#[test]
fn mistakes_are_named() {
    let folder = tuning_folder("tune-mistakes");
    let told = |file: &str| {
        fs::write(folder.join("tune.toml"), file).expect("written");
        let mut command = tabia(&["tune", "tune.toml"]);
        transcript(command.current_dir(&folder))
    };
    assert_snapshot!(told("constants = ['futility']"));
    assert_snapshot!(told("seed = 1\niteration = 5"));
    assert_snapshot!(told("learning_rate = 2.0"));
    assert_snapshot!(told("[player]\ncmd = 'stockfish'"));
}

#[test]
fn a_record_of_another_tuning_is_refused() {
    let folder = tuning_folder("tune-foreign");
    tune(&folder, &[]);
    fs::write(
        folder.join("tune.toml"),
        FILE.replace("pairs = 2", "pairs = 1"),
    )
    .expect("written");
    let mut command = tabia(&["tune", "tune.toml"]);
    assert_snapshot!(transcript(command.current_dir(&folder)));
}
