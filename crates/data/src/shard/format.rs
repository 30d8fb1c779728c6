//! The format of a file: when reading it is recognised by the first bytes, when writing
//! by the name.

use std::{fmt, path::Path};

use crate::file::ends_with;

/// A format of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Chains of positions, a few bytes for each.
    Binpack,
    /// Lines of text.
    Plain,
    /// Games with comments; only for reading.
    Pgn,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Binpack => "binpack",
            Format::Plain => "plain",
            Format::Pgn => "PGN",
        })
    }
}

/// The name of a file does not show its format.
#[derive(Debug, thiserror::Error)]
#[error("{0} has no extension of an output format; end the name with .binpack or .plain")]
pub struct UnknownFormat(String);

impl Format {
    /// The format of a file that begins like this, if it is recognised.
    pub fn of_start(start: &[u8]) -> Option<Format> {
        let text = start.trim_ascii_start();
        let begins = |name: &[u8]| {
            text.strip_prefix(name)
                .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
        };
        if start.starts_with(b"BINP") {
            Some(Format::Binpack)
        } else if [&b"fen"[..], b"move", b"score", b"ply", b"result"]
            .into_iter()
            .any(begins)
        {
            Some(Format::Plain)
        } else {
            // A tag, a comment, a number or a result.
            let begins_game = text
                .first()
                .is_none_or(|byte| b"[{;%*0123456789".contains(byte));
            begins_game.then_some(Format::Pgn)
        }
    }

    /// The format in which a file with this name is written.
    pub fn of_name(path: &Path) -> Result<Format, UnknownFormat> {
        if ends_with(path, ".binpack") {
            Ok(Format::Binpack)
        } else if ends_with(path, ".plain") || ends_with(path, ".txt") {
            Ok(Format::Plain)
        } else {
            Err(UnknownFormat(path.display().to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_start() {
        for (start, format) in [
            (&b"BINP\x01"[..], Some(Format::Binpack)),
            (b"fen 8/8", Some(Format::Plain)),
            (b"\r\n\nfen\t8/8", Some(Format::Plain)),
            (b"[Event \"fen\"]", Some(Format::Pgn)),
            (b"1. e4", Some(Format::Pgn)),
            (b"fenomenal", None),
            (b"\x7FELF", None),
        ] {
            assert_eq!(Format::of_start(start), format, "{start:?}");
        }
    }

    #[test]
    fn files_are_written_by_their_name() {
        let of = |name: &str| Format::of_name(Path::new(name));
        assert_eq!(of("a/b.binpack").ok(), Some(Format::Binpack));
        assert_eq!(of("b.plain").ok(), Some(Format::Plain));
        let error = of("b.bin").expect_err("unknown");
        assert_eq!(
            error.to_string(),
            "b.bin has no extension of an output format; end the name with .binpack or .plain"
        );
    }
}
