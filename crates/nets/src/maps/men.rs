//! What each man of a position contributes to the value, by asking a model about the position
//! without it. It must not know how that is drawn.

use crate::classical::{self, Groups};
use crate::model::Model;
use crate::policy::{PolicyValue, Wanted};
use chess::{Board, Color, Line, Piece, PieceKind, Square};

/// A man of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contribution {
    /// Where it stands.
    pub square: Square,
    /// What it is.
    pub piece: Piece,
    /// What it adds for White.
    pub amount: f64,
}

impl Model {
    /// Whether it values positions in pawns; other models give the chances of a game.
    pub fn is_in_pawns(&self) -> bool {
        matches!(
            self,
            Model::Classical(_) | Model::Nnue(_) | Model::NTuple(_)
        )
    }

    /// What each man but the kings contributes for White: in pawns, or in percent of a game. A
    /// man without whom there is no position that can go on is left out.
    pub fn contributions(&self, board: &Board) -> Vec<Contribution> {
        let pawns = |value: i32| f64::from(value) / 100.0;
        match self {
            Model::Nnue(file) => {
                let explained = file.net.explain(board);
                let pawn = f64::from(explained.pawn);
                let men = explained.men.into_iter();
                men.map(|(square, piece, units)| Contribution {
                    square,
                    piece,
                    amount: f64::from(units) / pawn,
                })
                .collect()
            }
            Model::Classical(file) => differences(board, &mut |boards| {
                let value = |board| classical::explain(board, &file.weights, Groups::default());
                boards
                    .iter()
                    .map(|board| pawns(value(board).value))
                    .collect()
            }),
            Model::NTuple(file) => differences(board, &mut |boards| {
                let value = |board| file.network.explain(board).groups.value;
                boards.iter().map(|board| pawns(value(board))).collect()
            }),
            _ => {
                let mut model = self.policy_value();
                differences(board, &mut |boards| points(&mut *model, boards))
            }
        }
    }
}

/// The value of a board less those of the boards without each of its men. `values` judges
/// boards for White.
fn differences(board: &Board, values: &mut dyn FnMut(&[Board]) -> Vec<f64>) -> Vec<Contribution> {
    let men = Square::all().filter_map(|square| Some((square, board.piece_at(square)?)));
    let men = men.filter(|(_, piece)| piece.kind != PieceKind::King);
    let left = men.filter_map(|(square, piece)| Some((square, piece, without(board, square)?)));
    let left: Vec<(Square, Piece, Board)> = left.collect();
    let mut boards = vec![*board];
    boards.extend(left.iter().map(|(.., board)| *board));
    if board.legal_moves().is_empty() {
        return Vec::new();
    }
    let values = values(&boards);
    let Some((&whole, others)) = values.split_first() else {
        return Vec::new();
    };
    let each = left.iter().zip(others);
    each.map(|(&(square, piece, _), other)| Contribution {
        square,
        piece,
        amount: whole - other,
    })
    .collect()
}

/// The board without a man; nothing if it is no position with moves.
fn without(board: &Board, square: Square) -> Option<Board> {
    let fen = board.fen();
    let (_, rest) = fen.split_once(' ')?;
    let rank = |rank: usize| -> String {
        let squares = Square::all().skip(8 * rank).take(8);
        let letter = |own: Square| match board.piece_at(own) {
            Some(piece) if own != square => piece.letter(),
            _ => '1',
        };
        squares.map(letter).collect()
    };
    let ranks: Vec<String> = (0..8).rev().map(rank).collect();
    let board = Board::from_fen(&format!("{} {rest}", ranks.join("/"))).ok()?;
    (!board.legal_moves().is_empty()).then_some(board)
}

/// In percent of a game for White.
fn points(model: &mut dyn PolicyValue, boards: &[Board]) -> Vec<f64> {
    let mut points = Vec::with_capacity(boards.len());
    for batch in boards.chunks(model.capacity().max(1)) {
        for board in batch {
            model.put(&Line::new(*board), Wanted::Both(&board.legal_moves()));
        }
        model.run();
        points.extend(batch.iter().enumerate().map(|(number, board)| {
            let value = 50.0 * f64::from(model.chances(number).value());
            match board.side_to_move() {
                Color::White => value,
                Color::Black => -value,
            }
        }));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(model: &Model, fen: &str) -> Vec<(String, f64)> {
        let board = Board::from_fen(fen).expect("a position");
        let men = model.contributions(&board).into_iter();
        men.map(|man| (man.square.to_string(), man.amount))
            .collect()
    }

    #[test]
    fn a_queen_contributes_to_her_own_side() {
        let models = [
            Model::classical(),
            Model::Heuristic,
            Model::default(),
            Model::default_of_tree_search(),
        ];
        for model in models {
            for turn in ["w", "b"] {
                let fen = format!("3qk3/4p3/8/8/8/8/4P3/3QK3 {turn} - - 0 1");
                let men = of(&model, &fen);
                let amount = |name: &str| {
                    let man = men.iter().find(|(square, _)| square == name);
                    man.expect("a man").1
                };
                assert_eq!(men.len(), 4, "{}", model.name());
                assert!(amount("d1") > amount("e2"), "{} {men:?}", model.name());
                assert!(amount("d8") < amount("e7"), "{} {men:?}", model.name());
            }
        }
    }

    #[test]
    fn a_man_without_whom_there_is_no_position_is_left_out() {
        let model = Model::classical();
        // The bishop shields Black's king while White moves.
        let men = of(&model, "4k3/4b3/8/8/8/8/4R3/4K3 w - - 0 1");
        assert_eq!(
            men.iter().map(|(square, _)| &**square).collect::<Vec<_>>(),
            ["e2"]
        );
        assert!(of(&model, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").is_empty());
    }
}
