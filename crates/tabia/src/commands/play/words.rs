//! The commands that a user can type. It must not know the game.

/// A line of input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word<'a> {
    Nothing,
    /// Anything else, which may be a move.
    Move(&'a str),
    Hint,
    TakeBack,
    Switch,
    Flip,
    Board,
    Moves,
    Fen,
    Pgn,
    Resign,
    Quit,
    Help,
}

pub(super) const HELP: &str = "\
a move    as SAN (Nf3, exd5, O-O, e8=Q) or UCI (g1f3, e7e8q)
hint      show the move that the player would choose
takeback  take back your last move
switch    change sides
flip      turn the board around
board     show the board again
moves     list the legal moves
fen       show the position as FEN
pgn       show the game so far as PGN
resign    resign the game
quit      leave the program; the game is kept as unfinished
";

impl Word<'_> {
    pub(super) fn read(line: &str) -> Word<'_> {
        let line = line.trim();
        match line.to_ascii_lowercase().as_str() {
            "" => Word::Nothing,
            "hint" | "h" => Word::Hint,
            "takeback" | "undo" | "back" => Word::TakeBack,
            "switch" => Word::Switch,
            "flip" => Word::Flip,
            "board" => Word::Board,
            "moves" => Word::Moves,
            "fen" => Word::Fen,
            "pgn" => Word::Pgn,
            "resign" => Word::Resign,
            "quit" | "exit" | "q" => Word::Quit,
            "help" | "?" => Word::Help,
            _ => Word::Move(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_moves() {
        assert_eq!(Word::read(" Hint \n"), Word::Hint);
        assert_eq!(Word::read("\n"), Word::Nothing);
        assert_eq!(Word::read("b4 "), Word::Move("b4"));
        assert_eq!(Word::read("Qh4#"), Word::Move("Qh4#"));
    }
}
