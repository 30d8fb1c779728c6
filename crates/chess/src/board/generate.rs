//! Legal moves, derived from checkers and pins: no move is made and taken back to test it.
//!
//! One generator serves all uses. It hands groups of moves to a [`Sink`]: a
//! function receives them one by one, a counter only counts bits.

use super::{Board, Wing, back_rank};
use crate::attacks::{
    antidiagonal, between, bishop_attacks, diagonal, king_attacks, knight_attacks, line,
    pawn_attacks, rook_attacks,
};
use crate::{Bitboard, Color, Move, MoveList, PieceKind, Rank, Square};

/// Which of the legal moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveFilter {
    /// All legal moves; in check, the evasions.
    All,
    /// The moves that change the material: captures, en passant, promotions.
    Captures,
    /// All the others.
    Quiets,
}

/// Receives groups of moves from the generator.
pub(crate) trait Sink {
    /// One man can go to each of the targets.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Pawns can go to the targets, each from the square with an index lower by `step`.
    fn pawns(&mut self, targets: Bitboard, step: i8);
    /// The same for targets on the last rank.
    fn promotions(&mut self, targets: Bitboard, step: i8);
    /// A capture en passant or castling.
    fn special(&mut self, mv: Move);
}

/// A function receives the moves one by one.
impl<F: FnMut(Move)> Sink for F {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self(Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            self(Move::normal(origin(to, step), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS.into_iter().rev() {
                self(Move::promotion(origin(to, step), to, kind));
            }
        }
    }

    #[inline(always)]
    fn special(&mut self, mv: Move) {
        self(mv);
    }
}

#[inline(always)]
fn origin(to: Square, step: i8) -> Square {
    Square::from_index((to.index() as u8).wrapping_sub_signed(step))
}

/// Counts moves without writing them.
struct Counter(u32);

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _step: i8) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _step: i8) {
        self.0 += PieceKind::PROMOTIONS.len() as u32 * targets.count();
    }

    #[inline(always)]
    fn special(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

impl Board {
    /// All legal moves.
    ///
    /// ```
    /// assert_eq!(chess::Board::start().legal_moves().len(), 20);
    /// ```
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(MoveFilter::All, &mut moves);
        moves
    }

    /// Appends the legal moves of a kind to a list.
    #[inline]
    pub fn generate(&self, filter: MoveFilter, moves: &mut MoveList) {
        self.for_each_move(filter, |mv| moves.push(mv));
    }

    /// Hands the legal moves of a kind to a function, in the order of a list.
    #[inline]
    pub fn for_each_move(&self, filter: MoveFilter, mut take: impl FnMut(Move)) {
        match self.side {
            Color::White => self.generate_as::<true, _>(filter, &mut take),
            Color::Black => self.generate_as::<false, _>(filter, &mut take),
        }
    }

    /// How many legal moves there are, without making a list.
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        match self.side {
            Color::White => self.count_as::<true>(),
            Color::Black => self.count_as::<false>(),
        }
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline(always)]
    pub(crate) fn count_as<const WHITE: bool>(&self) -> u32 {
        let mut counter = Counter(0);
        self.generate_as::<WHITE, _>(MoveFilter::All, &mut counter);
        counter.0
    }

    /// The side is a compile-time constant here, so that its shifts and indices are too.
    #[inline(always)]
    pub(crate) fn generate_as<const WHITE: bool, S: Sink>(&self, filter: MoveFilter, sink: &mut S) {
        let us = if WHITE { Color::White } else { Color::Black };
        let king = self.king(us);
        let wanted = match filter {
            MoveFilter::All => !self.color(us),
            MoveFilter::Captures => self.color(!us),
            MoveFilter::Quiets => !self.occupied(),
        };
        self.generate_king(us, king, filter, wanted, sink);
        if self.checkers.several() {
            return;
        }
        // In check, men other than the king may only capture the checker or block it.
        let answers = if self.checkers.any() {
            between(king, self.checkers.first()) | self.checkers
        } else {
            Bitboard::ALL
        };
        self.generate_pieces(us, king, wanted & answers, sink);
        self.generate_pawns(us, king, filter, answers, sink);
    }

    #[inline(always)]
    fn generate_king<S: Sink>(
        &self,
        us: Color,
        king: Square,
        filter: MoveFilter,
        wanted: Bitboard,
        sink: &mut S,
    ) {
        let targets = king_attacks(king) & wanted;
        let may_castle =
            filter != MoveFilter::Captures && self.checkers.is_empty() && self.castling.any_of(us);
        if targets.is_empty() && !may_castle {
            return;
        }
        // Sliders look through the king: a square behind it is attacked too once it leaves.
        let attacked = self.attacked_by(!us, self.occupied() ^ king.into());
        sink.piece(king, targets.without(attacked));
        if may_castle {
            for rook in self.castling.rooks(us) {
                if self.can_castle(us, king, rook, attacked) {
                    sink.special(Move::castling(king, rook));
                }
            }
        }
    }

    /// Whether the squares on the way are empty and safe. The caller has made sure that the
    /// right exists and that the king is not in check.
    #[inline(always)]
    pub(super) fn can_castle(
        &self,
        us: Color,
        king: Square,
        rook: Square,
        attacked: Bitboard,
    ) -> bool {
        let wing = Wing::of(king, rook);
        let king_to = Square::new(wing.king_file(), back_rank(us));
        let rook_to = Square::new(wing.rook_file(), back_rank(us));
        let king_way = between(king, king_to) | king_to.into();
        let rook_way = between(rook, rook_to) | rook_to.into();
        let others = self.occupied() ^ king.into() ^ rook.into();
        // Without a rook pinned along the rank, the king's target is attacked (Chess960 only).
        !(king_way | rook_way).meets(others)
            && !king_way.meets(attacked)
            && !self.pinned.contains(rook)
    }

    #[inline(always)]
    fn generate_pieces<S: Sink>(&self, us: Color, king: Square, targets: Bitboard, sink: &mut S) {
        let occupied = self.occupied();
        let free = !self.pinned;
        for from in self.pieces(us, PieceKind::Knight) & free {
            sink.piece(from, knight_attacks(from) & targets);
        }
        let straight = self.straight_sliders(us);
        let diagonal = self.diagonal_sliders(us);
        for from in diagonal & free {
            sink.piece(from, bishop_attacks(from, occupied) & targets);
        }
        for from in straight & free {
            sink.piece(from, rook_attacks(from, occupied) & targets);
        }
        for from in self.pinned & (straight | diagonal) {
            let mut reach = Bitboard::EMPTY;
            if straight.contains(from) {
                reach |= rook_attacks(from, occupied);
            }
            if diagonal.contains(from) {
                reach |= bishop_attacks(from, occupied);
            }
            sink.piece(from, reach & targets & line(king, from));
        }
    }

    #[inline(always)]
    fn generate_pawns<S: Sink>(
        &self,
        us: Color,
        king: Square,
        filter: MoveFilter,
        answers: Bitboard,
        sink: &mut S,
    ) {
        let pawns = self.pieces(us, PieceKind::Pawn);
        let empty = !self.occupied();
        let ahead = if us == Color::White { 8 } else { -8 };
        let last = Bitboard::rank(back_rank(!us));
        // A pinned pawn may move along its pin, which is a line through the king: a
        // pawn on the king's own line in the direction of the move may make the move.
        let pushers = pawns & (!self.pinned | Bitboard::file(king.file()));
        let single = pushers.forward(us) & empty;
        if filter != MoveFilter::Captures {
            let third = Bitboard::rank(Rank::Third.relative_to(us));
            let double = (single & third).forward(us) & empty & answers;
            sink.pawns((single & answers).without(last), ahead);
            sink.pawns(double, 2 * ahead);
        }
        if filter == MoveFilter::Quiets {
            return;
        }
        let enemies = self.color(!us) & answers;
        let (west_line, east_line) = match us {
            Color::White => (antidiagonal(king), diagonal(king)),
            Color::Black => (diagonal(king), antidiagonal(king)),
        };
        let west = (pawns & (!self.pinned | west_line)).forward(us).west() & enemies;
        let east = (pawns & (!self.pinned | east_line)).forward(us).east() & enemies;
        sink.pawns(west.without(last), ahead - 1);
        sink.pawns(east.without(last), ahead + 1);
        let single = single & answers;
        if ((single | west | east) & last).any() {
            sink.promotions(single & last, ahead);
            sink.promotions(west & last, ahead - 1);
            sink.promotions(east & last, ahead + 1);
        }
        if let Some(to) = self.en_passant() {
            for from in pawn_attacks(!us, to) & pawns {
                if self.en_passant_keeps_king_safe(us, from, to) {
                    sink.special(Move::en_passant(from, to));
                }
            }
        }
    }
}
