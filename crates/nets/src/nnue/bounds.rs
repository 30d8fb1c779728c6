//! Whether sums can overflow: how large any legal position can make them.
//!
//! A side has one king and at most 15 other men. So a column's sum is at most its
//! bias, plus the largest weight of either king, plus the largest weights of each
//! side's other men on 15 squares. The bound lets kings and the sides' other men
//! share squares, so it errs on the safe side only.

use super::error::BoundError;
use super::transformer::Transformer;
use chess::PieceKind;

/// Men of a side beside its king.
const MEN: usize = 15;
const SQUARES: usize = 64;

/// Checks the sums of accumulators (16 bits) and of material (31 bits, as the
/// sides' sums are subtracted from each other).
pub(super) fn check_transformer(transformer: &Transformer) -> Result<(), BoundError> {
    for bucket in 0..transformer.inputs().bucket_count() {
        check_accumulators(transformer, bucket)?;
        if transformer.has_psqt() {
            check_psqt(transformer, bucket)?;
        }
    }
    Ok(())
}

fn check_accumulators(transformer: &Transformer, bucket: usize) -> Result<(), BoundError> {
    let width = transformer.width();
    let suspects = suspects(transformer, bucket);
    for column in (0..width).filter(|&column| suspects[column]) {
        let weight = |feature: usize| i64::from(transformer.weights[feature * width + column]);
        let reach = Reach::of(transformer, bucket, &weight);
        let bias = i64::from(transformer.biases[column]);
        let beyond = |sum: i64| (i16::try_from(sum).is_err()).then_some(sum);
        if let Some(sum) = beyond(bias + reach.highest).or(beyond(bias + reach.lowest)) {
            let feature = reach.blame(sum > 0);
            return Err(BoundError::Accumulator {
                column,
                bucket,
                reach: sum,
                feature,
                weight: transformer.weights[feature * width + column],
            });
        }
    }
    Ok(())
}

fn check_psqt(transformer: &Transformer, bucket: usize) -> Result<(), BoundError> {
    let limit = i64::from(i32::MAX / 4);
    for number in 0..8 {
        let weight = |feature: usize| i64::from(transformer.psqt_row(feature)[number]);
        let reach = Reach::of(transformer, bucket, &weight);
        for sum in [reach.highest, reach.lowest] {
            if sum.abs() > limit {
                let feature = reach.blame(sum > 0);
                return Err(BoundError::Psqt {
                    bucket: number,
                    reach: sum,
                    feature,
                    weight: transformer.psqt_row(feature)[number],
                });
            }
        }
    }
    Ok(())
}

/// The columns that may overflow by a coarse bound: the largest weight of the column for
/// every man. It reads the rows in order and so is fast.
fn suspects(transformer: &Transformer, bucket: usize) -> Vec<bool> {
    let width = transformer.width();
    let size = transformer.inputs().bucket_size();
    let mut highest = vec![0i16; width];
    let mut lowest = vec![0i16; width];
    for feature in bucket * size..(bucket + 1) * size {
        let row = transformer.row(feature);
        for ((high, low), &weight) in highest.iter_mut().zip(&mut lowest).zip(row) {
            *high = weight.max(*high);
            *low = weight.min(*low);
        }
    }
    let men = 2 * MEN as i32 + 2;
    (0..width)
        .map(|column| {
            let bias = i32::from(transformer.biases[column]);
            let high = bias + men * i32::from(highest[column]);
            let low = bias + men * i32::from(lowest[column]);
            i16::try_from(high).is_err() || i16::try_from(low).is_err()
        })
        .collect()
}

/// The largest and smallest possible sum of a column, without its bias.
struct Reach {
    highest: i64,
    lowest: i64,
    /// The inputs with the highest and the lowest weight.
    extremes: [usize; 2],
}

impl Reach {
    fn of(transformer: &Transformer, bucket: usize, weight: &dyn Fn(usize) -> i64) -> Reach {
        let inputs = transformer.inputs();
        let first = bucket * inputs.bucket_size();
        let at = |plane: usize, square: usize| first + plane * SQUARES + square;
        let king_plane = 2 * PieceKind::King.index();
        let own_kings = (0..SQUARES)
            .filter(|&square| !inputs.is_mirrored() || square % 8 >= 4)
            .filter(|&square| usize::from(inputs.buckets()[square]) == bucket)
            .map(|square| at(king_plane, square));
        let enemy_kings = (0..SQUARES).map(|square| at(inputs.planes() - 1, square));
        let kings = [own_kings.collect::<Vec<_>>(), enemy_kings.collect()];
        let mut highest = 0;
        let mut lowest = 0;
        for features in &kings {
            highest += features.iter().map(|&it| weight(it)).max().unwrap_or(0);
            lowest += features.iter().map(|&it| weight(it)).min().unwrap_or(0);
        }
        for enemy in 0..2 {
            let mut high = [0; SQUARES];
            let mut low = [0; SQUARES];
            for square in 0..SQUARES {
                for kind in 0..PieceKind::King.index() {
                    let share = weight(at(2 * kind + enemy, square));
                    high[square] = share.max(high[square]);
                    low[square] = share.min(low[square]);
                }
            }
            high.sort_unstable();
            low.sort_unstable();
            highest += high[SQUARES - MEN..].iter().sum::<i64>();
            lowest += low[..MEN].iter().sum::<i64>();
        }
        let features = first..first + inputs.bucket_size();
        let most = features.clone().max_by_key(|&feature| weight(feature));
        let least = features.min_by_key(|&feature| weight(feature));
        Reach {
            highest,
            lowest,
            extremes: [most.unwrap_or(first), least.unwrap_or(first)],
        }
    }

    fn blame(&self, is_high: bool) -> usize {
        self.extremes[usize::from(!is_high)]
    }
}

/// One output of a layer whose inputs are never negative.
pub(super) struct LayerBound {
    pub(super) stack: usize,
    pub(super) layer: &'static str,
    pub(super) output: usize,
    pub(super) largest_input: i64,
    pub(super) limit: i64,
}

impl LayerBound {
    pub(super) fn check(self, bias: i32, weights: &[i8]) -> Result<(), BoundError> {
        let sum = |chosen: fn(i64) -> i64| -> i64 {
            let shares = weights.iter().map(|&weight| chosen(i64::from(weight)));
            i64::from(bias) + shares.sum::<i64>() * self.largest_input
        };
        for reach in [sum(|weight| weight.max(0)), sum(|weight| weight.min(0))] {
            if reach.abs() > self.limit {
                let sign = reach.signum();
                let heaviest = |&(_, weight): &(usize, &i8)| sign * i64::from(*weight);
                let (input, weight) = weights
                    .iter()
                    .enumerate()
                    .max_by_key(heaviest)
                    .map_or((0, 0), |(input, &weight)| (input, weight));
                return Err(BoundError::Layer {
                    input,
                    weight,
                    stack: self.stack,
                    layer: self.layer,
                    output: self.output,
                    reach,
                    limit: self.limit,
                    bias,
                });
            }
        }
        Ok(())
    }
}
