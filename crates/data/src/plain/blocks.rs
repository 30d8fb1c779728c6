//! Splits a file into blocks of whole records, so that several threads can read it.
//!
//! A block ends where a game ends, judging by the plies, so that no game is split.
//! Nothing here reads a position.

use std::path::PathBuf;

use memchr::{memchr_iter, memmem};

use crate::pgn::{Source, SourceError};

/// How many bytes a block has before a place to split is searched.
const USUAL: usize = 1 << 20;
/// A game longer than this is split anywhere between records; a file with this many bytes
/// without the end of a record is not plain text.
const LONGEST: usize = 1 << 24;

/// Why the rest of a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PlainError {
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// There are no records.
    #[error("{}:{line}: no line 'e' ends a record in the {LONGEST} bytes after this line; is this plain text?", path.display())]
    NoRecords {
        /// The file.
        path: PathBuf,
        /// The line after which there are none.
        line: u64,
    },
}

/// A block of whole records.
#[derive(Clone, Debug, Default)]
pub struct TextBlock {
    /// Their text.
    pub text: Vec<u8>,
    /// The number of the first line, from 1.
    pub line: u64,
}

/// Splits a file into blocks.
pub struct TextBlocks {
    source: Source,
    /// What was read beyond the last block.
    rest: Vec<u8>,
    /// How many lines precede it.
    lines: u64,
    is_over: bool,
}

impl TextBlocks {
    /// The blocks of a file.
    pub fn new(source: Source) -> Self {
        Self {
            source,
            rest: Vec::new(),
            lines: 0,
            is_over: false,
        }
    }

    /// The file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Reads the next block; false if there is none.
    pub fn next(&mut self, block: &mut TextBlock) -> Result<bool, PlainError> {
        let end = loop {
            if let Some(end) = self.find_cut() {
                break end;
            }
            if self.is_over {
                break self.rest.len();
            }
            let count = self.source.read_into(&mut self.rest, USUAL)?;
            self.is_over = count < USUAL;
            if self.rest.len() > LONGEST && record_end(&self.rest, 0).is_none() {
                let (path, line) = (self.source.path().to_owned(), self.lines + 1);
                return Err(PlainError::NoRecords { path, line });
            }
        };
        block.text.clear();
        block.text.extend(self.rest.drain(..end));
        block.line = self.lines + 1;
        self.lines += memchr_iter(b'\n', &block.text).count() as u64;
        Ok(!block.text.is_empty())
    }

    /// The first end of a game after the usual size, if that was read already.
    fn find_cut(&self) -> Option<usize> {
        let text = &self.rest[..];
        if text.len() < USUAL {
            return None;
        }
        let mut start = record_end(text, USUAL / 2)?;
        let mut end = record_end(text, start)?;
        loop {
            let next = record_end(text, end)?;
            let goes_on = ply(&text[start..end])
                .zip(ply(&text[end..next]))
                .is_some_and(|(before, after)| after == before + 1);
            if end >= USUAL && !goes_on || end >= LONGEST {
                return Some(end);
            }
            (start, end) = (end, next);
        }
    }
}

/// Where the first record after `from` ends.
fn record_end(text: &[u8], from: usize) -> Option<usize> {
    let mut searched = from;
    loop {
        let mark = searched + memmem::find(&text[searched..], b"\ne")?;
        let line = &text[mark + 2..];
        let length = memchr::memchr(b'\n', line)?;
        if line[..length].trim_ascii().is_empty() {
            return Some(mark + 2 + length + 1);
        }
        searched = mark + 1;
    }
}

/// The ply of a record.
fn ply(record: &[u8]) -> Option<u32> {
    const NAME: &[u8] = b"\nply ";
    let start = memmem::find(record, NAME)? + NAME.len();
    let line = record[start..].split(|&byte| byte == b'\n').next()?;
    std::str::from_utf8(line.trim_ascii()).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn record(ply: u32) -> String {
        let words = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nmove e2e4";
        format!("{words}\nscore 5\nply {ply}\nresult 0\ne\n")
    }

    fn blocks(text: &str) -> Vec<TextBlock> {
        let source = Source::from_reader("x.plain", Cursor::new(text.to_owned().into_bytes()));
        let mut blocks = TextBlocks::new(source.expect("readable"));
        let mut all = Vec::new();
        let mut block = TextBlock::default();
        while blocks.next(&mut block).expect("records") {
            all.push(block.clone());
        }
        all
    }

    #[test]
    fn texts_end_with_games() {
        let game: String = (0..100).map(record).collect();
        let games = game.repeat(4 * USUAL / game.len());
        let all = blocks(&games);
        assert!(all.len() > 2);
        let mut line = 1;
        for block in &all {
            assert_eq!(block.line, line);
            line += block.text.iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert_eq!(block.text.len() % game.len(), 0);
        }
        let joined: Vec<u8> = all.into_iter().flat_map(|block| block.text).collect();
        assert_eq!(joined, games.into_bytes());
    }

    #[test]
    fn a_short_file_is_one_text() {
        let all = blocks(&record(3));
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].text, record(3).into_bytes());
        assert_eq!(blocks("").len(), 0);
    }

    #[test]
    fn a_file_without_records_is_refused() {
        let source = Source::from_reader("x.plain", std::io::repeat(b'e')).expect("readable");
        let error = TextBlocks::new(source)
            .next(&mut TextBlock::default())
            .expect_err("no records");
        assert!(error.to_string().starts_with("x.plain:1: no line 'e' ends"));
    }
}
