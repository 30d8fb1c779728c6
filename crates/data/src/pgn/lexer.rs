//! Splits PGN text into tokens.
//!
//! It accepts whatever files contain: nothing here fails, and text without meaning
//! becomes [`Token::Filler`] or a word in the place of a move. It must not know the rules
//! of chess (a move is a word) or where games begin, which `games` decides.

use memchr::memchr2;

use super::{
    marks::{self, GameResult},
    tag::{self, Tag},
    text::{BYTE_ORDER_MARK, is_blank, is_line_end, is_line_start, line_end},
};

/// A piece of PGN text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A tag pair.
    Tag(Tag<'a>),
    /// The number of a move, with the dots that follow it.
    Number {
        /// The number; one that is too large saturates.
        number: u32,
        /// How many dots follow it directly.
        dots: usize,
    },
    /// A word in the place of a move, without marks such as `!?`.
    Move(&'a [u8]),
    /// A null move.
    NullMove,
    /// A numeric annotation, or a mark such as `!?` that stands for one.
    Nag(u8),
    /// The text of a comment in braces.
    Comment(&'a [u8]),
    /// The text of a comment that ends with its line.
    LineComment(&'a [u8]),
    /// A comment in braces that was not closed before the next game or the end of the text.
    UnclosedComment,
    /// The start of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// A result.
    Result(GameResult),
    /// Dots, stray brackets and abbreviations, which are ignored.
    Filler,
}

/// The most digits in the number of a move; longer runs are not plain numbers.
const MOST_DIGITS: usize = 4;

/// Enough bytes for a blank, a number, a dot, a blank, a move of seven letters and
/// digits, a check sign and a blank.
const WINDOW: usize = 16;

/// Reads the tokens of a text, one by one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    position: usize,
    start: usize,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of a text.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            position: 0,
            start: 0,
        }
    }

    /// The text being read.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The offset at which the latest token begins.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The offset after the latest token.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// The next token, or `None` at the end of the text.
    #[inline]
    pub(crate) fn next_token(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.bytes.get(self.position)?;
            self.start = self.position;
            match CLASSES[usize::from(byte)] {
                Class::Blank => self.position += 1,
                Class::Letter => return Some(self.word()),
                Class::Digit => return Some(self.number()),
                _ => {
                    if let Some(token) = self.uncommon(byte) {
                        return Some(token);
                    }
                }
            }
        }
    }

    /// The next move, if only a blank and a move number other than 1 precede it, and
    /// if it is plain: a few letters and digits, ending with the digit of a rank,
    /// perhaps a check sign, and a blank. Otherwise nothing is consumed.
    ///
    /// Nearly everything in a file is such a move. Recognising these first makes
    /// reading much faster.
    #[inline]
    pub(crate) fn next_plain_move(&mut self) -> Option<&'a [u8]> {
        let window: &[u8; WINDOW] = self.bytes.get(self.position..)?.first_chunk()?;
        let mut at = usize::from(is_blank(window[0]));
        if matches!(window[at], b'1'..=b'9') {
            at = behind_number(window, at)?;
        }
        let plain = alphanumeric_prefix(&window[at..]);
        let is_move = matches!(plain, 2..8)
            && window[at] >= b'A'
            && matches!(window[at + plain - 1], b'1'..=b'8');
        if !is_move {
            return None;
        }
        let end = at + plain + usize::from(window[at + plain] == b'+');
        if !is_blank(window[end]) {
            return None;
        }
        self.start = self.position + at;
        self.position += end;
        Some(&window[at..end])
    }

    /// Reads a word that begins with a letter.
    #[inline]
    fn word(&mut self) -> Token<'a> {
        let word = self.take_word();
        // The length of a word is unpredictable for branches, but that it ends with
        // the digit of a rank is nearly always true.
        match word {
            [b'Z', ..] => marks::word(word),
            [.., b'1'..=b'8'] => Token::Move(word),
            _ => marks::word(word),
        }
    }

    #[inline]
    fn take_word(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.position..];
        let plain = alphanumeric_prefix(rest);
        let length = match rest.get(plain) {
            Some(&byte) if is_blank(byte) => plain,
            _ => word_length(rest, plain),
        };
        self.position += length;
        &rest[..length]
    }

    /// Reads a token that begins with a digit: usually the number of a move.
    #[inline]
    fn number(&mut self) -> Token<'a> {
        let rest = &self.bytes[self.position..];
        let mut digits = 0;
        let mut number = 0_u32;
        while let Some(digit) = rest.get(digits).filter(|byte| byte.is_ascii_digit()) {
            number = number
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0'));
            digits += 1;
        }
        if let Some(b'-' | b'/') = rest.get(digits) {
            return marks::word_with_digit(self.take_word());
        }
        if &rest[..digits] == b"0000" {
            self.position += digits;
            return Token::NullMove;
        }
        let dots = rest[digits..]
            .iter()
            .take_while(|&&byte| byte == b'.')
            .count();
        self.position += digits + dots;
        Token::Number { number, dots }
    }

    /// Reads a token that does not begin with a letter or a digit; escaped lines give
    /// no token.
    fn uncommon(&mut self, byte: u8) -> Option<Token<'a>> {
        match byte {
            b'{' => return Some(self.comment()),
            b'(' => return Some(self.single(Token::Open)),
            b')' => return Some(self.single(Token::Close)),
            b'$' => return Some(self.nag()),
            b'!' | b'?' => return Some(self.judgement()),
            b'*' => return Some(self.single(Token::Result(GameResult::Unknown))),
            b';' => return Some(self.line_comment()),
            b'[' => return Some(self.tag()),
            b'.' => return Some(self.dots()),
            b'%' if is_line_start(self.bytes, self.position) => {
                self.position = line_end(self.bytes, self.position);
            }
            0x80.. if self.bytes[self.position..].starts_with(BYTE_ORDER_MARK) => {
                self.position += BYTE_ORDER_MARK.len();
            }
            0x80.. => return Some(self.foreign()),
            _ if CLASSES[usize::from(byte)] == Class::Sign => {
                return Some(marks::sign(self.take_word()));
            }
            _ => return Some(self.single(Token::Filler)),
        }
        None
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.position += 1;
        token
    }

    /// Reads a tag pair, or a bracket that does not open one.
    fn tag(&mut self) -> Token<'a> {
        match tag::read_at(self.bytes, self.position) {
            Some((tag, after)) => {
                self.position = after;
                Token::Tag(tag)
            }
            None => self.single(Token::Filler),
        }
    }

    /// Reads a comment in braces. A line that begins with a tag pair ends it: the
    /// closing brace was forgotten, and the following games must not be lost.
    fn comment(&mut self) -> Token<'a> {
        let text = self.position + 1;
        let mut from = text;
        while let Some(found) = memchr2(b'}', b'[', &self.bytes[from..]) {
            let at = from + found;
            if self.bytes[at] == b'}' {
                self.position = at + 1;
                return Token::Comment(&self.bytes[text..at]);
            }
            if is_line_end(self.bytes[at - 1]) && tag::opens_at(self.bytes, at) {
                self.position = at;
                return Token::UnclosedComment;
            }
            from = at + 1;
        }
        self.position = self.bytes.len();
        Token::UnclosedComment
    }

    fn line_comment(&mut self) -> Token<'a> {
        let text = self.position + 1;
        self.position = line_end(self.bytes, text);
        Token::LineComment(&self.bytes[text..self.position])
    }

    fn nag(&mut self) -> Token<'a> {
        let digits = &self.bytes[self.position + 1..];
        let length = digits
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        self.position += 1 + length;
        std::str::from_utf8(&digits[..length])
            .ok()
            .and_then(|digits| digits.parse().ok())
            .map_or(Token::Filler, Token::Nag)
    }

    fn judgement(&mut self) -> Token<'a> {
        let rest = &self.bytes[self.position..];
        let length = rest
            .iter()
            .take_while(|byte| matches!(byte, b'!' | b'?'))
            .count();
        self.position += length;
        Token::Nag(marks::judgement(&rest[..length]))
    }

    /// Reads dots that are separated from their number.
    fn dots(&mut self) -> Token<'a> {
        let rest = &self.bytes[self.position..];
        self.position += rest.iter().take_while(|&&byte| byte == b'.').count();
        Token::Filler
    }

    /// Reads a word that begins with a non-ASCII character.
    fn foreign(&mut self) -> Token<'a> {
        let rest = &self.bytes[self.position..];
        if rest.starts_with("…".as_bytes()) {
            self.position += "…".len();
            return Token::Filler;
        }
        marks::foreign_word(self.take_word())
    }
}

/// The length of the word at the beginning of a text, of which the first `known` bytes
/// are known to belong to it.
fn word_length(rest: &[u8], known: usize) -> usize {
    rest[known..]
        .iter()
        .position(|&byte| CLASSES[usize::from(byte)].ends_word())
        .map_or(rest.len(), |length| known + length)
}

/// Where the word after a number other than 1 begins, if only a dot and perhaps a blank
/// are between them.
#[inline]
fn behind_number(window: &[u8; WINDOW], start: usize) -> Option<usize> {
    let mut at = start;
    while at < start + MOST_DIGITS && window[at].is_ascii_digit() {
        at += 1;
    }
    if window[at] != b'.' || window[start..at] == *b"1" {
        return None;
    }
    at += 1;
    Some(at + usize::from(is_blank(window[at])))
}

/// The length of the run of ASCII letters and digits at the beginning, at most eight; 0
/// for a text shorter than eight bytes.
///
/// Nearly every move is such a run followed by a blank. Its length is unpredictable, so
/// it is computed without branches, in all bytes at once.
#[inline]
fn alphanumeric_prefix(rest: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    let Some(first) = rest.first_chunk() else {
        return 0;
    };
    let bytes = u64::from_le_bytes(*first);
    // The high bit of each byte of `at_least(x, low)` says whether that byte of `x`,
    // which is below 128, is at least `low`.
    let at_least = |bytes: u64, low: u8| bytes + u64::from(0x80 - low) * ONES;
    let seven_bits = bytes & !HIGH;
    let small = seven_bits | (0x20 * ONES);
    let letters = at_least(small, b'a') & !at_least(small, b'z' + 1);
    let digits = at_least(seven_bits, b'0') & !at_least(seven_bits, b'9' + 1);
    let others = !((letters | digits) & !bytes) & HIGH;
    others.trailing_zeros() as usize / 8
}

/// What a byte can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Space between tokens.
    Blank,
    /// The start of a move.
    Letter,
    /// The start of a number.
    Digit,
    /// Can begin and continue a word, but cannot begin a move: `+`, `=`, `-` and so on.
    Sign,
    /// Begins a separate token and ends any word before it.
    Delimiter,
}

impl Class {
    fn ends_word(self) -> bool {
        matches!(self, Class::Blank | Class::Delimiter)
    }
}

/// The class of every byte.
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Sign; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        if value <= b' ' {
            classes[byte] = Class::Blank;
        } else if value.is_ascii_alphabetic() {
            classes[byte] = Class::Letter;
        } else if value.is_ascii_digit() {
            classes[byte] = Class::Digit;
        }
        byte += 1;
    }
    let delimiters = b"(){}[];!?$*,%";
    let mut index = 0;
    while index < delimiters.len() {
        classes[delimiters[index] as usize] = Class::Delimiter;
        index += 1;
    }
    classes
};

const _: () = assert!(matches!(CLASSES[b'\n' as usize], Class::Blank));

#[cfg(test)]
#[path = "lexer_tests.rs"]
mod tests;
