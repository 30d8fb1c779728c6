//! Openings as a text that has everything about them, for processes that cannot read the file they
//! come from.

use super::{Opening, Openings};
use chess::{Board, CastlingStyle};

/// Separates the position of a line from its moves.
const SEPARATOR: char = ';';

impl Openings {
    /// All openings in order, one per line: the first position and, after a semicolon, the moves;
    /// castling is written as the king taking its rook.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for opening in self.iter() {
            text.push_str(&opening.start().fen().to_string());
            text.push(SEPARATOR);
            let mut board = *opening.start();
            for (number, &mv) in opening.moves().iter().enumerate() {
                if number > 0 {
                    text.push(' ');
                }
                text.push_str(&board.uci(mv, CastlingStyle::Chess960).to_string());
                board = board.after(mv);
            }
            text.push('\n');
        }
        text
    }

    /// The openings of such a text, or what is wrong with it.
    ///
    /// # Errors
    /// If a line is not an opening, or there are none.
    pub fn from_text(text: &str) -> Result<Openings, String> {
        let lines = text.lines().enumerate();
        let openings = lines.map(|(number, line)| {
            read(line).map_err(|problem| format!("opening {}: {problem}", number + 1))
        });
        let list: Vec<Opening> = openings.collect::<Result<_, _>>()?;
        match list.is_empty() {
            true => Err("there are no openings".to_owned()),
            false => Ok(Openings { list, start: 0 }),
        }
    }
}

fn read(line: &str) -> Result<Opening, String> {
    let (fen, words) = line.split_once(SEPARATOR).unwrap_or((line, ""));
    let start = Board::from_fen(fen).map_err(|error| error.to_string())?;
    let mut board = start;
    let mut moves = Vec::new();
    for word in words.split_whitespace() {
        let mv = board.parse_uci(word).map_err(|error| error.to_string())?;
        board = board.after(mv);
        moves.push(mv);
    }
    Ok(Opening { start, moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::Order;

    #[test]
    fn openings_survive_as_text() {
        let order = Order::Shuffled { seed: 3 };
        let openings = Openings::built_in().arranged(order, 5);
        let again = Openings::from_text(&openings.to_text()).expect("openings");
        assert!(again.iter().eq(openings.iter()));
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;e2e4 c7c5\n\
                    r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 20;e1h1\n\
                    4k3/8/8/8/8/8/8/4K2R w K - 0 1;\n";
        assert_eq!(Openings::from_text(text).expect("openings").to_text(), text);
    }

    #[test]
    fn wrong_lines_are_named() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;";
        let problem = |text: &str| Openings::from_text(text).expect_err(text);
        assert_eq!(problem(""), "there are no openings");
        assert!(problem(&format!("{start}\n8/8;\n")).starts_with("opening 2: "));
        assert!(problem(&format!("{start}e2e5\n")).starts_with("opening 1: "));
    }
}
