//! Replays the games of a text: every word becomes a legal move on a board, in
//! variations too.
//!
//! A [`Visitor`] decides what to do with the moves; a game without variations is
//! replayed without allocating. This module must not know files or threads.

use std::ops::ControlFlow;

use chess::{Board, Move};

use super::{
    games::Games, lexer::Token, marks::GameResult, problem::Problem, start::Start, tag::Tag,
};

/// The deepest nesting of variations, more than any real game has.
const MAX_DEPTH: usize = 256;

/// Gets the parts of a game in the order of its text.
///
/// Everything up to a call was valid and legal; a game that turns out to be broken
/// ends without [`Visitor::end`].
pub trait Visitor {
    /// A tag pair. Breaking leaves the game out.
    fn tag(&mut self, tag: Tag<'_>) -> ControlFlow<()> {
        let _ = tag;
        ControlFlow::Continue(())
    }

    /// The tags are over and the moves start from this position. Breaking leaves the
    /// game out.
    fn start(&mut self, board: &Board) -> ControlFlow<()> {
        let _ = board;
        ControlFlow::Continue(())
    }

    /// A move of the line that was opened last, or `None` for a null move, and the
    /// position before it.
    fn play(&mut self, before: &Board, mv: Option<Move>) {
        let _ = (before, mv);
    }

    /// A numeric annotation of the latest move.
    fn nag(&mut self, nag: u8) {
        let _ = nag;
    }

    /// A comment, exactly as in the text.
    fn comment(&mut self, text: &[u8]) {
        let _ = text;
    }

    /// A variation begins that replaces the latest move.
    fn open(&mut self) {}

    /// The variation opened last ends.
    fn close(&mut self) {}

    /// The game ends without a problem.
    fn end(&mut self, ending: &Ending) {
        let _ = ending;
    }
}

/// A visitor that ignores everything.
impl Visitor for () {}

/// What is known about a game at its end.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// The position after the last move of the main line.
    pub board: Board,
    /// The moves of both sides in the main line.
    pub plies: u64,
    /// The moves of both sides in variations.
    pub variation_plies: u64,
    /// The result after the moves, if there is one.
    pub result: Option<GameResult>,
    /// The result in the tags, if there is one.
    pub tag_result: Option<GameResult>,
}

impl Ending {
    /// The result after the moves, or else that of the tags.
    pub fn result(&self) -> GameResult {
        self.result.or(self.tag_result).unwrap_or_default()
    }
}

/// Why replaying a game stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The visitor left it out.
    LeftOut,
    /// There was neither a tag nor a move nor a result.
    Nothing,
    /// It is broken.
    Broken {
        /// The offset of the problem in the text.
        offset: usize,
        /// What is wrong.
        problem: Problem,
    },
}

/// One line of play. The latest move is made only when the next one comes, because a
/// variation may need the board before it.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The board before the latest move.
    board: Board,
    /// The latest move or null move, if it is not made yet.
    latest: Option<Option<Move>>,
    plies: u64,
}

impl Line {
    fn new(board: Board) -> Self {
        Self {
            board,
            latest: None,
            plies: 0,
        }
    }

    /// Makes the latest move; returns the board on which the next one is played.
    #[inline]
    fn settle(&mut self) -> &Board {
        match self.latest.take() {
            Some(Some(mv)) => self.board.make(mv),
            Some(None) => self.board.make_null(),
            None => {}
        }
        &self.board
    }

    #[inline]
    fn advance(&mut self, mv: Option<Move>) {
        self.latest = Some(mv);
        self.plies += 1;
    }
}

/// Replays one game after another.
#[derive(Debug)]
pub struct Replayer {
    line: Line,
    /// The outer lines of the open variations.
    waiting: Vec<Line>,
    variation_plies: u64,
    result: Option<GameResult>,
}

impl Default for Replayer {
    fn default() -> Self {
        let line = Line::new(Board::start());
        Self {
            line,
            waiting: Vec::new(),
            variation_plies: 0,
            result: None,
        }
    }
}

impl Replayer {
    /// Replays the next game; `None` at the end of the text.
    pub fn next_game<V: Visitor>(
        &mut self,
        games: &mut Games<'_>,
        visitor: &mut V,
    ) -> Option<Result<Ending, Stop>> {
        games.next_game()?;
        let outcome = self
            .game(games, visitor)
            .inspect(|ending| visitor.end(ending));
        Some(outcome)
    }

    fn game<V: Visitor>(&mut self, games: &mut Games<'_>, visitor: &mut V) -> Result<Ending, Stop> {
        let mut start = Start::default();
        let mut has_tags = false;
        let first = loop {
            match games.next_token() {
                Some(Token::Tag(tag)) => {
                    has_tags = true;
                    start.note(tag);
                    wanted(visitor.tag(tag))?;
                }
                Some(Token::LineComment(text)) => visitor.comment(text),
                other => break other,
            }
        };
        let board = start.board().map_err(|problem| broken(games, problem))?;
        wanted(visitor.start(&board))?;
        self.line = Line::new(board);
        self.waiting.clear();
        self.variation_plies = 0;
        self.result = None;
        self.moves(first, games, visitor)
            .map_err(|problem| broken(games, problem))?;
        let ending = Ending {
            board: *self.line.settle(),
            plies: self.line.plies,
            variation_plies: self.variation_plies,
            result: self.result,
            tag_result: start.result(),
        };
        let is_something = has_tags || ending.plies > 0 || ending.result.is_some();
        if is_something {
            Ok(ending)
        } else {
            Err(Stop::Nothing)
        }
    }

    fn moves<V: Visitor>(
        &mut self,
        first: Option<Token<'_>>,
        games: &mut Games<'_>,
        visitor: &mut V,
    ) -> Result<(), Problem> {
        let mut token = first;
        while let Some(current) = token {
            match current {
                Token::Move(word) => self.play(word, visitor)?,
                Token::Number { .. } | Token::Filler => {}
                other => self.uncommon(other, visitor)?,
            }
            while let Some(word) = games.next_plain_move() {
                self.play(word, visitor)?;
            }
            token = games.next_token();
        }
        if self.waiting.is_empty() {
            Ok(())
        } else {
            Err(Problem::UnclosedVariation)
        }
    }

    #[inline]
    fn play<V: Visitor>(&mut self, word: &[u8], visitor: &mut V) -> Result<(), Problem> {
        let board = self.line.settle();
        match board.resolve_ascii(word) {
            Ok(mv) => {
                visitor.play(board, Some(mv));
                self.line.advance(Some(mv));
                Ok(())
            }
            Err(error) => Err(Problem::of_move(word, error, board)),
        }
    }

    fn pass<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), Problem> {
        let board = self.line.settle();
        if board.in_check() {
            return Err(Problem::of_pass(board));
        }
        visitor.play(board, None);
        self.line.advance(None);
        Ok(())
    }

    fn uncommon<V: Visitor>(&mut self, token: Token<'_>, visitor: &mut V) -> Result<(), Problem> {
        match token {
            Token::NullMove => self.pass(visitor)?,
            Token::Nag(nag) => visitor.nag(nag),
            Token::Comment(text) | Token::LineComment(text) => visitor.comment(text),
            Token::UnclosedComment => return Err(Problem::UnclosedComment),
            Token::Open => {
                self.open()?;
                visitor.open();
            }
            Token::Close => {
                self.close()?;
                visitor.close();
            }
            Token::Result(result) => self.result = Some(result),
            Token::Tag(_) | Token::Number { .. } | Token::Move(_) | Token::Filler => {}
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), Problem> {
        if self.line.plies == 0 {
            return Err(Problem::StrayVariation);
        }
        if self.waiting.len() == MAX_DEPTH {
            return Err(Problem::TooDeep(MAX_DEPTH));
        }
        self.waiting.push(self.line);
        self.line = Line::new(self.line.board);
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        self.variation_plies += self.line.plies;
        self.line = self.waiting.pop().ok_or(Problem::StrayClose)?;
        Ok(())
    }
}

fn wanted(flow: ControlFlow<()>) -> Result<(), Stop> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Stop::LeftOut),
    }
}

fn broken(games: &Games<'_>, problem: Problem) -> Stop {
    Stop::Broken {
        offset: games.token_start(),
        problem,
    }
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
