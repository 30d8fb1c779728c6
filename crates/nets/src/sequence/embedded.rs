//! The sequence model that the program was built with, if there is one: the project's own, or
//! what the variable TABIA_EMBED_SEQUENCE named when it was compiled.

use super::file::SequenceModelFile;
use std::sync::OnceLock;

#[cfg(embedded_sequence)]
static BYTES: Option<&[u8]> = Some(include_bytes!(env!("TABIA_EMBEDDED_SEQUENCE")));
#[cfg(not(embedded_sequence))]
static BYTES: Option<&[u8]> = None;

/// The embedded sequence model. One that cannot be used is as good as none; the tests of a
/// build with a model find that out.
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
            // A program should not grow by more.
            assert!(bytes.len() <= 10_000_000, "{}", bytes.len());
        }
    }
}
