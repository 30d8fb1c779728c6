//! Collects a whole game while it is replayed.

use std::ops::ControlFlow;

use chess::{Board, Move};

use super::{
    game::{Game, PlayedMove, Variation},
    marks::GameResult,
    replay::{Ending, Visitor},
    tag::Tag,
    tags::Tags,
    text::comment_text,
};

/// A visitor that keeps everything; [`GameBuilder::finish`] returns the game.
#[derive(Debug, Default)]
pub struct GameBuilder {
    tags: Tags,
    start: Option<Board>,
    /// The lines from the main line to the innermost open variation.
    lines: Vec<Variation>,
    game: Option<Game>,
}

impl GameBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self {
            lines: vec![Variation::default()],
            ..Self::default()
        }
    }

    /// The game, if it was replayed to its end.
    pub fn finish(self) -> Option<Game> {
        self.game
    }

    /// The game as far as it was replayed, with the result from its tags, and whether its
    /// first position was reached.
    pub(crate) fn salvage(mut self) -> (Game, bool) {
        while self.lines.len() > 1 {
            self.close();
        }
        let result = self.tags.get("Result");
        let result = result.and_then(|text| GameResult::from_bytes(text.trim().as_bytes()));
        let start = self.start.unwrap_or_else(Board::start);
        let mut game = Game::new(start, self.tags);
        game.moves = self.lines.pop().unwrap_or_default();
        game.result = result.unwrap_or_default();
        (game, self.start.is_some())
    }

    fn line(&mut self) -> Option<&mut Variation> {
        self.lines.last_mut()
    }
}

impl Visitor for GameBuilder {
    fn tag(&mut self, tag: Tag<'_>) -> ControlFlow<()> {
        self.tags
            .set(String::from_utf8_lossy(tag.name()), tag.value());
        ControlFlow::Continue(())
    }

    fn start(&mut self, board: &Board) -> ControlFlow<()> {
        self.start = Some(*board);
        ControlFlow::Continue(())
    }

    fn play(&mut self, _: &Board, mv: Option<Move>) {
        if let Some(line) = self.line() {
            line.moves.push(PlayedMove::new(mv));
        }
    }

    fn nag(&mut self, nag: u8) {
        if let Some(last) = self.line().and_then(|line| line.moves.last_mut()) {
            last.nags.push(nag);
        }
    }

    fn comment(&mut self, text: &[u8]) {
        let text = comment_text(text);
        if text.is_empty() {
            return;
        }
        if let Some(line) = self.line() {
            let comments = line
                .moves
                .last_mut()
                .map_or(&mut line.comments, |last| &mut last.comments);
            comments.push(text);
        }
    }

    fn open(&mut self) {
        self.lines.push(Variation::default());
    }

    fn close(&mut self) {
        let Some(variation) = self.lines.pop() else {
            return;
        };
        let Some(replaced) = self.line().and_then(|line| line.moves.last_mut()) else {
            return;
        };
        if variation.moves.is_empty() {
            replaced.comments.extend(variation.comments);
        } else {
            replaced.variations.push(variation);
        }
    }

    fn end(&mut self, ending: &Ending) {
        let start = self.start.unwrap_or_else(Board::start);
        let mut game = Game::new(start, std::mem::take(&mut self.tags));
        game.moves = self.lines.pop().unwrap_or_default();
        game.result = ending.result();
        self.game = Some(game);
    }
}
