//! How programs end: by themselves, by our wish, by force; and nothing stays
//! behind.

use crate::games::play_until_failure;
use crate::program::{first_move, impatient, options, start};
use engines::external::{External, ProgramOptions};
use engines::{Failure, Limits};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_crash_is_told_with_its_signal_and_last_words() {
    let mut player = start(options("crash 4"));
    let (at, failure) = play_until_failure(&mut player);
    assert_eq!(at, 4);
    let words = failure.to_string();
    assert!(words.starts_with("crashed: signal: 6 (SIGABRT)"), "{words}");
    let last = "; its last output: badengine crashes as it should";
    assert!(words.ends_with(last), "{words}");
}

#[test]
fn an_early_exit_is_told_with_its_code() {
    let mut player = start(options("exit 2"));
    let crashed = Failure::Crashed("exit status: 3".to_owned());
    assert_eq!(play_until_failure(&mut player), (2, crashed));
}

#[test]
fn whoever_closes_its_output_is_ended() {
    let mut player = start(options("close"));
    let crashed = Failure::Crashed("it closed its output".to_owned());
    assert_eq!(play_until_failure(&mut player), (1, crashed));
}

/// Whether a process with this word on its command line runs or waits for its
/// parent.
fn is_there(marker: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("Linux");
    processes.flatten().any(|process| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line)
            .split(['\0', ' '])
            .any(|word| word == marker)
    })
}

/// Waits until something is so; what was killed needs a moment to be gone.
fn becomes(mut is_so: impl FnMut() -> bool) -> bool {
    let begin = Instant::now();
    while !is_so() {
        if begin.elapsed() > Duration::from_secs(10) {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// How many children of this process have ended unnoticed.
fn zombies() -> usize {
    let own = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").expect("Linux");
    let is_zombie = |stat: &str| {
        let mut fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
        fields.next() == Some("Z") && fields.next() == Some(&own)
    };
    processes
        .flatten()
        .filter_map(|process| std::fs::read_to_string(process.path().join("stat")).ok())
        .filter(|stat| is_zombie(stat))
        .count()
}

/// An engine in a shell script that does not hand its process over.
fn wrapped(mode: &str, marker: &str) -> ProgramOptions {
    let engine = env!("CARGO_BIN_EXE_badengine");
    let mut options = impatient("");
    options.program = "sh".into();
    options.arguments = vec!["-c".to_owned(), format!("{engine} {mode} {marker}; true")];
    options
}

#[test]
fn nothing_stays_behind_when_a_player_is_dropped() {
    for (mode, marker) in [("correct 1", "marker-correct"), ("stays 1", "marker-stays")] {
        let mut player = start(wrapped(mode, marker));
        assert!(first_move(&mut player, &Limits::nodes(1)).is_ok());
        assert!(is_there(marker));
        drop(player);
        assert!(becomes(|| !is_there(marker)), "{mode}");
    }
}

/// What has left the program's group, even with a session of its own, ends with it.
#[test]
fn children_with_a_session_of_their_own_end_with_the_program() {
    let engine = env!("CARGO_BIN_EXE_badengine");
    let marker = "31415.9265";
    let mut options = impatient("");
    options.program = "sh".into();
    options.arguments = vec![
        "-c".to_owned(),
        format!("setsid sleep {marker} > /dev/null 2>&1 & exec {engine} correct"),
    ];
    let mut player = start(options);
    let mut other = start(impatient("correct"));
    assert!(first_move(&mut player, &Limits::nodes(1)).is_ok());
    assert!(becomes(|| is_there(marker)));
    drop(player);
    assert!(becomes(|| !is_there(marker)));
    // Others are left alone.
    assert!(first_move(&mut other, &Limits::nodes(1)).is_ok());
}

#[test]
fn nothing_stays_behind_after_a_failure() {
    for (mode, marker) in [
        ("hang-go 1", "marker-hang"),
        ("flood-lines endless", "marker-flood"),
        ("crash 1", "marker-crash"),
        ("close 1", "marker-close"),
    ] {
        let mut player = start(wrapped(mode, marker));
        assert!(is_there(marker));
        assert!(first_move(&mut player, &Limits::nodes(1)).is_err());
        assert!(becomes(|| !is_there(marker)), "{mode}");
    }
}

#[test]
fn an_engine_that_never_started_well_does_not_stay() {
    for (mode, marker) in [
        ("hang-uci 1", "marker-uci"),
        ("hang-isready 1", "marker-ready"),
    ] {
        let mut options = wrapped(mode, marker);
        options.patience = Duration::from_millis(200);
        assert!(External::start(options).is_err());
        assert!(becomes(|| !is_there(marker)), "{mode}");
    }
}

#[test]
fn no_zombies_are_left() {
    for mode in ["correct", "crash", "exit", "stays", "hang-go"] {
        let mut player = start(impatient(mode));
        let _ = first_move(&mut player, &Limits::nodes(1));
        drop(player);
    }
    // Other tests of this process may have children that are just ending.
    assert!(becomes(|| zombies() == 0));
}
