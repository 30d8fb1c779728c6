//! Weights of models as boards of numbers, for pictures: what a man is worth by its square,
//! what a neuron of the first layer looks for, what tables say.
//!
//! It must not know how boards are drawn.

use crate::classical::{FEATURES, Weights, feature_name};
use crate::model::Model;
use crate::nnue::{Net, Network, Transformer};
use crate::ntuple::NTupleWeights;
use chess::{Board, Color, Piece, PieceKind, Square};

/// Boards that belong together, in several numbered sets: a set for each neuron.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// What it shows, in a word by which it is asked for.
    pub name: String,
    /// The same in a sentence for people.
    pub meaning: String,
    /// How many numbered sets there are.
    pub sets: usize,
}

/// A number for each square, the squares a1, b1 and so on.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightBoard {
    /// Which man or table it is of.
    pub title: String,
    /// The numbers; none where there is no such thing.
    pub squares: Vec<Option<f64>>,
}

const WORTH: &str = "worth";
const NEURONS: &str = "neurons";
const SQUARES: &str = "squares";
const TABLES: &str = "tables";

impl Model {
    /// The sheets that can be drawn of it; none of kinds whose first layer sees no single men.
    pub fn sheets(&self) -> Vec<Sheet> {
        let sheet = |name: &str, meaning: &str, sets: usize| Sheet {
            name: name.to_owned(),
            meaning: meaning.to_owned(),
            sets,
        };
        let neurons = |transformer: &Transformer| {
            let words = "the weights of one neuron of the first layer, for each man on each square";
            sheet(NEURONS, words, transformer.width())
        };
        let worth = "what a man adds to the value when it stands there instead of being gone, \
                     all others as at the beginning of a game, in centipawns";
        match self {
            Model::Classical(_) => vec![sheet(SQUARES, "piece-square tables, in centipawns", 1)],
            Model::Nnue(file) => vec![sheet(WORTH, worth, 1), neurons(transformer(&file.net))],
            Model::NTuple(file) => vec![
                sheet(SQUARES, "piece-square tables, in centipawns", 1),
                sheet(
                    TABLES,
                    "the mean weight of one table for each place of its men, in centipawns",
                    file.network.weights().tables().len(),
                ),
            ],
            Model::Policy(file) => vec![neurons(file.net.value().transformer())],
            Model::ResNet(_) | Model::Sequence(_) | Model::Heuristic => Vec::new(),
        }
    }

    /// The boards of a numbered set of a sheet; nothing if there is no such set.
    pub fn boards(&self, sheet: &str, set: usize) -> Option<Vec<WeightBoard>> {
        let known = self.sheets().into_iter().find(|known| known.name == sheet);
        known.filter(|known| set < known.sets)?;
        Some(match (self, sheet) {
            (Model::Nnue(file), WORTH) => worth(&file.net),
            (Model::Nnue(file), _) => neuron(transformer(&file.net), set),
            (Model::Policy(file), _) => neuron(file.net.value().transformer(), set),
            (Model::Classical(file), _) => piece_squares(&file.weights),
            (Model::NTuple(file), SQUARES) => piece_squares(file.network.classical().weights()),
            (Model::NTuple(file), _) => table(file.network.weights(), set),
            _ => return None,
        })
    }
}

fn transformer(net: &Net) -> &Transformer {
    match net {
        Net::Sfnn(net) => net.transformer(),
        Net::Simple(net) => net.transformer(),
    }
}

fn title(piece: Piece) -> String {
    let owner = match piece.color {
        Color::White => "own",
        Color::Black => "enemy",
    };
    format!("{owner} {}", format!("{:?}", piece.kind).to_lowercase())
}

fn board_of(title: String, number: impl Fn(Square) -> Option<f64>) -> WeightBoard {
    WeightBoard {
        title,
        squares: Square::all().map(number).collect(),
    }
}

/// What White's men are worth on the squares that are free at the beginning of a game.
fn worth(net: &Net) -> Vec<WeightBoard> {
    let start = Board::start();
    let kinds = [
        (PieceKind::Pawn, "e2"),
        (PieceKind::Knight, "b1"),
        (PieceKind::Bishop, "c1"),
        (PieceKind::Rook, "a1"),
        (PieceKind::Queen, "d1"),
    ];
    let boards = kinds.into_iter().map(|(kind, home)| {
        let man = Piece::new(Color::White, kind);
        let others: Vec<(Piece, Square)> = Square::all()
            .filter(|square| square.to_string() != home)
            .filter_map(|square| Some((start.piece_at(square)?, square)))
            .collect();
        let without = net.value_of(&others, Color::White);
        let unit = match net {
            Net::Sfnn(_) => 3.61,
            Net::Simple(_) => 1.0,
        };
        board_of(title(man), |square| {
            let is_taken = others.iter().any(|(_, taken)| *taken == square);
            let is_edge = [0, 7].contains(&square.rank().index());
            if is_taken || kind == PieceKind::Pawn && is_edge {
                return None;
            }
            let men = [&others[..], &[(man, square)]].concat();
            let value = net.value_of(&men, Color::White) - without;
            Some(f64::from(value) / unit)
        })
    });
    boards.collect()
}

/// The weights of a neuron, for a side whose king stands on g1.
fn neuron(transformer: &Transformer, number: usize) -> Vec<WeightBoard> {
    let king = Square::from_index(6);
    let view = transformer.inputs().view(Color::White, king);
    let men = [Color::White, Color::Black].into_iter().flat_map(|color| {
        PieceKind::ALL
            .into_iter()
            .map(move |kind| Piece::new(color, kind))
    });
    men.map(|man| {
        board_of(title(man), |square| {
            let is_impossible =
                man.kind == PieceKind::Pawn && [0, 7].contains(&square.rank().index());
            let weight = transformer.row(view.feature(man, square))[number];
            (!is_impossible).then(|| f64::from(weight))
        })
    })
    .collect()
}

/// Piece-square tables of the opening and the endgame.
fn piece_squares(weights: &Weights) -> Vec<WeightBoard> {
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
                let is_impossible =
                    kind == PieceKind::Pawn && [0, 7].contains(&square.rank().index());
                (!is_impossible).then(|| f64::from([opening, endgame][stage]))
            }));
        }
    }
    boards
}

/// The mean weights of a table, for each of its men in turn.
fn table(weights: &NTupleWeights, number: usize) -> Vec<WeightBoard> {
    let table = &weights.tables()[number];
    let tuple = table.tuple();
    let mut sums = vec![[[(0.0, 0u32); 64]; 2]; tuple.men().len()];
    for (place, weight) in table.weights().iter().enumerate() {
        for (man, square) in tuple.squares(place).into_iter().enumerate() {
            for (stage, value) in weight.iter().enumerate() {
                // A table holds one half of the board; the other is its mirror image.
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

    #[test]
    fn piece_squares_are_boards_of_both_stages() {
        let model = Model::classical();
        let sheets = model.sheets();
        assert_eq!((sheets[0].name.as_str(), sheets[0].sets), (SQUARES, 1));
        let boards = model.boards(SQUARES, 0).expect("boards");
        assert_eq!(boards.len(), 12);
        assert_eq!(boards[0].title, "pawn, opening");
        assert_eq!(boards[0].squares[0], None);
        assert!(boards[2].squares.iter().all(Option::is_some));
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
        let king = boards[0].squares[squares[0].index()].expect("a number");
        assert!(king > 0.0 && king <= 126.0);
        let pawn = boards[3].squares[squares[1].index()].expect("a number");
        assert!(pawn < 0.0);
        let elsewhere = (squares[1].index() + 8) % 64;
        assert_eq!(boards[3].squares[elsewhere], Some(0.0));
    }
}
