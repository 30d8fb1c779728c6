//! What a policy net says of a position.

use chess::{Board, CastlingStyle};
use nets::policy::sparse::PolicyExplanation;
use serde::Serialize;
use std::fmt::{self, Display};

/// The chances of the side to move, and the share of each legal move.
#[derive(Serialize)]
pub(super) struct PolicyReport {
    fen: String,
    net: String,
    win: f32,
    draw: f32,
    loss: f32,
    /// From -1 for a loss to 1 for a win.
    value: f32,
    /// Those with the largest share first.
    moves: Vec<MoveReport>,
    #[serde(skip)]
    text: String,
}

#[derive(Serialize)]
struct MoveReport {
    uci: String,
    san: String,
    share: f32,
}

impl PolicyReport {
    pub(super) fn new(board: &Board, net: String, explanation: &PolicyExplanation) -> Self {
        let chances = explanation.chances;
        let moves = explanation.moves.iter().map(|share| MoveReport {
            uci: board.uci(share.mv, CastlingStyle::Standard).to_string(),
            san: share.san.clone(),
            share: share.share,
        });
        Self {
            fen: board.fen(),
            win: chances.win,
            draw: chances.draw,
            loss: chances.loss,
            value: chances.value(),
            moves: moves.collect(),
            text: format!("net           {net}\n{explanation}"),
            net,
        }
    }
}

impl Display for PolicyReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}
