//! Pictures of sequence models: the embeddings of men, the weights of moves, and the
//! attention biases by distance.

use super::{Sheet, WeightBoard, board_of, is_impossible, man_of, men, sheet, size};
use crate::sequence::vocabulary::{self, MOVES};
use crate::sequence::{SequenceShape, SequenceWeights, View};
use chess::{Piece, Square};

const MEN: &str = "men";
const NEURONS: &str = "neurons";
const MOVED: &str = "moves";
const DISTANCES: &str = "distances";
/// How many distances are drawn: further back little changes.
const SHOWN: usize = 64;

pub(super) fn sheets(weights: &SequenceWeights) -> Vec<Sheet> {
    vec![
        sheet(
            MEN,
            "the norm of the embedding of each man on each square: large where its square matters \
             to the model",
            "model",
            1,
        ),
        sheet(
            NEURONS,
            "one component of the embedding of each man on each square",
            "neuron",
            weights.man_width(),
        ),
        sheet(
            MOVED,
            "parameters of moves, by origin or target square: the bias (how often they are \
             played), and the norms of their output embedding and of their embedding as the last \
             move",
            "model",
            1,
        ),
        sheet(
            DISTANCES,
            "the attention bias of each head of one layer (a row, the first one at the bottom) by \
             distance: the current position on the left, one ply further back with each column",
            "layer",
            weights.shape().layers,
        ),
    ]
}

pub(super) fn boards(
    weights: &SequenceWeights,
    sheet: &str,
    set: usize,
) -> Option<Vec<WeightBoard>> {
    Some(match sheet {
        MEN => of_men(weights, |row| size(row.iter().copied())),
        NEURONS => of_men(weights, |row| f64::from(row[set])),
        MOVED => of_moves(weights),
        DISTANCES => vec![distances(weights, set)],
        _ => return None,
    })
}

fn name(shape: &SequenceShape, man: Piece) -> String {
    let owners = match shape.view {
        View::White => ["White's", "Black's"],
        View::Mover => ["own", "enemy"],
    };
    man_of(owners[man.color.index()], man.kind)
}

/// A board for each man, with a number computed from its embedding on each square.
fn of_men(weights: &SequenceWeights, number: impl Fn(&[f32]) -> f64) -> Vec<WeightBoard> {
    let boards = men().map(|man| {
        board_of(name(weights.shape(), man), |square| {
            let row = weights.man(man, square);
            (!is_impossible(man.kind, square)).then(|| number(&row))
        })
    });
    boards.collect()
}

/// Boards of three numbers of moves, each averaged over all moves from or to a square.
fn of_moves(weights: &SequenceWeights) -> Vec<WeightBoard> {
    let policy = |number: u16| size(weights.policy(number).iter().copied());
    let previous = |number: u16| size(weights.previous(number).iter().copied());
    let bias = |number: u16| f64::from(weights.policy_bias(number));
    let kinds: [(&str, &dyn Fn(u16) -> f64); 3] = [
        ("bias", &bias),
        ("recognised", &policy),
        ("remembered", &previous),
    ];
    let mut boards = Vec::new();
    for (kind, number) in kinds {
        let numbers: Vec<f64> = (0..MOVES as u16).map(number).collect();
        for (end, word) in ["from", "to"].into_iter().enumerate() {
            boards.push(board_of(format!("{kind}, {word}"), |square| {
                mean_of(&numbers, |move_| [move_.0, move_.1][end] == square)
            }));
        }
    }
    boards
}

/// The mean of the numbers of those moves that `is_meant` selects.
fn mean_of(numbers: &[f64], is_meant: impl Fn((Square, Square)) -> bool) -> Option<f64> {
    let meant =
        (0..MOVES as u16).filter(|&number| vocabulary::squares(number).is_some_and(&is_meant));
    let (sum, count) = meant.fold((0.0, 0_usize), |(sum, count), number| {
        (sum + numbers[usize::from(number)], count + 1)
    });
    (count > 0).then(|| sum / count as f64)
}

fn distances(weights: &SequenceWeights, layer: usize) -> WeightBoard {
    let heads = weights.distances(layer);
    let shown = heads.flat_map(|head| head.iter().take(SHOWN));
    WeightBoard {
        title: format!("layer {}", layer + 1),
        columns: SHOWN,
        numbers: shown.map(|&number| Some(f64::from(number))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::BoardInput;
    use chess::{Color, PieceKind};

    fn weights(board: BoardInput) -> SequenceWeights {
        let shape = SequenceShape {
            width: 16,
            layers: 2,
            heads: 2,
            board,
            ..SequenceShape::named("tiny").expect("a name")
        };
        SequenceWeights::zeros(shape).expect("a model")
    }

    /// Changes the tensor of this name.
    fn change(weights: &mut SequenceWeights, name: &str, change: impl FnOnce(&mut [f32])) {
        let shapes = weights.shape().tensors();
        let at = shapes.iter().position(|tensor| tensor.name == name);
        let tensor = weights.tensors_mut().nth(at.expect("a tensor"));
        change(tensor.expect("a tensor"));
    }

    #[test]
    fn a_man_is_found_on_its_square_however_the_board_is_seen() {
        let knight = Piece::new(Color::Black, PieceKind::Knight);
        let c3 = Square::from_index(18);
        // After the row of the start.
        for (input, rows, expected) in [
            (BoardInput::Joint, vec![1 + 7 * 64 + 18], 8.0),
            (
                BoardInput::JointAttacks,
                vec![1 + (7 * 64 + 18) * 4 + 2],
                2.0,
            ),
            (BoardInput::Additive, vec![1 + 7, 1 + 13 + 18], 16.0),
        ] {
            let mut weights = weights(input);
            change(&mut weights, "events", |events| {
                for row in rows {
                    events[row * 16 + 5] = 8.0;
                }
            });
            let boards = boards(&weights, NEURONS, 5).expect("boards");
            assert_eq!(boards[7].title, "enemy knight");
            assert_eq!(boards[7].numbers[c3.index()], Some(expected), "{input:?}");
            assert_eq!(weights.man(knight, c3)[4], 0.0);
            assert_eq!(boards[0].numbers[0], None, "no pawn on a1");
            let sizes = super::boards(&weights, MEN, 0).expect("boards");
            assert_eq!(sizes[7].numbers[c3.index()], Some(expected / 4.0));
        }
    }

    #[test]
    fn squares_that_attend_to_each_other_have_rows_of_their_own() {
        let mut weights = weights(BoardInput::SquareAttention);
        change(&mut weights, "squares", |squares| {
            squares[(7 * 64 + 18) * 64 + 63] = 8.0;
        });
        let neurons = sheets(&weights).into_iter().find(|it| it.name == NEURONS);
        assert_eq!(neurons.map(|sheet| sheet.sets), Some(64));
        let knight = &boards(&weights, NEURONS, 63).expect("boards")[7];
        assert_eq!(
            (knight.numbers[18], knight.numbers[19]),
            (Some(8.0), Some(0.0))
        );
        assert_eq!(weights.previous(7).len(), 16);
    }

    #[test]
    fn moves_are_shown_where_they_begin_and_end() {
        let mut weights = weights(BoardInput::Joint);
        let number = |text: &str| {
            let mut all = 0..MOVES as u16;
            all.find(|&number| vocabulary::text(number) == text)
                .expect("a move")
        };
        change(&mut weights, "policy_bias", |bias| {
            bias[usize::from(number("a1h8"))] = 21.0;
        });
        let boards = boards(&weights, MOVED, 0).expect("boards");
        let titles: Vec<&str> = boards.iter().map(|board| board.title.as_str()).collect();
        assert_eq!(titles[..2], ["bias, from", "bias, to"]);
        assert_eq!(boards.len(), 6);
        // 21 moves of a queen and 2 of a knight begin on a1; on h8 8 promotions end, too.
        assert_eq!(boards[0].numbers[0], Some(21.0 / 23.0));
        assert_eq!(boards[1].numbers[63], Some(21.0 / 31.0));
        assert_eq!(boards[0].numbers[63], Some(0.0));
    }

    #[test]
    fn distances_are_a_row_for_each_head() {
        let mut weights = weights(BoardInput::Joint);
        change(&mut weights, "layer.1.distance", |distance| {
            distance[256 + 3] = 1.5
        });
        let boards = boards(&weights, DISTANCES, 1).expect("boards");
        assert_eq!((boards[0].columns, boards[0].numbers.len()), (64, 128));
        assert_eq!(boards[0].numbers[64 + 3], Some(1.5));
        assert_eq!(super::boards(&weights, "planes", 0), None);
    }
}
