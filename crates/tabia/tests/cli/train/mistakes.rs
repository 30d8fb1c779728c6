//! What is told of settings and files that cannot be used.

use super::{FILE, make, train, training_folder};
use crate::program::{folder, tabia, transcript};
use insta::assert_snapshot;
use std::fs;
use std::path::Path;

/// What is told of files of settings.
fn told(folder: &Path, files: &[&str]) -> String {
    let told = |file: &&str| {
        fs::write(folder.join("train.toml"), file).expect("written");
        let said = transcript(tabia(&["train", "train.toml"]).current_dir(folder));
        format!("{file}\n{said}\n")
    };
    files.iter().map(told).collect()
}

#[test]
fn mistakes_are_named() {
    let folder = folder("train/mistakes");
    fs::write(folder.join("empty.binpack"), "").expect("written");
    let words = "these are words, not positions";
    fs::write(folder.join("words.binpack"), words).expect("written");
    assert_snapshot!(told(
        &folder,
        &[
            "seed = 1",
            "data = ['nowhere.binpack']",
            "data = ['empty.binpack']",
            "data = ['words.binpack']",
            "data = ['nowhere.binpack']\nepoch = 5",
            "data = ['nowhere.binpack']\nlearning_rate = 5",
            "data = ['nowhere.binpack']\n\n[net]\n  hiden = 64",
            "data = ['nowhere.binpack']\n[net]\nshape = 'simpel'",
            "data = ['nowhere.binpack']\nseed = 'x'",
            "data = ['nowhere.binpack'\nseed = 1",
            "data = ['nowhere.binpack']\n[net]\nhidden = 100",
            "data = ['nowhere.binpack']\n[net]\nshape = 'sfnn'\nhidden = 512",
            "data = ['nowhere.binpack']\nfilters = ['capture']",
            "data = ['nowhere.binpack']\nstart = 'nowhere.nnue'",
            "data = ['nowhere.binpack']\npreset = 'bulet'",
        ]
    ));
}

/// The file that explains all keys has only keys that exist.
#[test]
fn the_explained_file_is_right() {
    let folder = folder("train/explained");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/nnue.toml");
    let text = fs::read_to_string(file).expect("the file");
    let all = text.replace("# preset", "preset").replace("# ema", "ema");
    assert!(all.contains("\nema = "), "{all}");
    let all = all.replace("# epoch_p", "epoch_p");
    for text in [&text, &all] {
        fs::write(folder.join("train.toml"), text).expect("written");
        let said = transcript(tabia(&["train", "train.toml"]).current_dir(&folder));
        let missing = "exit 2\n--- stderr\nerror: cannot open train.binpack: ";
        assert!(said.starts_with(missing), "{said}");
    }
}

#[test]
fn broken_schedules_are_named() {
    let folder = folder("train/schedules");
    assert_snapshot!(told(
        &folder,
        &[
            "learning_rate = 'x'",
            "learning_rate = inf",
            "learning_rate = { kind = 'cosin', from = 1, to = 0 }",
            "seed = 1\nlearning_rate = { kind = 'linear', to = 1 }",
            "seed = 1\n[learning_rate]\nkind = 'linear'\nfrom = 1\nto = 'x'",
            "learning_rate = { from = 1, to = 0 }",
            "learning_rate = { kind = 'step', from = 1, to = 0 }",
            "learning_rate = { kind = 'step', from = 1, factor = 0.5, every = 0 }",
            "learning_rate = { kind = 'sequence', parts = [] }",
            "learning_rate = { kind = 'sequence', parts = [{ epochs = 1, schedul = 2 }] }",
        ]
    ));
}

#[test]
fn wrong_options_are_named() {
    let folder = folder("train/options");
    fs::write(folder.join("train.toml"), "data = ['nowhere.binpack']").expect("written");
    let told = |words: &[&str]| {
        let arguments = [&["train"], words].concat();
        let said = transcript(tabia(&arguments).current_dir(&folder));
        format!("{}\n{said}\n", arguments.join(" "))
    };
    let all = [
        &["train.toml", "--set", "net.hiden=64"][..],
        &["train.toml", "--set", "seed"],
        &["train.toml", "--set", "a b=3"],
        &["train.toml", "--set", "rate.kind=cosin"],
        &["train.toml", "--preset", "stockfish"],
        &["--show-preset", "bulet"],
    ]
    .map(told);
    assert_snapshot!(all.concat());
}

#[test]
fn a_file_that_is_cut_in_the_middle_is_named() {
    let folder = training_folder("cut");
    let path = folder.join("games.binpack");
    let whole = fs::read(&path).expect("readable");
    fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    let said = transcript(tabia(&["train", "train.toml"]).current_dir(&folder));
    let bytes = regex::Regex::new(r"\d{3,}").expect("a pattern");
    assert_snapshot!(bytes.replace_all(&said, "N"));
}

#[test]
fn other_settings_do_not_go_on() {
    let folder = training_folder("other");
    train(&folder, "out", "1");
    let checkpoint = fs::read(folder.join("out/checkpoint")).expect("readable");
    let told = |more: &[&str]| {
        let arguments = [&["train", "train.toml", "-o", "out"], more].concat();
        transcript(tabia(&arguments).current_dir(&folder))
    };
    let all = [
        &["--set", "net.hidden=64"][..],
        &["--set", "net.shape=sfnn", "--set", "net.hidden=128"],
        &[
            "--set",
            "learning_rate=0.1",
            "--set",
            "optimiser.decay=0.5",
            "--set",
            "ema=0.9",
        ],
    ]
    .map(told);
    assert_snapshot!(all.concat());
    assert!(fs::read(folder.join("out/checkpoint")).expect("readable") == checkpoint);
    let damaged = [&checkpoint[..500], b"?", &checkpoint[501..]].concat();
    fs::write(folder.join("out/checkpoint"), damaged).expect("written");
    assert_snapshot!(told(&[]));
    // The file itself has not changed.
    fs::write(folder.join("out/checkpoint"), checkpoint).expect("written");
    fs::write(folder.join("train.toml"), FILE).expect("written");
    make(&folder, &["train", "train.toml", "-o", "out"]);
}
