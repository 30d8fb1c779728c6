//! What is known of versions of nats-server.

use std::fmt;

/// The version of a nats-server.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ServerVersion {
    major: u32,
    minor: u32,
    patch: u32,
}

/// The first version that can be told to bring every message to the disk.
const SYNC: ServerVersion = ServerVersion::new(2, 10, 0);

impl ServerVersion {
    /// The first version that is recommended.
    pub const RECOMMENDED: ServerVersion = ServerVersion::new(2, 12, 0);

    const fn new(major: u32, minor: u32, patch: u32) -> ServerVersion {
        ServerVersion {
            major,
            minor,
            patch,
        }
    }

    /// The version in a text such as `2.9.10` or `nats-server: v2.12.1-beta`; 0.0.0 if
    /// there is none.
    pub fn read(text: &str) -> ServerVersion {
        let digits = text.find(|letter: char| letter.is_ascii_digit());
        let text = digits.map_or("", |begin| &text[begin..]);
        let mut numbers = text
            .split(|letter: char| !letter.is_ascii_digit())
            .map(|number| number.parse().unwrap_or(0));
        let mut next = || numbers.next().unwrap_or(0);
        ServerVersion::new(next(), next(), next())
    }

    /// Whether it can bring every message to the disk before it confirms it.
    pub fn can_sync_always(self) -> bool {
        self >= SYNC
    }

    /// What a user should know of this version, if there is anything.
    pub fn warning(self) -> Option<String> {
        if self >= ServerVersion::RECOMMENDED {
            return None;
        }
        let defects = if !self.can_sync_always() {
            "it acknowledges messages up to two minutes before they are on disk, and its work \
             queues are known to deliver messages twice (nats-server issues 5346, 5799); both \
             cost time after a power failure, never results"
        } else {
            "its work queues are known to deliver messages twice (nats-server issues 5346, 5799), \
             and 2.10.20 to 2.10.22 lose messages when they crash; both cost time, never results"
        };
        Some(format!(
            "nats-server {self} is old: {defects}; {} or newer is recommended",
            ServerVersion::RECOMMENDED
        ))
    }
}

impl fmt::Display for ServerVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ServerVersion {
            major,
            minor,
            patch,
        } = self;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared() {
        let read = |text: &str| ServerVersion::read(text).to_string();
        assert_eq!(read("nats-server: v2.9.10\n"), "2.9.10");
        assert_eq!(read("2.12.1-beta.3"), "2.12.1");
        assert_eq!(read("dev"), "0.0.0");
        let warning = |text: &str| ServerVersion::read(text).warning();
        assert_eq!(warning("2.12.0"), None);
        assert_eq!(warning("2.15.1"), None);
        assert!(warning("2.9.10").expect("old").contains("two minutes"));
        assert!(warning("2.10.21").expect("old").contains("2.10.22 lose"));
    }
}
