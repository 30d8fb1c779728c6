//! Openings from a Polyglot book: moves with weights for positions, not lines.
//!
//! From the standard start position, the most likely lines are followed until the book or the
//! wanted number of plies ends; a move's probability is its share of the weights of its position.
//! The result depends on the book alone; a position that is reached in two ways counts once.

use super::{Opening, OpeningsError};
use chess::{Board, Game, Move, PieceKind};
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::path::Path;

/// Key, move, weight, and four bytes that books for playing do not use.
const ENTRY_BYTES: usize = 16;
/// Larger books are meant for play, and no match needs that many openings.
const MOST_BYTES: u64 = 1 << 28;
/// The default length of lines in plies: about that of usual opening suites.
const USUAL_PLIES: usize = 8;
/// More openings are of no use, and the less likely ones tend to be mistakes.
const MOST_OPENINGS: usize = 20_000;

/// Whether a file is a Polyglot book, by its name.
pub(super) fn is_book(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("bin"))
}

/// The most likely lines of a book, most likely first.
pub(super) fn read(path: &Path, plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let wrong = |problem: String| OpeningsError::Book {
        path: path.to_owned(),
        problem,
    };
    let bytes = data::file::read(path, MOST_BYTES).map_err(|error| wrong(error.to_string()))?;
    let book = Book::new(&bytes).map_err(wrong)?;
    if book.moves(&Board::start()).is_empty() {
        return Err(wrong(
            "this book has no move for the start position".to_owned(),
        ));
    }
    Ok(book.lines(plies.unwrap_or(USUAL_PLIES)))
}

/// Moves with weights, by the key of their position.
struct Book(HashMap<u64, Vec<(u16, u16)>>);

impl Book {
    fn new(bytes: &[u8]) -> Result<Book, String> {
        let (entries, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(format!(
                "this is not a Polyglot book: its length, {}, is not a multiple of {ENTRY_BYTES}",
                bytes.len()
            ));
        }
        let mut book: HashMap<u64, Vec<(u16, u16)>> = HashMap::new();
        for [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, w0, w1, ..] in entries {
            let key = u64::from_be_bytes([*k0, *k1, *k2, *k3, *k4, *k5, *k6, *k7]);
            let entry = (
                u16::from_be_bytes([*m0, *m1]),
                u16::from_be_bytes([*w0, *w1]),
            );
            book.entry(key).or_default().push(entry);
        }
        Ok(Book(book))
    }

    /// The legal book moves of a position, with their shares.
    fn moves(&self, board: &Board) -> Vec<(Move, f64)> {
        let Some(entries) = key(board).and_then(|key| self.0.get(&key)) else {
            return Vec::new();
        };
        let legal = board.legal_moves();
        let moves: Vec<(Move, f64)> = entries
            .iter()
            .filter(|(_, weight)| *weight > 0)
            .filter_map(|&(bits, weight)| {
                let mv = legal.iter().find(|&&mv| written(mv) == bits)?;
                Some((*mv, f64::from(weight)))
            })
            .collect();
        let all: f64 = moves.iter().map(|(_, weight)| weight).sum();
        let share = |(mv, weight)| (mv, weight / all);
        moves.into_iter().map(share).collect()
    }

    /// The most likely lines of this many plies, or fewer where the book ends.
    fn lines(&self, plies: usize) -> Vec<Opening> {
        let mut open = BinaryHeap::from([Line {
            chance: 1.0,
            game: Game::new(Board::start()),
        }]);
        let mut seen = HashSet::new();
        let mut openings = Vec::new();
        while let Some(line) = open.pop() {
            if openings.len() == MOST_OPENINGS {
                break;
            }
            let board = *line.game.board();
            let moves = match line.game.moves().len() < plies {
                true => self.moves(&board),
                false => Vec::new(),
            };
            if moves.is_empty() {
                openings.push(Opening {
                    start: Board::start(),
                    moves: line.game.moves().to_vec(),
                });
            }
            for (mv, share) in moves {
                let mut game = line.game.clone();
                let is_playable = game.play(mv).is_ok() && game.termination().is_none();
                if is_playable && seen.insert(game.board().key()) {
                    let chance = line.chance * share;
                    open.push(Line { chance, game });
                }
            }
        }
        openings
    }
}

/// A line that can be continued.
struct Line {
    chance: f64,
    game: Game,
}

impl Ord for Line {
    /// A more likely line is greater; ties are broken by the moves, so that the order is always the
    /// same.
    fn cmp(&self, other: &Line) -> Ordering {
        let bits =
            |line: &Line| -> Vec<u16> { line.game.moves().iter().map(|mv| mv.to_bits()).collect() };
        (self.chance.total_cmp(&other.chance)).then_with(|| bits(other).cmp(&bits(self)))
    }
}

impl PartialOrd for Line {
    fn partial_cmp(&self, other: &Line) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Line {
    fn eq(&self, other: &Line) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Line {}

/// The Polyglot key of a position: shakmaty uses the same numbers.
fn key(board: &Board) -> Option<u64> {
    let fen: Fen = board.fen().parse().ok()?;
    let position: Chess = fen.into_position(CastlingMode::Standard).ok()?;
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
    Some(key)
}

/// A move as in books: both squares and the promotion piece; castling is the king taking its rook,
/// as in this program.
fn written(mv: Move) -> u16 {
    let promotion = match mv.promotes_to() {
        Some(PieceKind::Knight) => 1,
        Some(PieceKind::Bishop) => 2,
        Some(PieceKind::Rook) => 3,
        Some(PieceKind::Queen) => 4,
        _ => 0,
    };
    mv.to().index() as u16 | (mv.from().index() as u16) << 6 | promotion << 12
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Board {
        let mut game = Game::new(Board::start());
        for word in moves.split_whitespace() {
            let mv = game.board().parse_uci(word).expect("a move");
            game.play(mv).expect("a legal move");
        }
        *game.board()
    }

    /// The examples in the description of the format.
    #[test]
    fn keys_are_those_of_the_format() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ] {
            assert_eq!(key(&after(moves)), Some(expected), "{moves}");
        }
    }

    fn entry(moves: &str, mv: &str, weight: u16) -> Vec<u8> {
        let board = after(moves);
        let mv = board.parse_uci(mv).expect("a move");
        let mut bytes = key(&board).expect("a key").to_be_bytes().to_vec();
        bytes.extend(written(mv).to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    fn lines(bytes: &[u8], plies: usize) -> Vec<String> {
        let openings = Book::new(bytes).expect("a book").lines(plies);
        let text = |opening: &Opening| {
            let words: Vec<String> = (opening.moves.iter())
                .map(|mv| format!("{}{}", mv.from(), mv.to()))
                .collect();
            words.join(" ")
        };
        openings.iter().map(text).collect()
    }

    #[test]
    fn the_likeliest_lines_come_first_and_transpositions_once() {
        let book = [
            entry("", "e2e4", 1),
            entry("", "d2d4", 3),
            entry("", "a2a3", 0),
            entry("d2d4", "g8f6", 2),
            entry("d2d4", "d7d5", 1),
            entry("d2d4 g8f6", "g1f3", 1),
            entry("e2e4", "e7e5", 1),
        ]
        .concat();
        assert_eq!(lines(&book, 1), ["d2d4", "e2e4"]);
        assert_eq!(lines(&book, 2), ["d2d4 g8f6", "d2d4 d7d5", "e2e4 e7e5"]);
        let all = ["d2d4 g8f6 g1f3", "d2d4 d7d5", "e2e4 e7e5"];
        assert_eq!(lines(&book, 8), all);
        let twice = [
            entry("", "e2e4", 1),
            entry("", "e2e3", 1),
            entry("e2e4", "e7e6", 1),
            entry("e2e3", "e7e6", 1),
            entry("e2e4 e7e6", "d2d4", 1),
            entry("e2e3 e7e6", "d2d4", 1),
            entry("e2e4 e7e6 d2d4", "a7a6", 1),
            entry("e2e3 e7e6 d2d4", "a7a6", 1),
            entry("e2e3 e7e6 d2d4 a7a6", "e3e4", 1),
        ]
        .concat();
        assert_eq!(lines(&twice, 5).len(), 2);
    }

    #[test]
    fn castling_is_the_king_that_takes_its_rook() {
        let moves = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";
        let book = entry(moves, "e1g1", 1);
        let known = Book::new(&book).expect("a book").moves(&after(moves));
        assert_eq!(known.len(), 1);
        assert!(known[0].0.is_castling());
        let bits = u16::from_be_bytes([book[8], book[9]]);
        assert_eq!((bits >> 6 & 63, bits & 63), (4, 7), "e1 and h1");
    }

    #[test]
    fn what_is_no_book_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        let wrong = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("room");
            read(&path, None).expect_err("no book").to_string()
        };
        assert!(wrong(b"[Event \"x\"]").ends_with("not a multiple of 16"));
        assert!(wrong(&[7; 32]).ends_with("no move for the start position"));
    }
}
