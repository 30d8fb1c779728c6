//! Which tokens belong to which game.
//!
//! A game begins with its tags, if it has any. It ends where tags follow its
//! moves, where something to play follows its result, and where, after a
//! blank line, the moves begin again at number one. Comments after a result
//! still belong to the game; comments before the first tag belong to none.
//!
//! Knows no rules of chess, and must keep agreement with `boundary`: where
//! that module sees a game begin, so does this one.

use memchr::memrchr3;

use super::{
    lexer::{Lexer, Token},
    text::{is_blank, is_line_end},
};

/// How far the tokens of a game have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Before any token.
    Start,
    /// Among the tags; the flag tells whether one of them was `Event`, which
    /// is the first of every game that has it.
    Tags { event: bool },
    /// Among the moves; the flag tells whether there were any.
    Moves { played: bool },
    /// After the result.
    Ended,
    /// After the last token.
    Over,
}

/// Walks through the games of a text.
///
/// Call [`Games::next_game`] and then [`Games::next_token`] until it gives
/// nothing; a game need not be read to its end before the next is asked for.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    lexer: Lexer<'a>,
    stage: Stage,
    depth: u32,
}

impl<'a> Games<'a> {
    /// The games of a text that begins with a whole game.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            lexer: Lexer::new(bytes),
            stage: Stage::Over,
            depth: 0,
        }
    }

    /// Goes on to the next game; gives the offset of its first token, or
    /// nothing at the end of the text.
    pub fn next_game(&mut self) -> Option<usize> {
        while self.next_token().is_some() {}
        self.skip_preamble();
        let mut ahead = self.lexer;
        ahead.next_token()?;
        self.stage = Stage::Start;
        self.depth = 0;
        Some(ahead.start())
    }

    /// The next token of the game, or nothing at its end.
    #[inline]
    pub fn next_token(&mut self) -> Option<Token<'a>> {
        loop {
            if self.stage == Stage::Over {
                return None;
            }
            let before = self.lexer;
            let token = self.lexer.next_token();
            match token {
                Some(Token::Move(_) | Token::NullMove) if self.stage != Stage::Ended => {
                    self.stage = Stage::Moves { played: true };
                    return token;
                }
                Some(Token::Result(_)) if !self.takes_result() => {}
                Some(token) if !self.begins_game(token) => {
                    self.follow(token);
                    return Some(token);
                }
                _ => {
                    self.lexer = before;
                    self.stage = Stage::Over;
                    return None;
                }
            }
        }
    }

    /// The next move of the game, if it can be had quickly; else ask for the
    /// next token, which may be a move as well.
    #[inline]
    pub fn next_plain_move(&mut self) -> Option<&'a [u8]> {
        match self.stage {
            Stage::Moves { played: true } => self.lexer.next_plain_move(),
            _ => None,
        }
    }

    /// The offset at which the latest token begins.
    pub fn token_start(&self) -> usize {
        self.lexer.start()
    }

    /// The offset behind the latest token.
    pub(crate) fn position(&self) -> usize {
        self.lexer.position()
    }

    /// Passes over comments that stand before the tags of a game, but not
    /// over those before its moves.
    fn skip_preamble(&mut self) {
        let mut ahead = self.lexer;
        loop {
            let before = ahead;
            match ahead.next_token() {
                Some(Token::Comment(_) | Token::LineComment(_)) => {}
                Some(Token::Tag(_)) | None => {
                    self.lexer = before;
                    return;
                }
                Some(_) => return,
            }
        }
    }

    /// The results inside variations say nothing about the game, and a second
    /// result nothing new.
    fn takes_result(&self) -> bool {
        self.depth == 0 && self.stage != Stage::Ended
    }

    /// True if a token cannot belong to the game any more.
    fn begins_game(&self, token: Token<'a>) -> bool {
        match (token, self.stage) {
            (Token::Tag(_), Stage::Moves { .. } | Stage::Ended) => true,
            (Token::Tag(tag), Stage::Tags { event }) => event && tag.name() == b"Event",
            (Token::Move(_) | Token::NullMove | Token::Number { .. }, Stage::Ended) => {
                self.depth == 0
            }
            (Token::Number { number: 1, dots: 1 }, Stage::Moves { played }) => {
                played && self.depth == 0 && self.follows_blank_line()
            }
            _ => false,
        }
    }

    fn follow(&mut self, token: Token<'a>) {
        self.stage = match (token, self.stage) {
            (Token::Tag(tag), stage) => {
                let event = stage == Stage::Tags { event: true } || tag.name() == b"Event";
                Stage::Tags { event }
            }
            (Token::Result(_), _) | (_, Stage::Ended) => Stage::Ended,
            (Token::LineComment(_), stage @ (Stage::Start | Stage::Tags { .. })) => stage,
            (_, stage @ Stage::Moves { .. }) => stage,
            _ => Stage::Moves { played: false },
        };
        match token {
            Token::Open => self.depth += 1,
            Token::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// True if at least two line ends stand right before the latest token.
    fn follows_blank_line(&self) -> bool {
        let before = &self.lexer.bytes()[..self.lexer.start()];
        let text = before
            .iter()
            .rposition(|&byte| !is_blank(byte))
            .map_or(0, |last| last + 1);
        let blanks = &before[text..];
        let line_ends = blanks.iter().filter(|&&byte| is_line_end(byte)).count();
        let pairs = blanks.windows(2).filter(|pair| pair == b"\r\n").count();
        line_ends - pairs >= 2
    }
}

/// The start of the last game in `bytes` but for the first, found by reading
/// them all.
///
/// The text may break off anywhere; a game whose first token could still go
/// on is not told.
pub(crate) fn last_game_start(bytes: &[u8]) -> Option<usize> {
    let certain = certain_end(bytes);
    let mut games = Games::new(bytes);
    let mut last = None;
    games.next_game()?;
    while let Some(start) = games.next_game() {
        games.next_token();
        if games.position() >= certain {
            break;
        }
        last = Some(start);
    }
    last
}

/// Up to where more text could not change the tokens: a bracket in the last
/// line may yet open a tag.
fn certain_end(bytes: &[u8]) -> usize {
    match memrchr3(b'[', b'\n', b'\r', bytes) {
        Some(at) if bytes[at] == b'[' => at,
        _ => bytes.len(),
    }
}

#[cfg(test)]
#[path = "games_tests.rs"]
mod tests;
