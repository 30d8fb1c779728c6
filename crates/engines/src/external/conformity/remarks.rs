//! Checks the info lines that a program prints while it searches.
//!
//! It must not know how the conversation with the program works.

use super::search::Found;
use crate::excerpt::excerpt;
use crate::external::info::Info;
use chess::{Board, CastlingStyle, Move};

/// How many faults of each kind are kept.
const MOST_FAULTS: usize = 3;

/// A position, and the command that sets it.
pub(super) struct Position {
    pub(super) command: String,
    pub(super) board: Board,
    pub(super) castling: CastlingStyle,
}

impl Position {
    /// The position that a `position` command of ours sets.
    pub(super) fn of(command: &str, castling: CastlingStyle) -> Position {
        let words = command.strip_prefix("position ").unwrap_or(command);
        let (start, moves) = words.split_once(" moves ").unwrap_or((words, ""));
        let fen = start.strip_prefix("fen ");
        let start = fen.and_then(|fen| Board::from_fen(fen).ok());
        let mut board = start.unwrap_or_else(Board::start);
        for word in moves.split(' ') {
            if let Ok(mv) = board.parse_uci(word) {
                board.make(mv);
            }
        }
        Position {
            command: command.to_owned(),
            board,
            castling,
        }
    }

    /// The move that a word stands for, or what is wrong with it.
    pub(super) fn fault_of(&self, board: &Board, word: &str) -> Result<Move, String> {
        let mv = board.parse_uci(word).map_err(|error| error.to_string())?;
        let written = board.uci(mv, self.castling).to_string();
        if written != word {
            return Err(format!("{written} is written as {word}"));
        }
        Ok(mv)
    }
}

/// Faults of the info lines of all searches, the first few of each kind.
#[derive(Default)]
pub(super) struct Remarks {
    /// Searches that reported a score.
    pub(super) with_score: usize,
    /// Searches that reported a variation.
    pub(super) with_line: usize,
    pub(super) malformed: Vec<String>,
    pub(super) without_score: Vec<String>,
    pub(super) illegal: Vec<String>,
    pub(super) contradicted: Vec<String>,
}

fn keep(faults: &mut Vec<String>, fault: String) {
    if faults.len() < MOST_FAULTS {
        faults.push(fault);
    }
}

impl Remarks {
    /// Checks the words after `info`.
    pub(super) fn look_at(&mut self, words: &str, position: &Position, found: &mut Found) {
        let info = Info::read(words);
        for fault in &info.faults {
            let fault = format!("{fault} in 'info {}'", excerpt(words));
            keep(&mut self.malformed, fault);
        }
        if let Err(fault) = legal(&info.line, position) {
            let fault = format!("{fault} in 'info {}'", excerpt(words));
            keep(&mut self.illegal, fault);
        }
        found.depth = info.depth.or(found.depth);
        found.nodes = info.nodes.or(found.nodes);
        found.has_score |= info.score.is_some();
        if info.rank.is_none_or(|rank| rank == 1)
            && let Some(&first) = info.line.first()
        {
            found.first = Some(first.to_owned());
        }
    }

    /// Compares the info lines with the answer.
    pub(super) fn conclude(&mut self, best: &str, position: &Position, found: &Found) {
        let command = excerpt(&position.command);
        if found.has_score {
            self.with_score += 1;
        } else {
            let fault = format!("no score before 'bestmove {best}' after '{command}'");
            keep(&mut self.without_score, fault);
        }
        if let Some(first) = &found.first {
            self.with_line += 1;
            if first != best {
                let first = excerpt(first);
                let fault = format!("'pv {first}' before 'bestmove {best}' after '{command}'");
                keep(&mut self.contradicted, fault);
            }
        }
    }
}

/// Checks that every move of a variation is legal and correctly written.
fn legal(words: &[&str], position: &Position) -> Result<(), String> {
    let mut board = position.board;
    for word in words {
        let mv = position.fault_of(&board, word)?;
        board.make(mv);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remarks(lines: &[&str], best: &str) -> Remarks {
        let command = "position startpos moves e2e4";
        let position = Position::of(command, CastlingStyle::Standard);
        let mut remarks = Remarks::default();
        let mut found = Found::default();
        for line in lines {
            remarks.look_at(line, &position, &mut found);
        }
        remarks.conclude(best, &position, &found);
        remarks
    }

    #[test]
    fn our_commands_are_understood() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let command = format!("position fen {fen} moves e1g1 e8c8");
        let position = Position::of(&command, CastlingStyle::Standard);
        let expected = "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2";
        assert_eq!(position.board.fen(), expected);
    }

    #[test]
    fn good_lines_are_not_remarked() {
        let remarks = remarks(&["depth 1 score cp 3 nodes 20 pv e7e5 g1f3"], "e7e5");
        assert_eq!((remarks.with_score, remarks.with_line), (1, 1));
        let faults = [
            remarks.malformed,
            remarks.without_score,
            remarks.illegal,
            remarks.contradicted,
        ];
        assert_eq!(faults.concat(), Vec::<String>::new());
    }

    #[test]
    fn every_fault_is_remarked_once_or_a_few_times() {
        let lines = ["depth x pv e7e5 e7e5", "pv d7d5"].repeat(9);
        let remarks = remarks(&lines, "e7e5");
        assert_eq!(remarks.malformed.len(), MOST_FAULTS);
        assert_eq!(
            remarks.malformed[0],
            "'depth x' is not a number in 'info depth x pv e7e5 e7e5'"
        );
        assert_eq!(remarks.illegal.len(), MOST_FAULTS);
        assert_eq!(
            remarks.without_score,
            ["no score before 'bestmove e7e5' after 'position startpos moves e2e4'"]
        );
        assert_eq!(
            remarks.contradicted,
            ["'pv d7d5' before 'bestmove e7e5' after 'position startpos moves e2e4'"]
        );
    }

    #[test]
    fn castling_must_be_written_as_the_game_has_it() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let command = format!("position fen {fen}");
        for (style, good, bad) in [
            (CastlingStyle::Standard, "e1g1", "e1h1"),
            (CastlingStyle::Chess960, "e1h1", "e1g1"),
        ] {
            let position = Position::of(&command, style);
            assert!(position.fault_of(&position.board, good).is_ok());
            assert_eq!(
                position.fault_of(&position.board, bad),
                Err(format!("{good} is written as {bad}"))
            );
        }
    }
}
