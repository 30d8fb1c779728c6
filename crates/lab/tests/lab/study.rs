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

fn work(path: &Path, file: &str, most: usize) -> Result<Ending<Conclusion>, LabError> {
    let mut study = match path.join("study.toml").exists() {
        true => Study::resume(path, program())?,
        false => Study::begin(path, file, program())?,
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

fn finish(path: &Path, file: &str) -> Conclusion {
    match work(path, file, usize::MAX).expect("no failure") {
        Ending::Finished(conclusion) => *conclusion,
        Ending::Stopped => panic!("it was not stopped"),
    }
}

#[test]
fn a_study_comes_to_the_same_whatever_happens() {
    let whole = Place::new();
    let conclusion = finish(&whole.path, FILE);
    assert!(conclusion.finished && conclusion.arms.len() == 4);
    let [first, second] = &conclusion.claims[..] else {
        panic!("two claims");
    };
    assert_eq!(first.matches[0].games, 4);
    assert!(first.matches[0].corrected.is_some() && second.matches[0].corrected.is_none());
    assert_eq!(second.ruling, Ruling::Measured);
    assert_eq!(results(&whole.path).len(), STEPS);
    assert_eq!(look(&whole.path).expect("a study"), conclusion);
    assert!(conclusion.arms.iter().all(|row| row.marks.is_none()));
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
        work(&other.path, FILE, 1 + 3 * stops).expect("no failure"),
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

/// Labels for the test positions: a study that only plays games.
const GAMES: &str = "\
[data]
selfplay = { games = 12, nodes = 60 }
[arms.whole]
model = 'classical'
";

const EXAMINED: &str = "\
[data]
training = ['GAMES']
validation = ['GAMES']
test = ['GAMES']
[arms.whole]
model = 'classical'
[arms.linear]
groups = ['piece-squares', 'pieces', 'threats', 'pawns']
[arms.compared]
train = { kind = 'comparison', depth = 1, epochs = 1, tuples = ['P'] }
[arms.fitted]
train = { kind = 'classical', epochs = 1, filters = ['in-check', 'captures'] }
";

#[test]
fn every_arm_is_judged_on_test_positions() {
    let labels = Place::new();
    finish(&labels.path, GAMES);
    let games = labels.file("games.binpack");
    let file = EXAMINED.replace("GAMES", &games.display().to_string());
    let whole = Place::new();
    let conclusion = finish(&whole.path, &file);
    assert_eq!(conclusion.arms.len(), 4);
    for row in &conclusion.arms {
        let marks = row.marks.expect("marks");
        assert!(marks.test.positions > 100, "{marks:?}");
        assert!((0.01..1.0).contains(&marks.test.agreement), "{marks:?}");
        assert!(marks.test.rank > 1.0, "{marks:?}");
        // The same files give the same positions.
        assert_eq!(marks.validation, Some(marks.test));
    }
    // It is how comparison training judges itself.
    let row = |name: &str| conclusion.arms.iter().find(|row| row.arm == name);
    let compared = row("compared").expect("an arm");
    let epoch = compared.epoch.as_ref().expect("an epoch");
    let marks = compared.marks.expect("marks");
    let close = |one: f64, other: f64| (one - other).abs() < 1e-12;
    let test = marks.test;
    assert!(close(epoch.numbers["validation_agreement"], test.agreement));
    assert!(close(epoch.numbers["validation_rank"], test.rank));
    let whole_marks = row("whole").and_then(|row| row.marks);
    assert_ne!(whole_marks, row("linear").and_then(|row| row.marks));
    let report = whole.text("report.md");
    assert!(report.contains("test agreement"), "{report}");
    assert!(whole.text("conclusion.json").contains("\"test\": {"));
    // Stopped again and again, it comes to the same.
    let other = Place::new();
    let mut stops = 0;
    while !matches!(
        work(&other.path, &file, 1 + stops).expect("no failure"),
        Ending::Finished(_)
    ) {
        stops += 1;
    }
    assert!(stops > 4, "{stops}");
    assert_eq!(results(&other.path), results(&whole.path));
    let deeper = file.replace("[arms.whole]", "[examination]\ndepth = 7\n[arms.whole]");
    let error = read(&deeper).expect_err("too deep");
    assert!(error.to_string().contains("examination.depth"), "{error}");
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
