//! One tag pair in the text: finding it, and reading its value.
//!
//! This module must not know what the tags mean.

use std::borrow::Cow;

use super::text::{decode, is_line_end, skip_blanks_in_line};

/// A tag pair in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    name: &'a [u8],
    raw_value: &'a [u8],
}

impl<'a> Tag<'a> {
    /// The name: ASCII letters, digits and a few signs.
    pub fn name(&self) -> &'a [u8] {
        self.name
    }

    /// The value, decoded and with its escapes resolved.
    pub fn value(&self) -> Cow<'a, str> {
        let text = decode(self.raw_value);
        if text.contains('\\') {
            Cow::Owned(unescape(&text))
        } else {
            text
        }
    }

    /// The value exactly as between the quotes.
    pub fn raw_value(&self) -> &'a [u8] {
        self.raw_value
    }
}

/// Resolves escapes. A backslash escapes only quotes and backslashes; before anything
/// else it stands for itself, because tags may contain file names.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = characters.next_if(|next| character == '\\' && matches!(next, '"' | '\\'));
        plain.push(escaped.unwrap_or(character));
    }
    plain
}

/// If a tag pair opens at `at`, the range of its name and where its value begins.
///
/// The whole opening `[Name "` is required, so that neither the `[%clk` of a comment nor
/// other brackets are taken for a tag.
fn opening(bytes: &[u8], at: usize) -> Option<(std::ops::Range<usize>, usize)> {
    if bytes.get(at) != Some(&b'[') {
        return None;
    }
    let name_start = skip_spaces(bytes, at + 1);
    if !bytes.get(name_start)?.is_ascii_alphabetic() {
        return None;
    }
    let length = bytes[name_start..]
        .iter()
        .position(|&byte| !is_name_byte(byte))?;
    let name_end = name_start + length;
    let quote = skip_spaces(bytes, name_end);
    (bytes.get(quote) == Some(&b'"')).then_some((name_start..name_end, quote + 1))
}

/// Whether a tag pair opens at `at`.
pub(crate) fn opens_at(bytes: &[u8], at: usize) -> bool {
    opening(bytes, at).is_some()
}

/// Reads the tag pair that opens at `at`; also returns the offset after it.
pub(crate) fn read_at(bytes: &[u8], at: usize) -> Option<(Tag<'_>, usize)> {
    let (name, value_start) = opening(bytes, at)?;
    let (value_end, after) = value_end(bytes, value_start);
    let tag = Tag {
        name: &bytes[name],
        raw_value: &bytes[value_start..value_end],
    };
    Some((tag, after))
}

/// Finds the end of a value, and of its tag.
///
/// A quote ends the value only if the bracket or the line end follows it, because
/// many files do not escape the quotes inside a value. A value ends with its line at the
/// latest, so that a missing quote spoils only one tag.
fn value_end(bytes: &[u8], start: usize) -> (usize, usize) {
    let mut from = start;
    // Values are short, so searching byte by byte is fastest.
    while let Some(found) = bytes[from..]
        .iter()
        .position(|byte| b"\"\n\r".contains(byte))
    {
        let at = from + found;
        if bytes[at] == b'"' && bytes.get(at + 1) == Some(&b']') && bytes[at - 1] != b'\\' {
            return (at, at + 2);
        }
        if is_line_end(bytes[at]) {
            return (trim_closing(bytes, start, at), at);
        }
        let after = skip_blanks_in_line(bytes, at + 1);
        if !is_escaped(bytes, start, at) {
            match bytes.get(after) {
                Some(b']') => return (at, after + 1),
                Some(&byte) if !is_line_end(byte) => {}
                _ => return (at, after),
            }
        }
        from = at + 1;
    }
    (trim_closing(bytes, start, bytes.len()), bytes.len())
}

/// Whether an odd number of backslashes precedes `at`.
fn is_escaped(bytes: &[u8], start: usize, at: usize) -> bool {
    bytes[start..at]
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'\\')
        .count()
        % 2
        == 1
}

/// The end of a value without a proper closing quote: without the blanks, the bracket and
/// the quote at the end of its line.
fn trim_closing(bytes: &[u8], start: usize, end: usize) -> usize {
    let mut value = bytes[start..end].trim_ascii_end();
    for closing in [b"]", b"\""] {
        value = value
            .strip_suffix(closing)
            .unwrap_or(value)
            .trim_ascii_end();
    }
    start + value.len()
}

fn skip_spaces(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

fn is_name_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'+' | b'#' | b'=' | b':' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(line: &str) -> String {
        read_at(line.as_bytes(), 0)
            .expect("a tag")
            .0
            .value()
            .into_owned()
    }

    #[test]
    fn plain_and_escaped_values() {
        assert_eq!(value(r#"[Event "Rilton Cup"]"#), "Rilton Cup");
        assert_eq!(value(r#"[Event "The \"Big\" one"]"#), r#"The "Big" one"#);
        assert_eq!(value(r#"[Event "a \\ b"]"#), r"a \ b");
        assert_eq!(value(r#"[Event ""]"#), "");
        assert_eq!(value(r#"[ Event   "x" ]"#), "x");
    }

    #[test]
    fn values_that_break_the_rules() {
        assert_eq!(value(r#"[Event "The "Big" one"]"#), r#"The "Big" one"#);
        assert_eq!(value(r#"[Site "C:\games\"]"#), r"C:\games\");
        assert_eq!(value("[Event \"no quote]\n[Site \"x\"]"), "no quote");
        assert_eq!(value("[Event \"no bracket\"\n[Site \"x\"]"), "no bracket");
        assert_eq!(value("[Event \"the end"), "the end");
    }

    #[test]
    fn the_rest_of_the_line_is_left() {
        let line = br#"[White "a"][Black "b"] 1. e4"#;
        let (white, after) = read_at(line, 0).unwrap();
        let (black, rest) = read_at(line, after).unwrap();
        assert_eq!(
            (white.name(), white.raw_value()),
            (&b"White"[..], &b"a"[..])
        );
        assert_eq!(
            (black.name(), black.raw_value()),
            (&b"Black"[..], &b"b"[..])
        );
        assert_eq!(&line[rest..], b" 1. e4");
    }

    #[test]
    fn other_brackets_are_no_tags() {
        for text in [
            "[%clk 0:01:00]",
            "[",
            "[]",
            "[Event]",
            "[Event",
            "[Event x]",
            "e4",
            "[1 \"\"]",
        ] {
            assert!(!opens_at(text.as_bytes(), 0), "{text}");
        }
    }
}
