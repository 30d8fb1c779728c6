//! Reading SAN tolerantly, as programs and people really write it.
//!
//! Accepted are missing or extra `x`, `+`, `#`, `=`, `-`, `e.p.` and judgements
//! such as `!?`, castling with zeros or small letters, long forms (`Ng1-f3`,
//! `e2e4`), unnecessary origins, and `P` for pawns.

use super::fen::excerpt;
use crate::attacks::{self, between, line, pawn_attacks};
use crate::board::Wing;
use crate::{Bitboard, Board, File, Move, PieceKind, Rank, Square};
use std::fmt;

/// A move in SAN, parsed but not yet resolved in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum San {
    /// Castling.
    Castling(Wing),
    /// A move of a piece to a square.
    Step {
        /// The kind of piece; not given in a move by two squares such as `g1f3`.
        kind: Option<PieceKind>,
        /// The squares from which it may come.
        from: Bitboard,
        /// The square to which it goes.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<PieceKind>,
    },
}

/// Why a text is not a legal move in SAN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not SAN.
    Malformed,
    /// No legal move fits.
    Illegal,
    /// More than one legal move fits.
    Ambiguous,
    /// A pawn reaches the last rank, and the text does not say what it becomes.
    MissingPromotion,
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SanError::Malformed => "not a move in SAN",
            SanError::Illegal => "not a legal move here",
            SanError::Ambiguous => "more than one legal move fits",
            SanError::MissingPromotion => "the promotion piece is missing",
        })
    }
}

impl std::error::Error for SanError {}

impl San {
    /// Reads one move.
    ///
    /// ```
    /// use chess::{Board, San};
    /// let board = Board::start();
    /// for text in ["Nf3", "Ng1f3", "Ng1-f3+", "g1f3", "Nf3!?"] {
    ///     let san = San::from_ascii(text.as_bytes()).unwrap();
    ///     let mv = board.resolve_san(&san).unwrap();
    ///     assert_eq!(board.san(mv).as_str(), "Nf3");
    /// }
    /// ```
    #[inline]
    pub fn from_ascii(text: &[u8]) -> Result<San, SanError> {
        let text = without_judgement(text);
        match text.first() {
            Some(b'O' | b'0' | b'o') => castling(text),
            Some(&first) => step(first, text),
            None => Err(SanError::Malformed),
        }
    }
}

/// Cuts off check signs, judgements and `e.p.` behind a move.
#[inline]
fn without_judgement(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b'+' | b'#' | b'!' | b'?'] = text {
        text = rest;
    }
    for suffix in [&b"e.p."[..], b"ep"] {
        if let Some(rest) = text.strip_suffix(suffix) {
            return rest;
        }
    }
    text
}

/// Reads two or three castling letters, with or without hyphens between them.
fn castling(text: &[u8]) -> Result<San, SanError> {
    let is_king = |byte: &u8| matches!(byte, b'O' | b'0' | b'o');
    let is_bare = text.iter().all(is_king);
    let is_hyphenated = text.iter().enumerate().all(|(index, byte)| {
        if index % 2 == 0 {
            is_king(byte)
        } else {
            *byte == b'-'
        }
    });
    match text.len() {
        2 if is_bare => Ok(San::Castling(Wing::King)),
        3 if is_bare => Ok(San::Castling(Wing::Queen)),
        3 if is_hyphenated => Ok(San::Castling(Wing::King)),
        5 if is_hyphenated => Ok(San::Castling(Wing::Queen)),
        _ => Err(SanError::Malformed),
    }
}

/// Reads from the end: promotion, target, then the origin, if any.
#[inline]
fn step(first: u8, text: &[u8]) -> Result<San, SanError> {
    let named = match first {
        b'N' | b'B' | b'R' | b'Q' | b'K' | b'P' => PieceKind::from_letter(first),
        _ => None,
    };
    let text = if named.is_some() { &text[1..] } else { text };
    let (text, promotion) = split_promotion(text);
    let &[ref origin @ .., file, rank] = text else {
        return Err(SanError::Malformed);
    };
    let to = target(file, rank)?;
    let (from, is_square) = read_origin(origin)?;
    let kind = if named.is_none() && is_square && promotion.is_none() {
        None
    } else {
        Some(named.unwrap_or(PieceKind::Pawn))
    };
    Ok(San::Step {
        kind,
        from,
        to,
        promotion,
    })
}

#[inline]
fn target(file: u8, rank: u8) -> Result<Square, SanError> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    if file < 8 && rank < 8 {
        Ok(Square::from_index(rank * 8 + file))
    } else {
        Err(SanError::Malformed)
    }
}

/// Cuts a promotion off the end: `=Q`, `Q`, `(Q)` or `/Q`, the letter in either case.
#[inline]
fn split_promotion(text: &[u8]) -> (&[u8], Option<PieceKind>) {
    // The common case first: a move ends with its rank.
    if matches!(text.last(), Some(b'1'..=b'8')) {
        return (text, None);
    }
    let inner = text.strip_suffix(b")").unwrap_or(text);
    if let [rest @ .., letter] = inner
        && let Some(kind) = PieceKind::from_letter(*letter)
        && PieceKind::PROMOTIONS.contains(&kind)
    {
        let rest = match rest {
            [before @ .., b'=' | b'(' | b'/'] => before,
            _ => rest,
        };
        return (rest, Some(kind));
    }
    (text, None)
}

/// The squares that an origin allows, and whether it names one single square.
#[inline]
fn read_origin(origin: &[u8]) -> Result<(Bitboard, bool), SanError> {
    let mut from = Bitboard::ALL;
    let (mut has_file, mut has_rank) = (false, false);
    for &byte in origin {
        match byte {
            b'a'..=b'h' if !has_file && !has_rank => {
                from &= Bitboard::file(File::from_index(byte - b'a'));
                has_file = true;
            }
            b'1'..=b'8' if !has_rank => {
                from &= Bitboard::rank(Rank::from_index(byte - b'1'));
                has_rank = true;
            }
            b'x' | b':' | b'-' => {}
            _ => return Err(SanError::Malformed),
        }
    }
    Ok((from, has_file && has_rank))
}

impl Board {
    /// The one legal move that fits.
    #[inline]
    pub fn resolve_san(&self, san: &San) -> Result<Move, SanError> {
        match *san {
            San::Castling(wing) => self.resolve_castling(wing),
            San::Step {
                kind: Some(PieceKind::Pawn),
                from,
                to,
                promotion,
            } => self.resolve_pawn(from, to, promotion),
            San::Step {
                kind: Some(kind),
                from,
                to,
                promotion: None,
            } => self.resolve_piece(kind, from, to),
            San::Step {
                kind: None,
                from,
                to,
                promotion: None,
            } => self.resolve_squares(from.first(), to),
            San::Step { .. } => Err(SanError::Illegal),
        }
    }

    /// Reads one move and resolves it in this position. The plain forms, which
    /// most moves have, take a shorter path: replaying millions of games needs it.
    #[inline]
    pub fn resolve_ascii(&self, text: &[u8]) -> Result<Move, SanError> {
        let plain = match text {
            [rest @ .., b'+' | b'#'] => rest,
            _ => text,
        };
        match self.resolve_plain(plain) {
            Some(mv) => Ok(mv),
            None => San::from_ascii(text).and_then(|san| self.resolve_san(&san)),
        }
    }

    /// Resolves `Nf3`, `Nxf3` and `e4`; `None` for all other forms and for illegal moves.
    #[inline(always)]
    fn resolve_plain(&self, text: &[u8]) -> Option<Move> {
        let (first, to) = match text {
            &[first, file, rank] | &[first, b'x', file, rank] => (first, target(file, rank).ok()?),
            &[file, rank] => {
                let to = target(file, rank).ok()?;
                let is_push = !self.occupied().contains(to)
                    && self.en_passant() != Some(to)
                    && !matches!(to.rank(), Rank::First | Rank::Eighth);
                return is_push
                    .then(|| self.resolve_pawn(Bitboard::ALL, to, None).ok())
                    .flatten();
            }
            _ => return None,
        };
        // The kind is a constant in each arm, so that its attacks need no further branch.
        let found = match first {
            b'N' => self.resolve_piece(PieceKind::Knight, Bitboard::ALL, to),
            b'B' => self.resolve_piece(PieceKind::Bishop, Bitboard::ALL, to),
            b'R' => self.resolve_piece(PieceKind::Rook, Bitboard::ALL, to),
            b'Q' => self.resolve_piece(PieceKind::Queen, Bitboard::ALL, to),
            b'K' => self.resolve_piece(PieceKind::King, Bitboard::ALL, to),
            _ => return None,
        };
        found.ok()
    }

    /// Reads one move in SAN; the error says what is wrong with which text.
    pub fn parse_san(&self, text: &str) -> Result<Move, String> {
        San::from_ascii(text.as_bytes())
            .and_then(|san| self.resolve_san(&san))
            .map_err(|error| format!("'{}': {error}", excerpt(text)))
    }

    fn resolve_castling(&self, wing: Wing) -> Result<Move, SanError> {
        let us = self.side_to_move();
        let king = self.king(us);
        self.castling()
            .rook(us, wing, king)
            .map(|rook| Move::castling(king, rook))
            .filter(|&mv| self.is_legal(mv))
            .ok_or(SanError::Illegal)
    }

    #[inline(always)]
    fn resolve_piece(&self, kind: PieceKind, from: Bitboard, to: Square) -> Result<Move, SanError> {
        let us = self.side_to_move();
        if self.color(us).contains(to) {
            return Err(SanError::Illegal);
        }
        // A piece attacks as it moves: from the target its attacks reach the men that can go there.
        let reach = attacks::attacks(kind, us, to, self.occupied());
        let mut candidates = reach & self.pieces(us, kind) & from;
        if kind == PieceKind::King {
            let attacked = self.attackers_to(to, self.occupied() ^ candidates);
            if attacked.meets(self.color(!us)) {
                return Err(SanError::Illegal);
            }
        } else {
            candidates = self.keep_legal(candidates, to);
        }
        match candidates {
            none if none.is_empty() => Err(SanError::Illegal),
            many if many.several() => Err(SanError::Ambiguous),
            one => Ok(Move::normal(one.first(), to)),
        }
    }

    /// Of the men that reach `to`, those that may go there despite pins and checks.
    #[inline]
    fn keep_legal(&self, men: Bitboard, to: Square) -> Bitboard {
        let king = self.king(self.side_to_move());
        let mut legal = men;
        for pinned in men & self.pinned() {
            if !line(king, pinned).contains(to) {
                legal ^= pinned.into();
            }
        }
        if self.in_check() {
            let checkers = self.checkers();
            let answers = between(king, checkers.first()) | checkers;
            if checkers.several() || !answers.contains(to) {
                return Bitboard::EMPTY;
            }
        }
        legal
    }

    #[inline]
    fn resolve_pawn(
        &self,
        from: Bitboard,
        to: Square,
        promotion: Option<PieceKind>,
    ) -> Result<Move, SanError> {
        let us = self.side_to_move();
        let pawns = self.pieces(us, PieceKind::Pawn);
        let target = Bitboard::from(to);
        if self.en_passant() == Some(to) {
            let capturers = pawns & from & pawn_attacks(!us, to);
            if let Some(mv) = self.resolve_en_passant(capturers, to)? {
                return promotion.map_or(Ok(mv), |_| Err(SanError::Illegal));
            }
        }
        let origins = if self.color(!us).contains(to) {
            pawns & pawn_attacks(!us, to)
        } else if self.occupied().contains(to) {
            Bitboard::EMPTY
        } else {
            self.pushers(pawns, target)
        };
        let legal = self.keep_legal(origins & from, to);
        if legal.is_empty() {
            return Err(SanError::Illegal);
        }
        if legal.several() {
            return Err(SanError::Ambiguous);
        }
        let last = to.rank().relative_to(us) == Rank::Eighth;
        match promotion {
            Some(kind) if last => Ok(Move::promotion(legal.first(), to, kind)),
            None if !last => Ok(Move::normal(legal.first(), to)),
            Some(_) => Err(SanError::Illegal),
            None => Err(SanError::MissingPromotion),
        }
    }

    /// The pawn that could step one or two squares to an empty target.
    #[inline]
    fn pushers(&self, pawns: Bitboard, target: Bitboard) -> Bitboard {
        let us = self.side_to_move();
        let behind = target.forward(!us);
        if behind.meets(pawns) {
            return behind & pawns;
        }
        let second = Bitboard::rank(Rank::Second.relative_to(us));
        if behind.meets(self.occupied()) {
            Bitboard::EMPTY
        } else {
            behind.forward(!us) & pawns & second
        }
    }

    fn resolve_en_passant(
        &self,
        capturers: Bitboard,
        to: Square,
    ) -> Result<Option<Move>, SanError> {
        let mut legal = capturers
            .into_iter()
            .map(|from| Move::en_passant(from, to))
            .filter(|&mv| self.is_legal(mv));
        match (legal.next(), legal.next()) {
            (Some(_), Some(_)) => Err(SanError::Ambiguous),
            (found, _) => Ok(found),
        }
    }

    fn resolve_squares(&self, from: Square, to: Square) -> Result<Move, SanError> {
        match self.move_of_squares(from, to, None) {
            Some(mv) => Ok(mv),
            None if self.is_legal_promotion(from, to) => Err(SanError::MissingPromotion),
            None => Err(SanError::Illegal),
        }
    }
}
