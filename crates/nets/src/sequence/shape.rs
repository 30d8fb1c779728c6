//! The shape of a sequence model: its size, its inputs and its outputs.
//!
//! The only place that knows how many weights each part has. It must not know their values.

use super::vocabulary::{MOVES, VOCABULARY};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How a model sees the board.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum BoardInput {
    /// The mean over all squares of the embeddings of man and square, as published: it encodes
    /// the material, but not where it is.
    Additive,
    /// An embedding per man and square.
    Joint,
    /// An embedding per man and square, and whether it is attacked and defended.
    #[default]
    JointAttacks,
    /// An embedding per square and its man, if any; the 64 squares attend to each other. It costs
    /// several times as much as the rest of a small model.
    SquareAttention,
}

/// From whose point of view a model sees the board.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "SequenceView")]
pub enum View {
    /// Always White's.
    White,
    /// The mover's: ranks and colours are flipped when Black is to move, so that a model need not
    /// learn everything twice.
    #[default]
    Mover,
}

/// The shape of a model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequenceShape {
    /// The length of the vector that describes an event.
    pub width: usize,
    /// The number of blocks.
    pub layers: usize,
    /// The number of attention heads.
    pub heads: usize,
    /// How the board is encoded.
    pub board: BoardInput,
    /// The point of view.
    pub view: View,
    /// Whether the ratings of both players are an input.
    pub ratings: bool,
    /// Whether the time control is an input.
    pub time_control: bool,
    /// Whether the mover's remaining time is an input.
    pub clock: bool,
    /// How many rows there are for names of players; players with the same number modulo this
    /// share a row. 0 for no such input.
    pub players: usize,
    /// Whether it predicts how long the mover thinks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub think_head: bool,
    /// Whether it predicts that the mover resigns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resign_head: bool,
}

/// Why a shape is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{key} = {value}: {reason}")]
pub struct ShapeError {
    /// Which part.
    pub key: &'static str,
    /// Its value.
    pub value: usize,
    /// What is wrong.
    pub reason: String,
}

/// The largest distance with a bias of its own; larger ones have the same bias.
pub const FARTHEST: usize = 255;
/// How many rows ratings have: one for unknown, then one for each hundred points.
pub(super) const RATINGS: usize = 25;
/// How many rows time controls have: one for unknown, then by the seconds for forty moves.
pub(super) const TIME_CONTROLS: usize = 7;
/// How many rows clocks have: one for unknown, then by the logarithm of the seconds.
pub(super) const CLOCKS: usize = 14;
/// How many rows the fifty-move counter has, and how many the number of the move.
pub(super) const HALFMOVES: usize = 8;
pub(super) const FULLMOVES: usize = 16;
/// The squares of the board, which attend to each other with [`BoardInput::SquareAttention`].
pub const SQUARES: usize = 64;
/// The length of the vector that describes a square.
pub const SQUARE_WIDTH: usize = 64;
/// The number of blocks for squares.
pub const SQUARE_LAYERS: usize = 2;
/// The number of attention heads of squares.
pub const SQUARE_HEADS: usize = 4;
/// What a square can contain: one of the kinds of men of both sides, or nothing.
pub(super) const CONTENTS: usize = 13;
const MEN: usize = 12 * SQUARES;
/// The states of a man: attacked or not, defended or not.
pub(super) const ATTACK_STATES: usize = 4;
const CASTLINGS: usize = 16;
const EN_PASSANTS: usize = 9;

impl SequenceShape {
    /// The most rows for players.
    pub const MOST_PLAYERS: usize = 1 << 20;
    /// The names of shapes, the smallest first.
    pub const NAMES: [&str; 5] = ["tiny", "small", "base", "published", "published-large"];

    /// The shape with this name.
    pub fn named(name: &str) -> Option<SequenceShape> {
        let (width, layers, heads) = match name {
            "tiny" => (128, 4, 4),
            "small" => (192, 6, 6),
            "base" => (256, 8, 8),
            "published" => (512, 6, 8),
            "published-large" => (768, 8, 12),
            _ => return None,
        };
        Some(SequenceShape {
            width,
            layers,
            heads,
            board: BoardInput::default(),
            view: View::default(),
            ratings: true,
            time_control: false,
            clock: false,
            players: 0,
            think_head: false,
            resign_head: false,
        })
    }

    /// # Errors
    /// If no such model is possible.
    pub fn check(&self) -> Result<(), ShapeError> {
        let wrong = |key, value, reason: &str| {
            let reason = reason.to_owned();
            Err(ShapeError { key, value, reason })
        };
        if !(16..=2048).contains(&self.width) || !self.width.is_multiple_of(16) {
            return wrong(
                "width",
                self.width,
                "a multiple of 16 from 16 to 2048 is needed",
            );
        }
        if !(1..=64).contains(&self.layers) {
            return wrong("layers", self.layers, "1 to 64 are possible");
        }
        if self.heads == 0 || !self.width.is_multiple_of(self.heads) {
            return wrong("heads", self.heads, "they must divide the width");
        }
        if self.players > SequenceShape::MOST_PLAYERS {
            return wrong("players", self.players, "at most 1048576 are possible");
        }
        Ok(())
    }

    /// The width of a head.
    pub fn head_width(&self) -> usize {
        self.width / self.heads
    }

    /// Where the rows of each part of an event are in the embedding table.
    pub(super) fn rows(&self) -> Rows {
        let mut end = 0;
        let mut part = |count: usize| {
            let start = end;
            end += count;
            start..end
        };
        let board = match self.board {
            BoardInput::Additive => CONTENTS + SQUARES,
            BoardInput::Joint => MEN,
            BoardInput::JointAttacks => MEN * ATTACK_STATES,
            // Squares have a table of their own.
            BoardInput::SquareAttention => 0,
        };
        let given = |is_given: bool, count: usize| if is_given { count } else { 0 };
        Rows {
            start: part(1),
            board: part(board),
            turn: part(2),
            castling: part(CASTLINGS),
            en_passant: part(EN_PASSANTS),
            halfmoves: part(HALFMOVES),
            fullmoves: part(FULLMOVES),
            previous: part(VOCABULARY),
            own_rating: part(given(self.ratings, RATINGS)),
            other_rating: part(given(self.ratings, RATINGS)),
            time_control: part(given(self.time_control, TIME_CONTROLS)),
            clock: part(given(self.clock, CLOCKS)),
            own_player: part(self.players),
            other_player: part(self.players),
        }
    }

    /// All tensors, in the order of files and trainers.
    pub fn tensors(&self) -> Vec<TensorShape> {
        let tensor = |name: &str, rows, columns| TensorShape {
            name: name.to_owned(),
            rows,
            columns,
        };
        let width = self.width;
        let mut tensors = vec![tensor("events", self.rows().own_end(), width)];
        let block = |layer: String, width: usize, bias: &str, heads: usize, biases: usize| {
            [
                tensor(&format!("{layer}.mix"), 4 * width, width),
                tensor(&format!("{layer}.{bias}"), heads, biases),
                tensor(&format!("{layer}.out"), width, width),
                tensor(&format!("{layer}.out_bias"), 1, width),
            ]
        };
        if self.board == BoardInput::SquareAttention {
            tensors.push(tensor("squares", CONTENTS * SQUARES, SQUARE_WIDTH));
            for layer in 0..SQUARE_LAYERS {
                let name = format!("squares.{layer}");
                let pairs = SQUARES * SQUARES;
                tensors.extend(block(name, SQUARE_WIDTH, "pairs", SQUARE_HEADS, pairs));
            }
            tensors.push(tensor("squares.project", width, SQUARE_WIDTH));
        }
        for layer in 0..self.layers {
            let name = format!("layer.{layer}");
            tensors.extend(block(name, width, "distance", self.heads, FARTHEST + 1));
        }
        tensors.push(tensor("policy", MOVES, width));
        tensors.push(tensor("policy_bias", 1, MOVES));
        tensors.push(tensor("value", 3, width));
        tensors.push(tensor("value_bias", 1, 3));
        tensors.push(tensor("moves_left", 1, width));
        tensors.push(tensor("moves_left_bias", 1, 1));
        if self.think_head {
            tensors.push(tensor("think", 1, width));
            tensors.push(tensor("think_bias", 1, 1));
        }
        if self.resign_head {
            tensors.push(tensor("resign", 1, width));
            tensors.push(tensor("resign_bias", 1, 1));
        }
        tensors
    }

    /// How many weights it has.
    pub fn weights(&self) -> usize {
        self.tensors().iter().map(TensorShape::length).sum()
    }
}

/// The name and the size of a matrix of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TensorShape {
    /// Its name.
    pub name: String,
    /// Rows: outputs of a layer, or entries of a table.
    pub rows: usize,
    /// Columns: inputs of a layer.
    pub columns: usize,
}

impl TensorShape {
    /// How many numbers it has.
    pub fn length(&self) -> usize {
        self.rows * self.columns
    }
}

/// The parts of the embedding table, of whose rows events are sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Rows {
    /// The beginning of a game.
    pub(super) start: Range<usize>,
    pub(super) board: Range<usize>,
    pub(super) turn: Range<usize>,
    pub(super) castling: Range<usize>,
    pub(super) en_passant: Range<usize>,
    pub(super) halfmoves: Range<usize>,
    pub(super) fullmoves: Range<usize>,
    pub(super) previous: Range<usize>,
    pub(super) own_rating: Range<usize>,
    pub(super) other_rating: Range<usize>,
    pub(super) time_control: Range<usize>,
    pub(super) clock: Range<usize>,
    pub(super) own_player: Range<usize>,
    pub(super) other_player: Range<usize>,
}

impl Rows {
    /// How many rows there are.
    fn own_end(&self) -> usize {
        self.other_player.end
    }
}
