//! Weights of the hand-written evaluation as processes see them: fitted, shown,
//! played, and refused.

use crate::program::{folder, run_in, tabia, transcript};
use crate::train::{make, training_folder};
use insta::assert_snapshot;
use std::fs;

const FIT: &str = "\
kind = 'classical'
data = ['games.binpack']
filters = ['in-check', 'captures']
validation_share = 0.2
batch = 256
epochs = 3
checkpoint_steps = 1
";

#[test]
fn games_become_weights_that_play() {
    let folder = training_folder("classical");
    fs::write(folder.join("fit.toml"), FIT).expect("written");
    let said = make(&folder, &["train", "fit.toml"]);
    for words in [
        "\npresent weights ",
        "\nfitted weights ",
        " validation positions, ",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let table = fs::read_to_string(folder.join("trainings/fit/metrics.csv")).expect("a table");
    assert_eq!(table.lines().count(), 4, "{table}");
    let file = "trainings/fit/epoch-003.weights";
    let weights = fs::read(folder.join(file)).expect("weights");
    for (out, threads) in [("one", "1"), ("four", "4")] {
        make(
            &folder,
            &["train", "fit.toml", "-o", out, "--threads", threads],
        );
        let other = fs::read(folder.join(out).join("epoch-003.weights")).expect("weights");
        assert!(other == weights, "{threads} threads");
    }
    let json = make(&folder, &["train", "fit.toml", "--json", "--quiet"]);
    assert!(
        json.contains("\"present\"") && json.contains("\"scores\""),
        "{json}"
    );

    let player = format!("name=new model={file} nodes=40");
    let played = ["match", "--games", "2", "--player", &player];
    make(
        &folder,
        &[&played[..], &["--player", "name=old nodes=40", "-o", "m"]].concat(),
    );
    make(&folder, &["bench", "--depth", "2", "--model", file]);
}

#[test]
fn an_evaluation_is_explained_with_the_weights_of_a_file() {
    let folder = folder("classical_eval");
    fs::write(
        folder.join("a.weights"),
        "# a part\npiece-squares.material.rook = [700, 800]\n",
    )
    .expect("written");
    let told = tabia(&[
        "eval",
        "--model",
        "a.weights",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
    ])
    .current_dir(&folder)
    .output()
    .expect("the program runs");
    let text = String::from_utf8_lossy(&told.stdout).into_owned();
    let row = text.lines().find(|line| line.starts_with("piece-squares"));
    let usual = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let usual = transcript(tabia(&["eval", "--model", "classical", usual]).current_dir(&folder));
    let usual_row = usual.lines().find(|line| line.starts_with("piece-squares"));
    assert!(row.is_some() && row != usual_row, "{text}{usual}");
}

#[test]
fn mistakes_are_named() {
    let folder = folder("classical_mistakes");
    let mut told = String::new();
    for text in [
        "pieces.bishop-pear = [1, 2]",
        "pieces.bishop-pair = [1, 20000]",
        "# good\n\nsome words",
    ] {
        fs::write(folder.join("a.weights"), text).expect("written");
        told += &format!("{text}\n{}\n", run_in(&folder, "bench --model a.weights"));
    }
    let match_words = "match --player model=a.weights --player name=b --each nodes=1 --games 2";
    told += &run_in(&folder, match_words);
    for file in [
        "kind = 'classic'\ndata = []",
        "kind = 'classical'\ndata = []",
        "kind = 'classical'\ndata = ['nowhere.binpack']\n[net]\nhidden = 32",
        "kind = 'classical'\ndata = ['nowhere.binpack']\ngroups = ['king']",
        "kind = 'classical'\ndata = ['nowhere.binpack']\nstart = 'a.weights'",
        "kind = 'classical'\ndata = ['nowhere.binpack']",
    ] {
        fs::write(folder.join("fit.toml"), file).expect("written");
        told += &format!("\n{file}\n{}", run_in(&folder, "train fit.toml"));
    }
    assert_snapshot!(told);
}
