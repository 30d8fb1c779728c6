//! Weights of models as boards of numbers, for pictures: the value of a man by its square,
//! the weights of a neuron of the first layer, the contents of tables.
//!
//! `worth` evaluates positions with and without a man, `men` computes what the men of a
//! position contribute, `tables` reads models with a weight for each man on each square,
//! `convolutions` reads ResNets, `sequences` sequence models; `layers` computes statistics of
//! whole matrices. Nothing here knows how boards are drawn.

mod convolutions;
mod layers;
mod men;
mod sequences;
mod tables;
mod worth;

use crate::model::Model;
use crate::nnue::{Net, Network, Transformer};
use chess::{Color, Piece, PieceKind, Square};

pub use layers::FloatLayer;
pub use men::Contribution;

/// Boards that belong together, in several numbered sets: a set for each neuron.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// What it shows, in one word, by which it is selected.
    pub name: &'static str,
    /// The same in a sentence for people.
    pub meaning: &'static str,
    /// What a set stands for, such as a neuron.
    pub set: &'static str,
    /// How many numbered sets there are.
    pub sets: usize,
}

/// Numbers in rows: mostly one for each square, the squares a1, b1 and so on.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightBoard {
    /// The man or table that it shows.
    pub title: String,
    /// How many numbers a row has.
    pub columns: usize,
    /// The numbers, the lowest row first; `None` where there is no number, such as for a pawn
    /// on its first rank.
    pub numbers: Vec<Option<f64>>,
}

const WORTH: &str = "worth";
const NEURONS: &str = "neurons";
const SQUARES: &str = "squares";
const TABLES: &str = "tables";

fn sheet(name: &'static str, meaning: &'static str, set: &'static str, sets: usize) -> Sheet {
    Sheet {
        name,
        meaning,
        set,
        sets,
    }
}

impl Model {
    /// The sheets that can be drawn of it; empty for a model without weights.
    pub fn sheets(&self) -> Vec<Sheet> {
        let neurons = |transformer: &Transformer| {
            let words = "the weights of one neuron of the first layer, for each man on each square";
            sheet(NEURONS, words, "neuron", transformer.width())
        };
        let worth = |words| sheet(WORTH, words, "model", 1);
        let squares = sheet(SQUARES, "piece-square tables, in centipawns", "model", 1);
        match self {
            Model::Classical(_) => vec![squares],
            Model::Nnue(file) => vec![worth(worth::IN_PAWNS), neurons(transformer(&file.net))],
            Model::NTuple(file) => vec![
                squares,
                sheet(
                    TABLES,
                    "the mean weight of one table for each square of its men, in centipawns",
                    "table",
                    file.network.weights().tables().len(),
                ),
            ],
            Model::Policy(file) => vec![
                worth(worth::IN_POINTS),
                neurons(file.net.value().transformer()),
            ],
            Model::ResNet(file) => {
                let own = convolutions::sheets(file);
                [vec![worth(worth::IN_POINTS)], own].concat()
            }
            Model::Sequence(file) => {
                let own = sequences::sheets(&file.weights);
                [vec![worth(worth::IN_POINTS)], own].concat()
            }
            Model::Heuristic => Vec::new(),
        }
    }

    /// The boards of a numbered set of a sheet; `None` if there is no such set.
    pub fn boards(&self, sheet: &str, set: usize) -> Option<Vec<WeightBoard>> {
        let known = self.sheets().into_iter().find(|known| known.name == sheet);
        known.filter(|known| set < known.sets)?;
        Some(match (self, sheet) {
            (Model::Nnue(file), WORTH) => worth::of_net(&file.net),
            (_, WORTH) => worth::of_chances(&mut *self.policy_value()),
            (Model::Nnue(file), _) => tables::neuron(transformer(&file.net), set),
            (Model::Policy(file), _) => tables::neuron(file.net.value().transformer(), set),
            (Model::Classical(file), _) => tables::piece_squares(&file.weights),
            (Model::NTuple(file), SQUARES) => {
                tables::piece_squares(file.network.classical().weights())
            }
            (Model::NTuple(file), _) => tables::table(file.network.weights(), set),
            (Model::ResNet(file), sheet) => convolutions::boards(file, sheet, set)?,
            (Model::Sequence(file), sheet) => sequences::boards(&file.weights, sheet, set)?,
            (Model::Heuristic, _) => return None,
        })
    }
}

fn transformer(net: &Net) -> &Transformer {
    match net {
        Net::Sfnn(net) => net.transformer(),
        Net::Simple(net) => net.transformer(),
    }
}

/// All men of one side, then those of the other.
fn men() -> impl Iterator<Item = Piece> {
    Color::ALL
        .into_iter()
        .flat_map(|color| PieceKind::ALL.map(|kind| Piece::new(color, kind)))
}

/// The name of a man; White's are called own.
fn title(piece: Piece) -> String {
    man_of(["own", "enemy"][piece.color.index()], piece.kind)
}

fn man_of(owner: &str, kind: PieceKind) -> String {
    format!("{owner} {}", format!("{kind:?}").to_lowercase())
}

fn board_of(title: String, number: impl Fn(Square) -> Option<f64>) -> WeightBoard {
    WeightBoard {
        title,
        columns: 8,
        numbers: Square::all().map(number).collect(),
    }
}

/// Whether such a man can never stand on this square.
fn is_impossible(kind: PieceKind, square: Square) -> bool {
    kind == PieceKind::Pawn && [0, 7].contains(&square.rank().index())
}

/// The root mean square of the numbers.
fn size(numbers: impl Iterator<Item = f32>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0_usize), |(sum, count), number| {
        (sum + f64::from(number) * f64::from(number), count + 1)
    });
    (sum / count.max(1) as f64).sqrt()
}
