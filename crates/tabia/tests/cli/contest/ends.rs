//! How a match ends that somebody ends from outside: no program stays behind, and
//! nobody waits for one that is silent.

use super::{bad, command};
use crate::program::folder;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Whether a process with this word on its command line runs.
fn is_there(marker: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("Linux");
    processes.flatten().any(|process| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        // The match itself has the word within a longer one.
        line.split('\0').any(|word| word == marker)
    })
}

/// Waits until something is so.
fn becomes(mut is_so: impl FnMut() -> bool, patience: Duration) -> bool {
    let begin = Instant::now();
    while !is_so() {
        if begin.elapsed() > patience {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// A match of two engines of this mode, whose command lines have the marker.
fn begin_match(folder: &Path, mode: &str, marker: &str) -> Child {
    let player = |name| bad(name, &format!("{mode} {marker}"));
    let (one, two) = (player("one"), player("two"));
    let words = ["match", "--player", &one, "--player", &two, "--games", "2"];
    let mut command = command(folder, &words);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

#[test]
fn programs_end_with_a_match_that_is_killed() {
    let folder = folder("contest/killed");
    let marker = "910001";
    // A search that it never answers.
    let mut child = begin_match(&folder, "late", marker);
    assert!(becomes(|| is_there(marker), Duration::from_secs(60)));
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(becomes(|| !is_there(marker), Duration::from_secs(60)));
}

#[test]
fn a_silent_program_does_not_delay_an_interruption() {
    let folder = folder("contest/interrupted");
    let marker = "910002";
    // It would be waited for ten seconds.
    let mut child = begin_match(&folder, "slow-start", marker);
    assert!(becomes(|| is_there(marker), Duration::from_secs(60)));
    // The match listens before it starts a program.
    let told = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(told.expect("kill starts").success());
    let mut status = None;
    let has_ended = || {
        status = child.try_wait().expect("a child");
        status.is_some()
    };
    assert!(becomes(has_ended, Duration::from_secs(8)));
    assert_eq!(status.and_then(|status| status.code()), Some(130));
    assert!(becomes(|| !is_there(marker), Duration::from_secs(60)));
}
