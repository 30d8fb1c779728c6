//! What is said when something is wrong: one line that names the file, and the rest
//! of the run is as it was.

use crate::miniature::{FILE, Place, files, finish, open, undisturbed, work};
use lab::{Ending, Event};
use std::fs;
use std::path::Path;

/// A run that was stopped after so many steps.
fn stopped(steps: usize) -> Place {
    let run = Place::new();
    let mut ended = 0;
    let ending = work(&run.path, FILE, 2, &mut |news| {
        ended += usize::from(matches!(news, Event::Ended { .. }));
        ended >= steps
    });
    assert!(matches!(ending, Ok(Ending::Stopped)));
    run
}

fn complaint(path: &Path) -> String {
    let error = work(path, FILE, 2, &mut |_| false).expect_err("something is wrong");
    let words = error.to_string();
    assert!(!words.contains('\n'), "{words}");
    words
}

#[test]
fn a_net_that_is_gone_or_damaged_is_named() {
    // The first net, self-play, buffer, training: a match would be next.
    let run = stopped(4);
    let net = run.file("control/seed-3/nets/candidate-1.tabianet");
    let bytes = fs::read(&net).expect("a net");
    fs::remove_file(&net).expect("removed");
    let words = complaint(&run.path);
    assert!(words.contains("candidate-1.tabianet is missing"), "{words}");
    let mut damaged = bytes.clone();
    damaged[1000] ^= 1;
    fs::write(&net, damaged).expect("room");
    let words = complaint(&run.path);
    assert!(
        words.contains("candidate-1.tabianet was changed"),
        "{words}"
    );
    // Put right, the run goes on as if nothing had been.
    fs::write(&net, bytes).expect("room");
    finish(&run.path, FILE, 2);
    assert_eq!(files(&run.path), files(&undisturbed().path));
}

#[test]
fn a_damaged_shard_is_named() {
    let run = stopped(2);
    let shard = run.file("control/seed-3/shards/generation-1.binpack");
    let mut bytes = fs::read(&shard).expect("a shard");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&shard, bytes).expect("room");
    let words = complaint(&run.path);
    assert!(
        words.contains("generation-1.binpack was changed"),
        "{words}"
    );
}

#[test]
fn a_checkpoint_that_is_gone_is_named() {
    let run = stopped(3);
    fs::remove_file(run.file("control/seed-3/trainings/generation-0/checkpoint")).expect("removed");
    let words = complaint(&run.path);
    assert!(
        words.contains("generation-0/checkpoint is missing"),
        "{words}"
    );
}

#[test]
fn what_cannot_be_written_is_named() {
    let run = stopped(3);
    // A file where a folder should be.
    let place = run.file("control/seed-3/trainings/generation-1");
    fs::remove_dir_all(&place).expect("removed");
    fs::write(&place, "").expect("room");
    let words = complaint(&run.path);
    assert!(words.contains("trainings/generation-1"), "{words}");
}

#[test]
fn the_run_file_must_stay_as_it_was() {
    let run = stopped(1);
    let path = run.file("run.toml");
    let text = fs::read_to_string(&path).expect("a text");
    fs::write(&path, text.replace("batch = 64", "batch = 32")).expect("room");
    let words = complaint(&run.path);
    assert!(
        words.contains("run.toml was changed since the run started"),
        "{words}"
    );
    // Words for people may change.
    fs::write(&path, format!("# a remark\n{text}")).expect("room");
    finish(&run.path, FILE, 2);
}

#[test]
fn only_one_works_on_a_run() {
    let run = Place::new();
    let first = open(&run.path, FILE).expect("a run");
    let words = open(&run.path, FILE).err().expect("in use").to_string();
    assert!(
        words.ends_with("another process is working on this run"),
        "{words}"
    );
    let words = lab::runs::remove(&run.path)
        .expect_err("in use")
        .to_string();
    assert!(
        words.ends_with("another process is working on this run"),
        "{words}"
    );
    drop(first);
    lab::runs::remove(&run.path).expect("removed");
    assert!(!run.path.exists());
    let words = lab::runs::remove(&run.path).expect_err("gone").to_string();
    assert!(words.contains("is not a run"), "{words}");
}

#[test]
fn there_must_be_openings_enough() {
    let words = |from: &str, to: &str| {
        let run = Place::new();
        let file = FILE.replace(from, to);
        let error = open(&run.path, &file).err().expect("too many games");
        assert!(!run.path.exists(), "nothing was begun");
        error.to_string()
    };
    let games = words("games = 4\nnodes", "games = 4000\nnodes");
    assert!(
        games.starts_with("gate: 4000 games need 2000 openings, but the book has 800"),
        "{games}"
    );
    let games = words("games = 4\nrepro", "games = 2000\nrepro");
    assert!(games.starts_with("verdict: 2000 games"), "{games}");
}
