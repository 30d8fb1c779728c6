//! Writing SAN exactly as the PGN standard says.

use crate::board::Wing;
use crate::{Bitboard, Board, Move, PieceKind, Square};
use std::fmt;

/// More than the seven letters of `Qh4xe1#` and `exd8=Q+`, the longest moves.
const CAPACITY: usize = 12;

/// A move in SAN, held without allocating.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SanText {
    bytes: [u8; CAPACITY],
    length: u8,
}

impl SanText {
    const fn new() -> SanText {
        SanText {
            bytes: [0; CAPACITY],
            length: 0,
        }
    }

    fn push(&mut self, letter: char) {
        debug_assert!(letter.is_ascii());
        self.bytes[self.length as usize] = letter as u8;
        self.length += 1;
    }

    fn push_square(&mut self, square: Square) {
        self.push(square.file().letter());
        self.push(square.rank().digit());
    }

    fn push_str(&mut self, text: &str) {
        text.chars().for_each(|letter| self.push(letter));
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length as usize]).unwrap_or_default()
    }
}

impl fmt::Display for SanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for SanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Board {
    /// A legal move in SAN: the shortest unambiguous origin, `x` for captures, `+` and `#`.
    pub fn san(&self, mv: Move) -> SanText {
        let mut text = SanText::new();
        match self.kind_at(mv.from()) {
            _ if mv.is_castling() => text.push_str(match Wing::of(mv.from(), mv.to()) {
                Wing::King => "O-O",
                Wing::Queen => "O-O-O",
            }),
            Some(kind) if kind != PieceKind::Pawn => self.write_piece_move(kind, mv, &mut text),
            _ => self.write_pawn_move(mv, &mut text),
        }
        let after = self.after(mv);
        if after.in_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn write_pawn_move(&self, mv: Move, text: &mut SanText) {
        if self.is_capture(mv) {
            text.push(mv.from().file().letter());
            text.push('x');
        }
        text.push_square(mv.to());
        if let Some(kind) = mv.promotes_to() {
            text.push('=');
            text.push(kind.letter());
        }
    }

    fn write_piece_move(&self, kind: PieceKind, mv: Move, text: &mut SanText) {
        let (from, to) = (mv.from(), mv.to());
        text.push(kind.letter());
        let rivals = self.rivals(kind, from, to);
        if rivals.any() {
            let same_file = rivals.meets(Bitboard::file(from.file()));
            let same_rank = rivals.meets(Bitboard::rank(from.rank()));
            if !same_file || same_rank {
                text.push(from.file().letter());
            }
            if same_file {
                text.push(from.rank().digit());
            }
        }
        if self.is_capture(mv) {
            text.push('x');
        }
        text.push_square(to);
    }

    /// Other men of the same kind that may legally go to the same square.
    fn rivals(&self, kind: PieceKind, from: Square, to: Square) -> Bitboard {
        let us = self.side_to_move();
        let reach = crate::attacks::attacks(kind, us, to, self.occupied());
        (reach & self.pieces(us, kind))
            .into_iter()
            .filter(|&other| other != from && self.is_legal(Move::normal(other, to)))
            .collect()
    }
}
