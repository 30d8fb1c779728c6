//! Reads a text file, plain or compressed, line by line.
//!
//! This module must not know the contents of lines.

use std::io;

use memchr::memchr;

use crate::pgn::{Source, SourceError};

/// How many bytes are read at once.
const CHUNK: usize = 1 << 18;
/// The most bytes of a line; a file with longer ones is not text.
const LONGEST: usize = 1 << 26;

/// Reads a file line by line.
pub struct Lines {
    source: Source,
    buffer: Vec<u8>,
    /// Where the next line begins in the buffer.
    start: usize,
    number: u64,
    is_over: bool,
}

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// The line, without its newline.
    pub text: &'a [u8],
    /// Whether it ended with a newline: the last line may be incomplete.
    pub is_whole: bool,
}

impl Lines {
    /// The lines of a file.
    pub fn new(source: Source) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            start: 0,
            number: 0,
            is_over: false,
        }
    }

    /// The file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The next line, if there is one. A carriage return at its end is dropped.
    // `Iterator` cannot lend the line.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Line<'_>>, SourceError> {
        let mut searched = self.start;
        let (end, is_whole) = loop {
            if let Some(found) = memchr(b'\n', &self.buffer[searched..]) {
                break (searched + found, true);
            }
            if self.is_over {
                break (self.buffer.len(), false);
            }
            searched = self.buffer.len() - self.start;
            self.read_more()?;
        };
        if !is_whole && self.start == end {
            return Ok(None);
        }
        let text = &self.buffer[self.start..end];
        self.start = if is_whole { end + 1 } else { end };
        self.number += 1;
        Ok(Some(Line {
            number: self.number,
            text: text.strip_suffix(b"\r").unwrap_or(text),
            is_whole,
        }))
    }

    /// Moves the unfinished line to the front of the buffer, and reads more.
    fn read_more(&mut self) -> Result<(), SourceError> {
        self.buffer.drain(..self.start);
        self.start = 0;
        if self.buffer.len() > LONGEST {
            let words = format!("line {} is too long for a line of text", self.number + 1);
            return Err(self
                .source
                .failed(io::Error::new(io::ErrorKind::InvalidData, words)));
        }
        let count = self.source.read_into(&mut self.buffer, CHUNK)?;
        self.is_over = count < CHUNK;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: impl Into<Vec<u8>>) -> Vec<(u64, Vec<u8>, bool)> {
        let source = Source::from_reader("test", io::Cursor::new(text.into())).expect("readable");
        let mut lines = Lines::new(source);
        let mut all = Vec::new();
        while let Some(line) = lines.next().expect("readable") {
            all.push((line.number, line.text.to_vec(), line.is_whole));
        }
        all
    }

    #[test]
    fn lines_end_in_several_ways() {
        let expected = [
            (1, b"a".to_vec(), true),
            (2, Vec::new(), true),
            (3, b"b".to_vec(), true),
            (4, b"c".to_vec(), false),
        ];
        assert_eq!(lines("a\n\r\nb\r\nc"), expected);
        assert_eq!(lines("a\n"), expected[..1]);
        assert_eq!(lines(""), []);
    }

    #[test]
    fn long_files_are_read_in_pieces() {
        let text: Vec<u8> = (0..200_000u32)
            .flat_map(|number| format!("{number}\n").into_bytes())
            .collect();
        let all = lines(text);
        assert_eq!(all.len(), 200_000);
        for (index, (number, text, _)) in all.iter().enumerate() {
            assert_eq!(*number, index as u64 + 1);
            assert_eq!(*text, index.to_string().into_bytes());
        }
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let source = Source::from_reader("zeros", io::repeat(0)).expect("readable");
        let error = Lines::new(source).next().expect_err("no line");
        assert!(error.to_string().contains("line 1 is too long"), "{error}");
    }
}
