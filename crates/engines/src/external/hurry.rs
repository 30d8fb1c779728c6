//! Whether somebody waits for this process to end: then nobody waits long for a program
//! any more.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long programs are still waited for.
const PATIENCE: Duration = Duration::from_millis(500);

static SINCE: OnceLock<Instant> = OnceLock::new();

/// Lets everything that waits for a program give up within half a second, from now on.
/// To be called when the user wants the whole process to end.
pub fn hurry() {
    let _ = SINCE.set(Instant::now());
}

/// Until when programs are waited for, if it hurries.
pub(super) fn deadline() -> Option<Instant> {
    SINCE.get().map(|since| *since + PATIENCE)
}
