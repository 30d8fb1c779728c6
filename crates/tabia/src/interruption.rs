//! Ctrl-C: the first asks long work to stop in good order, the second ends the
//! program at once. A request to terminate counts as a Ctrl-C.
//!
//! Work that does not even notice within a second, because it waits for an input that
//! never comes, is ended as well: a kill at any moment loses nothing that was finished.
//! It must not know what is being interrupted: long work asks here, often, or is told
//! by a signal.

use crate::exit::Exit;
use crate::output;
use anyhow::Context;
use engines::StopSignal;
use engines::external::hurry;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A process has one keyboard, so this is the one global of the program.
static REQUESTED: AtomicBool = AtomicBool::new(false);
/// Whether somebody has asked since.
static NOTICED: AtomicBool = AtomicBool::new(false);

/// How long work may take to notice.
const PATIENCE: Duration = Duration::from_millis(800);

/// Begins to listen, for work that asks, and that leaves nothing unfinished worth keeping:
/// it is ended within a second, whatever it does. A command that never asks must not call
/// this: it would take two Ctrl-C to end it.
pub(crate) fn listen() -> anyhow::Result<()> {
    listen_with(|| {}, || false)
}

/// Begins to listen, for work that asks and then saves what it has.
pub(crate) fn listen_and_save() -> anyhow::Result<()> {
    listen_with(|| {}, || NOTICED.load(Ordering::Relaxed))
}

/// Begins to listen, for work that is told to stop and ends in good order.
pub(crate) fn listen_for(stop: &StopSignal) -> anyhow::Result<()> {
    let (signal, heard) = (stop.clone(), stop.clone());
    listen_with(move || signal.stop(), move || heard.is_heard())
}

/// The same for work that gives up what is not finished: nor does it wait for programs.
pub(crate) fn listen_and_give_up(stop: &StopSignal) -> anyhow::Result<()> {
    let (signal, heard) = (stop.clone(), stop.clone());
    let stop = move || {
        signal.stop();
        hurry();
    };
    listen_with(stop, move || heard.is_heard())
}

fn listen_with(
    stop: impl Fn() + Send + 'static,
    is_heard: impl Fn() -> bool + Send + Sync + 'static,
) -> anyhow::Result<()> {
    let is_heard = Arc::new(is_heard);
    ctrlc::set_handler(move || {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            end();
        }
        stop();
        // A terminal has echoed the key behind whatever the line held.
        let start = if std::io::stderr().is_terminal() {
            "\n"
        } else {
            ""
        };
        output::print_words(format_args!(
            "{start}stopping; press Ctrl-C again to quit immediately"
        ));
        let is_heard = Arc::clone(&is_heard);
        thread::spawn(move || {
            thread::sleep(PATIENCE);
            if !is_heard() {
                output::print_words("interrupted");
                end();
            }
        });
    })
    .context("cannot listen for Ctrl-C")
}

fn end() -> ! {
    std::process::exit(i32::from(Exit::Interrupted as u8))
}

/// Whether to stop.
pub(crate) fn requested() -> bool {
    let is_requested = REQUESTED.load(Ordering::Relaxed);
    if is_requested {
        NOTICED.store(true, Ordering::Relaxed);
    }
    is_requested
}
