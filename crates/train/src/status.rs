//! How far a training is, in a file of its folder, for those who only look at it.
//!
//! The checkpoint has all that is needed to go on, but only a training of the same settings
//! can read it. It must not know what is trained.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// The file.
pub const STATUS_FILE: &str = "training.json";
/// No such file is larger.
const MOST_BYTES: u64 = 1 << 16;

/// How far a training is.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Status {
    /// How many epochs it has in all.
    pub epochs: u64,
    /// Seconds of all processes that trained; nothing if an earlier version did not note them.
    pub seconds: Option<f64>,
    /// Whether everything is done.
    pub finished: bool,
}

impl Status {
    /// The status of a folder; nothing if it has none, as those of earlier versions.
    pub fn read(folder: &Path) -> Option<Status> {
        let text = data::file::read(&folder.join(STATUS_FILE), MOST_BYTES).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Puts it into a folder, whole or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let text = serde_json::to_string(self).map_err(io::Error::other)? + "\n";
        data::file::write(&folder.join(STATUS_FILE), text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(Status::read(folder.path()), None);
        let status = Status {
            epochs: 4000,
            seconds: Some(12.5),
            finished: false,
        };
        status.write(folder.path()).expect("room");
        assert_eq!(Status::read(folder.path()), Some(status));
        std::fs::write(folder.path().join(STATUS_FILE), "{").expect("room");
        assert_eq!(Status::read(folder.path()), None);
    }
}
