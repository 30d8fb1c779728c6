//! Names of openings, from the user's table or the short one of this program.
//!
//! A table is text with tab-separated columns. Its first line names them; `eco`, `name` and `pgn`
//! are used. An opening is identified by its position, whatever the order of moves that led to it.

use chess::Board;
use data::pgn;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::finding::boards;

/// An opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: String,
    /// Its name.
    pub name: String,
}

/// The main openings, in the same format as other tables.
const MAIN: &str = include_str!("openings.tsv");
/// Larger tables are refused.
const MOST_BYTES: u64 = 64 << 20;

/// Why a table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EcoError {
    /// It cannot be read.
    #[error("{}: {cause}", path.display())]
    File {
        /// The table.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A folder holds no tables.
    #[error("{}: no file of this folder ends with .tsv", .0.display())]
    Empty(PathBuf),
    /// A line is wrong.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The table.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// Openings by their positions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EcoTable {
    openings: HashMap<u64, Opening>,
}

impl EcoTable {
    /// The built-in table of the main openings.
    pub fn main() -> EcoTable {
        let mut table = EcoTable::default();
        // A test checks that every line is valid.
        let _ = table.read(MAIN);
        table
    }

    /// Reads a table, or all tables of a folder (its `.tsv` files).
    ///
    /// # Errors
    /// If there are no tables, or a line of one is wrong.
    pub fn open(path: &Path) -> Result<EcoTable, EcoError> {
        let failed = |cause| EcoError::File {
            path: path.to_owned(),
            cause,
        };
        let mut table = EcoTable::default();
        if !path.is_dir() {
            table.read_file(path)?;
            return Ok(table);
        }
        let mut files = Vec::new();
        for entry in path.read_dir().map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if file.extension().is_some_and(|extension| extension == "tsv") {
                files.push(file);
            }
        }
        if files.is_empty() {
            return Err(EcoError::Empty(path.to_owned()));
        }
        files.sort();
        files.iter().try_for_each(|file| table.read_file(file))?;
        Ok(table)
    }

    fn read_file(&mut self, path: &Path) -> Result<(), EcoError> {
        let text = data::file::read(path, MOST_BYTES).map_err(|cause| EcoError::File {
            path: path.to_owned(),
            cause,
        })?;
        self.read(&String::from_utf8_lossy(&text))
            .map_err(|(line, problem)| EcoError::Line {
                path: path.to_owned(),
                line,
                problem,
            })
    }

    /// Adds the openings of a table; if two share a position, the first stays.
    ///
    /// # Errors
    /// The number of the first line that is wrong, and what is wrong with it.
    pub fn read(&mut self, text: &str) -> Result<(), (usize, String)> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line));
        let (_, header) = lines.next().unwrap_or((1, ""));
        let names: Vec<&str> = header.split('\t').map(str::trim).collect();
        let column = |name: &str| {
            let place = names
                .iter()
                .position(|known| known.eq_ignore_ascii_case(name));
            place.ok_or_else(|| {
                let problem = "the first line must name the columns eco, name and pgn, with tabs between them";
                (1, problem.to_owned())
            })
        };
        let columns = [column("eco")?, column("name")?, column("pgn")?];
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [eco, name, moves] =
                columns.map(|column| cells.get(column).map(|cell| cell.trim()));
            let (Some(eco), Some(name), Some(moves)) = (eco, name, moves) else {
                return Err((number, "a column is missing".to_owned()));
            };
            let board = last_position(moves).map_err(|problem| (number, problem))?;
            let (eco, name) = (eco.to_owned(), name.to_owned());
            self.openings
                .entry(board.key())
                .or_insert(Opening { eco, name });
        }
        Ok(())
    }

    /// How many openings there are.
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// The opening of a game: the last of its positions that has a name.
    pub fn find(&self, game: &pgn::Game) -> Option<&Opening> {
        self.last_known(&boards(game))
    }

    /// The opening of the last of these positions that has a name.
    pub fn last_known(&self, boards: &[Board]) -> Option<&Opening> {
        let mut latest_first = boards.iter().rev();
        latest_first.find_map(|board| self.openings.get(&board.key()))
    }
}

fn last_position(moves: &str) -> Result<Board, String> {
    let games = pgn::salvage(moves.as_bytes());
    let [game] = &games[..] else {
        return Err("the moves are missing".to_owned());
    };
    if let Some(damage) = &game.damage {
        return Err(damage.problem.to_string());
    }
    boards(&game.game)
        .last()
        .copied()
        .ok_or_else(|| "the moves are missing".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "eco\tname\tpgn\n\
        B00\tKing's Pawn Game\t1. e4\n\
        C20\tKing's Pawn Game: Open\t1. e4 e5\n\n\
        C50\tItalian Game\t1. e4 e5 2. Nf3 Nc6 3. Bc4\n";

    fn table(text: &str) -> Result<EcoTable, (usize, String)> {
        let mut table = EcoTable::default();
        table.read(text).map(|()| table)
    }

    fn name_of(moves: &str) -> Option<String> {
        let table = table(TABLE).expect("a table");
        let games = pgn::salvage(moves.as_bytes());
        table
            .find(&games[0].game)
            .map(|opening| opening.name.clone())
    }

    #[test]
    fn the_last_known_position_names_the_game() {
        assert_eq!(name_of("1. e4 c5 *").as_deref(), Some("King's Pawn Game"));
        assert_eq!(
            name_of("1. e4 e5 2. Nf3 Nc6 3. Bc4 d6 *").as_deref(),
            Some("Italian Game")
        );
        // Reached by a different order of moves.
        assert_eq!(
            name_of("1. Nf3 Nc6 2. e4 e5 3. Bc4 *").as_deref(),
            Some("Italian Game")
        );
        assert_eq!(name_of("1. d4 *"), None);
    }

    #[test]
    fn the_table_of_this_program_is_right() {
        let mut read = EcoTable::default();
        assert_eq!(read.read(MAIN), Ok(()));
        assert_eq!(read, EcoTable::main());
        // No position has two names.
        assert_eq!(read.len(), MAIN.lines().count() - 1);
        for Opening { eco, name } in read.openings.values() {
            let digits = eco.strip_prefix(|letter| ('A'..='E').contains(&letter));
            let digits = digits.unwrap_or_default();
            assert!(digits.len() == 2 && digits.parse::<u8>().is_ok(), "{eco}");
            assert!(!name.is_empty());
        }
        let games = pgn::salvage(b"1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *");
        let found = read.find(&games[0].game).expect("an opening");
        assert_eq!(found.eco, "B90");
    }

    #[test]
    fn columns_may_stand_in_any_order() {
        let table = table("pgn\tuci\tname\teco\r\n1. d4\td2d4\tQueen's Pawn\tA40\r\n").unwrap();
        assert_eq!(table.len(), 1);
        assert_eq!(table.openings.values().next().unwrap().eco, "A40");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let header = "the first line must name the columns eco, name and pgn";
        for (text, line, problem) in [
            ("", 1, header),
            ("A00\tAmar\t1. Nh3\n", 1, header),
            ("eco\tname\tpgn\nA00\tAmar\n", 2, "a column is missing"),
            (
                "eco\tname\tpgn\n\nA00\tAmar\t\n",
                3,
                "the moves are missing",
            ),
            ("eco\tname\tpgn\nA00\tAmar\t1. Nh4\n", 2, "1. Nh4: "),
        ] {
            let (at, told) = table(text).expect_err(text);
            assert_eq!(at, line, "{text}");
            assert!(told.starts_with(problem), "{told}");
        }
    }
}
