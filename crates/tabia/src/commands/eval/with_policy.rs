//! A policy-value model's output for a position.

use nets::policy::Explanation;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

#[derive(Serialize)]
pub(super) struct PolicyReport {
    fen: String,
    win: f32,
    draw: f32,
    loss: f32,
    priors: BTreeMap<String, f32>,
    #[serde(skip)]
    text: String,
}

impl PolicyReport {
    pub(super) fn new(fen: impl Display, explanation: &Explanation) -> PolicyReport {
        PolicyReport {
            fen: fen.to_string(),
            win: explanation.chances.win,
            draw: explanation.chances.draw,
            loss: explanation.chances.loss,
            priors: explanation.priors.iter().cloned().collect(),
            text: explanation.to_string(),
        }
    }
}

impl Display for PolicyReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}
