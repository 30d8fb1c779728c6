//! Whether a net says in integers what it said in floats.

use crate::ExportCheck;
use data::packed::PackedPosition;
use nets::nnue::Net;
use rayon::prelude::*;

impl ExportCheck {
    /// No more positions are looked at.
    pub const MOST_POSITIONS: usize = 10_000;

    /// Compares the values of a net with these, which a net in floats gave.
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
