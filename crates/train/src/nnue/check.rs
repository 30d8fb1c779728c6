//! Compares a net in integers with the same net in floats.

use crate::ExportCheck;
use data::packed::PackedPosition;
use nets::nnue::Net;
use rayon::prelude::*;

impl ExportCheck {
    /// The maximum number of positions that are compared.
    pub const MOST_POSITIONS: usize = 10_000;

    /// Compares the values of a net with those that the net in floats gave.
    pub(crate) fn new(net: &Net, positions: &[PackedPosition], floats: &[f32]) -> ExportCheck {
        let differences: Vec<f64> = positions
            .par_iter()
            .zip(floats)
            .map(|(position, &float)| {
                let men: Vec<_> = position
                    .pieces()
                    .map(|(square, piece)| (piece, square))
                    .collect();
                let integer = net.value_of(&men, position.side_to_move());
                (f64::from(integer) - f64::from(float)).abs()
            })
            .collect();
        ExportCheck::of(differences)
    }
}
