//! Which row of the policy a move has: there is one for each man, square and target, for
//! each underpromotion and for castling to either wing; and all of them twice, for moves
//! that lose material by an exchange and for those that do not.
//!
//! Squares are those of the mover's view. Promotions to a queen share the rows of plain
//! pawn moves. Castling has one row for each wing, wherever king and rook stand, so that it
//! works for Chess960 too.

use super::inputs::Seen;
use chess::{Bitboard, Board, Move, PieceKind, Square, Wing, attacks};
use std::sync::LazyLock;

const SQUARES: usize = 64;
/// Moves of pawns: 48 single steps, 8 double steps, 84 captures.
const PAWN_MOVES: usize = 140;
/// Moves of the other kinds on an empty board: knight, bishop, rook, queen, king.
const PIECE_MOVES: usize = 336 + 560 + 896 + 1_456 + 420;
/// Steps and captures of a pawn that promotes.
const PROMOTIONS: usize = 22;
const FIRST_PROMOTION: usize = PAWN_MOVES + PIECE_MOVES;
const FIRST_CASTLING: usize = FIRST_PROMOTION + 3 * PROMOTIONS;
/// How many different moves there are.
pub const MOVES: usize = FIRST_CASTLING + 2;
/// How many rows there are: moves that lose an exchange, then the others.
pub const ROWS: usize = 2 * MOVES;
/// A move whose exchange wins at least this does not count as losing material: the loss of
/// a pawn does not count.
const LEAST_EXCHANGE: i32 = -108;

/// The rows of plain moves.
struct Table {
    /// Where a man can go from a square on an empty board.
    targets: [[Bitboard; SQUARES]; PieceKind::ALL.len()],
    /// The row of the first of these moves.
    first: [[u16; SQUARES]; PieceKind::ALL.len()],
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

impl Table {
    fn new() -> Table {
        let mut table = Table {
            targets: [[Bitboard::EMPTY; SQUARES]; PieceKind::ALL.len()],
            first: [[0; SQUARES]; PieceKind::ALL.len()],
        };
        let mut row = 0;
        for kind in PieceKind::ALL {
            for square in Square::all() {
                let targets = targets(kind, square);
                table.targets[kind.index()][square.index()] = targets;
                table.first[kind.index()][square.index()] = row;
                row += targets.count() as u16;
            }
        }
        table
    }

    #[inline(always)]
    fn row(&self, kind: PieceKind, from: usize, to: usize) -> usize {
        let before = self.targets[kind.index()][from].0 & ((1 << to) - 1);
        usize::from(self.first[kind.index()][from]) + before.count_ones() as usize
    }
}

/// Where a man can go from a square on an empty board, including captures of pawns.
fn targets(kind: PieceKind, square: Square) -> Bitboard {
    let empty = Bitboard::EMPTY;
    match kind {
        PieceKind::Pawn => {
            let (bit, rank) = (1u64 << square.index(), square.rank().index());
            if !(1..7).contains(&rank) {
                return empty;
            }
            let twice = if rank == 1 { bit << 16 } else { 0 };
            attacks::pawn_attacks(chess::Color::White, square) | Bitboard(bit << 8 | twice)
        }
        PieceKind::Knight => attacks::knight_attacks(square),
        PieceKind::Bishop => attacks::bishop_attacks(square, empty),
        PieceKind::Rook => attacks::rook_attacks(square, empty),
        PieceKind::Queen => {
            attacks::bishop_attacks(square, empty) | attacks::rook_attacks(square, empty)
        }
        PieceKind::King => attacks::king_attacks(square),
    }
}

impl Seen {
    /// The row of a legal move, below [`ROWS`]; `board` is the one that this view is of.
    #[inline]
    pub fn row(&self, board: &Board, mv: Move) -> u16 {
        let flip = usize::from(self.flip);
        let (from, to) = (mv.from().index() ^ flip, mv.to().index() ^ flip);
        let row = if mv.is_castling() {
            FIRST_CASTLING + usize::from(Wing::of(mv.from(), mv.to()) == Wing::King)
        } else {
            match mv.promotes_to() {
                Some(kind) if kind != PieceKind::Queen => {
                    let step = 2 * (from % 8) + to % 8;
                    FIRST_PROMOTION + (kind.index() - 1) * PROMOTIONS + step
                }
                _ => {
                    let kind = board.kind_at(mv.from()).unwrap_or(PieceKind::Pawn);
                    TABLE.row(kind, from, to)
                }
            }
        };
        (row + MOVES * usize::from(self.loses_nothing(board, mv))) as u16
    }

    /// Whether a move loses no material by an exchange on its target.
    #[inline]
    fn loses_nothing(&self, board: &Board, mv: Move) -> bool {
        // No enemy attacks the target, and the move opens no line to it: a slider behind
        // the man would attack the square from which the man comes.
        let touched = Bitboard::from(mv.from()) | Bitboard::from(mv.to());
        let is_safe = !self.attacked.meets(touched) && !mv.is_en_passant();
        is_safe || board.exchange_at_least(mv, LEAST_EXCHANGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Random;
    use std::collections::HashMap;

    #[test]
    fn the_table_has_the_rows_that_were_counted() {
        let of_kind = |kind| -> u32 { Square::all().map(|sq| targets(kind, sq).count()).sum() };
        let counts = PieceKind::ALL.map(of_kind);
        assert_eq!(counts, [140, 336, 560, 896, 1_456, 420]);
        assert_eq!([FIRST_PROMOTION, MOVES, ROWS], [3_808, 3_876, 7_752]);
        let last = TABLE.row(PieceKind::King, 63, 62);
        assert_eq!(last, FIRST_PROMOTION - 1);
    }

    /// What identifies a move, in the mover's view.
    fn words(board: &Board, seen: &Seen, mv: Move) -> String {
        let flip = usize::from(seen.flip);
        let kind = board.kind_at(mv.from()).expect("a man");
        let squares = (mv.from().index() ^ flip, mv.to().index() ^ flip);
        let exchange = board.exchange_at_least(mv, LEAST_EXCHANGE);
        if mv.is_castling() {
            return format!("castling {:?} {exchange}", Wing::of(mv.from(), mv.to()));
        }
        match mv.promotes_to().filter(|&kind| kind != PieceKind::Queen) {
            Some(kind) => format!("{kind:?} {squares:?} {exchange}"),
            None => format!("{kind:?} {squares:?} {exchange} plain"),
        }
    }

    #[test]
    fn a_row_belongs_to_one_move_and_its_exchange() {
        let mut meanings: HashMap<u16, String> = HashMap::new();
        let mut random = Random::new(11);
        for game in 0..400 {
            let mut board = match game % 4 {
                0 => Board::chess960((random.number() % 960) as u16).expect("a number below 960"),
                _ => Board::start(),
            };
            for _ in 0..160 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let seen = Seen::of(&board);
                let mut rows: Vec<u16> = moves.iter().map(|&mv| seen.row(&board, mv)).collect();
                for (&row, &mv) in rows.iter().zip(moves.iter()) {
                    assert!(usize::from(row) < ROWS);
                    let words = words(&board, &seen, mv);
                    let known = meanings.entry(row).or_insert_with(|| words.clone());
                    assert_eq!(*known, words, "{board:?} {mv:?}");
                }
                rows.sort_unstable();
                rows.dedup();
                assert_eq!(rows.len(), moves.len(), "{board:?}");
                board.make(moves[(random.number() % moves.len() as u64) as usize]);
            }
        }
        let castlings = meanings
            .values()
            .filter(|word| word.starts_with("castling"));
        assert_eq!(castlings.count(), 2);
        assert!(meanings.len() > 4_000, "{}", meanings.len());
    }
}
