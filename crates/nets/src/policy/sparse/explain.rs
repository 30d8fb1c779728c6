//! What a fast net says of a position, for people: its chances, and the share of each
//! move.

use super::evaluator::PolicyEvaluator;
use super::net::PolicyNet;
use crate::kernels::Kernels;
use crate::policy::Chances;
use chess::{Board, Move};
use std::fmt;
use std::sync::Arc;

/// How many moves are shown.
const SHOWN: usize = 10;

/// What a net says of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyExplanation {
    /// The chances of the side to move.
    pub chances: Chances,
    /// The legal moves, those with the largest share first.
    pub moves: Vec<Share>,
}

/// What one move is worth a look.
#[derive(Clone, PartialEq, Debug)]
pub struct Share {
    /// The move.
    pub mv: Move,
    /// As people write it.
    pub san: String,
    /// Its share of all moves, which sum to 1.
    pub share: f32,
}

impl PolicyNet {
    /// What the net says of a position.
    pub fn explain(self: &Arc<Self>, board: &Board) -> PolicyExplanation {
        let mut evaluator = PolicyEvaluator::new(self.clone());
        let list = board.legal_moves();
        let mut shares = evaluator.policy(board, &list).to_vec();
        Kernels::best().softmax(&mut shares);
        let share = |(&mv, share): (&Move, f32)| Share {
            mv,
            san: board.san(mv).to_string(),
            share,
        };
        let mut moves: Vec<Share> = list.iter().zip(shares).map(share).collect();
        moves.sort_by(|a, b| b.share.total_cmp(&a.share));
        PolicyExplanation {
            chances: evaluator.value(board),
            moves,
        }
    }
}

impl fmt::Display for PolicyExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Chances { win, draw, loss } = self.chances;
        let [win, draw, loss] = [win, draw, loss].map(|chance| 100.0 * chance);
        writeln!(
            f,
            "side to move  win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %"
        )?;
        writeln!(f, "value         {:+.3}", self.chances.value())?;
        if !self.moves.is_empty() {
            writeln!(f, "\nmove      share")?;
        }
        for Share { san, share, .. } in self.moves.iter().take(SHOWN) {
            writeln!(f, "{san:8}{:5.1} %", 100.0 * share)?;
        }
        match self.moves.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            left => {
                let rest: f32 = self.moves[SHOWN..].iter().map(|it| it.share).sum();
                writeln!(f, "{:8}{:5.1} %", format!("{left} more"), 100.0 * rest)
            }
        }
    }
}
