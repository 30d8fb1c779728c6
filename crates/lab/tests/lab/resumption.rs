//! Runs that are stopped, killed or worked on by other numbers of threads end with
//! the same bytes.

use crate::miniature::{FILE, Place, STEPS, files, finish, made, results, undisturbed, work};
use lab::{Ending, Event};
use std::fs;

fn assert_same(run: &Place, other: &Place, how: &str) {
    let [own, wanted] = [run, other].map(|place| files(&place.path));
    let names = |files: &std::collections::BTreeMap<String, Vec<u8>>| {
        files.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(&own), names(&wanted), "{how}");
    for (name, bytes) in &own {
        assert!(*bytes == wanted[name], "{how}: {name} differs");
    }
    assert_eq!(results(&run.path), results(&other.path), "{how}");
}

#[test]
fn a_run_that_is_stopped_after_every_step_is_the_same() {
    let run = Place::new();
    let mut sessions = 0;
    loop {
        sessions += 1;
        let is_end = |news: &Event| matches!(news, Event::Ended { .. });
        let ending = work(&run.path, FILE, 2, &mut |news| is_end(news)).expect("no failure");
        if let Ending::Finished(_) = ending {
            break;
        }
        let steps = results(&run.path).len();
        assert_eq!(steps, sessions, "one step in each session");
    }
    assert_eq!(sessions, STEPS);
    assert_same(&run, undisturbed(), "stopped after every step");
}

#[test]
fn a_run_that_is_stopped_within_steps_is_the_same() {
    let run = Place::new();
    for session in 1.. {
        let mut events = 0;
        let ending = work(&run.path, FILE, 2, &mut |news| {
            let is_within = matches!(
                news,
                Event::SelfPlay { .. } | Event::Training { .. } | Event::Match { .. }
            );
            events += u32::from(is_within);
            // Never where a session before has stopped already.
            events >= 9 + session % 5
        });
        if let Ending::Finished(_) = ending.expect("no failure") {
            assert!(session > 5, "{session} sessions");
            break;
        }
        assert!(session < 200, "it never ends");
    }
    assert_same(&run, undisturbed(), "stopped within steps");
}

/// Files of a step may be there without its line; the line may be torn.
#[test]
fn a_kill_between_files_and_state_changes_nothing() {
    let run = made(FILE);
    let state = run.file("state.jsonl");
    // Whoever is killed leaves the beginning of a file, too.
    let left = run.file("control/seed-3/nets/.tabia-abc.part");
    fs::write(&left, "half of a net").expect("room");
    for (lines, torn) in [(0, 30), (2, 0), (3, 7), (4, 0), (5, 1), (8, 0), (27, 0)] {
        let text = fs::read_to_string(&state).expect("a state");
        let whole: Vec<&str> = text.split_inclusive('\n').collect();
        let mut kept = whole[..lines].concat();
        kept += &whole[lines][..torn];
        fs::write(&state, kept).expect("room");
        finish(&run.path, FILE, 2);
        assert_same(&run, undisturbed(), &format!("killed after {lines} lines"));
        assert!(!left.exists());
    }
}

#[test]
fn threads_change_nothing() {
    for threads in [1, 3] {
        let run = Place::new();
        finish(&run.path, FILE, threads);
        assert_same(&run, undisturbed(), &format!("{threads} threads"));
    }
}

#[test]
fn a_finished_run_is_left_alone() {
    let run = made(FILE);
    let before = fs::read(run.file("state.jsonl")).expect("a state");
    let mut begun = 0;
    work(&run.path, FILE, 2, &mut |news| {
        begun += u32::from(matches!(news, Event::Begun { .. }));
        false
    })
    .expect("no failure");
    assert_eq!(begun, 0);
    assert_eq!(fs::read(run.file("state.jsonl")).expect("a state"), before);
}
