//! The picture of a tuning: the path of each constant within its range.

use crate::picture::Picture;
use arena::tuning::{Constant, Iteration};

/// The maximum number of points: there are no more pixels.
const MOST_POINTS: usize = 200;

/// One small chart for each constant.
pub(super) fn draw(constants: &[Constant], iterations: &[Iteration]) -> String {
    let mut picture = Picture::new(constants.len());
    for (index, constant) in constants.iter().enumerate() {
        chart(&mut picture, constant, index, iterations);
    }
    picture.finish()
}

fn chart(picture: &mut Picture, constant: &Constant, index: usize, iterations: &[Iteration]) {
    let Constant {
        name,
        start,
        low,
        high,
        ..
    } = constant;
    let start_value = f64::from(*start);
    let last = iterations
        .last()
        .map_or(start_value, |last| last.values[index]);
    let frame = picture.chart(
        name,
        format_args!("{start} to {last:.1} in {low} to {high}"),
    );
    let range = f64::from(high - low).max(1.0);
    let height = |value: f64| (value - f64::from(*low)) / range;
    let start = height(start_value);
    picture.mark(frame, start, start);
    let stride = iterations.len().div_ceil(MOST_POINTS).max(1);
    let count = iterations.len().max(1) as f64;
    let points = iterations
        .iter()
        .skip(stride - 1)
        .step_by(stride)
        .map(|iteration| {
            let along = (iteration.iteration + 1) as f64 / count;
            (along, height(iteration.values[index]))
        });
    picture.path(
        frame,
        std::iter::once((0.0, height(start_value))).chain(points),
    );
}
