//! Policy nets on the command line: from games to a file that tells what it thinks.

use crate::program::{folder, run_in, tabia, transcript};
use crate::train::{make, training_folder};
use insta::assert_snapshot;
use nets::Provenance;
use nets::nnue::{Activation, Inputs, SimpleScales, SimpleShape};
use nets::policy::PolicyWeights;
use nets::policy::sparse::PolicyShape;
use std::fs;
use std::path::Path;

const FEN: &str = "4k3/4p3/8/8/8/5N2/4P3/R3K3 w Q - 0 1";

const FILE: &str = "\
kind = 'policy'
data = ['games.binpack']
validation_share = 0.2
batch = 128
epochs = 2
checkpoint_steps = 1
seed = 3
[policy]
hidden = 128
[value]
hidden = 32
output_buckets = 1
";

fn written(path: &Path) {
    let shape = PolicyShape {
        hidden: 128,
        value: SimpleShape {
            inputs: Inputs::piece_square([0; 64], true).expect("one bucket"),
            hidden: 32,
            activation: Activation::Screlu,
            output_buckets: 6,
            scales: SimpleScales::EIGHT_BITS,
        },
    };
    let mut weights = PolicyWeights::zeros(shape).expect("memory");
    weights.fill_randomly(3);
    weights.description = "a net of the tests".to_owned();
    weights.provenance = Provenance {
        run: Some("first".to_owned()),
        seed: Some(7),
        data: None,
        parent: None,
    };
    fs::write(path, weights.to_bytes().expect("within bounds")).expect("written");
}

#[test]
fn a_policy_net_tells_everything() {
    let folder = folder("policy_info");
    written(&folder.join("a.tabianet"));
    assert_snapshot!(run_in(&folder, "net info a.tabianet"));
    let hash = run_in(&folder, "net hash a.tabianet");
    assert!(hash.contains("pv-"), "{hash}");
}

#[test]
fn chances_and_shares_are_shown() {
    let folder = folder("policy_eval");
    written(&folder.join("a.tabianet"));
    assert_snapshot!(run_in(&folder, &format!("eval --model a.tabianet {FEN}")));
    let output = tabia(&["eval", "--json", "--model", "a.tabianet", FEN])
        .current_dir(&folder)
        .output()
        .expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let chances = ["win", "draw", "loss"].map(|name| number(&report[name]));
    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{report}");
    let priors = report["priors"].as_object().expect("priors");
    assert!((priors.values().map(number).sum::<f64>() - 1.0).abs() < 1e-5);
    assert!(priors.contains_key("e1c1"), "{report}");
}

#[test]
fn a_policy_net_is_written_again() {
    let folder = folder("policy_convert");
    written(&folder.join("a.tabianet"));
    let said = run_in(&folder, "net convert a.tabianet -o b.tabianet");
    assert!(said.contains("unchanged"), "{said}");
    let original = fs::read(folder.join("a.tabianet")).expect("a file");
    assert!(fs::read(folder.join("b.tabianet")).expect("a file") == original);
    let described = [
        "net",
        "convert",
        "a.tabianet",
        "-o",
        "c.tabianet",
        "--description",
        "new",
    ];
    make(&folder, &described);
    assert!(run_in(&folder, "net info c.tabianet").contains("description  new"));
    assert_snapshot!(
        run_in(&folder, "net convert a.tabianet -o b.nnue"),
        @r"
    exit 2
    --- stderr
    error: b.nnue: this model cannot be stored as a .nnue file; end the name with .tabianet
    "
    );
}

#[test]
fn a_damaged_policy_net_is_refused() {
    let folder = folder("policy_damaged");
    written(&folder.join("a.tabianet"));
    let mut bytes = fs::read(folder.join("a.tabianet")).expect("a file");
    bytes[5_000] ^= 1;
    fs::write(folder.join("a.tabianet"), bytes).expect("written");
    assert_snapshot!(
        run_in(&folder, "net info a.tabianet"),
        @r"
    exit 2
    --- stderr
    error: a.tabianet: the checksum is wrong: the file is damaged
    "
    );
}

#[test]
fn games_become_a_policy_net_whatever_the_threads() {
    let folder = training_folder("policy");
    fs::write(folder.join("train.toml"), FILE).expect("written");
    let path = "trainings/train/epoch-002.tabianet";
    let [one, two] = ["1", "2"].map(|threads| {
        let said = make(&folder, &["train", "train.toml", "--threads", threads]);
        for name in ["policy_loss", "top_1", "value_loss", "calibration"] {
            assert!(said.contains(name), "{said}");
        }
        let net = fs::read(folder.join(path)).expect("a net");
        fs::remove_dir_all(folder.join("trainings")).expect("it is there");
        net
    });
    assert!(one == two);
    let path = "a.tabianet";
    fs::write(folder.join(path), one).expect("written");
    let said = transcript(tabia(&["eval", "--model", path, FEN]).current_dir(&folder));
    assert!(said.contains("value for the side to move"), "{said}");
    // Alpha-beta plays with its value.
    let words = format!("model={path} nodes=60");
    let games = "--games 2 --horizon 10 --out played";
    let mut arguments = vec![
        "match",
        "--player",
        &words,
        "--player",
        "name=usual nodes=60",
    ];
    arguments.extend(games.split(' '));
    make(&folder, &arguments);
}

/// The settings of the built-in net are read.
#[test]
fn the_settings_of_the_own_net_are_right() {
    let folder = folder("policy_settings");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/policy.toml");
    let said = transcript(tabia(&["train", file, "-o", "out"]).current_dir(&folder));
    assert!(
        said.starts_with("exit 2\n--- stderr\nerror: cannot open runs/policy/"),
        "{said}"
    );
}
