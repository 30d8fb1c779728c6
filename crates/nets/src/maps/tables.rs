//! Pictures of weights for each man on each square: the first layer of nets, piece-square
//! tables and tuple tables.

use super::{WeightBoard, board_of, is_impossible, men, title};
use crate::classical::{FEATURES, Weights, feature_name};
use crate::nnue::Transformer;
use crate::ntuple::NTupleWeights;
use chess::{Color, PieceKind, Square};

/// The weights of a neuron, for a side whose king stands on g1.
pub(super) fn neuron(transformer: &Transformer, number: usize) -> Vec<WeightBoard> {
    let king = Square::from_index(6);
    let view = transformer.inputs().view(Color::White, king);
    men()
        .map(|man| {
            board_of(title(man), |square| {
                let weight = transformer.row(view.feature(man, square))[number];
                (!is_impossible(man.kind, square)).then(|| f64::from(weight))
            })
        })
        .collect()
}

/// Piece-square tables of the opening and the endgame.
pub(super) fn piece_squares(weights: &Weights) -> Vec<WeightBoard> {
    let mut boards = Vec::new();
    for kind in PieceKind::ALL {
        let word = format!("{kind:?}").to_lowercase();
        let first = format!("piece-squares.square.{word}.a1");
        let begin = (0..FEATURES).find(|&index| feature_name(index).as_deref() == Some(&first));
        let Some(begin) = begin else { continue };
        for (stage, name) in ["opening", "endgame"].into_iter().enumerate() {
            boards.push(board_of(format!("{word}, {name}"), |square| {
                let file = square.file().index();
                let folded = square.rank().index() * 4 + file.min(7 - file);
                let (opening, endgame) = weights.get(begin + folded);
                let weight = f64::from([opening, endgame][stage]);
                (!is_impossible(kind, square)).then_some(weight)
            }));
        }
    }
    boards
}

/// The mean weights of a table by the square of each of its men in turn.
pub(super) fn table(weights: &NTupleWeights, number: usize) -> Vec<WeightBoard> {
    let table = &weights.tables()[number];
    let tuple = table.tuple();
    let mut sums = vec![[[(0.0, 0u32); 64]; 2]; tuple.men().len()];
    for (place, weight) in table.weights().iter().enumerate() {
        for (man, square) in tuple.squares(place).into_iter().enumerate() {
            for (stage, value) in weight.iter().enumerate() {
                // A table has one half of the board; the other is its mirror image.
                for index in [square.index(), square.index() ^ 7] {
                    let (sum, count) = &mut sums[man][stage][index];
                    *sum += f64::from(*value);
                    *count += 1;
                }
            }
        }
    }
    let mut boards = Vec::new();
    for (man, stages) in sums.into_iter().enumerate() {
        for (stage, name) in ["opening", "endgame"].into_iter().enumerate() {
            let letter = tuple.men()[man].letter();
            boards.push(board_of(
                format!("{tuple}: man {} ({letter}), {name}", man + 1),
                |square| {
                    let (sum, count) = stages[stage][square.index()];
                    (count > 0).then(|| sum / f64::from(count))
                },
            ));
        }
    }
    boards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::maps::{NEURONS, SQUARES};

    #[test]
    fn piece_squares_are_boards_of_both_stages() {
        let model = Model::classical();
        let sheets = model.sheets();
        assert_eq!((sheets[0].name, sheets[0].sets), (SQUARES, 1));
        let boards = model.boards(SQUARES, 0).expect("boards");
        assert_eq!(boards.len(), 12);
        assert_eq!(boards[0].title, "pawn, opening");
        assert_eq!(boards[0].numbers[0], None);
        assert!(boards[2].numbers.iter().all(Option::is_some));
        assert_eq!(model.boards(SQUARES, 1), None);
        assert_eq!(model.boards(NEURONS, 0), None);
        assert_eq!(Model::Heuristic.sheets(), []);
    }

    #[test]
    fn a_table_is_averaged_over_the_other_men() {
        let tuples = vec!["KP".parse().expect("a tuple")];
        let mut weights = NTupleWeights::zeros(tuples).expect("tables");
        let squares = weights.tables()[0].tuple().squares(70);
        weights.tables_mut()[0].weights_mut()[70] = [126, -63];
        let boards = table(&weights, 0);
        assert_eq!(boards.len(), 4);
        let king = boards[0].numbers[squares[0].index()].expect("a number");
        assert!(king > 0.0 && king <= 126.0);
        let pawn = boards[3].numbers[squares[1].index()].expect("a number");
        assert!(pawn < 0.0);
        let elsewhere = (squares[1].index() + 8) % 64;
        assert_eq!(boards[3].numbers[elsewhere], Some(0.0));
    }
}
