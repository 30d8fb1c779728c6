//! The network that a search plays with while a row of floats is trained.

use super::{Layout, Row, Trained};
use crate::TrainError;
use nets::classical::FEATURES;
use nets::ntuple::{LARGEST_WEIGHT, NTuple, NTupleWeights, Weight};
use std::sync::Arc;

/// A network in whole centipawns.
pub(crate) struct Playing {
    network: Arc<NTuple>,
}

impl Playing {
    pub(crate) fn new(weights: NTupleWeights) -> Result<Playing, TrainError> {
        Ok(Playing {
            network: Arc::new(NTuple::new(weights)?),
        })
    }

    /// The network. References to it must be dropped before it is updated.
    pub(crate) fn network(&self) -> &Arc<NTuple> {
        &self.network
    }

    /// Updates the trained weights from a row, multiplied by a factor and rounded: all, or only
    /// those in `named`.
    pub(crate) fn follow(
        &mut self,
        layout: &Layout,
        trained: Trained,
        (row, factor): (&Row, f64),
        named: Option<&[u32]>,
    ) -> Result<(), TrainError> {
        self.follow_terms(trained, (row, factor));
        if !trained.tuples {
            return Ok(());
        }
        let tables = self.network.weights().tables();
        let mut changed: Vec<(usize, usize, Weight)> = Vec::new();
        let mut look = |table: usize, place: usize, value: &[f64; 2]| {
            let weight = value.map(|value| rounded(factor * value));
            if tables[table].weights()[place] != weight {
                changed.push((table, place, weight));
            }
        };
        match named {
            None => {
                for (number, table) in tables.iter().enumerate() {
                    let begin = layout.table(number);
                    let values = &row[begin..begin + table.weights().len()];
                    for (place, value) in values.iter().enumerate() {
                        look(number, place, value);
                    }
                }
            }
            Some(named) => {
                let places = named.iter().map(|&index| index as usize);
                for index in places.filter(|&index| index >= FEATURES) {
                    let (table, place) = layout.place(index);
                    look(table, place, &row[index]);
                }
            }
        }
        let network = self.own()?;
        for (table, place, weight) in changed {
            network.set_weight(table, place, weight);
        }
        Ok(())
    }

    fn follow_terms(&mut self, trained: Trained, (row, factor): (&Row, f64)) {
        let mut linear = self.network.weights().linear.clone();
        let mut is_changed = false;
        for index in (0..FEATURES).filter(|&index| trained.contains(index)) {
            let [opening, endgame] = row[index].map(|value| factor * value);
            let old = linear.get(index);
            linear.set_rounded(index, opening, endgame);
            is_changed |= linear.get(index) != old;
        }
        if is_changed && let Ok(network) = self.own() {
            network.set_linear(linear);
        }
    }

    fn own(&mut self) -> Result<&mut NTuple, TrainError> {
        if Arc::get_mut(&mut self.network).is_none() {
            // The old network is still referenced, and remains valid.
            self.network = Arc::new(NTuple::new(self.network.weights().clone())?);
        }
        Ok(Arc::get_mut(&mut self.network).expect("nobody else has it"))
    }
}

fn rounded(value: f64) -> i16 {
    let limit = f64::from(LARGEST_WEIGHT);
    value.clamp(-limit, limit).round_ties_even() as i16
}

/// The Euclidean norm of a row.
pub(crate) fn norm(row: &[[f64; 2]]) -> f64 {
    let squares = row.iter().flatten().map(|value| value * value);
    squares.sum::<f64>().sqrt()
}
