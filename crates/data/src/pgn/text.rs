//! The bytes of PGN as text: which of them are blank, where lines begin, and which
//! characters they stand for.
//!
//! This module must not know tags, moves or games.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2_iter};

/// The byte order mark that some editors put at the start of UTF-8 text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// True for spaces and every control byte, of which files contain many kinds.
pub(crate) fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// True for the two bytes that may end a line, alone or as a pair.
pub(crate) fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// True if a line begins at `at`.
pub(crate) fn is_line_start(bytes: &[u8], at: usize) -> bool {
    at == 0 || is_line_end(bytes[at - 1])
}

/// The offset of the next line end at or after `at`, or the end of the text.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |found| at + found)
}

/// Skips blanks and byte order marks without leaving the line.
pub(crate) fn skip_blanks_in_line(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        if is_blank(byte) && !is_line_end(byte) {
            at += 1;
        } else if bytes[at..].starts_with(BYTE_ORDER_MARK) {
            at += BYTE_ORDER_MARK.len();
        } else {
            break;
        }
    }
    at
}

/// Decodes text as UTF-8, or as Latin-1 if it is not valid UTF-8: the two encodings of
/// PGN.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// The text of a comment: without surrounding blanks, with a space for each control
/// character and for each run of line ends, because writers wrap comments as they like.
pub(crate) fn comment_text(bytes: &[u8]) -> String {
    let text = decode(bytes);
    let mut joined = String::with_capacity(text.len());
    for line in text.split(['\n', '\r']) {
        let line = line.trim_matches(|character| character <= ' ');
        if !joined.is_empty() && !line.is_empty() {
            joined.push(' ');
        }
        joined.extend(line.chars().map(|character| character.max(' ')));
    }
    joined
}

/// The start of a word, for a message, without characters that could disturb a terminal.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = decode(bytes);
    let mut characters = text
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut short: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// Counts line ends in a text that comes in pieces; `\n`, `\r\n` and `\r` each end one
/// line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineCounter {
    lines: u64,
    after_return: bool,
}

impl LineCounter {
    /// Takes the next piece of the text.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if !self.after_return && memchr(b'\r', bytes).is_none() {
            self.lines += memchr_iter(b'\n', bytes).count() as u64;
            return;
        }
        for at in memchr2_iter(b'\n', b'\r', bytes) {
            let after_return = if at == 0 {
                self.after_return
            } else {
                bytes[at - 1] == b'\r'
            };
            if bytes[at] == b'\r' || !after_return {
                self.lines += 1;
            }
        }
        self.after_return = bytes.last() == Some(&b'\r');
    }

    /// The line ends seen so far.
    pub(crate) fn lines(self) -> u64 {
        self.lines
    }
}

/// Finds the lines of offsets in a text; offsets must not decrease.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineFinder<'a> {
    bytes: &'a [u8],
    position: usize,
    before: LineCounter,
}

impl<'a> LineFinder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            position: 0,
            before: LineCounter::default(),
        }
    }

    /// The line of an offset, from 1.
    pub(crate) fn line_of(&mut self, offset: usize) -> u64 {
        self.before.add(&self.bytes[self.position..offset]);
        self.position = offset;
        self.before.lines() + 1
    }
}

/// The number of line ends in a whole text.
pub(crate) fn count_lines(bytes: &[u8]) -> u64 {
    let mut counter = LineCounter::default();
    counter.add(bytes);
    counter.lines()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_counts_once() {
        assert_eq!(count_lines(b"a\nb\nc"), 2);
        assert_eq!(count_lines(b"a\r\nb\r\n\r\n"), 3);
        assert_eq!(count_lines(b"a\rb\r\rc"), 3);
        assert_eq!(count_lines(b"\n\r\n\r"), 3);
        assert_eq!(count_lines(b""), 0);
    }

    #[test]
    fn pieces_count_like_the_whole() {
        let text = b"one\r\ntwo\rthree\n\nfour\r\n";
        for cut in 0..=text.len() {
            let mut counter = LineCounter::default();
            counter.add(&text[..cut]);
            counter.add(b"");
            counter.add(&text[cut..]);
            assert_eq!(counter.lines(), count_lines(text), "cut at {cut}");
        }
    }

    #[test]
    fn lines_are_found_one_after_the_other() {
        let mut finder = LineFinder::new(b"a\r\nb\n\nc");
        let lines = [0, 1, 2, 3, 3, 4, 6, 7].map(|offset| finder.line_of(offset));
        assert_eq!(lines, [1, 1, 2, 2, 2, 2, 4, 4]);
    }

    #[test]
    fn comments_lose_their_line_ends_only() {
        assert_eq!(comment_text(b" a  b "), "a  b");
        assert_eq!(comment_text(b"a \r\n\n  b\rc\n"), "a b c");
        assert_eq!(comment_text(b"\x01a\tb\0"), "a b");
        assert_eq!(comment_text(b" \n "), "");
    }

    #[test]
    fn excerpts_are_short_and_tame() {
        assert_eq!(excerpt(b"Nf3"), "Nf3");
        assert_eq!(excerpt(b"a\x1b[2J"), "a\u{fffd}[2J");
        assert_eq!(excerpt(&[b'x'; 50]).chars().count(), 41);
    }

    #[test]
    fn latin_1_is_read_where_utf_8_fails() {
        assert_eq!(decode("Björn".as_bytes()), "Björn");
        assert_eq!(decode(b"Bj\xF6rn"), "Björn");
    }
}
