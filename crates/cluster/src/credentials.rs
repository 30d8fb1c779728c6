//! What a member of a group shows to the server, and how it knows the server: one
//! file that is handed to a person.

use crate::error::ClusterError;
use crate::names::is_worker_name;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// No file of credentials is longer.
const MOST_BYTES: u64 = 1 << 16;

/// The name of the coordinator's credentials.
pub(crate) const COORDINATOR: &str = "coordinator";

/// A name, the key that proves it, and the certificate by which to know the server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// Who this is.
    pub name: String,
    /// The seed of the key, which is a secret. The server has only its public half.
    pub seed: String,
    /// The certificate that has signed the server's, in PEM; none if it has one that
    /// every machine knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca: Option<String>,
}

impl Credentials {
    /// New credentials.
    pub(crate) fn new(name: &str, ca: &str) -> Result<Credentials, ClusterError> {
        let pair = nkeys::KeyPair::new_user();
        let seed = pair
            .seed()
            .map_err(|error| ClusterError::Server(format!("cannot make a key: {error}")))?;
        Ok(Credentials {
            name: name.to_owned(),
            seed,
            ca: Some(ca.to_owned()),
        })
    }

    /// Reads the file of a member.
    ///
    /// # Errors
    /// If it cannot be read, or holds no credentials.
    pub fn read(path: &Path) -> Result<Credentials, ClusterError> {
        let wrong = |problem: String| ClusterError::file(path, problem);
        let text = text_of(path).map_err(|error| wrong(error.to_string()))?;
        let remedy = "use a file written by tabia cluster init";
        let credentials: Credentials = toml::from_str(&text)
            .map_err(|error| wrong(format!("{}; {remedy}", error.message())))?;
        if !is_worker_name(&credentials.name) {
            return Err(wrong(format!("its name cannot be used; {remedy}")));
        }
        credentials
            .public_key()
            .map_err(|problem| wrong(format!("{problem}; {remedy}")))?;
        Ok(credentials)
    }

    /// Whether they are the coordinator's, not a worker's.
    pub fn is_of_coordinator(&self) -> bool {
        self.name == COORDINATOR
    }

    /// The text of the file.
    pub(crate) fn to_text(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// The public half of the key.
    pub(crate) fn public_key(&self) -> Result<String, String> {
        nkeys::KeyPair::from_seed(&self.seed)
            .map(|pair| pair.public_key())
            .map_err(|error| format!("its seed is not a valid key ({error})"))
    }
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Credentials({})", self.name)
    }
}

/// The text of a file that is known to be short; an endless one is not read to its end.
fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?
        .take(MOST_BYTES + 1)
        .read_to_string(&mut text)?;
    match text.len() as u64 > MOST_BYTES {
        true => Err(io::Error::other("it is too long for credentials")),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_survive_and_hide_their_secret() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("anna.toml");
        let credentials = Credentials::new("anna", "-----BEGIN\nx\n").expect("a key");
        std::fs::write(&path, credentials.to_text()).expect("written");
        assert_eq!(Credentials::read(&path).expect("read"), credentials);
        assert!(credentials.public_key().expect("a key").starts_with('U'));
        assert_eq!(format!("{credentials:?}"), "Credentials(anna)");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.toml");
        let refusal = |text: &str| {
            std::fs::write(&path, text).expect("written");
            Credentials::read(&path).expect_err(text).to_string()
        };
        assert!(refusal("garbage").contains("tabia cluster init"));
        assert!(refusal("name='a.b'\nseed='x'").contains("its name"));
        assert!(refusal("name='a'\nseed='SUAX'").contains("its seed is not a valid key"));
        assert!(refusal(&"x".repeat(70_000)).contains("too long"));
        let missing = Credentials::read(&folder.path().join("none"));
        assert!(missing.expect_err("no file").to_string().contains("none: "));
    }
}
