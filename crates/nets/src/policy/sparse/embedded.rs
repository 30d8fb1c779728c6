//! The policy net that the program was built with, if there is one: the project's own, or
//! what the variable TABIA_EMBED_POLICY named when it was compiled.

use super::file::PolicyFile;
use std::sync::OnceLock;

#[cfg(embedded_policy)]
static BYTES: Option<&[u8]> = Some(include_bytes!(env!("TABIA_EMBEDDED_POLICY")));
#[cfg(not(embedded_policy))]
static BYTES: Option<&[u8]> = None;

/// The embedded policy net. One that cannot be used is as good as none; the tests of a
/// build with a net find that out.
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
            // A program should not grow by more.
            assert!(bytes.len() <= 5_000_000, "{}", bytes.len());
        }
    }
}
