//! Pawns in front of the king: own pawns that shelter it, enemy pawns that storm it.

use crate::classical::masks;
use crate::classical::score::Score;
use crate::classical::terms;
use crate::classical::weights::Weights;
use chess::{Bitboard, Board, Color, File, PieceKind, Rank, Square, Wing};

/// More than any distance to a pawn.
const NO_PAWN: i32 = 8;

/// How well a king is sheltered by pawns.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shelter {
    pawns: Score,
    distance: Score,
}

impl Shelter {
    /// The opening value of the pawns, which also reduces the danger.
    #[inline(always)]
    pub(crate) fn opening(self) -> i32 {
        self.pawns.opening()
    }

    /// The value, with the penalty for being far from the own pawns.
    #[inline(always)]
    pub(crate) fn total(self) -> Score {
        self.pawns + self.distance
    }
}

/// The shelter where the king stands, or where it may still castle to, if that is better.
pub(crate) fn shelter_of(board: &Board, color: Color, weights: &Weights) -> Shelter {
    let king = board.king(color);
    let mut pawns = shelter_at(board, color, king, weights);
    for wing in Wing::ALL {
        if board.castling().rook(color, wing, king).is_some() {
            let castled = Square::new(wing.king_file(), king.rank());
            let there = shelter_at(board, color, castled, weights);
            if there.opening() > pawns.opening() {
                pawns = there;
            }
        }
    }
    let own = board.pieces(color, PieceKind::Pawn);
    let nearest = own
        .into_iter()
        .map(|pawn| masks::distance(king, pawn))
        .min()
        .unwrap_or(NO_PAWN);
    let distance = if nearest == NO_PAWN { 0 } else { nearest };
    Shelter {
        pawns,
        distance: weights.parameters.king.pawn_distance * distance,
    }
}

fn shelter_at(board: &Board, color: Color, king: Square, weights: &Weights) -> Score {
    let parameters = &weights.parameters.king;
    let behind = masks::ranks_ahead(!color, king);
    let own = board.pieces(color, PieceKind::Pawn).without(behind);
    let enemy = board.pieces(!color, PieceKind::Pawn).without(behind);
    let middle = masks::inner(king.file() as u8);
    let mut score = Score::ZERO;
    for file in middle - 1..=middle + 1 {
        let edge = terms::fold_file(file as usize);
        let file = Bitboard::file(File::from_index(file));
        let ours = nearest_rank(color, own & file);
        let theirs = nearest_rank(color, enemy & file);
        score += Score::new(parameters.shelter[edge][ours], 0);
        if ours != 0 && theirs == ours + 1 {
            score += parameters.blocked_storm[theirs];
        } else {
            score += Score::new(parameters.storm[edge][theirs], 0);
        }
    }
    score
}

/// The rank of the pawn nearest to a side's own back rank; 0, where no pawn can stand,
/// if there is none.
fn nearest_rank(color: Color, pawns: Bitboard) -> usize {
    if pawns.is_empty() {
        return Rank::First.index();
    }
    let nearest = match color {
        Color::White => pawns.first(),
        Color::Black => pawns.last(),
    };
    masks::relative_rank(color, nearest)
}
