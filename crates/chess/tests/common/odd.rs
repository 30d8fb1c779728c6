//! Positions that no game reaches but that the rules accept: any men anywhere.

use super::Random;
use chess::{Board, BoardBuilder, Color, File, Piece, PieceKind, Rank, Square};

/// The sets from which the kinds of a side's men are drawn.
const ARMIES: [&[PieceKind]; 6] = [
    &[
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
    ],
    &[PieceKind::Pawn, PieceKind::Pawn, PieceKind::Rook],
    &[PieceKind::Knight, PieceKind::Bishop, PieceKind::Pawn],
    &[PieceKind::Rook, PieceKind::Pawn],
    &[PieceKind::Queen],
    &[PieceKind::Bishop, PieceKind::Queen, PieceKind::Pawn],
];

/// A board from random placement, up to 16 men a side.
pub(crate) fn odd_board(random: &mut Random) -> Board {
    loop {
        if let Some(board) = try_board(random) {
            return board;
        }
    }
}

fn try_board(random: &mut Random) -> Option<Board> {
    let mut builder = BoardBuilder::new();
    for color in Color::ALL {
        place_king(&mut builder, color, random);
    }
    builder.side_to_move = *random.pick(&Color::ALL);
    let pawns = if random.chance(25) {
        place_passing_pair(&mut builder, random)
    } else {
        0
    };
    // Castling needs room.
    let is_roomy = random.chance(40);
    for color in Color::ALL {
        let army = *random.pick(&ARMIES);
        // All men are used seldom, because then a king is nearly always in check.
        let men = if random.chance(20) {
            15 - pawns
        } else {
            random.below(12)
        };
        for _ in 0..men {
            let piece = Piece::new(color, *random.pick(army));
            place(&mut builder, piece, is_roomy, random);
        }
    }
    builder.castling = random_rights(&builder, random);
    builder.en_passant = random_passed_square(&builder, random);
    builder.halfmove_clock = random.below(110) as u16;
    builder.fullmove_number = 1 + random.below(300) as u16;
    builder.build().ok().map(|(board, _)| board)
}

/// Places a pawn after its double step with an enemy pawn beside it. Returns how many
/// pawns each side has got.
fn place_passing_pair(builder: &mut BoardBuilder, random: &mut Random) -> usize {
    let us = builder.side_to_move;
    let file = 1 + random.below(6) as u8;
    let beside = if random.chance(50) {
        file - 1
    } else {
        file + 1
    };
    let squares = [(us, beside), (!us, file)].map(|(color, file)| {
        (
            color,
            Square::new(File::from_index(file), Rank::Fifth.relative_to(us)),
        )
    });
    if squares
        .iter()
        .any(|(_, square)| builder.pieces[square.index()].is_some())
    {
        return 0;
    }
    for (color, square) in squares {
        builder.pieces[square.index()] = Some(Piece::new(color, PieceKind::Pawn));
    }
    1
}

/// Half of the kings stand on their back rank, where they may castle.
fn place_king(builder: &mut BoardBuilder, color: Color, random: &mut Random) {
    let king = Piece::new(color, PieceKind::King);
    if random.chance(50) {
        let square = Square::new(
            File::from_index(1 + random.below(6) as u8),
            Rank::First.relative_to(color),
        );
        if builder.pieces[square.index()].is_none() {
            builder.pieces[square.index()] = Some(king);
            return;
        }
    }
    place(builder, king, false, random);
}

fn place(builder: &mut BoardBuilder, piece: Piece, is_roomy: bool, random: &mut Random) {
    loop {
        let back_rank = Rank::First.relative_to(piece.color).index() * 8;
        let index = match piece.kind {
            PieceKind::Rook if random.chance(40) => back_rank + random.below(8),
            PieceKind::Pawn => 8 + random.below(48),
            _ if is_roomy => 8 + random.below(48),
            _ => random.below(64),
        };
        if builder.pieces[index].is_none() {
            builder.pieces[index] = Some(piece);
            return;
        }
    }
}

/// Most rooks on the king's back rank get the right; the builder drops what
/// does not fit.
fn random_rights(builder: &BoardBuilder, random: &mut Random) -> Vec<(Color, File)> {
    let mut rights = Vec::new();
    for color in Color::ALL {
        for file in File::ALL {
            let square = Square::new(file, Rank::First.relative_to(color));
            let rook = Piece::new(color, PieceKind::Rook);
            if builder.pieces[square.index()] == Some(rook) && random.chance(80) {
                rights.push((color, file));
            }
        }
    }
    // Which rook of a wing comes first, and so stays, should vary.
    if random.chance(50) {
        rights.reverse();
    }
    rights
}

/// A square behind a pawn that may have made a double step, if there is one.
fn random_passed_square(builder: &BoardBuilder, random: &mut Random) -> Option<Square> {
    let them = !builder.side_to_move;
    let at = |file, rank: Rank| {
        let square = Square::new(file, rank.relative_to(them));
        (square, builder.pieces[square.index()])
    };
    let candidates: Vec<Square> = File::ALL
        .into_iter()
        .filter(|&file| {
            at(file, Rank::Fourth).1 == Some(Piece::new(them, PieceKind::Pawn))
                && at(file, Rank::Third).1.is_none()
                && at(file, Rank::Second).1.is_none()
        })
        .map(|file| at(file, Rank::Third).0)
        .collect();
    (!candidates.is_empty() && random.chance(90)).then(|| *random.pick(&candidates))
}
