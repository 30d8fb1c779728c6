//! TreeStrap in a whole run: from random weights, by games with itself alone.

use crate::miniature::{Place, finish, results, work};
use lab::Ending;
use nets::Model;
use nets::classical::{FEATURES, Group, feature_group};
use nets::ntuple::{NTupleWeights, Tuple};
use std::fs;

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

fn network(run: &Place, version: u32) -> NTupleWeights {
    let path = run.file(&format!("main/seed-4/nets/version-{version}.ntuple"));
    match Model::open(&path) {
        Ok(Model::NTuple(file)) => file.network.weights().clone(),
        _ => panic!("no network"),
    }
}

#[test]
fn a_run_by_treestrap_comes_to_the_same_after_stops() {
    let run = Place::new();
    finish(&run.path, FILE, 2);
    let weights = |number: u32| network(&run, number).to_text();
    // Each generation has learned something.
    assert!(weights(0) != weights(1) && weights(1) != weights(2));
    assert!(run.text("report.md").contains("main-seed-4: squares"));
    assert!(run.text("plots/main-seed-4-squares.svg").contains("<svg "));
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

/// A run that begins with a model keeps what it does not learn: terms that are frozen, and
/// tables where terms alone are learned.
#[test]
fn what_is_not_learned_stays_as_it_was_given() {
    let run = Place::new();
    let tuples = vec!["P".parse::<Tuple>().expect("a tuple")];
    let mut given = NTupleWeights::zeros(tuples).expect("tables");
    given.fill_randomly(9, 200);
    let pawns = (0..FEATURES).find(|&index| feature_group(index) == Some(Group::Pawns));
    let frozen = pawns.expect("a term of pawns");
    given.linear.set_rounded(frozen, 77.0, -78.0);
    let folder = crate::miniature::temporary();
    let start = folder.path().join("start.ntuple");
    fs::write(&start, given.to_bytes().expect("a network")).expect("written");
    let first = format!("[generation_0]\nmodel = '{}'\n[selfplay]", start.display());
    let text = FILE
        .replacen("generations = 2", "generations = 1", 1)
        .replacen("[selfplay]", &first, 1)
        .replacen("batch = 32", "batch = 32\nweights = ['pieces']", 1);
    finish(&run.path, &text, 2);
    let learned = network(&run, 1);
    assert_eq!(learned.linear.get(frozen), (77, -78));
    assert_eq!(learned.tables(), given.tables());
    let pieces = (0..FEATURES).filter(|&index| feature_group(index) == Some(Group::Pieces));
    let changed = pieces.filter(|&index| learned.linear.get(index) != given.linear.get(index));
    assert!(changed.count() > 0);
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
