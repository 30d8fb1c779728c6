//! Making moves.

use super::{Board, EMPTY_SLOT, MAX_CLOCK, NO_SQUARE, Wing, back_rank};
use crate::attacks::{bishop_attacks, pawn_attacks, rook_attacks};
use crate::moves::MoveKind;
use crate::zobrist;
use crate::{Bitboard, Color, Move, PieceKind, Square};

const PAWN: u8 = PieceKind::Pawn as u8;
const ROOK: u8 = PieceKind::Rook as u8;
const KING: u8 = PieceKind::King as u8;

impl Board {
    /// Makes a legal move.
    ///
    /// The move must be legal in this position: generated moves are, others can be
    /// tested with [`is_legal`](Board::is_legal). An illegal move never panics, but
    /// leaves a meaningless board.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        match self.side {
            Color::White => self.make_as::<true>(mv),
            Color::Black => self.make_as::<false>(mv),
        }
    }

    /// The board after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Board {
        let mut child = *self;
        child.make(mv);
        child
    }

    /// The key after a legal move, ignoring changes of castling and en passant:
    /// cheap and nearly always right, good enough to prefetch a table entry.
    #[inline(always)]
    pub fn probable_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let mover = self.slots[from.index()];
        self.keys.position
            ^ zobrist::BLACK_TO_MOVE
            ^ zobrist::piece(self.side, mover, from)
            ^ zobrist::piece(self.side, mover, to)
            ^ zobrist::piece(!self.side, self.slots[to.index()], to)
    }

    /// Gives the turn to the other side without a move.
    ///
    /// Must not be called in check: the side that passed could lose its king.
    #[inline]
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.forget_en_passant();
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_CLOCK);
        self.pass_turn();
    }

    /// The side is a constant here, so that its shifts and indices are too.
    #[inline(always)]
    pub(crate) fn make_as<const WHITE: bool>(&mut self, mv: Move) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (from, to) = (mv.from(), mv.to());
        self.forget_en_passant();
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_CLOCK);
        match mv.kind() {
            MoveKind::Normal => self.make_normal(us, from, to),
            MoveKind::Promotion(kind) => self.make_promotion(us, from, to, kind),
            MoveKind::EnPassant => self.make_en_passant(us, from, to),
            MoveKind::Castling => self.make_castling(us, from, to),
        }
        self.side = us;
        self.pass_turn();
    }

    #[inline(always)]
    fn make_normal(&mut self, us: Color, from: Square, to: Square) {
        let mover = self.slots[from.index()];
        self.capture_on(us, to);
        self.move_piece(us, mover, from, to);
        if mover == PAWN {
            self.halfmove_clock = 0;
            if from.index() ^ to.index() == 16 {
                self.allow_en_passant(us, to);
            }
        }
        if self.castling.any() {
            self.lose_castling(us, mover, Bitboard::from(from) | to.into());
        }
    }

    #[inline(always)]
    fn make_promotion(&mut self, us: Color, from: Square, to: Square, kind: PieceKind) {
        self.capture_on(us, to);
        self.toggle_piece(us, PAWN, from);
        self.slots[from.index()] = EMPTY_SLOT;
        self.toggle_piece(us, kind as u8, to);
        self.slots[to.index()] = kind as u8;
        self.halfmove_clock = 0;
        if self.castling.any() {
            self.lose_castling(us, PAWN, to.into());
        }
    }

    #[inline(always)]
    fn make_en_passant(&mut self, us: Color, from: Square, to: Square) {
        // The captured pawn stands beside the origin, on the target's file.
        let captured = Square::new(to.file(), from.rank());
        self.toggle_piece(!us, PAWN, captured);
        self.slots[captured.index()] = EMPTY_SLOT;
        self.move_piece(us, PAWN, from, to);
        self.halfmove_clock = 0;
    }

    #[inline(always)]
    fn make_castling(&mut self, us: Color, king_from: Square, rook_from: Square) {
        let wing = Wing::of(king_from, rook_from);
        let king_to = Square::new(wing.king_file(), back_rank(us));
        let rook_to = Square::new(wing.rook_file(), back_rank(us));
        // Both leave before either arrives: in Chess960 the squares may overlap.
        self.toggle_piece(us, KING, king_from);
        self.toggle_piece(us, ROOK, rook_from);
        self.slots[king_from.index()] = EMPTY_SLOT;
        self.slots[rook_from.index()] = EMPTY_SLOT;
        self.toggle_piece(us, KING, king_to);
        self.toggle_piece(us, ROOK, rook_to);
        self.slots[king_to.index()] = KING;
        self.slots[rook_to.index()] = ROOK;
        self.lose_castling(us, KING, Bitboard::EMPTY);
    }

    /// Removes the enemy man on a square, if there is one. Without a branch: the
    /// Zobrist numbers of an empty square are 0 and no set is touched.
    #[inline(always)]
    fn capture_on(&mut self, us: Color, square: Square) {
        let them = !us;
        let captured = self.slots[square.index()];
        let target = Bitboard::from(square) & self.color(them);
        self.sets[(captured & 7) as usize] ^= target;
        self.sets[super::COLOR_SETS + them.index()] ^= target;
        self.keys.toggle(them, captured, square);
        if target.any() {
            self.halfmove_clock = 0;
        }
    }

    #[inline(always)]
    fn move_piece(&mut self, us: Color, kind_index: u8, from: Square, to: Square) {
        let squares = Bitboard::from(from) | to.into();
        self.sets[(kind_index & 7) as usize] ^= squares;
        self.sets[super::COLOR_SETS + us.index()] ^= squares;
        self.keys.shift(us, kind_index, from, to);
        self.slots[from.index()] = EMPTY_SLOT;
        self.slots[to.index()] = kind_index;
    }

    /// Adds a man to the sets and keys or removes it; the caller updates the mailbox.
    #[inline(always)]
    pub(super) fn toggle_piece(&mut self, color: Color, kind_index: u8, square: Square) {
        self.sets[(kind_index & 7) as usize] ^= square.into();
        self.sets[super::COLOR_SETS + color.index()] ^= square.into();
        self.keys.toggle(color, kind_index, square);
    }

    /// Updates the castling rights after a man moved from or to these squares.
    #[inline(always)]
    fn lose_castling(&mut self, us: Color, mover: u8, squares: Bitboard) {
        let before = self.castling;
        self.castling.remove_squares(squares);
        if mover == KING {
            self.castling.remove_all(us);
        }
        if self.castling != before {
            for color in Color::ALL {
                let table = &zobrist::CASTLING[color.index()];
                self.keys.position ^= table[before.files(color) as usize]
                    ^ table[self.castling.files(color) as usize];
            }
        }
    }

    #[inline(always)]
    fn forget_en_passant(&mut self) {
        if let Some(square) = self.en_passant() {
            self.keys.position ^= zobrist::EN_PASSANT[square.file().index()];
            self.en_passant = NO_SQUARE;
        }
    }

    /// Records the square behind a pawn of `us` that moved two steps to `to`, if
    /// an enemy pawn can legally capture it there.
    #[inline(always)]
    fn allow_en_passant(&mut self, us: Color, to: Square) {
        let passed = Square::from_index(to.index() as u8 ^ 8);
        let capturers = pawn_attacks(us, passed) & self.pieces(!us, PieceKind::Pawn);
        if capturers
            .into_iter()
            .any(|from| self.en_passant_keeps_king_safe(!us, from, passed))
        {
            self.set_en_passant(passed);
        }
    }

    pub(super) fn set_en_passant(&mut self, square: Square) {
        self.en_passant = square.index() as u8;
        self.keys.position ^= zobrist::EN_PASSANT[square.file().index()];
    }

    /// Whether the king of `us` is safe from sliders after the capture en passant
    /// from `from` to `to`: two men leave one rank at once, which `pinned` does not
    /// cover. The only leaper that can give check here is the captured pawn.
    pub(super) fn en_passant_keeps_king_safe(&self, us: Color, from: Square, to: Square) -> bool {
        let captured = Square::new(to.file(), from.rank());
        let gone = Bitboard::from(from) | captured.into();
        let occupied = (self.occupied() ^ gone) | to.into();
        let king = self.king(us);
        !rook_attacks(king, occupied).meets(self.straight_sliders(!us))
            && !bishop_attacks(king, occupied).meets(self.diagonal_sliders(!us))
    }

    #[inline(always)]
    fn pass_turn(&mut self) {
        self.fullmove_number = (self.fullmove_number + self.side as u16).min(MAX_CLOCK);
        self.side = !self.side;
        self.keys.position ^= zobrist::BLACK_TO_MOVE;
        self.update_checks();
    }
}
