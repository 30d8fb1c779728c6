//! The bytes of files of models, and how hashes are written.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// No model is larger: whatever is, is something else.
const MOST_BYTES: u64 = 1 << 30;

/// All bytes of a file that may be a model.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let words = format!("it has more than {MOST_BYTES} bytes, and no known net has so many");
        return Err(io::Error::new(ErrorKind::FileTooLarge, words));
    }
    Ok(bytes)
}

/// Two hexadecimal digits for each byte.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
