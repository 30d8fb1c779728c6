//! Pictures of numbers: small charts side by side, as SVG.
//!
//! It must not know what the numbers mean.

use std::fmt::{Display, Write};

const WIDTH: usize = 260;
const HEIGHT: usize = 90;
const TITLE: usize = 20;
const GAP: usize = 16;
const COLUMNS: usize = 3;

/// A picture with a grid of charts.
pub(crate) struct Picture {
    svg: String,
    charts: usize,
}

/// The position of a chart.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    left: f64,
    base: f64,
}

impl Frame {
    /// The width of every chart.
    pub(crate) const WIDTH: f64 = WIDTH as f64;

    /// A point of the chart; both coordinates go from 0 to 1, from the left and from the bottom.
    pub(crate) fn point(&self, along: f64, up: f64) -> (f64, f64) {
        let x = self.left + along * WIDTH as f64;
        let y = self.base - up * HEIGHT as f64;
        (x, y)
    }
}

/// The colours in dark mode. Programs that do not support styles use the attributes.
const DARK: &str = "@media (prefers-color-scheme: dark) { .paper { fill: #16191c } \
    .ink { fill: #e4e7ea } .remark { fill: #9aa4ae } .ground { fill: #20252a } }";

impl Picture {
    /// A picture with this many charts.
    pub(crate) fn new(charts: usize) -> Self {
        let rows = charts.div_ceil(COLUMNS).max(1);
        let width = COLUMNS * (WIDTH + GAP) + GAP;
        let height = rows * (HEIGHT + TITLE + GAP) + GAP;
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"11\">\n\
             <style>{DARK}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        );
        Self { svg, charts: 0 }
    }

    /// Begins the next chart: its title, a remark at the right, and an empty background.
    pub(crate) fn chart(&mut self, title: &str, remark: impl Display) -> Frame {
        let left = GAP + self.charts % COLUMNS * (WIDTH + GAP);
        let top = GAP + self.charts / COLUMNS * (HEIGHT + TITLE + GAP);
        self.charts += 1;
        let (baseline, ground) = (top + TITLE - 7, top + TITLE);
        let right = left + WIDTH;
        self.add(format_args!(
            "<text class=\"ink\" x=\"{left}\" y=\"{baseline}\" fill=\"#202020\">{title}</text>\n\
             <text class=\"remark\" x=\"{right}\" y=\"{baseline}\" text-anchor=\"end\" \
             fill=\"#606060\">{remark}</text>\n\
             <rect class=\"ground\" x=\"{left}\" y=\"{ground}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             fill=\"#f4f6f8\"/>"
        ));
        Frame {
            left: left as f64,
            base: (ground + HEIGHT) as f64,
        }
    }

    /// A dashed line across a chart, from one height at its left to another at its right.
    pub(crate) fn mark(&mut self, frame: Frame, first: f64, last: f64) {
        let ((left, from), (right, to)) = (frame.point(0.0, first), frame.point(1.0, last));
        self.add(format_args!(
            "<line x1=\"{left}\" x2=\"{right}\" y1=\"{from:.1}\" y2=\"{to:.1}\" \
             stroke=\"#a0a8b0\" stroke-dasharray=\"3 3\"/>"
        ));
    }

    /// A line through points.
    pub(crate) fn path(&mut self, frame: Frame, points: impl IntoIterator<Item = (f64, f64)>) {
        let points: Vec<String> = points
            .into_iter()
            .map(|(along, up)| {
                let (x, y) = frame.point(along, up);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        self.add(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f6fb2\" stroke-width=\"1.5\"/>",
            points.join(" ")
        ));
    }

    /// A bar for each number, the highest one as high as the chart.
    pub(crate) fn bars(&mut self, frame: Frame, numbers: &[u64]) {
        let most = numbers.iter().copied().max().unwrap_or(0).max(1) as f64;
        let step = 1.0 / numbers.len().max(1) as f64;
        let width = (step * Frame::WIDTH - 1.0).max(0.5);
        for (index, &number) in numbers
            .iter()
            .enumerate()
            .filter(|(_, number)| **number > 0)
        {
            let (x, y) = frame.point(index as f64 * step, number as f64 / most);
            let height = frame.base - y;
            self.add(format_args!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                 fill=\"#1f6fb2\"/>"
            ));
        }
    }

    /// The complete picture.
    pub(crate) fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }

    fn add(&mut self, element: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.svg, "{element}");
    }
}
