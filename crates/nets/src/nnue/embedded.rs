//! The net that was embedded in the program, if any: the project's own, or the one that
//! the variable TABIA_EMBED_NET named at compile time.

use super::file::NetFile;
use std::sync::OnceLock;

#[cfg(embedded_net)]
static BYTES: Option<&[u8]> = Some(include_bytes!(env!("TABIA_EMBEDDED_NET")));
#[cfg(not(embedded_net))]
static BYTES: Option<&[u8]> = None;

/// The embedded net; `None` also if it is invalid, which the test below would report.
pub fn embedded() -> Option<&'static NetFile> {
    static NET: OnceLock<Option<NetFile>> = OnceLock::new();
    NET.get_or_init(|| NetFile::from_bytes(BYTES?).ok())
        .as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_that_was_built_in_can_be_used() {
        assert_eq!(embedded().is_some(), BYTES.is_some());
        if let Some(bytes) = BYTES {
            assert_eq!(
                NetFile::from_bytes(bytes).map(|net| net.size).ok(),
                Some(bytes.len() as u64)
            );
        }
    }
}
