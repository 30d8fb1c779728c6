//! Runs that are given more seeds, generations or verdict games after they have begun.

use crate::miniature::{FILE, Place, finish, made, program, results, undisturbed};
use lab::{LabError, Laboratory};
use std::fs;

/// The miniature with other numbers.
fn larger(seeds: &str, generations: u32, games: u64) -> String {
    let file = FILE.replace("seeds = [3]", &format!("seeds = {seeds}"));
    let file = file.replace("generations = 2", &format!("generations = {generations}"));
    file.replace(
        "[verdict]\ngames = 4",
        &format!("[verdict]\ngames = {games}"),
    )
}

fn extend(run: &Place, additions: &str) -> Result<(), LabError> {
    Laboratory::extend(&run.path, additions, program(), &train::learners()).map(drop)
}

/// The bytes of all nets.
fn nets(run: &Place) -> Vec<(String, Vec<u8>)> {
    let files = crate::miniature::files(&run.path).into_iter();
    files.filter(|(name, _)| name.contains("/nets/")).collect()
}

#[test]
fn an_extended_run_has_the_nets_of_one_that_was_larger_from_the_start() {
    let run = made(FILE);
    let before = results(&run.path).len();
    extend(&run, "seeds = [3, 5]\ngenerations = 3").expect("it may grow");
    finish(&run.path, FILE, 2);
    let whole = Place::new();
    finish(&whole.path, &larger("[3, 5]", 3, 4), 2);
    assert!(nets(&run) == nets(&whole));
    assert!(results(&run.path).len() > before);
    assert_eq!(run.text("run.toml"), FILE, "what was begun stays");
    // The matches of the smaller run stay, too.
    for generation in [2, 3] {
        let folder = format!("finals/seed-3-generation-{generation}-control-against-curriculum");
        assert!(run.file(&folder).is_dir(), "{folder}");
    }
}

#[test]
fn more_verdict_games_are_added_to_those_that_were_played() {
    let run = made(FILE);
    extend(&run, "verdict.games = 10").expect("it may grow");
    let unfinished = lab::runs::look(&run.path, &train::learners()).expect("a run");
    assert!(!unfinished.finished);
    finish(&run.path, FILE, 2);
    let whole = Place::new();
    finish(&whole.path, &larger("[3]", 2, 10), 2);
    let meetings = |place: &Place| {
        let run = lab::runs::look(&place.path, &train::learners()).expect("a run");
        assert!(run.finished);
        run.conclusion.meetings
    };
    assert_eq!(meetings(&run), meetings(&whole));
    assert_eq!(meetings(&run)[0].counts.pairs(), 5);
    assert_eq!(meetings(undisturbed())[0].counts.pairs(), 2);
}

#[test]
fn nothing_else_changes_and_nothing_shrinks() {
    let run = made(FILE);
    for (additions, problem) in [
        ("seeds = [4]", "seeds: 3 is missing; give all old seeds"),
        ("generations = 1", "generations: the run already has 2"),
        (
            "verdict.games = 2",
            "verdict.games: the run already plays 4",
        ),
        ("selfplay.nodes = 9", "unknown field `selfplay`"),
        ("seeds = [3, 3]", "seeds"),
    ] {
        let error = extend(&run, additions).expect_err(additions).to_string();
        assert!(error.contains(problem), "{additions}: {error}");
        assert!(!run.file("extension.toml").exists(), "{additions}");
    }
    fs::write(run.file("extension.toml"), "seeds = 'three'").expect("room");
    let error = Laboratory::resume(&run.path, program(), &train::learners());
    let error = error.err().expect("a broken file").to_string();
    assert!(error.contains("extension.toml:1: "), "{error}");
}
