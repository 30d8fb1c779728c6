//! TreeStrap in a whole run: from random weights, by games with itself alone.

use crate::miniature::{Place, finish, results, work};
use lab::Ending;
use nets::Model;

const FILE: &str = "\
generations = 2
seeds = [4]
[selfplay]
nodes = 40
games = 8
random_plies = 4
horizon = 40
[evaluation]
tuples = ['P']
initial = 'random'
[train]
kind = 'treestrap'
depth = 2
positions = 192
batch = 32
checkpoint_steps = 2
[gate]
games = 4
nodes = 30
horizon = 30
elo_above = [-10_000]
[verdict]
games = 4
";

#[test]
fn a_run_by_treestrap_comes_to_the_same_after_stops() {
    let run = Place::new();
    finish(&run.path, FILE, 2);
    let weights = |number: u32| {
        let path = run.file(&format!("main/seed-4/nets/version-{number}.ntuple"));
        match Model::open(&path) {
            Ok(Model::NTuple(file)) => file.network.weights().to_text(),
            _ => panic!("no network"),
        }
    };
    // Each generation has learned something.
    assert!(weights(0) != weights(1) && weights(1) != weights(2));
    let other = Place::new();
    let mut stops = 0;
    loop {
        let mut heard = 0;
        let ending = work(&other.path, FILE, 1, &mut |_| {
            heard += 1;
            heard > 3 + 2 * stops
        });
        if matches!(ending.expect("no failure"), Ending::Finished(_)) {
            break;
        }
        stops += 1;
    }
    assert!(stops > 3, "{stops}");
    assert_eq!(results(&other.path), results(&run.path));
}

#[test]
fn its_settings_are_checked() {
    for (old, new, words) in [
        ("depth = 2", "depth = 9", "train.depth"),
        ("tuples = ['P']", "tuples = ['p']", "evaluation.tuples"),
        ("batch = 32", "bach = 32", "unknown field `bach`"),
        (
            "batch = 32",
            "weights = ['king']",
            "not linear in their weights",
        ),
    ] {
        let text = FILE.replacen(old, new, 1);
        let error = lab::settings::read(&text, &train::learners()).expect_err(new);
        assert!(error.to_string().contains(words), "{error}");
    }
}
