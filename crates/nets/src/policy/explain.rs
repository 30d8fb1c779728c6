//! The output of a policy-value model for a position, for people.

use super::{Chances, PolicyValue, Wanted};
use chess::{Board, CastlingStyle, Line};
use std::fmt;

/// The output of a model for a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The probabilities of the results for the side to move; without a legal move, the certain
    /// result.
    pub chances: Chances,
    /// The legal moves with their priors, the largest first.
    pub priors: Vec<(String, f32)>,
}

impl Explanation {
    /// Whether all probabilities and priors are finite numbers.
    pub(crate) fn is_finite(&self) -> bool {
        let Chances { win, draw, loss } = self.chances;
        let mut priors = self.priors.iter().map(|&(_, prior)| prior);
        [win, draw, loss].iter().all(|chance| chance.is_finite()) && priors.all(f32::is_finite)
    }
}

/// Evaluates a position without history.
pub fn explain(model: &mut dyn PolicyValue, board: &Board) -> Explanation {
    let moves = board.legal_moves();
    if moves.is_empty() {
        let mated = f32::from(u8::from(board.in_check()));
        let chances = Chances {
            win: 0.0,
            draw: 1.0 - mated,
            loss: mated,
        };
        return Explanation {
            chances,
            priors: Vec::new(),
        };
    }
    model.put(&Line::new(*board), Wanted::Both(&moves));
    model.run();
    let logits = model.logits(0);
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let shares: Vec<f32> = logits
        .iter()
        .map(|logit| libm::expf(logit - most))
        .collect();
    let sum: f32 = shares.iter().sum();
    let names = moves
        .iter()
        .map(|&mv| board.uci(mv, CastlingStyle::Standard).to_string());
    let mut priors: Vec<_> = names.zip(shares.iter().map(|share| share / sum)).collect();
    priors.sort_by(|a, b| b.1.total_cmp(&a.1));
    Explanation {
        chances: model.chances(0),
        priors,
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Chances { win, draw, loss } = self.chances;
        let percent = |share: f32| 100.0 * share;
        writeln!(
            f,
            "value for the side to move  {:+.3}  (win {:.1} %, draw {:.1} %, loss {:.1} %)",
            self.chances.value(),
            percent(win),
            percent(draw),
            percent(loss)
        )?;
        for (name, prior) in &self.priors {
            writeln!(f, "{name:6} {:6.2} %", percent(*prior))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Uniform;

    #[test]
    fn priors_sum_to_one_and_ends_have_none() {
        let mut model = Uniform::default();
        let explanation = explain(&mut model, &Board::start());
        let sum: f32 = explanation.priors.iter().map(|(_, prior)| prior).sum();
        assert!((sum - 1.0).abs() < 1e-5 && explanation.priors.len() == 20);
        assert!(explanation.to_string().contains("e2e4     5.00 %"));
        let mated = Board::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").expect("a position");
        let explanation = explain(&mut model, &mated);
        assert_eq!(
            (explanation.chances.loss, explanation.priors.len()),
            (1.0, 0)
        );
    }
}
