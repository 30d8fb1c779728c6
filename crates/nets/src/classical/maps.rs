//! Attack maps, computed once for each position.
//!
//! All groups read these maps, and none computes the attacks of pieces again.
//! The maps must not know weights.

use super::masks;
use chess::{Bitboard, Board, Color, PieceKind, Rank, Square, attacks};

/// The second and third rank: a pawn there is not yet developed, and being able to reach
/// its square does not count as mobility.
const LOW_RANKS: Bitboard =
    Bitboard(Bitboard::rank(Rank::Second).0 | Bitboard::rank(Rank::Third).0);

/// The attack of one side's men on the enemy king's ring.
#[derive(Clone, Copy, Default)]
pub(super) struct Assault {
    /// How many men of each kind attack the ring.
    pub(super) attackers: [i32; 5],
    /// How many attacks there are on squares next to the king.
    pub(super) adjacent: i32,
}

/// The attack maps of a position.
pub(super) struct Maps {
    /// What the piece on each square attacks; empty for pawns and kings.
    pub(super) of_square: [Bitboard; 64],
    /// What each side attacks with each kind.
    pub(super) of_kind: [[Bitboard; 6]; 2],
    /// What each side attacks.
    pub(super) any: [Bitboard; 2],
    /// What each side attacks at least twice.
    pub(super) twice: [Bitboard; 2],
    /// Where moves count as mobility.
    pub(super) area: [Bitboard; 2],
    /// Men that are the only blocker between their king and an enemy slider.
    pub(super) pinned: [Bitboard; 2],
    /// The squares around each king that its side must hold.
    pub(super) ring: [Bitboard; 2],
    /// Each side's attack on the other king.
    pub(super) assault: [Assault; 2],
}

impl Maps {
    pub(super) fn new(board: &Board) -> Maps {
        let mut maps = Maps {
            of_square: [Bitboard::EMPTY; 64],
            of_kind: [[Bitboard::EMPTY; 6]; 2],
            any: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            area: [Bitboard::EMPTY; 2],
            pinned: [Bitboard::EMPTY; 2],
            ring: [Bitboard::EMPTY; 2],
            assault: [Assault::default(); 2],
        };
        maps.add_pawns_and_king(board, Color::White);
        maps.add_pawns_and_king(board, Color::Black);
        maps.add_pieces(board, Color::White);
        maps.add_pieces(board, Color::Black);
        maps
    }

    #[inline(always)]
    fn add_pawns_and_king(&mut self, board: &Board, color: Color) {
        let us = color.index();
        let king = board.king(color);
        let pawns = board.pieces(color, PieceKind::Pawn);
        let ahead = pawns.forward(color);
        let pawn_attacks = ahead.west() | ahead.east();
        let pawn_double = ahead.west() & ahead.east();
        let king_attacks = attacks::king_attacks(king);
        self.of_kind[us][PieceKind::Pawn.index()] = pawn_attacks;
        self.of_kind[us][PieceKind::King.index()] = king_attacks;
        self.any[us] = pawn_attacks | king_attacks;
        self.twice[us] = pawn_double | (pawn_attacks & king_attacks);
        self.pinned[us] = pinned(board, color);
        let centre = masks::off_edge(king);
        let ring = attacks::king_attacks(centre) | centre.into();
        self.ring[us] = ring.without(pawn_double);
    }

    #[inline(always)]
    fn add_pieces(&mut self, board: &Board, color: Color) {
        let (us, them) = (color.index(), (!color).index());
        let occupied = board.occupied();
        self.area[us] = !self.closed_to_pieces(board, color);
        self.assault[us].attackers[0] =
            (self.of_kind[us][PieceKind::Pawn.index()] & self.ring[them]).count() as i32;
        let queens = board.kind(PieceKind::Queen);
        // Sliders look through others that attack along the same line.
        let behind_rooks = occupied.without(queens | board.pieces(color, PieceKind::Rook));
        let behind_bishops = occupied.without(queens);
        self.add_kind(board, color, PieceKind::Knight, attacks::knight_attacks);
        self.add_kind(board, color, PieceKind::Bishop, |square| {
            attacks::bishop_attacks(square, behind_bishops)
        });
        self.add_kind(board, color, PieceKind::Rook, |square| {
            attacks::rook_attacks(square, behind_rooks)
        });
        self.add_kind(board, color, PieceKind::Queen, |square| {
            attacks::queen_attacks(square, occupied)
        });
    }

    /// Squares that do not count as mobility: guarded by enemy pawns, or occupied by
    /// own men that are unlikely to move.
    #[inline(always)]
    fn closed_to_pieces(&self, board: &Board, color: Color) -> Bitboard {
        let us = color.index();
        let pawns = board.pieces(color, PieceKind::Pawn);
        let stopped = board.occupied().forward(!color) | masks::relative(color, LOW_RANKS);
        (pawns & stopped)
            | board.pieces(color, PieceKind::King)
            | board.pieces(color, PieceKind::Queen)
            | self.pinned[us]
            | self.of_kind[(!color).index()][PieceKind::Pawn.index()]
    }

    #[inline(always)]
    fn add_kind(
        &mut self,
        board: &Board,
        color: Color,
        kind: PieceKind,
        attacks_from: impl Fn(Square) -> Bitboard,
    ) {
        let (us, them) = (color.index(), (!color).index());
        let enemy_ring = self.ring[them];
        let next_to_king = self.of_kind[them][PieceKind::King.index()];
        for square in board.pieces(color, kind) {
            let mut attacked = attacks_from(square);
            if self.pinned[us].contains(square) {
                attacked &= attacks::line(board.king(color), square);
            }
            self.of_square[square.index()] = attacked;
            self.twice[us] |= self.any[us] & attacked;
            self.any[us] |= attacked;
            self.of_kind[us][kind.index()] |= attacked;
            let meets = attacked.meets(enemy_ring);
            self.assault[us].attackers[kind.index()] += meets as i32;
            self.assault[us].adjacent += (attacked & next_to_king).count() as i32;
        }
    }

    /// What a side attacks with one kind of piece.
    #[inline(always)]
    pub(super) fn by(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.of_kind[color.index()][kind.index()]
    }
}

/// Men of `color` that are the only blocker between their king and an enemy slider.
#[inline(always)]
fn pinned(board: &Board, color: Color) -> Bitboard {
    let king = board.king(color);
    let empty = Bitboard::EMPTY;
    let snipers = attacks::rook_attacks(king, empty) & board.straight_sliders(!color)
        | attacks::bishop_attacks(king, empty) & board.diagonal_sliders(!color);
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(king, sniper) & board.occupied();
        if between.any() && !between.several() {
            pinned |= between & board.color(color);
        }
    }
    pinned
}
