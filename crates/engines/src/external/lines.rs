//! Splits a stream of bytes into lines, in a fixed amount of memory.
//!
//! It must not know where the bytes come from nor what the lines mean.

use memchr::memchr;
use std::ops::Range;

/// The buffer of each program in bytes. A longer line is dropped: no useful line comes near this
/// length, and a stream without line ends must not fill the memory.
const CAPACITY: usize = 1 << 16;

/// Output of a program that was not taken yet.
pub(super) struct Lines {
    bytes: Box<[u8]>,
    /// Where the next line begins.
    start: usize,
    /// Everything before this was searched for the end of that line.
    scanned: usize,
    /// Where the bytes end.
    end: usize,
    /// Whether the next line is the rest of one that was too long.
    drops_next: bool,
}

impl Lines {
    pub(super) fn new() -> Lines {
        Lines {
            bytes: vec![0; CAPACITY].into_boxed_slice(),
            start: 0,
            scanned: 0,
            end: 0,
            drops_next: false,
        }
    }

    /// Takes the next whole line. It can be read with [`at`](Lines::at) until more bytes are added.
    pub(super) fn take(&mut self) -> Option<Range<usize>> {
        loop {
            let length = memchr(b'\n', &self.bytes[self.scanned..self.end]);
            let Some(length) = length else {
                self.scanned = self.end;
                return None;
            };
            let line = self.start..self.scanned + length;
            self.start = line.end + 1;
            self.scanned = self.start;
            if !std::mem::take(&mut self.drops_next) {
                return Some(line);
            }
        }
    }

    /// A line that was taken, without its line end and surrounding space.
    pub(super) fn at(&self, line: Range<usize>) -> &[u8] {
        self.bytes[line].trim_ascii()
    }

    /// Free space for more bytes. If there is none, lines that were not taken are dropped.
    pub(super) fn space(&mut self) -> &mut [u8] {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.scanned -= self.start;
            self.start = 0;
        }
        if self.end == CAPACITY {
            self.clear();
        }
        &mut self.bytes[self.end..]
    }

    /// Adds this many bytes that were written to the free space.
    pub(super) fn add(&mut self, count: usize) {
        self.end += count;
    }

    /// Drops what was not taken; the rest of an unfinished line will not count as a line.
    pub(super) fn clear(&mut self) {
        let unheard = &self.bytes[self.start..self.end];
        self.drops_next = unheard
            .last()
            .map_or(self.drops_next, |&last| last != b'\n');
        self.start = 0;
        self.scanned = 0;
        self.end = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(lines: &mut Lines, text: &[u8]) {
        for piece in text.chunks(1 << 12) {
            lines.space()[..piece.len()].copy_from_slice(piece);
            lines.add(piece.len());
        }
    }

    fn all(lines: &mut Lines) -> Vec<String> {
        std::iter::from_fn(|| {
            let line = lines.take()?;
            Some(String::from_utf8_lossy(lines.at(line)).into_owned())
        })
        .collect()
    }

    #[test]
    fn lines_are_put_together_from_pieces() {
        let mut lines = Lines::new();
        put(&mut lines, b"id name Fish\r\n\n uci");
        assert_eq!(all(&mut lines), ["id name Fish", ""]);
        put(&mut lines, b"ok");
        assert_eq!(lines.take(), None);
        put(&mut lines, b"\nready");
        assert_eq!(all(&mut lines), ["uciok"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_dropped_whole() {
        let mut lines = Lines::new();
        for _ in 0..40 {
            put(&mut lines, &[b'x'; 1 << 12]);
            assert_eq!(lines.take(), None);
        }
        put(&mut lines, b"bestmove a1a8\nbestmove e2e4\n");
        assert_eq!(all(&mut lines), ["bestmove e2e4"]);
    }

    #[test]
    fn a_line_as_long_as_the_memory_is_kept() {
        let mut lines = Lines::new();
        put(&mut lines, &[b'x'; CAPACITY - 1]);
        assert_eq!(lines.take(), None);
        put(&mut lines, b"\n");
        assert_eq!(lines.take(), Some(0..CAPACITY - 1));
    }

    #[test]
    fn what_is_cleared_never_comes_back() {
        let mut lines = Lines::new();
        put(&mut lines, b"bestmove a2a3\nbestm");
        lines.clear();
        put(&mut lines, b"ove a2a4\nbestmove e2e4\n");
        assert_eq!(all(&mut lines), ["bestmove e2e4"]);
        put(&mut lines, b"info depth 1\n");
        lines.clear();
        lines.clear();
        put(&mut lines, b"readyok\n");
        assert_eq!(all(&mut lines), ["readyok"]);
    }
}
