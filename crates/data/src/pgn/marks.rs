//! Words of movetext that are not moves: results, marks that judge a move or a
//! position, null moves, and abbreviations from printed books.
//!
//! This module works on single words; `lexer` decides where words begin and end.

use std::fmt;

use super::lexer::Token;

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished or unknown.
    #[default]
    Unknown,
}

impl GameResult {
    /// Every result, in the order used in reports.
    pub const ALL: [GameResult; 4] = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::Unknown,
    ];

    /// Reads a result in any of the spellings that files use.
    pub fn from_bytes(word: &[u8]) -> Option<Self> {
        match word {
            b"1-0" => Some(GameResult::WhiteWins),
            b"0-1" => Some(GameResult::BlackWins),
            b"1/2-1/2" | b"1/2" | b"\xBD-\xBD" | b"\xBD" => Some(GameResult::Draw),
            b"*" => Some(GameResult::Unknown),
            _ if word == "½-½".as_bytes() || word == "½".as_bytes() => Some(GameResult::Draw),
            _ => None,
        }
    }

    /// The result as the standard writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// The numeric annotation for a run of `!` and `?`; longer runs count as their first
/// two signs.
pub(crate) fn judgement(run: &[u8]) -> u8 {
    match run {
        [b'!'] => 1,
        [b'!', b'!', ..] => 3,
        [b'!', ..] => 5,
        [_] => 2,
        [_, b'?', ..] => 4,
        _ => 6,
    }
}

/// The token of a word of signs: a null move, or the judgement of a position.
pub(crate) fn sign(word: &[u8]) -> Token<'_> {
    match word {
        b"--" | b"@@@@" => Token::NullMove,
        b"=" => Token::Nag(10),
        b"+=" | b"+/=" => Token::Nag(14),
        b"=+" | b"=/+" => Token::Nag(15),
        b"+/-" => Token::Nag(16),
        b"-/+" => Token::Nag(17),
        b"+-" => Token::Nag(18),
        b"-+" => Token::Nag(19),
        _ if word.iter().any(u8::is_ascii_alphanumeric) => Token::Move(word),
        _ => Token::Filler,
    }
}

/// The token of a word that begins with a letter but does not look like a plain move: an
/// abbreviation, alone or after a move, a null move, or a move after all.
pub(crate) fn word(word: &[u8]) -> Token<'_> {
    let undotted = match word.strip_suffix(b".") {
        Some(dotted) => without_dots(dotted.strip_suffix(b"e.p").unwrap_or(dotted)),
        None => word,
    };
    match undotted {
        b"Z0" => Token::NullMove,
        b"N" => Token::Nag(146),
        b"D" => Token::Nag(220),
        b"" | b"ep" | b"ch" | b"dbl" | b"dis" | b"dis.ch" | b"mate" => Token::Filler,
        undotted => Token::Move(undotted),
    }
}

fn without_dots(word: &[u8]) -> &[u8] {
    let end = word
        .iter()
        .rposition(|&byte| byte != b'.')
        .map_or(0, |last| last + 1);
    &word[..end]
}

/// The token of a word that begins with digits and continues with a sign: a result, or
/// castling written with zeros.
pub(crate) fn word_with_digit(word: &[u8]) -> Token<'_> {
    let end = word
        .iter()
        .rposition(|&byte| byte != b'.')
        .map_or(0, |last| last + 1);
    GameResult::from_bytes(&word[..end]).map_or(Token::Move(word), Token::Result)
}

/// The token of a word that begins with a non-ASCII character: a result with `½`, a symbol
/// of printed books, or a move with a figurine.
pub(crate) fn foreign_word(word: &[u8]) -> Token<'_> {
    if let Some(result) = GameResult::from_bytes(word) {
        Token::Result(result)
    } else if word.iter().any(u8::is_ascii_alphanumeric) {
        Token::Move(word)
    } else {
        Token::Filler
    }
}
