//! Evaluations from files: nets, and weights of the hand-written evaluation,
//! told apart by their first bytes.

use crate::classical::{Weights, WeightsError};
use crate::nnue::{NetError, NetFile, read_bytes};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;

/// So many bytes at the beginning show whether a file is text.
const LOOKED_AT: usize = 512;

/// An evaluation from a file.
#[derive(Clone, Debug)]
pub enum EvaluationFile {
    /// A net.
    Net(NetFile),
    /// Weights of the hand-written evaluation.
    Weights(WeightsFile),
}

/// Weights of the hand-written evaluation, with the hash of their values. Clones
/// share them.
#[derive(Clone, Debug)]
pub struct WeightsFile {
    /// The weights.
    pub weights: Arc<Weights>,
    sha256: [u8; 32],
}

/// Why a file is no evaluation.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationFileError {
    /// It cannot be read, or is no net that can be used.
    #[error(transparent)]
    Net(#[from] NetError),
    /// It is text, but not of weights.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl EvaluationFile {
    /// Reads an evaluation from a file.
    ///
    /// # Errors
    /// If it cannot be read, or is none that can be used; the message does not
    /// repeat the path.
    pub fn open(path: &Path) -> Result<EvaluationFile, EvaluationFileError> {
        EvaluationFile::from_bytes(&read_bytes(path)?)
    }

    /// The evaluation of a file's bytes.
    ///
    /// # Errors
    /// If they are none that can be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<EvaluationFile, EvaluationFileError> {
        match text(bytes) {
            Some(text) => Ok(EvaluationFile::Weights(WeightsFile::new(Weights::read(
                text,
            )?))),
            None => Ok(EvaluationFile::Net(NetFile::from_bytes(bytes)?)),
        }
    }
}

impl WeightsFile {
    /// Weights with their hash.
    pub fn new(weights: Weights) -> WeightsFile {
        WeightsFile {
            sha256: Sha256::digest(weights.write()).into(),
            weights: Arc::new(weights),
        }
    }

    /// The SHA-256 of the text of all weights, in hexadecimal digits: files that
    /// say the same have the same, whatever their layout.
    pub fn hash(&self) -> String {
        crate::nnue::hexadecimal(&self.sha256)
    }

    /// The name that tells them from others: `classical-` and 12 digits of the hash.
    pub fn usual_name(&self) -> String {
        format!("classical-{}", &self.hash()[..12])
    }
}

/// The bytes as a text, if they are one. No net begins without a byte that texts
/// do not have.
fn text(bytes: &[u8]) -> Option<&str> {
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    if head.is_empty() || head.iter().any(is_control) {
        return None;
    }
    std::str::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart() {
        let complaint = |bytes: &[u8]| match EvaluationFile::from_bytes(bytes) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(complaint(b"threats.hanging = [1, 2]\n"), "");
        for bytes in [&b""[..], b"\x01\x02\x03\x04\x05", b"\xff\xfe text"] {
            assert!(complaint(bytes).starts_with("it is no net"), "{bytes:?}");
        }
        assert_eq!(
            complaint(b"a text\n"),
            "line 1: expected a weight of the hand-written evaluation, \
             as pieces.bishop-pair = [34, 44]"
        );
    }

    #[test]
    fn the_hash_is_that_of_what_is_said() {
        let name = |text: &str| match EvaluationFile::from_bytes(text.as_bytes()) {
            Ok(EvaluationFile::Weights(file)) => file.usual_name(),
            other => panic!("{other:?}"),
        };
        let usual = name(&Weights::default().write());
        assert!(
            usual.starts_with("classical-") && usual.len() == 22,
            "{usual}"
        );
        assert_eq!(name("# nothing\n"), usual);
        assert_ne!(name("threats.hanging = [1, 2]"), usual);
    }
}
