//! The process that works on a folder, so that others can ask it to stop.
//!
//! The file is only a hint for people and pages: whether a process works is decided by the lock of
//! the state. This module must not know what the work is.

use std::path::{Path, PathBuf};

/// The file with the process id, which exists while the process works.
pub(crate) const FILE: &str = "worker.pid";

/// The process id in a folder, removed when the work ends.
pub(crate) struct Badge(PathBuf);

impl Badge {
    /// Writes the file. A failure is ignored: it must not end a run.
    pub(crate) fn leave(folder: &Path) -> Badge {
        let path = folder.join(FILE);
        let _ = data::file::write(&path, format!("{}\n", std::process::id()).as_bytes());
        Badge(path)
    }
}

impl Drop for Badge {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The process id in a folder; after a kill it is still there.
pub(crate) fn noted(folder: &Path) -> Option<u32> {
    let text = data::file::read(&folder.join(FILE), 32).ok()?;
    std::str::from_utf8(&text).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_note_is_there_as_long_as_the_work() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(noted(folder.path()), None);
        let badge = Badge::leave(folder.path());
        assert_eq!(noted(folder.path()), Some(std::process::id()));
        drop(badge);
        assert_eq!(noted(folder.path()), None);
        std::fs::write(folder.path().join(FILE), "-7 or so").expect("room");
        assert_eq!(noted(folder.path()), None);
    }
}
