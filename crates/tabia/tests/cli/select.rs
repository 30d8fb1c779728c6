//! Selections as processes: what they say, how they are stopped and killed, and what is
//! said of mistakes.

use crate::program::{finished_steps, interrupt_when, kill_when, run_in, tabia, transcript};
use insta::assert_snapshot;
use std::fs;
use std::path::PathBuf;

const FILE: &str = "\
[candidates]
training = 'training'
[player]
nodes = 30
[games]
random_plies = 2
horizon = 40
resign = { movecount = 1, score = 60 }
[gauntlet]
games = 8
keep = 3
[round_robin]
games = 16
allocation = { kind = 'open', rounds = 3, least_chance = 0, sure = 1 }
[peak]
radius = 1
size = 2
games = 4
least_chance = 0
[final]
games = 8
";

/// A folder with the file and the nets of a training of four epochs, which takes a
/// second. No other test has the same: each may be a process of its own.
fn select_folder(name: &str) -> PathBuf {
    let folder = crate::train::training_folder(&format!("select-{name}"));
    crate::train::make(&folder, &["train", "train.toml", "--out", "training"]);
    fs::write(folder.join("mini.toml"), FILE).expect("written");
    folder
}

/// Without numbers: nets learn, and so play, a little otherwise on other CPUs.
fn settled(text: &str) -> String {
    let hash = regex::Regex::new("nn-[0-9a-f]{12}").expect("a pattern");
    let number = regex::Regex::new(r" *[+-]?(\d[\d.,:]*|inf)( [KM]iB)?").expect("a pattern");
    let reason = regex::Regex::new("the test of the final .*").expect("a pattern");
    let text = hash.replace_all(text, "nn-HASH");
    let text = reason.replace_all(&text, "REASON");
    number.replace_all(&text, " #").into_owned()
}

#[test]
fn a_selection_tells_its_story() {
    let folder = select_folder("story");
    assert_snapshot!(settled(&run_in(
        &folder,
        "select mini.toml --concurrency 2"
    )));
    let path = folder.join("selections/mini");
    for file in [
        "select.toml",
        "state.jsonl",
        "ratings.csv",
        "report.md",
        "report.html",
        "plots/strength.svg",
        "plots/loss.svg",
        "selected.tabianet",
        "stage-4-final/games.pgn",
    ] {
        assert!(path.join(file).is_file(), "{file} is missing");
    }
    // A second one gets a name of its own, and what is set is kept in its file.
    let said = run_in(&folder, "select mini.toml --set final.games=0 --json");
    assert!(said.contains("\"reason\":\"no-final\""), "{said}");
    let file = fs::read_to_string(folder.join("selections/mini-2/select.toml")).expect("a file");
    assert!(file.contains("#   final.games=0\n"), "{file}");
    let engine = "selections/mini/selected.tabianet";
    let mut engine = tabia(&["uci", "--model", engine]);
    let said = transcript(engine.current_dir(&folder));
    assert!(said.starts_with("exit 0\n"), "{said}");
}

#[test]
fn a_selection_that_is_killed_goes_on_to_the_same_end() {
    let folder = select_folder("killed");
    let said = run_in(&folder, "select mini.toml --out selections/whole");
    assert!(said.starts_with("exit 0\n"), "{said}");
    let killed = folder.join("selections/killed");
    let mut arguments = vec!["select", "mini.toml", "--out", "selections/killed"];
    for wanted in [2, 4, 6] {
        kill_when(&folder, &arguments, || finished_steps(&killed) >= wanted);
        arguments = vec!["select", "--resume", "killed"];
    }
    let said = run_in(&folder, "select --resume killed --concurrency 1");
    assert!(said.starts_with("exit 0\n"), "{said}");
    for file in ["ratings.csv", "selected.tabianet", "plots/strength.svg"] {
        let read = |name: &str| fs::read(folder.join("selections").join(name).join(file));
        let [one, other] = ["killed", "whole"].map(|name| read(name).expect("a file"));
        assert!(one == other, "{file}");
    }
}

#[test]
fn ctrl_c_saves_and_says_how_to_go_on() {
    let folder = select_folder("stopped");
    // Long enough to be interrupted.
    let long = FILE.replace("games = 8\nkeep", "games = 1_000_000\nkeep");
    fs::write(folder.join("long.toml"), long).expect("written");
    let games = folder.join("selections/long/stage-1-gauntlet/journal.jsonl");
    let output = interrupt_when(&folder, &["select", "long.toml"], || {
        fs::metadata(&games).map_or(0, |file| file.len()) >= 20_000
    });
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("to resume: tabia select --resume long\n"),
        "{said}"
    );
    let report = fs::read_to_string(folder.join("selections/long/report.md")).expect("a report");
    assert!(
        report.contains("**Not finished: no games yet.**"),
        "{report}"
    );
}

#[test]
fn mistakes_are_named() {
    let folder = select_folder("mistakes");
    fs::write(folder.join("epoch-1.nnue"), "no net").expect("written");
    let mut told = String::new();
    for words in [
        "select nothing",
        "select nothing.toml",
        "select --resume nothing",
        "select --show nothing",
        "select small",
        "select small --set candidates.training=nowhere",
        "select small --set candidates.nets=['nowhere/*']",
        "select small --set candidates.nets=['a[']",
        "select small --set candidates.nets=['training/epoch-001.tabianet']",
        "select small --set candidates.nets=['epoch-1.nnue']",
        "select mini.toml --set baseline=nobody",
        "select mini.toml --set gauntlet.keep=1",
        "select mini.toml --set gauntlet.kep=1",
        "select mini.toml --set player.nodes=0",
        "select mini.toml --set final.games=3",
        "select mini.toml --set peak.allocation.kind=odd",
    ] {
        told += &format!("{words}\n{}\n", run_in(&folder, words));
    }
    assert_snapshot!(told.replace(&folder.display().to_string(), "FOLDER"));
    assert!(!folder.join("selections").exists(), "nothing was begun");
}

#[test]
fn presets_are_shown() {
    let said = transcript(&mut tabia(&["select", "--show", "small"]));
    assert!(said.starts_with("exit 0\n--- stdout\n# small: "), "{said}");
    let help = transcript(&mut tabia(&["select", "--help"]));
    for preset in ["  small ", "  published "] {
        assert!(help.contains(preset), "{help}");
    }
}

#[test]
fn a_dry_run_costs_nothing_and_says_what_would() {
    let folder = select_folder("dry");
    let said = run_in(&folder, "select mini.toml --dry-run");
    assert_snapshot!(settled(&said));
    assert!(!folder.join("selections").exists());
}
