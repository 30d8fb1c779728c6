//! What White's men are worth to a model on the squares that are free in the starting
//! position.

use super::{WeightBoard, board_of, is_impossible, title};
use crate::nnue::Net;
use crate::policy::{PolicyValue, Wanted};
use chess::{Board, BoardBuilder, Color, File, Line, Piece, PieceKind, Square};

pub(super) const IN_PAWNS: &str = "the contribution of a man on each square to the value, in the \
    start position, compared with removing it, in centipawns";
pub(super) const IN_POINTS: &str = "the contribution of a man on each square to White's expected \
    score, in the start position, compared with removing it, in percent";

/// The men that are placed on other squares, and the squares from which they are taken.
const MOVED: [(PieceKind, &str); 5] = [
    (PieceKind::Pawn, "e2"),
    (PieceKind::Knight, "b1"),
    (PieceKind::Bishop, "c1"),
    (PieceKind::Rook, "a1"),
    (PieceKind::Queen, "d1"),
];

type Men = Vec<(Piece, Square)>;

/// A board for each kind of man: `value` with it minus `value` without it. `value` returns
/// `None` for an invalid position.
fn boards(mut value: impl FnMut(&Men) -> Option<f64>) -> Vec<WeightBoard> {
    let start = Board::start();
    let boards = MOVED.into_iter().map(|(kind, home)| {
        let man = Piece::new(Color::White, kind);
        let others: Men = Square::all()
            .filter(|square| square.to_string() != home)
            .filter_map(|square| Some((start.piece_at(square)?, square)))
            .collect();
        let without = value(&others);
        let numbers: Vec<Option<f64>> = Square::all()
            .map(|square| {
                let is_taken = others.iter().any(|(_, taken)| *taken == square);
                if is_taken || is_impossible(kind, square) {
                    return None;
                }
                let men = [&others[..], &[(man, square)]].concat();
                Some(value(&men)? - without?)
            })
            .collect();
        board_of(title(man), |square| numbers[square.index()])
    });
    boards.collect()
}

/// The boards of a net, in centipawns.
pub(super) fn of_net(net: &Net) -> Vec<WeightBoard> {
    let unit = match net {
        Net::Sfnn(_) => 3.61,
        Net::Simple(_) => 1.0,
    };
    boards(|men| Some(f64::from(net.value_of(men, Color::White)) / unit))
}

/// The boards of a policy-value model, in percent of the expected score.
pub(super) fn of_chances(model: &mut dyn PolicyValue) -> Vec<WeightBoard> {
    boards(|men| {
        let board = position(men)?;
        let moves = board.legal_moves();
        if moves.is_empty() {
            return None;
        }
        model.put(&Line::new(board), Wanted::Both(&moves));
        model.run();
        Some(50.0 * f64::from(model.chances(0).value()))
    })
}

/// The position of these men with White to move; `None` if Black's king could be captured.
fn position(men: &Men) -> Option<Board> {
    let mut builder = BoardBuilder::new();
    for &(man, square) in men {
        builder.pieces[square.index()] = Some(man);
    }
    // `build` drops the right of a missing rook.
    let rooks = |color| [(color, File::A), (color, File::H)];
    builder.castling = Color::ALL.into_iter().flat_map(rooks).collect();
    builder.build().ok().map(|(board, _)| board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    #[test]
    fn a_queen_is_worth_more_than_a_pawn_and_gives_no_impossible_check() {
        let boards = of_chances(&mut *Model::classical().policy_value());
        let titles: Vec<&str> = boards.iter().map(|board| board.title.as_str()).collect();
        assert_eq!(titles[0], "own pawn");
        assert_eq!(titles[4], "own queen");
        let at = |board: usize, name: &str| {
            let square = Square::all().find(|square| square.to_string() == name);
            boards[board].numbers[square.expect("a square").index()]
        };
        assert!(
            at(4, "d1") > at(0, "e2"),
            "{:?} {:?}",
            at(4, "d1"),
            at(0, "e2")
        );
        assert_eq!(at(0, "e1"), None);
        // A knight on d6 would check the king while it is White's turn.
        assert_eq!(at(1, "d6"), None);
        assert!(at(1, "c3").is_some());
    }
}
