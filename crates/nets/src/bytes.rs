//! Reading model files, and printing hashes and complaints about files.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The most bytes of a model; a larger file must be something else.
const MOST_BYTES: u64 = 1 << 30;
/// The most letters of a complaint about a file that are shown.
const LONGEST_COMPLAINT: usize = 100;

/// All bytes of a file that may be a model.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let words = format!("it has more than {MOST_BYTES} bytes, the maximum for nets");
        return Err(io::Error::new(ErrorKind::FileTooLarge, words));
    }
    Ok(bytes)
}

/// A complaint, which may quote anything from a file, cut short and escaped so that it
/// prints on one line.
pub(crate) fn printable(complaint: &impl ToString) -> String {
    let complaint = complaint.to_string();
    let beginning: String = complaint.chars().take(LONGEST_COMPLAINT).collect();
    beginning.escape_debug().to_string()
}

/// Two hexadecimal digits for each byte.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn complaints_are_short_and_printable() {
        assert_eq!(
            printable(&"unknown field `a\u{7}b`"),
            "unknown field `a\\u{7}b`"
        );
        assert_eq!(printable(&"x".repeat(5_000)).len(), 100);
    }
}
