//! How accurately a side played, from the winning chances before and after its moves.
//!
//! The accuracy of a move is the formula that lichess.org publishes on its page about accuracy:
//! `103.1668 * exp(-0.04354 * loss) - 3.1669`, limited to 0 to 100. That of a game follows
//! lichess's public source code: the average of two means over its moves, the harmonic mean and a
//! mean weighted by how much the winning chances vary around each move, so that neither a single
//! blunder nor a dull ending decides alone.

use chess::Color;

const SCALE: f64 = 103.1668;
const DECAY: f64 = 0.043_54;
const OFFSET: f64 = 3.1669;

/// The limits of the window around a move, in positions; a tenth of the game within them.
const WINDOW: (usize, usize) = (2, 8);
/// The least and the greatest weight of a move.
const WEIGHT: (f64, f64) = (0.5, 12.0);
/// The least accuracy of a move in the harmonic mean, which a single zero would spoil.
const LEAST: f64 = 1.0;

/// The accuracy, in percent, of a move that lost this much winning chance.
pub(crate) fn move_accuracy(loss: f64) -> f64 {
    if loss <= 0.0 {
        return 100.0;
    }
    (SCALE * libm::exp(-DECAY * loss) - OFFSET).clamp(0.0, 100.0)
}

/// The accuracy of both sides; `None` for a side without moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Accuracies {
    /// White's.
    pub(crate) white: Option<f64>,
    /// Black's.
    pub(crate) black: Option<f64>,
}

/// The accuracies of a game, from White's winning chance before the first move and after each move,
/// and from the side and the accuracy of each move.
pub(crate) fn game_accuracy(chances: &[f64], moves: &[(Color, f64)]) -> Accuracies {
    let weights = weights(chances);
    let of = |side: Color| {
        let own: Vec<(f64, f64)> = moves
            .iter()
            .zip(&weights)
            .filter(|((color, _), _)| *color == side)
            .map(|(&(_, accuracy), &weight)| (accuracy, weight))
            .collect();
        (!own.is_empty()).then(|| (weighted_mean(&own) + harmonic_mean(&own)) / 2.0)
    };
    Accuracies {
        white: of(Color::White),
        black: of(Color::Black),
    }
}

/// The weight of each move: the spread of the winning chances around it.
fn weights(chances: &[f64]) -> Vec<f64> {
    let moves = chances.len().saturating_sub(1);
    let window = (moves / 10).clamp(WINDOW.0, WINDOW.1);
    (0..moves)
        .map(|index| {
            // The first moves share the first window.
            let begin = (index + 2).saturating_sub(window);
            let end = (begin + window).min(chances.len());
            deviation(&chances[begin..end]).clamp(WEIGHT.0, WEIGHT.1)
        })
        .collect()
}

fn deviation(numbers: &[f64]) -> f64 {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares = numbers
        .iter()
        .map(|number| (number - mean) * (number - mean));
    (squares.sum::<f64>() / count).sqrt()
}

fn weighted_mean(moves: &[(f64, f64)]) -> f64 {
    let total: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let sum: f64 = moves
        .iter()
        .map(|(accuracy, weight)| accuracy * weight)
        .sum();
    sum / total
}

fn harmonic_mean(moves: &[(f64, f64)]) -> f64 {
    let sum: f64 = moves
        .iter()
        .map(|(accuracy, _)| 1.0 / accuracy.max(LEAST))
        .sum();
    moves.len() as f64 / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert_eq!(move_accuracy(0.0), 100.0);
        assert_eq!(move_accuracy(-5.0), 100.0);
        for (loss, expected) in [(5.0, 79.8170), (10.0, 63.5826), (50.0, 8.5303)] {
            assert!(
                (move_accuracy(loss) - expected).abs() < 1e-3,
                "{loss}: {}",
                move_accuracy(loss)
            );
        }
        assert_eq!(move_accuracy(95.0), 0.0);
    }

    #[test]
    fn a_game_without_losses_is_perfect() {
        let moves = [(Color::White, 100.0), (Color::Black, 100.0)];
        let accuracies = game_accuracy(&[50.0, 50.0, 50.0], &moves);
        assert_eq!(accuracies.white, Some(100.0));
        assert_eq!(accuracies.black, Some(100.0));
        assert_eq!(game_accuracy(&[50.0], &[]), Accuracies::default());
    }

    /// Worked out by hand: windows of two chances each.
    #[test]
    fn moves_where_chances_change_count_more() {
        let chances = [50.0, 50.0, 52.0, 42.0];
        assert_eq!(weights(&chances), [0.5, 1.0, 5.0]);
        let moves = [
            (Color::White, 100.0),
            (Color::Black, 90.0),
            (Color::White, 60.0),
        ];
        let accuracies = game_accuracy(&chances, &moves);
        let weighted = (100.0 * 0.5 + 60.0 * 5.0) / 5.5;
        let harmonic = 2.0 / (1.0 / 100.0 + 1.0 / 60.0);
        assert!((accuracies.white.unwrap() - (weighted + harmonic) / 2.0).abs() < 1e-9);
        assert_eq!(accuracies.black, Some(90.0));
    }

    #[test]
    fn long_games_have_wide_windows() {
        // 41 chances: windows of four; the first three moves share one.
        let mut chances = vec![50.0; 41];
        chances[3] = 90.0;
        let weights = weights(&chances);
        assert_eq!(weights.len(), 40);
        assert_eq!(weights[0], weights[1]);
        assert_eq!(weights[1], weights[2]);
        assert_eq!(weights[0], 12.0);
        assert_eq!(weights[39], 0.5);
    }
}
