//! Whether the user wants this process to end: then nothing waits long for another program any
//! more.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long programs are still waited for once the process hurries.
const PATIENCE: Duration = Duration::from_millis(500);

static SINCE: OnceLock<Instant> = OnceLock::new();

/// From now on everything that waits for a program gives up within half a second. To be called when
/// the user wants the whole process to end.
pub fn hurry() {
    let _ = SINCE.set(Instant::now());
}

/// Until when programs are waited for, if the process hurries.
pub(super) fn deadline() -> Option<Instant> {
    SINCE.get().map(|since| *since + PATIENCE)
}
