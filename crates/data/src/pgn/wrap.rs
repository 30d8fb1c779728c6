//! Wraps movetext to lines of limited length.
//!
//! This module knows where PGN can be wrapped without changing its meaning.

use std::fmt::{self, Write};

use super::text::comment_text;

/// The length of lines: 80 columns, of which the line end takes one.
const COLUMNS: usize = 79;

/// Writes words with spaces or line ends between them.
pub(crate) struct Wrapped<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
}

impl<'a, 'b> Wrapped<'a, 'b> {
    /// Starts at the beginning of a line.
    pub(crate) fn new(out: &'a mut fmt::Formatter<'b>) -> Self {
        Self { out, column: 0 }
    }

    /// Writes a word, on the next line if it does not fit on this one.
    pub(crate) fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        if self.column > 0 {
            if self.column + 1 + width > COLUMNS {
                self.end_line()?;
            } else {
                self.out.write_char(' ')?;
                self.column += 1;
            }
        }
        self.column += width;
        self.out.write_str(word)
    }

    /// Ends the line, if there is anything on it.
    pub(crate) fn end_line(&mut self) -> fmt::Result {
        if self.column > 0 {
            self.column = 0;
            self.out.write_char('\n')?;
        }
        Ok(())
    }

    /// Writes a comment: in braces, or up to the line's end if it contains a brace that
    /// would close it too early.
    pub(crate) fn comment(&mut self, text: &str) -> fmt::Result {
        let text = comment_text(text.as_bytes());
        if text.is_empty() {
            return Ok(());
        }
        if text.contains('}') {
            self.word(&format!("; {text}"))?;
            return self.end_line();
        }
        let text = format!("{{ {text} }}");
        let mut rest = text.as_str();
        while let Some(end) = first_break(rest) {
            self.word(&rest[..end])?;
            rest = &rest[end + 1..];
        }
        self.word(rest)
    }
}

/// The first space at which a comment may be wrapped.
///
/// It is not in a run of spaces, some of which would be lost, nor in a `[%command]`,
/// which some programs read only on one line, nor before an escape or a tag, which have
/// another meaning at the start of a line.
fn first_break(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut in_command = false;
    bytes.iter().enumerate().position(|(at, &byte)| {
        let next = &bytes[at + 1..];
        match byte {
            b'[' => in_command |= next.starts_with(b"%"),
            b']' => in_command = false,
            _ => {}
        }
        let may_start_line = match next {
            [] | [b' ' | b'%', ..] => false,
            [b'[', after @ ..] => after.starts_with(b"%"),
            _ => true,
        };
        let is_single_space = byte == b' ' && at > 0 && bytes[at - 1] != b' ';
        is_single_space && may_start_line && !in_command
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(text: &str) -> String {
        fmt::from_fn(|out| Wrapped::new(out).comment(text)).to_string()
    }

    #[test]
    fn lines_have_at_most_79_columns() {
        let text = comment(&"wörd ".repeat(60));
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS));
        assert_eq!(
            text.lines().next().map(|line| line.chars().count()),
            Some(76)
        );
    }

    #[test]
    fn commands_and_runs_of_spaces_stay_whole() {
        let text = comment(&"[%clk 0:01:00] a  b %x [Event \"c\"] ".repeat(9));
        assert!(text.lines().count() > 4);
        for line in text.lines() {
            assert_eq!(
                line.matches("[%clk").count(),
                line.matches("[%clk 0:01:00]").count()
            );
            assert!(
                !line.starts_with(['%', ' ']) && !line.starts_with("[E"),
                "{line}"
            );
            assert!(!line.ends_with("a ") && !line.ends_with('a'), "{line}");
        }
    }

    #[test]
    fn a_comment_with_a_brace_takes_its_line() {
        assert_eq!(comment("a } b\nc"), "; a } b c\n");
    }
}
