//! The picture of a tuning: the path of each constant within its range.

use arena::tuning::{Constant, Iteration};
use std::fmt::Write;

const WIDTH: usize = 260;
const HEIGHT: usize = 90;
const TITLE: usize = 20;
const GAP: usize = 16;
const COLUMNS: usize = 3;
/// More points than pixels would show nothing more.
const MOST_POINTS: usize = 200;

/// One small chart for each constant.
pub(super) fn draw(constants: &[Constant], iterations: &[Iteration]) -> String {
    let rows = constants.len().div_ceil(COLUMNS).max(1);
    let width = COLUMNS * (WIDTH + GAP) + GAP;
    let height = rows * (HEIGHT + TITLE + GAP) + GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for (index, constant) in constants.iter().enumerate() {
        let left = GAP + index % COLUMNS * (WIDTH + GAP);
        let top = GAP + index / COLUMNS * (HEIGHT + TITLE + GAP);
        chart(&mut svg, constant, index, iterations, (left, top));
    }
    svg.push_str("</svg>\n");
    svg
}

fn chart(
    svg: &mut String,
    constant: &Constant,
    index: usize,
    iterations: &[Iteration],
    (left, top): (usize, usize),
) {
    let base = (top + TITLE + HEIGHT) as f64;
    let range = f64::from(constant.high - constant.low).max(1.0);
    let height = |value: f64| base - (value - f64::from(constant.low)) / range * HEIGHT as f64;
    let last = iterations
        .last()
        .map_or(f64::from(constant.start), |last| last.values[index]);
    let stride = iterations.len().div_ceil(MOST_POINTS).max(1);
    let count = iterations.len().max(1) as f64;
    let mut points = format!("{left},{:.1}", height(f64::from(constant.start)));
    for iteration in iterations.iter().skip(stride - 1).step_by(stride) {
        let along = (iteration.iteration + 1) as f64 / count * WIDTH as f64;
        let place = height(iteration.values[index]);
        // Writing to a text cannot fail.
        let _ = write!(points, " {:.1},{place:.1}", left as f64 + along);
    }
    let (name, start, low, high) = (&constant.name, constant.start, constant.low, constant.high);
    let (title, frame) = (top + TITLE - 7, top + TITLE);
    let right = left + WIDTH;
    let first = height(f64::from(start));
    let _ = writeln!(
        svg,
        "<text x=\"{left}\" y=\"{title}\" fill=\"#202020\">{name}</text>\n\
         <text x=\"{right}\" y=\"{title}\" text-anchor=\"end\" fill=\"#606060\">\
         {start} to {last:.1} in {low} to {high}</text>\n\
         <rect x=\"{left}\" y=\"{frame}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f4f6f8\"/>\n\
         <line x1=\"{left}\" x2=\"{right}\" y1=\"{first:.1}\" y2=\"{first:.1}\" \
         stroke=\"#a0a8b0\" stroke-dasharray=\"3 3\"/>\n\
         <polyline points=\"{points}\" fill=\"none\" stroke=\"#1f6fb2\" stroke-width=\"1.5\"/>"
    );
}
