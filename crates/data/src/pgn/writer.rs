//! Writes games in export format, so that every program reads the same.
//!
//! Comments and variations are kept; around a move, the order becomes move, annotations,
//! comments, variations. This module must not know files.

use std::{
    borrow::Cow,
    fmt::{self, Write},
};

use chess::{Board, Color};

use super::{
    game::{Game, PlayedMove, Variation},
    wrap::Wrapped,
};

/// The game as text, with the blank line that follows each game.
impl fmt::Display for Game {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.export_tags() {
            writeln!(formatter, "[{name} \"{}\"]", Escaped(&value))?;
        }
        formatter.write_char('\n')?;
        let mut movetext = Movetext {
            text: Wrapped::new(formatter),
            needs_number: true,
        };
        movetext.line(&self.moves, *self.start())?;
        movetext.text.word(self.result.as_str())?;
        movetext.text.end_line()?;
        formatter.write_char('\n')
    }
}

impl Game {
    /// The tags in export order; a missing result is taken from the game.
    fn export_tags(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        let tags = self.tags();
        tags.in_export_order().map(|(name, value)| match name {
            "Result" if tags.get(name).is_none() => (name, self.result.as_str().into()),
            _ => (name, value.into()),
        })
    }
}

/// Writes a tag's value with escapes and without line ends, which would end the tag.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(formatter, "\\{character}")?,
                '\n' | '\r' => formatter.write_char(' ')?,
                other => formatter.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// Writes moves.
struct Movetext<'a, 'b> {
    text: Wrapped<'a, 'b>,
    /// Whether the next move must have its number even if it is Black's.
    needs_number: bool,
}

impl Movetext<'_, '_> {
    fn line(&mut self, line: &Variation, mut board: Board) -> fmt::Result {
        self.comments(&line.comments)?;
        self.needs_number = true;
        for played in &line.moves {
            self.played_move(played, &board)?;
            match played.mv {
                Some(mv) => board.make(mv),
                None => board.make_null(),
            }
        }
        Ok(())
    }

    fn played_move(&mut self, played: &PlayedMove, board: &Board) -> fmt::Result {
        self.number(board)?;
        match played.mv {
            Some(mv) => self.text.word(board.san(mv).as_str())?,
            None => self.text.word("--")?,
        }
        for nag in &played.nags {
            self.text.word(&format!("${nag}"))?;
        }
        self.comments(&played.comments)?;
        for variation in &played.variations {
            self.text.word("(")?;
            self.line(variation, *board)?;
            self.text.word(")")?;
            self.needs_number = true;
        }
        Ok(())
    }

    fn number(&mut self, board: &Board) -> fmt::Result {
        let number = board.fullmove_number();
        match board.side_to_move() {
            Color::White => self.text.word(&format!("{number}."))?,
            Color::Black if self.needs_number => self.text.word(&format!("{number}..."))?,
            Color::Black => {}
        }
        self.needs_number = false;
        Ok(())
    }

    fn comments(&mut self, comments: &[String]) -> fmt::Result {
        for comment in comments {
            self.text.comment(comment)?;
            self.needs_number = true;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
