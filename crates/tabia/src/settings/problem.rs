//! Error messages for settings: the file, the line, the position in it, and what may have been
//! meant.

use crate::exit::WrongInput;
use engines::words;
use std::ops::Range;
use toml::de::Error;

/// Settings from one source.
pub(super) struct Layer {
    /// Its name in messages.
    name: String,
    text: String,
    /// Whether it is a file, whose lines have numbers.
    is_file: bool,
}

impl Layer {
    pub(super) fn file(name: String, text: String) -> Layer {
        Layer {
            name,
            text,
            is_file: true,
        }
    }

    pub(super) fn option(name: String, text: String) -> Layer {
        Layer {
            name,
            text,
            is_file: false,
        }
    }
}

/// Settings from several sources; later ones take precedence.
pub(super) struct Layers(Vec<Layer>);

impl Layers {
    pub(super) fn new(list: Vec<Layer>) -> Layers {
        Layers(list)
    }

    /// Adds a layer below all others.
    pub(super) fn put_below(&mut self, layer: Option<Layer>) {
        self.0.splice(..0, layer);
    }

    /// The texts, each preceded by as many newlines as the texts before it have bytes, so that a
    /// position determines its layer.
    pub(super) fn texts(&self) -> Vec<String> {
        let padded = |(index, layer): (usize, &Layer)| {
            let mut text = "\n".repeat(self.begin(index));
            text += &layer.text;
            text
        };
        self.0.iter().enumerate().map(padded).collect()
    }

    /// The position at which a layer begins.
    pub(super) fn begin(&self, layer: usize) -> usize {
        // One more for each layer, so that its end position belongs to it, too.
        let lengths = self.0[..layer].iter().map(|layer| layer.text.len() + 1);
        lengths.sum()
    }

    /// The message for an error.
    pub(super) fn explain(&self, error: &Error) -> WrongInput {
        self.reword(error.message(), error.span())
    }

    /// The message for the parser's words and a position.
    pub(super) fn reword(&self, words: &str, span: Option<Range<usize>>) -> WrongInput {
        let words = words::renamed(words);
        self.tell(&reworded(&words), span.unwrap_or(0..0))
    }

    /// The message for a position.
    pub(super) fn tell(&self, words: &str, span: Range<usize>) -> WrongInput {
        let found = (0..self.0.len()).rfind(|&layer| self.begin(layer) <= span.start);
        let Some(layer) = found else {
            return WrongInput::new(words);
        };
        let begin = self.begin(layer);
        let layer = &self.0[layer];
        if !layer.is_file {
            return WrongInput::new(format!("{}: {words}", layer.name));
        }
        let place = Place::new(&layer.text, span.start - begin..span.end - begin);
        let picture = place.picture();
        WrongInput::new(format!("{}:{}: {words}{picture}", layer.name, place.number))
    }
}

/// A part of a line.
struct Place<'a> {
    /// The number of the line, from 1.
    number: usize,
    line: &'a str,
    /// The part, in bytes of the line.
    part: Range<usize>,
}

/// Lines are cut to this length, so that they fit a terminal with the line number.
const MOST_LETTERS: usize = 70;

impl<'a> Place<'a> {
    fn new(text: &'a str, span: Range<usize>) -> Place<'a> {
        let start = text.floor_char_boundary(span.start);
        let end = text.ceil_char_boundary(span.end).max(start);
        let before = &text[..start];
        let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[begin..].lines().next().unwrap_or_default();
        let end = (end - begin).min(line.len());
        Place {
            number: before.matches('\n').count() + 1,
            line,
            part: (start - begin).min(end)..end,
        }
    }

    /// The line with its part marked below; empty if there is no part.
    fn picture(&self) -> String {
        if self.part.is_empty() {
            return String::new();
        }
        let plain = |text: &str| -> String {
            let letter = |letter: char| if letter.is_control() { ' ' } else { letter };
            text.chars().map(letter).collect()
        };
        let before = plain(&self.line[..self.part.start]);
        let skipped = before.chars().count().saturating_sub(MOST_LETTERS / 2);
        let shown: String = plain(self.line)
            .chars()
            .skip(skipped)
            .take(MOST_LETTERS)
            .collect();
        let indent = before.chars().count() - skipped;
        let marked = self.line[self.part.clone()].chars().count();
        let number = self.number.to_string();
        format!(
            "\n  {number} | {shown}\n  {:width$} | {:indent$}{}",
            "",
            "",
            "^".repeat(marked.min(MOST_LETTERS - indent)),
            width = number.len()
        )
    }
}

/// The parser's message, in the program's words.
fn reworded(message: &str) -> String {
    // The message may have hints on further lines.
    let message = message.lines().collect::<Vec<_>>().join("; ");
    if let Some(names) = message.strip_prefix("unknown field ").map(quoted)
        && let Some((key, known)) = names.split_first()
    {
        return format!("there is no key `{key}`; {}", advice(key, known));
    }
    if let Some(names) = message.strip_prefix("unknown variant ").map(quoted)
        && let Some((word, known)) = names.split_first()
    {
        return unknown(word, known);
    }
    if let Some(key) = message.strip_prefix("missing field ") {
        return format!("the key {key} is missing");
    }
    match message.rsplit_once(", expected ") {
        Some((found, "a sequence")) => match found.split('`').nth(1) {
            // A fraction would be refused within a list of whole numbers as well.
            Some(value) if !value.contains('.') => format!("expected a list: write [{value}]"),
            Some(_) => format!("{found}, expected a list, such as [1, 2]"),
            None => format!("{found}, expected a list, such as [1, 2]"),
        },
        Some((found, "f32" | "f64")) => format!("{found}, expected a number"),
        Some((found, "u8" | "u16" | "u32" | "u64" | "usize")) => {
            format!("{found}, expected a whole number from 0")
        }
        _ => message,
    }
}

/// The message for an unknown word.
pub(super) fn unknown(word: &str, known: &[&str]) -> String {
    format!("unknown `{word}`; {}", advice(word, known))
}

/// The parts of a text between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Suggests a similar word, or lists all known ones.
fn advice(word: &str, known: &[&str]) -> String {
    match words::meant(word, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are `{}`", known.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_is_suggested() {
        let known = ["epochs", "epoch_positions", "rate", "net"];
        assert_eq!(advice("epoch", &known), "did you mean `epochs`?");
        assert_eq!(advice("Epcohs", &known), "did you mean `epochs`?");
        assert_eq!(advice("met", &known), "did you mean `net`?");
        let all = "there are `epochs`, `epoch_positions`, `rate`, `net`";
        for far in ["learning_rate", "", "hidden", "n"] {
            assert_eq!(advice(far, &known), all, "{far}");
        }
    }

    #[test]
    fn places_are_marked_in_their_lines() {
        let picture = |text: &str, span| Place::new(text, span).picture();
        let text = "a = 1\n\tköb = 2\n";
        assert_eq!(picture(text, 7..11), "\n  2 |  köb = 2\n    |  ^^^");
        // A part that continues on the next line is marked to the end of its first line.
        assert_eq!(picture(text, 4..12), "\n  1 | a = 1\n    |     ^");
        assert_eq!(picture(text, 0..0), "");
        assert_eq!(picture(text, text.len()..text.len()), "");
        let long = format!("{}x", " ".repeat(300));
        let shown = picture(&long, 300..301);
        assert_eq!(shown.lines().map(|line| line.len()).max(), Some(6 + 36));
    }
}
