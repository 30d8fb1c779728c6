//! The policy net that was embedded in the program, if any: the project's own, or the one
//! that the variable TABIA_EMBED_POLICY named at compile time.

use super::file::PolicyFile;
use std::sync::OnceLock;

#[cfg(embedded_policy)]
static BYTES: Option<&[u8]> = Some(include_bytes!(env!("TABIA_EMBEDDED_POLICY")));
#[cfg(not(embedded_policy))]
static BYTES: Option<&[u8]> = None;

/// The embedded policy net; `None` also if it is invalid, which the test below would report.
pub fn embedded() -> Option<&'static PolicyFile> {
    static NET: OnceLock<Option<PolicyFile>> = OnceLock::new();
    NET.get_or_init(|| PolicyFile::from_bytes(BYTES?).ok())
        .as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_that_was_built_in_can_be_used() {
        assert_eq!(embedded().is_some(), BYTES.is_some());
        if let Some(bytes) = BYTES {
            let size = PolicyFile::from_bytes(bytes).map(|net| net.size).ok();
            assert_eq!(size, Some(bytes.len() as u64));
            // The program should not grow by more.
            assert!(bytes.len() <= 5_000_000, "{}", bytes.len());
        }
    }
}
