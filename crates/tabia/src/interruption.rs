//! Ctrl-C: the first asks long work to stop in good order, the second ends the
//! program at once. A request to terminate counts as a Ctrl-C.
//!
//! It must not know what is being interrupted: long work asks here, often.

use crate::exit::Exit;
use crate::output;
use anyhow::Context;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

/// A process has one keyboard, so this is the one global of the program.
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Begins to listen. A command that never asks must not call this: it would
/// take two Ctrl-C to end it.
pub(crate) fn listen() -> anyhow::Result<()> {
    listen_and(|| {})
}

/// Begins to listen, for work that is told to stop instead of asking.
pub(crate) fn listen_and(stop: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Exit::Interrupted as u8));
        }
        stop();
        // A terminal has echoed the key behind whatever the line held.
        let start = if std::io::stderr().is_terminal() {
            "\n"
        } else {
            ""
        };
        output::print_words(format_args!(
            "{start}stopping; press Ctrl-C again to end at once"
        ));
    })
    .context("cannot listen for Ctrl-C")
}

/// Whether to stop.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
