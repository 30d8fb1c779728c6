//! The sequence model that was embedded in the program, if any: the project's own, or the one
//! that the variable TABIA_EMBED_SEQUENCE named at compile time.

use super::file::SequenceModelFile;
use std::sync::OnceLock;

#[cfg(embedded_sequence)]
static BYTES: Option<&[u8]> = Some(include_bytes!(env!("TABIA_EMBEDDED_SEQUENCE")));
#[cfg(not(embedded_sequence))]
static BYTES: Option<&[u8]> = None;

/// The embedded sequence model; `None` also if it is invalid, which the test below would
/// report.
pub fn embedded() -> Option<&'static SequenceModelFile> {
    static MODEL: OnceLock<Option<SequenceModelFile>> = OnceLock::new();
    MODEL
        .get_or_init(|| SequenceModelFile::from_bytes(BYTES?).ok())
        .as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_was_built_in_can_be_used() {
        assert_eq!(embedded().is_some(), BYTES.is_some());
        if let Some(bytes) = BYTES {
            let size = SequenceModelFile::from_bytes(bytes).map(|file| file.size);
            assert_eq!(size.ok(), Some(bytes.len() as u64));
            // The program should not grow by more.
            assert!(bytes.len() <= 10_000_000, "{}", bytes.len());
        }
    }
}
