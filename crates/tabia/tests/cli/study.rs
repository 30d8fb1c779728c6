//! Studies as processes: kills change nothing, and presets of other commands are known.

use crate::program::{finished_steps, folder, kill_when, run_in, tabia, transcript};
use serde_json::Value;
use std::fs;
use std::path::Path;

const FILE: &str = "\
match_games = 4
[data]
training = ['games.binpack']
test = ['games.binpack']
[train]
kind = 'comparison'
depth = 1
batch = 64
block = 8
epochs = 3
stop = false
validation_share = 0.2
checkpoint_steps = 1
[arms.whole]
model = 'classical'
[arms.compared.train]
tuples = ['K', 'NP']
[games]
random_plies = 2
horizon = 40
[player]
nodes = 60
[[claims]]
name = 'learns'
text = 'the trained one is better'
matches = [{ first = 'compared', second = 'whole', expect = 'better' }]
";

/// Everything in a conclusion that is no time.
fn timeless(value: Value) -> Value {
    match value {
        Value::Object(keys) => {
            let keys = keys.into_iter().filter(|(key, _)| !key.contains("second"));
            keys.map(|(key, value)| (key, timeless(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(timeless).collect(),
        value => value,
    }
}

fn results(study: &Path) -> (Value, Vec<u8>) {
    let text = fs::read_to_string(study.join("conclusion.json")).expect("a conclusion");
    let conclusion = serde_json::from_str(&text).expect("JSON");
    let net = fs::read(study.join("nets/compared.ntuple")).expect("a network");
    (timeless(conclusion), net)
}

#[test]
fn kills_change_nothing_of_a_study() {
    let folder = folder("study");
    fs::write(folder.join("mini.toml"), FILE).expect("written");
    let games = "selfplay --games 24 --nodes 60 --model classical --seed 9 -o games.binpack";
    run_in(&folder, games);
    let said = run_in(&folder, "study mini.toml --out whole");
    assert!(said.starts_with("exit 0"), "{said}");
    assert!(said.contains("test agreement "), "{said}");
    let whole = results(&folder.join("whole"));
    assert!(whole.0["arms"][0]["test"]["positions"].as_u64() > Some(100));
    let killed = folder.join("killed");
    let begin = ["study", "mini.toml", "--out", "killed"];
    let resume = ["study", "--resume", "killed"];
    // It may be over before the kill, if the machine has much to do; then again.
    let was_disturbed = (0..20).any(|_| {
        let _ = fs::remove_dir_all(&killed);
        let checkpoint = killed.join("trainings/compared/checkpoint");
        kill_when(&folder, &begin, || checkpoint.exists());
        let was_trained = killed.join("nets/compared.ntuple").exists();
        let trained = finished_steps(&killed);
        kill_when(&folder, &resume, || finished_steps(&killed) > trained + 1);
        !was_trained && results(&killed).0["finished"] == false
    });
    assert!(was_disturbed);
    let said = transcript(tabia(&resume).current_dir(&folder));
    assert!(said.starts_with("exit 0"), "{said}");
    assert!(results(&killed) == whole, "killed");
}

#[test]
fn the_command_of_a_preset_is_told() {
    let folder = folder("study-presets");
    for (words, command) in [
        ("run ntuple-small", "`tabia study`"),
        ("study quickstart", "`tabia run`"),
        ("ladder published", "`tabia select`"),
        ("run small", "`tabia select` and `tabia ladder`"),
        ("study bullet", "`tabia train --preset`"),
    ] {
        let said = run_in(&folder, words);
        let words = format!("is a preset of {command}\n");
        assert!(
            said.starts_with("exit 2") && said.contains(&words),
            "{said}"
        );
    }
}
