//! Programs that talk more than anyone wants to hear. These tests are alone in
//! their process, because they measure its memory.

#[path = "../external/program.rs"]
mod program;

use engines::{Failure, Limits};
use program::{first_move, impatient, options, start};
use std::time::Duration;

/// Mebibytes of memory that this process has used at most.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next());
    let kibibytes: u64 = kibibytes.expect("the peak").parse().expect("a number");
    kibibytes / 1024
}

/// Hundreds of mebibytes flow by; what is kept is a fraction of one.
const MOST_GROWTH: u64 = 32;

#[test]
fn floods_before_an_answer_take_no_memory() {
    let before = peak_memory();
    for mode in ["flood-lines 6000000", "flood-line 200000000"] {
        let mut player = start(options(mode));
        let answer = first_move(&mut player, &Limits::nodes(1));
        assert!(answer.is_ok_and(|answer| answer.depth == 1), "{mode}");
    }
    let growth = peak_memory() - before;
    assert!(growth < MOST_GROWTH, "{growth} MiB");
}

#[test]
fn endless_floods_are_given_up_with_the_clock() {
    let before = peak_memory();
    for mode in ["flood-lines", "flood-line"] {
        let mut player = start(impatient(mode));
        let stalled = Failure::Stalled(Duration::from_millis(600));
        let limits = Limits::move_time(Duration::from_millis(500));
        assert_eq!(first_move(&mut player, &limits), Err(stalled), "{mode}");
    }
    let growth = peak_memory() - before;
    assert!(growth < MOST_GROWTH, "{growth} MiB");
}

#[test]
fn complaints_do_not_block_the_engine() {
    // Several times as much as a pipe holds.
    let mut player = start(options("complain 30000"));
    for _ in 0..2 {
        assert!(first_move(&mut player, &Limits::nodes(1)).is_ok());
    }
}
