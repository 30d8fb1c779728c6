//! Trainings as processes: from games to a net that plays, the same whatever
//! happens on the way.

mod disturbed;
mod mistakes;

use crate::program::{folder, tabia, transcript};
use std::fs;
use std::path::{Path, PathBuf};

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
    let status = fs::read_to_string(folder.join("trainings/train/training.json"));
    let status: serde_json::Value = serde_json::from_str(&status.expect("a file")).expect("JSON");
    let [epochs, seconds, finished] = ["epochs", "seconds", "finished"].map(|key| &status[key]);
    assert_eq!((epochs.as_u64(), finished.as_bool()), (Some(4), Some(true)));
    assert!(seconds.as_f64() > Some(0.0), "{status}");
    let curve = fs::read_to_string(folder.join("trainings/train/losses.svg"));
    let curve = curve.expect("a chart");
    assert_eq!(curve.matches("<circle").count(), 8, "{curve}");
    // Integers are not far from the floats they were made of, but never the same.
    let means = table.lines().skip(1).map(|line| line.split(',').nth(4));
    for mean in means {
        let mean: f64 = mean.and_then(|mean| mean.parse().ok()).expect("a number");
        assert!((0.01..20.0).contains(&mean), "{table}");
    }
    let net = "trainings/train/epoch-004.tabianet";
    let said = make(&folder, &["net", "info", net]);
    assert!(said.contains("\nrun          train\n"), "{said}");
    let player = format!("name=new model={net} nodes=40");
    let played = ["match", "--games", "2", "--player", &player];
    make(
        &folder,
        &[&played[..], &["--player", "name=old nodes=40", "-o", "m"]].concat(),
    );
}

#[test]
fn the_output_folder_changes_no_byte() {
    let folder = training_folder("elsewhere");
    let net = train(&folder, "here", "2");
    assert!(net == train(&folder, "there/and/deeper", "1"));
    let said = make(&folder, &["net", "info", "here/epoch-004.tabianet"]);
    assert!(!said.contains("/here"), "{said}");
}

#[test]
fn nets_that_no_stockfish_loads_are_announced() {
    let folder = training_folder("announced");
    let said = ["net.hidden=128", "net.hidden=256"].map(|hidden| {
        let shape = ["--set", "epochs=1", "--set", "net.shape=\"sfnn\"", "--set"];
        let words = [
            &["train", "train.toml", "-o", hidden][..],
            &shape,
            &[hidden],
        ]
        .concat();
        make(&folder, &words)
    });
    let warning = "net.hidden = 256: no version of Stockfish can load an sfnn net of this";
    assert!(!said[0].contains("no version of Stockfish"), "{}", said[0]);
    assert!(said[1].contains(warning), "{}", said[1]);
}

#[test]
fn a_training_begins_with_another_net() {
    let folder = training_folder("start");
    train(&folder, "first", "2");
    let parent = "first/epoch-004.tabianet";
    let said = make(&folder, &["net", "info", parent]);
    let name = said.lines().find_map(|line| line.strip_prefix("name"));
    let start = format!("start={parent}");
    let more = ["train", "train.toml", "-o", "second", "--set", &start];
    make(&folder, &more);
    let said = make(&folder, &["net", "info", "second/epoch-004.tabianet"]);
    let parent = format!("parent       {}\n", name.expect("a name").trim());
    assert!(said.contains(&parent), "{said}");
}

#[test]
fn options_and_presets_stand_beside_the_file() {
    let folder = training_folder("presets");
    let small = "data = ['games.binpack']\npreset = 'nnue-pytorch'\nfilters = []\nbatch = 256\n\
                 epoch_positions = 512\nvalidation_share = 0.2\n[net]\nhidden = 256\n";
    fs::write(folder.join("small.toml"), small).expect("written");
    let sets = ["--set", "epochs=1", "--set", "net.hidden=128", "-o", "a"];
    make(&folder, &[&["train", "small.toml"], &sets[..]].concat());
    let said = make(&folder, &["net", "info", "a/epoch-001.nnue"]);
    assert!(said.contains("HalfKAv2_hm, 2 x 128, "), "{said}");
    let sets = [
        "--preset",
        "bullet",
        "--set",
        "learning_rate=1e-4",
        "--set",
        "net.activation=crelu",
    ];
    let more = ["--set", "epochs=2", "-o", "b"];
    make(
        &folder,
        &[&["train", "small.toml"], &sets[..], &more].concat(),
    );
    let said = make(&folder, &["net", "info", "b/epoch-002.tabianet"]);
    assert!(said.contains("768, 2 x 256 crelu, 1 bucket"), "{said}");
    for preset in ["bullet", "nnue-pytorch"] {
        let shown = make(&folder, &["train", "--show-preset", preset]);
        assert!(shown.contains("[optimiser]\nrule = "), "{shown}");
    }
}

#[test]
fn two_trainings_do_not_share_a_folder() {
    let folder = training_folder("locked");
    fs::create_dir(folder.join("out")).expect("a folder");
    let lock = fs::File::create(folder.join("out/lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    let words = ["train", "train.toml", "-o", "out"];
    let refused = transcript(tabia(&words).current_dir(&folder));
    assert_eq!(
        refused,
        "exit 2\n--- stderr\nerror: out: another process is training in this folder\n"
    );
    drop(lock);
    make(&folder, &words);
}

#[test]
fn a_refused_training_leaves_no_folder() {
    let folder = training_folder("refused");
    for wrong in ["lambda=7", "learning_rate=-1", "data=['none.binpack']"] {
        let words = ["train", "train.toml", "-o", "out", "--set", wrong];
        let refused = transcript(tabia(&words).current_dir(&folder));
        assert!(refused.starts_with("exit 2\n"), "{refused}");
        assert!(!folder.join("out").exists(), "{wrong}");
    }
}

/// Moves that our search finds teach a network, whatever happens on the way.
#[test]
fn labels_become_a_network_that_plays() {
    let folder = training_folder("comparison");
    let label = "data label games.binpack -o labelled.binpack --nodes 100 --every 3";
    make(&folder, &label.split(' ').collect::<Vec<_>>());
    let file = "kind = 'comparison'\ndata = ['labelled.binpack']\nvalidation_share = 0.2\n\
                batch = 64\nblock = 16\nepochs = 2\nstop = false\ncheckpoint_steps = 1\ndepth = 2\n";
    fs::write(folder.join("comparison.toml"), file).expect("written");
    let network = |out: &str, threads: &str| {
        make(
            &folder,
            &["train", "comparison.toml", "-o", out, "--threads", threads],
        );
        let network = fs::read(folder.join(out).join("epoch-002.ntuple")).expect("a network");
        // The folder of a training is named in the network.
        (
            network.len(),
            fs::read_to_string(folder.join(out).join("metrics.csv")),
        )
    };
    let (length, table) = network("one", "1");
    let table = table.expect("a table");
    let heads = table.lines().next().expect("heads");
    assert!(
        heads.contains("agreement,better,") && heads.contains("validation_rank"),
        "{heads}"
    );
    let (other_length, other) = network("two", "2");
    assert_eq!(length, other_length);
    // All numbers are the same but for the speed.
    let numbers = |table: &str| -> Vec<String> {
        let rows = table.lines().skip(1);
        rows.map(|row| row.rsplitn(3, ',').last().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(numbers(&table), numbers(&other.expect("a table")));
    let said = make(&folder, &["net", "info", "one/epoch-002.ntuple"]);
    assert!(said.contains("145152"), "{said}");
    let games = "--games 2 --each nodes=40 --player name=a --horizon 20";
    let mut words = vec!["match", "--out", "with"];
    words.extend(games.split(' '));
    words.extend(["--player", "name=b model=one/epoch-002.ntuple"]);
    make(&folder, &words);
}
