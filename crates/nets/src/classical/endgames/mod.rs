//! Endgame functions, for endgames that the terms evaluate badly.
//!
//! Where one applies, its value is the whole evaluation. Which endgame it is follows
//! from the numbers of men, so that ordinary positions pay nothing for this.

mod bitbase;
mod mates;
mod versus;

use super::masks;
use super::material::Counts;
use chess::{Board, Color, Square};

/// The value of a won endgame is at least about this, and grows as the win comes nearer.
const WON: i32 = 5_000;
/// The value of a win for which a pawn must still promote or a piece be won: so far below
/// [`WON`] that no gradient makes up for it, and the promotion pays.
const WINNING: i32 = 2_500;

/// The endgames with a function of their own, with the side that wins or tries to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Any other position: the terms decide.
    Ordinary,
    /// Neither side can force a win.
    Draw,
    /// Mating pieces against the bare king.
    BareKing(Color),
    /// Bishop and knight against the bare king.
    BishopAndKnight(Color),
    /// A pawn against the bare king.
    Pawn(Color),
    /// A bishop or knight and pawns against the bare king.
    MinorAndPawns(Color),
    /// Rook against pawn.
    RookPawn(Color),
    /// Rook against bishop.
    RookBishop(Color),
    /// Rook against knight.
    RookKnight(Color),
    /// Queen against pawn.
    QueenPawn(Color),
    /// Queen against rook.
    QueenRook(Color),
}

impl Ending {
    /// The endgame with these numbers of men.
    pub(super) fn of(counts: &Counts) -> Ending {
        Color::ALL
            .into_iter()
            .map(|strong| Ending::seen_from(counts, strong))
            .find(|&ending| ending != Ending::Ordinary)
            .unwrap_or(Ending::Ordinary)
    }

    /// The same if `strong` is the stronger side. Numbers are in the order pawns, knights,
    /// bishops, rooks, queens.
    fn seen_from(counts: &Counts, strong: Color) -> Ending {
        const NOTHING: [i32; 5] = [0; 5];
        match (counts.side(strong), counts.side(!strong)) {
            ([1, 0, 0, 0, 0], NOTHING) => Ending::Pawn(strong),
            ([0, 1, 1, 0, 0], NOTHING) => Ending::BishopAndKnight(strong),
            ([0, 0..=2, 0, 0, 0] | [0, 0, 1, 0, 0], NOTHING) => Ending::Draw,
            ([0, 1, 0, 0, 0] | [0, 0, 1, 0, 0], [0, 1, 0, 0, 0] | [0, 0, 1, 0, 0]) => Ending::Draw,
            ([0, 0, 0, 1, 0], [1, 0, 0, 0, 0]) => Ending::RookPawn(strong),
            ([0, 0, 0, 1, 0], [0, 0, 1, 0, 0]) => Ending::RookBishop(strong),
            ([0, 0, 0, 1, 0], [0, 1, 0, 0, 0]) => Ending::RookKnight(strong),
            ([0, 0, 0, 0, 1], [1, 0, 0, 0, 0]) => Ending::QueenPawn(strong),
            ([0, 0, 0, 0, 1], [0, 0, 0, 1, 0]) => Ending::QueenRook(strong),
            ([1..=8, 1, 0, 0, 0] | [1..=8, 0, 1, 0, 0], NOTHING) => Ending::MinorAndPawns(strong),
            (own, NOTHING) if has_mating_pieces(own) => Ending::BareKing(strong),
            _ => Ending::Ordinary,
        }
    }

    /// The value for the side to move, if the endgame has a function.
    #[inline(always)]
    pub(super) fn value(self, board: &Board, non_pawn: i32) -> Option<i32> {
        if self == Ending::Ordinary {
            return None;
        }
        Some(self.known_value(board, non_pawn))
    }

    #[cold]
    fn known_value(self, board: &Board, non_pawn: i32) -> i32 {
        // A bare king in a corner is easily stalemated.
        if !board.in_check() && !board.has_legal_move() {
            return 0;
        }
        let (strong, value) = match self {
            Ending::Ordinary | Ending::Draw => return 0,
            Ending::BareKing(strong) => (strong, mates::bare_king(board, strong, non_pawn)),
            Ending::BishopAndKnight(strong) => (strong, mates::bishop_and_knight(board, strong)),
            Ending::Pawn(strong) => (strong, versus::pawn(board, strong)),
            Ending::MinorAndPawns(strong) => (strong, versus::minor_and_pawns(board, strong)),
            Ending::RookPawn(strong) => (strong, versus::rook_against_pawn(board, strong)),
            Ending::RookBishop(strong) => (strong, versus::rook_against_bishop(board, strong)),
            Ending::RookKnight(strong) => (strong, versus::rook_against_knight(board, strong)),
            Ending::QueenPawn(strong) => (strong, versus::queen_against_pawn(board, strong)),
            Ending::QueenRook(strong) => (strong, versus::queen_against_rook(board, strong)),
        };
        if strong == board.side_to_move() {
            value
        } else {
            -value
        }
    }
}

/// Whether the pieces can mate a bare king, provided that bishops are not all of one colour.
fn has_mating_pieces([_, knights, bishops, rooks, queens]: [i32; 5]) -> bool {
    rooks + queens > 0 || bishops >= 2 || (bishops > 0 && knights > 0) || knights >= 3
}

/// From 0 to 90: higher the nearer a king is to the edge, and highest in a corner.
fn near_edge(king: Square) -> i32 {
    let from_edge = |index: usize| index.min(7 - index) as i32;
    let files = from_edge(king.file().index());
    let ranks = from_edge(king.rank().index());
    90 - 5 * (files * files + ranks * ranks)
}

/// From 0 to 120: higher the nearer two men are.
fn near(a: Square, b: Square) -> i32 {
    20 * (7 - masks::distance(a, b))
}
