//! Which tokens belong to which game.
//!
//! A game begins with its tags, if it has any. It ends where tags follow its
//! moves, where a move follows its result, and where the moves begin again at number
//! one after a blank line. Comments after a result still belong to the game; comments
//! before the first tag belong to none.
//!
//! This module must not know the rules of chess. It must agree with `boundary`: wherever
//! that module finds the start of a game, so does this one.

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
    /// Among the tags; `event` says whether one of them was `Event`, which is the
    /// first tag of every game that has it.
    Tags { event: bool },
    /// Among the moves; `played` says whether there were any.
    Moves { played: bool },
    /// After the result.
    Ended,
    /// After the last token.
    Over,
}

/// Iterates over the games of a text.
///
/// Call [`Games::next_game`] and then [`Games::next_token`] until it returns
/// `None`; a game need not be read to its end before the next one.
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

    /// Advances to the next game; returns the offset of its first token, or `None` at
    /// the end of the text.
    pub fn next_game(&mut self) -> Option<usize> {
        while self.next_token().is_some() {}
        self.skip_preamble();
        let mut ahead = self.lexer;
        ahead.next_token()?;
        self.stage = Stage::Start;
        self.depth = 0;
        Some(ahead.start())
    }

    /// The next token of the game, or `None` at its end.
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

    /// The next move of the game, if it can be recognised quickly; else call
    /// [`Games::next_token`], which may return a move too.
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

    /// The offset after the latest token.
    pub(crate) fn position(&self) -> usize {
        self.lexer.position()
    }

    /// Skips comments before the tags of a game, but not those before its moves.
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

    /// Whether a result counts: those inside variations do not concern the game, and a
    /// second result is ignored.
    fn takes_result(&self) -> bool {
        self.depth == 0 && self.stage != Stage::Ended
    }

    /// Whether a token begins another game.
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

    /// Whether a blank line directly precedes the latest token.
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

/// The start of the last game in `bytes`, unless that is the first, found by reading all
/// games.
///
/// The text may be cut off anywhere; a game whose first token may be incomplete is
/// ignored.
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

/// The offset up to which more text could not change the tokens: a bracket in the last
/// line may still open a tag.
fn certain_end(bytes: &[u8]) -> usize {
    match memrchr3(b'[', b'\n', b'\r', bytes) {
        Some(at) if bytes[at] == b'[' => at,
        _ => bytes.len(),
    }
}

#[cfg(test)]
#[path = "games_tests.rs"]
mod tests;
