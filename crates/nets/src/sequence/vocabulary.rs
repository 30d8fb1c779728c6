//! The vocabulary of moves: 1,792 pairs of squares that a queen's or knight's move
//! connects, 176 promotions, and one number for "no move yet".
//!
//! The number of a move does not depend on the board or the side to move. Castling is the
//! king's move of two squares, as in UCI.

use chess::{Board, Color, File, Move, PieceKind, Square};
use std::sync::OnceLock;

/// How many moves there are.
pub const MOVES: usize = 1_968;
/// The previous move before the first move of a game.
pub const START: u16 = MOVES as u16;
/// How many numbers there are.
pub const VOCABULARY: usize = MOVES + 1;

const SQUARES: usize = 64;
/// In the tables, stands for "not a move".
const NONE: u16 = u16::MAX;
/// What a pawn becomes, in the order of the numbers.
const PROMOTIONS: [PieceKind; 4] = [
    PieceKind::Queen,
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Knight,
];

struct Tables {
    /// The number of a move by origin and target.
    plain: Vec<u16>,
    /// The same for promotions, also by the piece that the pawn becomes.
    promotions: Vec<u16>,
    /// The number of each move on the vertically flipped board.
    flipped: Vec<u16>,
    /// Origin, target and promotion of each number.
    moves: Vec<(Square, Square, Option<PieceKind>)>,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(Tables::new)
}

impl Tables {
    fn new() -> Tables {
        let mut tables = Tables {
            plain: vec![NONE; SQUARES * SQUARES],
            promotions: vec![NONE; SQUARES * SQUARES * PROMOTIONS.len()],
            flipped: Vec::new(),
            moves: Vec::new(),
        };
        for from in Square::all() {
            for to in Square::all().filter(|&to| connects(from, to)) {
                tables.plain[place(from, to)] = tables.moves.len() as u16;
                tables.moves.push((from, to, None));
            }
        }
        for from in Square::all() {
            for to in Square::all().filter(|&to| promotes(from, to)) {
                for (number, kind) in PROMOTIONS.into_iter().enumerate() {
                    let at = place(from, to) * PROMOTIONS.len() + number;
                    tables.promotions[at] = tables.moves.len() as u16;
                    tables.moves.push((from, to, Some(kind)));
                }
            }
        }
        let flip = |square: Square| square.relative_to(Color::Black);
        tables.flipped = tables
            .moves
            .iter()
            .map(|&(from, to, kind)| tables.number(flip(from), flip(to), kind))
            .collect();
        tables
    }

    fn number(&self, from: Square, to: Square, promotion: Option<PieceKind>) -> u16 {
        let place = place(from, to);
        let Some(kind) = promotion else {
            return self.plain[place];
        };
        let number = PROMOTIONS.iter().position(|&other| other == kind);
        number.map_or(NONE, |number| {
            self.promotions[place * PROMOTIONS.len() + number]
        })
    }
}

fn place(from: Square, to: Square) -> usize {
    from.index() * SQUARES + to.index()
}

/// Files and ranks from one square to another.
fn steps(from: Square, to: Square) -> (i32, i32) {
    let step = |from: usize, to: usize| to as i32 - from as i32;
    (
        step(from.file().index(), to.file().index()),
        step(from.rank().index(), to.rank().index()),
    )
}

/// Whether a queen or a knight can go from one square to the other on an empty board.
fn connects(from: Square, to: Square) -> bool {
    let (files, ranks) = steps(from, to);
    let (files, ranks) = (files.abs(), ranks.abs());
    let is_straight = files == 0 || ranks == 0 || files == ranks;
    from != to && (is_straight || files + ranks == 3)
}

/// Whether a pawn of either side can go from one square to the other and promote.
fn promotes(from: Square, to: Square) -> bool {
    let (files, ranks) = steps(from, to);
    files.abs() <= 1 && matches!((from.rank().index(), ranks), (6, 1) | (1, -1))
}

/// The number of a move; `None` for castling with a king that is not on the e-file, which
/// occurs only in Chess960.
pub fn number(mv: Move) -> Option<u16> {
    let (from, mut to) = (mv.from(), mv.to());
    if mv.is_castling() {
        if from.file() != File::E {
            return None;
        }
        let file = match to.file().index() > from.file().index() {
            true => File::G,
            false => File::C,
        };
        to = Square::new(file, from.rank());
    }
    let number = tables().number(from, to, mv.promotes_to());
    (number != NONE).then_some(number)
}

/// The number of the same move on the vertically flipped board, as the other side would
/// make it.
pub fn flipped(number: u16) -> u16 {
    let flipped = tables().flipped.get(usize::from(number));
    flipped.copied().unwrap_or(number)
}

/// The legal move on a board with this number.
pub fn legal_move(board: &Board, wanted: u16) -> Option<Move> {
    let moves = board.legal_moves();
    moves.iter().copied().find(|&mv| number(mv) == Some(wanted))
}

/// The origin and the target of a move; `None` for [`START`].
pub fn squares(number: u16) -> Option<(Square, Square)> {
    let known = tables().moves.get(usize::from(number));
    known.map(|&(from, to, _)| (from, to))
}

/// The text of a move, such as `e2e4` or `e7e8q`; `start` for [`START`].
pub fn text(number: u16) -> String {
    match tables().moves.get(usize::from(number)) {
        None => "start".to_owned(),
        Some((from, to, kind)) => {
            let kind = kind.map(|kind| kind.letter().to_ascii_lowercase());
            format!("{from}{to}{}", kind.map(String::from).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_as_many_moves_as_is_said_and_each_has_its_own_text() {
        let tables = tables();
        assert_eq!(tables.moves.len(), MOVES);
        let plain = tables.moves.iter().filter(|(_, _, kind)| kind.is_none());
        assert_eq!(plain.count(), 1_792);
        let texts: BTreeSet<String> = (0..MOVES as u16).map(text).collect();
        assert_eq!(texts.len(), MOVES);
        assert!(texts.contains("e7e8n") && texts.contains("a2b1q") && texts.contains("e1g1"));
        assert_eq!(text(START), "start");
    }

    #[test]
    fn flipping_twice_changes_nothing() {
        for number in 0..VOCABULARY as u16 {
            assert_eq!(flipped(flipped(number)), number);
        }
        let number_of = |wanted: &str| (0..MOVES as u16).find(|&number| text(number) == wanted);
        let flip = |wanted: &str| text(flipped(number_of(wanted).expect(wanted)));
        assert_eq!(flip("e2e4"), "e7e5");
        assert_eq!(flip("b7a8r"), "b2a1r");
    }

    #[test]
    fn legal_moves_have_numbers_of_their_own() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1",
            "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let board: Board = fen.parse::<chess::Fen>().expect(fen).board;
            let moves = board.legal_moves();
            let numbers: BTreeSet<u16> = moves.iter().filter_map(|&mv| number(mv)).collect();
            assert_eq!(numbers.len(), moves.len(), "{fen}");
            for &mv in &moves {
                let number = number(mv).expect("a number");
                assert_eq!(legal_move(&board, number), Some(mv));
                assert_eq!(
                    text(number),
                    board.uci(mv, chess::CastlingStyle::Standard).to_string()
                );
            }
        }
    }
}
