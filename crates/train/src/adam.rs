//! The Adam optimiser: steps of about the same length for every weight, shorter where the sign of
//! the gradient varies.

/// Decay of the moving average of the gradient.
const BETA1: f64 = 0.9;
/// Decay of the moving average of the squared gradient.
const BETA2: f64 = 0.999;
/// Prevents division by zero.
const EPSILON: f64 = 1e-12;

/// The moving averages of the gradient.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Adam {
    pub(crate) means: Vec<f64>,
    pub(crate) squares: Vec<f64>,
}

impl Adam {
    pub(crate) fn new(length: usize) -> Adam {
        Adam {
            means: vec![0.0; length],
            squares: vec![0.0; length],
        }
    }

    /// The `number`-th step, from 1: no weight changes by much more than the learning rate.
    pub(crate) fn step(
        &mut self,
        vector: &mut [f64],
        gradient: &[f64],
        number: u64,
        learning_rate: f64,
    ) {
        let mean_part = 1.0 - libm::pow(BETA1, number as f64);
        let square_part = 1.0 - libm::pow(BETA2, number as f64);
        let memories = self.means.iter_mut().zip(&mut self.squares);
        for ((value, &slope), (mean, square)) in vector.iter_mut().zip(gradient).zip(memories) {
            *mean = BETA1 * *mean + (1.0 - BETA1) * slope;
            *square = BETA2 * *square + (1.0 - BETA2) * slope * slope;
            let root = (*square / square_part).sqrt();
            *value -= learning_rate * (*mean / mean_part) / (root + EPSILON);
        }
    }
}
