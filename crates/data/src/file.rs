//! Files that appear under their names only when they are complete.
//!
//! A file is written under a temporary name in the same folder, then synced and
//! renamed; if writing fails, it is removed. This module must not know what is
//! written.

use std::{
    fs::{File, TryLockError},
    io::{self, BufWriter, Read, Write},
    path::Path,
};

use tempfile::NamedTempFile;

/// Writes a whole file at once.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(bytes))
}

/// Writes a file that need not fit in memory.
pub fn write_with<E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut file = begin(path)?;
    let mut buffered = BufWriter::new(&mut file);
    fill(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    Ok(finish(file, path)?)
}

/// Reads a whole file that should be small; of a larger one, such as an endless device, no
/// more than `most` bytes are read.
///
/// # Errors
/// If it cannot be read, or has more than `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?.take(most + 1);
    file.read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {} MiB", most >> 20),
        )),
        false => Ok(bytes),
    }
}

/// The most bytes of a settings file.
const MOST_SETTINGS: u64 = 16 << 20;

/// Reads a settings file.
///
/// # Errors
/// If it cannot be read, is not text, or is too large for settings.
pub fn read_settings(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path, MOST_SETTINGS)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// Removes the temporary files that a kill has left in a folder.
///
/// # Errors
/// If the folder cannot be read, or a file cannot be removed.
pub fn sweep(folder: &Path) -> io::Result<()> {
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        if is_part(&path) {
            std::fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// The BLAKE3 hash of a file's contents, in hexadecimal digits.
///
/// # Errors
/// If it cannot be read.
pub fn hash(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Locks a folder against other processes until it is dropped.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// The file that is locked. It is never removed: then two others could lock the folder.
    pub const NAME: &str = "lock";

    /// Locks an existing folder.
    ///
    /// # Errors
    /// If the file cannot be created, or another process has the lock.
    pub fn take(folder: &Path) -> Result<FolderLock, TryLockError> {
        let file = File::create(folder.join(Self::NAME)).map_err(TryLockError::Error)?;
        file.try_lock()?;
        Ok(FolderLock { _file: file })
    }
}

/// How the names of temporary files begin and end.
const PART: [&str; 2] = [".tabia-", ".part"];

/// Whether a file is a temporary file of a write that was not finished.
pub fn is_part(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(PART[0]) && name.ends_with(PART[1])
}

/// Creates the temporary file in the folder of `path`.
pub(crate) fn begin(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PART[0]).suffix(PART[1]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The permissions of any new file, subject to the user's umask.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path))
}

/// Syncs a complete file and renames it to its final name.
pub(crate) fn finish(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The name is durable only once the folder is synced.
    sync_folder_of(path)
}

/// Syncs the folder of a file, so that its name is durable. Windows does so by itself, and
/// cannot open folders.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder_of(path))?.sync_all(),
        false => Ok(()),
    }
}

/// Reads at an offset of a file, which several threads may read at once.
#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
}

/// Reads at an offset of a file, which several threads may read at once.
#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut bytes: &mut [u8], mut place: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        match file.seek_read(bytes, place)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                bytes = &mut bytes[count..];
                place += count as u64;
            }
        }
    }
    Ok(())
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether the name of a file ends with `end`, ignoring case.
pub(crate) fn ends_with(path: &Path, end: &str) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    name.len() > end.len() && name[name.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_is_not_read_to_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        std::fs::write(&path, [7; 100]).expect("written");
        assert_eq!(read(&path, 100).expect("small"), [7; 100]);
        assert!(read(&path, 99).is_err());
        let endless = read(Path::new("/dev/zero"), 1 << 20).expect_err("endless");
        assert_eq!(endless.to_string(), "it has more than 1 MiB");
        assert_eq!(read_settings(&path).expect("a text").len(), 100);
        std::fs::write(&path, [0xff, 0xfe]).expect("written");
        assert!(read_settings(&path).is_err());
    }

    #[test]
    fn a_file_replaces_another_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("picture.svg");
        write(&path, b"old").expect("written");
        write(&path, b"new").expect("written again");
        assert_eq!(std::fs::read(&path).expect("readable"), b"new");
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("readable").count(),
            1
        );
    }

    #[test]
    fn a_file_that_could_not_be_filled_is_never_seen() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games.pgn");
        let broken = write_with(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(broken.expect_err("an error").to_string(), "no more");
        assert!(!path.exists());
    }

    #[test]
    fn an_unfinished_file_is_never_seen() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games.pgn");
        let begun = begin(&path).expect("begun");
        assert!(is_part(begun.path()) && !is_part(&path));
        drop(begun);
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("readable").count(),
            0
        );
    }
}
