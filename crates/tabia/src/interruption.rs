//! Ctrl-C: the first one asks long work to stop in good order, the second one ends the program at
//! once. SIGTERM counts as a Ctrl-C.
//!
//! Work that does not notice the request within a second, because it waits for input that never
//! comes, is ended too: a kill at any moment loses nothing that was finished. This module must not
//! know what is being interrupted: long work either polls it often or gets a stop signal.

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

/// A process has one keyboard, so this state is global.
static REQUESTED: AtomicBool = AtomicBool::new(false);
/// Whether any code has polled the request since.
static NOTICED: AtomicBool = AtomicBool::new(false);

/// How long work may take to notice.
const PATIENCE: Duration = Duration::from_millis(800);

/// Handles Ctrl-C for work that polls and has nothing unfinished worth saving: it is ended within a
/// second, whatever it does. A command that never polls must not call this: ending it would take
/// two Ctrl-C.
pub(crate) fn listen() -> anyhow::Result<()> {
    listen_with(|| {}, || false)
}

/// Handles Ctrl-C for work that polls and then saves its state.
pub(crate) fn listen_and_save() -> anyhow::Result<()> {
    listen_with(|| {}, || NOTICED.load(Ordering::Relaxed))
}

/// Handles Ctrl-C for work that gets a stop signal and ends in good order.
pub(crate) fn listen_for(stop: &StopSignal) -> anyhow::Result<()> {
    let (signal, heard) = (stop.clone(), stop.clone());
    listen_with(move || signal.stop(), move || heard.is_heard())
}

/// The same for work that abandons what is unfinished, and does not wait for external programs.
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
        // A terminal has echoed the key at the end of the current line.
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

/// Whether the user has asked to stop.
pub(crate) fn requested() -> bool {
    let is_requested = REQUESTED.load(Ordering::Relaxed);
    if is_requested {
        NOTICED.store(true, Ordering::Relaxed);
    }
    is_requested
}
