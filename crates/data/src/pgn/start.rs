//! The position from which a game starts, by its tags.

use chess::Board;

use super::{marks::GameResult, problem::Problem, tag::Tag, text::excerpt};

/// The tags that give the start and the result of a game, collected as they come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Start<'a> {
    fen: Option<Tag<'a>>,
    variant: Option<Tag<'a>>,
    is_ordinary: bool,
    result: Option<GameResult>,
}

impl<'a> Start<'a> {
    /// Takes any tag; only those of interest are kept.
    pub(crate) fn note(&mut self, tag: Tag<'a>) {
        match tag.name() {
            b"FEN" => self.fen = Some(tag),
            b"SetUp" => self.is_ordinary = tag.raw_value() == b"0",
            b"Variant" => self.variant = Some(tag),
            b"Result" => self.result = GameResult::from_bytes(tag.raw_value().trim_ascii()),
            _ => {}
        }
    }

    /// The result by the tags.
    pub(crate) fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// The start position. Chess960 needs only its FEN, because the rules are the same
    /// for all starts; other variants are refused.
    pub(crate) fn board(&self) -> Result<Board, Problem> {
        if let Some(variant) = self.variant.filter(|tag| !is_known_variant(tag)) {
            return Err(Problem::Variant(excerpt(variant.raw_value())));
        }
        match self.fen.filter(|_| !self.is_ordinary) {
            None => Ok(Board::start()),
            Some(tag) => Board::from_fen(tag.value().trim()).map_err(|error| Problem::Start {
                fen: excerpt(tag.raw_value()),
                error,
            }),
        }
    }
}

fn is_known_variant(tag: &Tag<'_>) -> bool {
    let letters = tag
        .raw_value()
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric());
    let name: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    matches!(
        &name[..],
        b"" | b"standard"
            | b"normal"
            | b"chess"
            | b"classical"
            | b"fromposition"
            | b"chess960"
            | b"960"
            | b"fischerandom"
            | b"fischerrandom"
            | b"freestyle"
            | b"freestylechess"
    )
}
