//! A whole study on a miniature scale: data, arms, matches and a ruling, stopped again and
//! again.

use crate::miniature::{Place, program, results};
use engines::StopSignal;
use lab::study::{Conclusion, News, Ruling, Study, look, read};
use lab::{Ending, LabError, Means};
use nets::Model;
use std::fs;
use std::path::Path;
use work::Threads;

const FILE: &str = "\
title = 'Miniature'
question = 'Does comparing moves teach?'
seed = 5
match_games = 4
[data]
selfplay = { games = 12, nodes = 60 }
[train]
kind = 'comparison'
epochs = 2
stop = false
depth = 1
batch = 64
block = 8
validation_share = 0.2
groups = ['piece-squares', 'pieces', 'threats', 'pawns']
[arms.whole]
model = 'classical'
[arms.linear]
groups = ['piece-squares', 'pieces', 'threats', 'pawns']
[arms.compared.train]
tuples = ['P', 'Kp']
[arms.fitted]
start = 'linear'
train = { kind = 'classical', epochs = 1, batch = 256, validation_share = 0.2, tuples = ['P'] }
[games]
random_plies = 2
horizon = 30
[player]
nodes = 30
[[claims]]
name = 'first'
text = 'terms that are not linear matter'
matches = [{ first = 'whole', second = 'linear', published = 82.0 }]
[[claims]]
name = 'second'
text = 'what was learned'
matches = [{ first = 'compared', second = 'fitted' }]
";

/// Steps of it: data, four arms, two matches.
const STEPS: usize = 7;

fn work(path: &Path, most: usize) -> Result<Ending<Conclusion>, LabError> {
    let mut study = match path.join("study.toml").exists() {
        true => Study::resume(path, program())?,
        false => Study::begin(path, FILE, program())?,
    };
    let (stop, mut heard) = (StopSignal::new(), 0);
    let means = Means {
        dispatcher: &Threads::new(2),
        threads: 2,
    };
    study.run(&means, &stop, &mut |news| {
        heard += usize::from(!matches!(news, News::Quiet));
        if heard > most {
            stop.stop();
        }
    })
}

#[test]
fn a_study_comes_to_the_same_whatever_happens() {
    let whole = Place::new();
    let ending = work(&whole.path, usize::MAX).expect("no failure");
    let Ending::Finished(conclusion) = ending else {
        panic!("it was not stopped");
    };
    assert!(conclusion.finished && conclusion.arms.len() == 4);
    let [first, second] = &conclusion.claims[..] else {
        panic!("two claims");
    };
    assert_eq!(first.matches[0].games, 4);
    assert!(first.matches[0].corrected.is_some() && second.matches[0].corrected.is_none());
    assert_eq!(second.ruling, Ruling::Measured);
    assert_eq!(results(&whole.path).len(), STEPS);
    assert_eq!(look(&whole.path).expect("a study"), *conclusion);
    // Arms are what the file says.
    let network = |name: &str| {
        let file = conclusion.arms.iter().find(|row| row.arm == name);
        let path = whole.file(&file.expect("an arm").file);
        match Model::open(&path) {
            Ok(Model::NTuple(file)) => file.network,
            _ => panic!("{name} is no network"),
        }
    };
    assert_eq!(network("compared").weights().tables().len(), 2);
    let groups = network("linear").weights().groups;
    assert_eq!(network("fitted").weights().groups, groups);
    for (name, words) in [
        ("report.md", "whole - linear"),
        ("report.html", "get the Holm correction"),
        ("conclusion.json", "validation_agreement"),
        ("plots/compared-pairs.svg", "<svg "),
        ("plots/compared-squares.svg", "Knight, endgame"),
    ] {
        assert!(whole.text(name).contains(words), "{name}");
    }
    // Stopped again and again, it comes to the same.
    let other = Place::new();
    let mut stops = 0;
    while !matches!(
        work(&other.path, 1 + 3 * stops).expect("no failure"),
        Ending::Finished(_)
    ) {
        stops += 1;
    }
    assert!(stops > 2, "{stops}");
    assert_eq!(results(&other.path), results(&whole.path));
    for row in &conclusion.arms {
        let [one, other] = [&whole, &other].map(|place| fs::read(place.file(&row.file)));
        assert!(
            one.expect("a model") == other.expect("a model"),
            "{}",
            row.arm
        );
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    let told = |old: &str, new: &str| {
        let text = FILE.replacen(old, new, 1);
        assert_ne!(text, FILE);
        let error = read(&text).expect_err(new);
        (error.line(&text), error.to_string())
    };
    let (line, words) = told("second = 'linear'", "second = 'liner'");
    assert!(words.contains("there is no arm 'liner'"), "{line} {words}");
    let (_, words) = told("tuples = ['P', 'Kp']", "tuples = ['PX']");
    assert!(
        words.contains("arms.compared.train: tuples: \"PX\" is not a tuple"),
        "{words}"
    );
    let (_, words) = told("start = 'linear'", "start = 'compared'");
    assert!(words.contains("name an arm that is not trained"), "{words}");
    let (_, words) = told("selfplay = { games = 12, nodes = 60 }", "");
    assert!(
        words.contains("give either training or selfplay"),
        "{words}"
    );
    let place = Place::new();
    let error = Study::resume(&place.path, program())
        .err()
        .expect("no study");
    assert!(error.to_string().contains("is not a study"), "{error}");
}
