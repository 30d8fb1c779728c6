//! Finds the boundary between two games from the end of a text, without reading the
//! games in it.
//!
//! This works because a line that begins with a tag pair is a tag wherever it is: the
//! lexer also ends an unclosed comment there. So no state need be carried through the
//! text, and splitting a file into batches of whole games costs only a look at a few
//! lines of each batch.
//!
//! Not every boundary is found, but every boundary found is also one for the lexer.
//! This module must agree with `lexer` and `games` on what is a tag, what is blank and
//! what may occur between tags without ending their section.

use memchr::{memchr_iter, memrchr2};

use super::{
    tag,
    text::{is_line_start, skip_blanks_in_line},
};

/// What a line shows about game boundaries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// It begins with a tag pair in its first column.
    Tag,
    /// It shows nothing: it is blank, escaped, or a comment to the line's end.
    Neutral,
    /// It has a tag pair, or something like one in a comment, after other text; only
    /// reading could decide.
    Unclear,
    /// Anything else, which is part of a game after its tags.
    Content,
}

/// The start of the last game in `bytes` that begins with a tag section after
/// the content of another game.
pub(crate) fn last_game_start(bytes: &[u8]) -> Option<usize> {
    let mut candidate = None;
    let mut end = bytes.len();
    loop {
        let start = memrchr2(b'\n', b'\r', &bytes[..end]).map_or(0, |at| at + 1);
        match classify(bytes, start, end) {
            Line::Tag => candidate = Some(start),
            Line::Neutral => {}
            Line::Unclear => candidate = None,
            Line::Content if candidate.is_some() => return candidate,
            Line::Content => {}
        }
        end = start.checked_sub(1)?;
    }
}

/// The first line after the start of `bytes` that begins with a tag pair.
pub(crate) fn first_tag_line(bytes: &[u8]) -> Option<usize> {
    memchr_iter(b'[', bytes)
        .find(|&at| at > 0 && is_line_start(bytes, at) && tag::opens_at(bytes, at))
}

fn classify(bytes: &[u8], start: usize, end: usize) -> Line {
    let text = skip_blanks_in_line(bytes, start);
    match bytes[text..end].first() {
        Some(b'[') if text == start && tag::opens_at(bytes, text) => Line::Tag,
        _ if holds_tag(bytes, text, end) => Line::Unclear,
        None | Some(b';') => Line::Neutral,
        Some(b'%') if text == start => Line::Neutral,
        Some(_) => Line::Content,
    }
}

fn holds_tag(bytes: &[u8], start: usize, end: usize) -> bool {
    memchr_iter(b'[', &bytes[start..end]).any(|at| tag::opens_at(bytes, start + at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_game(text: &str) -> Option<&str> {
        last_game_start(text.as_bytes()).map(|start| &text[start..])
    }

    #[test]
    fn the_last_tag_section_after_moves() {
        let text = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[Site \"c\"]\n\n1. d4 *\n";
        assert_eq!(
            last_game(text),
            Some("[Event \"b\"]\n[Site \"c\"]\n\n1. d4 *\n")
        );
        let half_a_tag = "[Event \"a\"]\n1. e4 *\n[Event \"b\"]\n[Si";
        assert_eq!(last_game(half_a_tag), Some("[Event \"b\"]\n[Si"));
    }

    #[test]
    fn a_single_game_has_no_boundary() {
        assert_eq!(last_game(""), None);
        assert_eq!(last_game("[Event \"a\"]\r\n\r\n1. e4 *\r\n"), None);
        assert_eq!(last_game("1. e4 e5 *"), None);
        assert_eq!(
            last_game("[Event \"a\"]\n; note\n%escape\n  [Site \"b\"]\n[Date \"c\"]"),
            None
        );
    }

    #[test]
    fn wrapped_comments_are_no_tags() {
        let text = "[Event \"a\"]\n1. e4 { long\n[%clk 0:01:00] } e5\n[%eval 1] }";
        assert_eq!(last_game(text), None);
    }

    #[test]
    fn tags_behind_moves_are_seen() {
        assert_eq!(last_game("1. e4 * [Event \"a\"]\n[Site \"b\"]\n"), None);
    }

    #[test]
    fn line_ends_of_every_kind() {
        assert_eq!(
            last_game("1. e4 *\r[Event \"a\"]\r"),
            Some("[Event \"a\"]\r")
        );
        assert_eq!(
            last_game("1. e4 *\r\n[Event \"a\"]\r\n"),
            Some("[Event \"a\"]\r\n")
        );
    }

    #[test]
    fn the_first_tag_line_is_never_the_very_start() {
        assert_eq!(first_tag_line(b"[Event \"a\"]\n[Site \"b\"]"), Some(12));
        assert_eq!(first_tag_line(b"x [Event \"a\"]"), None);
    }
}
