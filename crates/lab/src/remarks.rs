//! Remarks about the workers for a report, such as that one was banned: a text file next to the
//! results of a selection, a study or a ladder. A run logs its remarks as events.

use crate::error::LabError;
use crate::folder::Folder;
use work::Dispatcher;

/// The file name, with a line for each remark.
const FILE: &str = "remarks.txt";

/// Adds the dispatcher's new remarks.
///
/// # Errors
/// If the file cannot be read or written.
pub(crate) fn keep(folder: &Folder, dispatcher: &dyn Dispatcher) -> Result<(), LabError> {
    let new = dispatcher.take_remarks();
    if new.is_empty() {
        return Ok(());
    }
    let mut remarks = read(folder)?;
    // A remark is a single line, whatever the worker's name or the reason.
    remarks.extend(new.iter().map(|remark| remark.replace(['\r', '\n'], " ")));
    let path = folder.path(FILE);
    let text = remarks.join("\n") + "\n";
    data::file::write(&path, text.as_bytes()).map_err(|cause| LabError::file(&path, cause))
}

/// All remarks, oldest first.
///
/// # Errors
/// If the file exists but cannot be read.
pub(crate) fn read(folder: &Folder) -> Result<Vec<String>, LabError> {
    let path = folder.path(FILE);
    match data::file::read_settings(&path) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(cause) => Err(LabError::file(&path, cause)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use work::{Assignment, DispatchError, Receive};

    /// A dispatcher that has remarks.
    struct Noticed(Mutex<Vec<String>>);

    impl Dispatcher for Noticed {
        fn at_once(&self) -> usize {
            1
        }

        fn dispatch(&self, _: Assignment<'_>, _: &mut Receive<'_>) -> Result<(), DispatchError> {
            Ok(())
        }

        fn take_remarks(&self) -> Vec<String> {
            std::mem::take(&mut self.0.lock().expect("no panic"))
        }
    }

    #[test]
    fn remarks_are_kept() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(place.path()).expect("a folder");
        for words in ["'eve' was banned:\nit lies", "'mallory' was banned"] {
            let noticed = Noticed(Mutex::new(vec![words.to_owned()]));
            keep(&folder, &noticed).expect("kept");
            keep(&folder, &noticed).expect("nothing new");
        }
        let expected = ["'eve' was banned: it lies", "'mallory' was banned"];
        assert_eq!(read(&folder).expect("remarks"), expected);
    }
}
