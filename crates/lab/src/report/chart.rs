//! Charts as SVG: lines over generations with error bars, and intervals below each other. It must
//! not know what the numbers mean.

use std::fmt::{Display, Write};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 46.0;
/// Height of a row of intervals.
const ROW: f64 = 26.0;

/// Colours that people with colour blindness can tell apart.
pub(crate) const COLORS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];

/// The colour of the series with this index.
pub(crate) fn color(number: usize) -> &'static str {
    COLORS[number % COLORS.len()]
}

/// A number with an interval; the ends may be infinite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A line of a chart.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) color: &'static str,
    pub(crate) points: Vec<Point>,
    /// Thin lines without marks, error bars or names.
    pub(crate) faint: Vec<Vec<(f64, f64)>>,
}

/// Lines over generations.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) x_label: &'static str,
    pub(crate) y_label: &'static str,
    pub(crate) series: Vec<Series>,
    /// Values that the vertical axis must include, such as 0.
    pub(crate) included: Vec<f64>,
    /// Values that the horizontal axis must include.
    pub(crate) included_along: Vec<f64>,
}

/// An interval with a name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Interval {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) is_total: bool,
}

/// An axis of a picture.
#[derive(Clone, Copy, Debug)]
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// An axis that includes all these numbers and has round ends.
    fn new(numbers: impl Iterator<Item = f64>) -> Axis {
        let finite = numbers.filter(|number| number.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        let (low, high) = match low <= high {
            true => (low, high),
            false => (0.0, 1.0),
        };
        let span = (high - low).max(1e-6 * high.abs()).max(1e-9);
        let rough = span / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * power)
            .into_iter()
            .find(|step| *step >= rough)
            .unwrap_or(10.0 * power);
        Axis {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step + if low == high { step } else { 0.0 },
            step,
        }
    }

    fn share(&self, number: f64) -> f64 {
        ((number - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (low, step) = (self.low, self.step);
        let count = ((self.high - low) / step).round() as i32;
        (0..=count).map(move |index| {
            let tick = low + f64::from(index) * step;
            // Zero without a sign or a rounding error.
            if tick.abs() < 1e-9 * step { 0.0 } else { tick }
        })
    }

    fn label(&self, tick: f64) -> String {
        let decimals = (-self.step.log10().floor()).clamp(0.0, 6.0) as usize;
        format!("{tick:.decimals$}")
    }
}

/// A picture to which elements are added.
struct Canvas(String);

impl Canvas {
    fn new(width: f64, height: f64, title: &str) -> Canvas {
        let title = escaped(title);
        Canvas(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\" role=\"img\" aria-label=\"{title}\">\n\
             <style>{DARK}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" {PAPER}/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"15\" {INK}>{title}</text>\n"
        ))
    }

    fn add(&mut self, element: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{element}");
    }

    fn line(&mut self, [x1, y1, x2, y2]: [f64; 4], style: &str) {
        self.add(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
        ));
    }

    fn path(&mut self, points: impl Iterator<Item = (f64, f64)>, style: &str) {
        let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.add(format_args!(
            "<polyline points=\"{}\" fill=\"none\" {style}/>",
            points.join(" ")
        ));
    }

    fn text(&mut self, x: f64, y: f64, style: &str, text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{text}</text>"
        ));
    }

    fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}

/// A text escaped for SVG and HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

const PAPER: &str = "class=\"chart-paper\" fill=\"#ffffff\"";
const INK: &str = "class=\"chart-ink\" fill=\"#202020\"";
const GRID: &str = "class=\"chart-grid\" stroke=\"#e4e8ec\"";
const ZERO: &str = "class=\"chart-zero\" stroke=\"#808890\"";
const SMALL: &str = "class=\"chart-small\" fill=\"#505860\" font-size=\"11\"";
/// The colours in dark mode. Programs that do not support styles use the attributes.
const DARK: &str = "@media (prefers-color-scheme: dark) { \
    .chart-paper { fill: #16191c } .chart-ink { fill: #e4e7ea } \
    .chart-small { fill: #9aa4ae } .chart-grid { stroke: #30373e } \
    .chart-zero { stroke: #7b858f } }";

impl Chart {
    /// The picture.
    pub(crate) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let faint = || {
            let series = self.series.iter().flat_map(|series| &series.faint);
            series.flatten().copied()
        };
        let xs = points().map(|point| point.x).chain(faint().map(|(x, _)| x));
        let xs = xs.chain(self.included_along.iter().copied());
        let (first, last) = xs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        let ys = points()
            .flat_map(|point| [point.y, point.low, point.high])
            .chain(faint().map(|(_, y)| y))
            .chain(self.included.iter().copied());
        let y_axis = Axis::new(ys);
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        // Half a generation of space on both sides.
        let x = |number: f64| LEFT + width * (number - first + 0.5) / (last - first + 1.0);
        let y = |number: f64| TOP + height * (1.0 - y_axis.share(number));
        let mut canvas = Canvas::new(WIDTH, HEIGHT, &self.title);
        for tick in y_axis.ticks() {
            let style = if tick == 0.0 { ZERO } else { GRID };
            canvas.line([LEFT, y(tick), WIDTH - RIGHT, y(tick)], style);
            let style = format!("text-anchor=\"end\" {SMALL}");
            canvas.text(LEFT - 6.0, y(tick) + 4.0, &style, &y_axis.label(tick));
        }
        let middle = format!("text-anchor=\"middle\" {SMALL}");
        let every = ((last - first) / 12.0).ceil().max(1.0);
        let mut number = first;
        while number <= last {
            canvas.text(
                x(number),
                HEIGHT - BOTTOM + 18.0,
                &middle,
                &format!("{number}"),
            );
            number += every;
        }
        canvas.text(LEFT + 0.5 * width, HEIGHT - 10.0, &middle, self.x_label);
        let turned = format!(
            "transform=\"rotate(-90 16 {0:.1})\" {middle}",
            TOP + 0.5 * height
        );
        canvas.text(16.0, TOP + 0.5 * height, &turned, self.y_label);
        self.draw_series(&mut canvas, &x, &y);
        canvas.finish()
    }

    fn draw_series(&self, canvas: &mut Canvas, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
        let mut legend = LEFT;
        let count = self.series.len() as f64;
        for (number, series) in self.series.iter().enumerate() {
            let color = series.color;
            for line in &series.faint {
                let points = line.iter().map(|&(along, up)| (x(along), y(up)));
                let style = format!("stroke=\"{color}\" stroke-opacity=\"0.25\"");
                canvas.path(points, &style);
            }
            // Shifted sideways, so that error bars do not hide each other.
            let aside = 8.0 * (number as f64 - 0.5 * (count - 1.0));
            let place = |point: &Point| (x(point.x) + aside, y(point.y));
            let style = format!("stroke=\"{color}\" stroke-width=\"2\"");
            canvas.path(series.points.iter().map(place), &style);
            for point in &series.points {
                let (left, up) = place(point);
                let (low, high) = (y(point.low), y(point.high));
                let style = format!("stroke=\"{color}\"");
                canvas.line([left, low, left, high], &style);
                for end in [low, high] {
                    canvas.line([left - 3.0, end, left + 3.0, end], &style);
                }
                canvas.add(format_args!(
                    "<circle cx=\"{left:.1}\" cy=\"{up:.1}\" r=\"3.5\" fill=\"{color}\"/>"
                ));
            }
            canvas.add(format_args!(
                "<rect x=\"{legend:.1}\" y=\"37\" width=\"12\" height=\"12\" fill=\"{color}\"/>"
            ));
            canvas.text(legend + 17.0, 47.0, INK, &series.name);
            legend += 34.0 + 7.2 * series.name.chars().count() as f64;
        }
    }
}

/// A chart of intervals below each other.
pub(crate) fn intervals(title: &str, x_label: &str, list: &[Interval]) -> String {
    const NAMES: f64 = 150.0;
    const NUMBERS: f64 = 150.0;
    let height = TOP + ROW * list.len() as f64 + BOTTOM;
    let numbers = list
        .iter()
        .flat_map(|interval| [interval.value, interval.low, interval.high]);
    let axis = Axis::new(numbers.chain([0.0]));
    let x = |number: f64| NAMES + (WIDTH - NAMES - NUMBERS) * axis.share(number);
    let base = height - BOTTOM;
    let mut canvas = Canvas::new(WIDTH, height, title);
    let middle = format!("text-anchor=\"middle\" {SMALL}");
    for tick in axis.ticks() {
        let style = if tick == 0.0 { ZERO } else { GRID };
        canvas.line([x(tick), TOP - 8.0, x(tick), base], style);
        canvas.text(x(tick), base + 16.0, &middle, &axis.label(tick));
    }
    canvas.text(
        NAMES + 0.5 * (WIDTH - NAMES - NUMBERS),
        height - 8.0,
        &middle,
        x_label,
    );
    for (index, interval) in list.iter().enumerate() {
        let y = TOP + ROW * (index as f64 + 0.5);
        let (color, weight) = match interval.is_total {
            true => (COLORS[1], "stroke-width=\"3\""),
            false => (COLORS[0], "stroke-width=\"1.5\""),
        };
        let ends = [x(interval.low), y, x(interval.high), y];
        canvas.line(ends, &format!("stroke=\"{color}\" {weight}"));
        canvas.add(format_args!(
            "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{color}\"/>",
            x(interval.value)
        ));
        let right = format!("text-anchor=\"end\" {INK}");
        canvas.text(NAMES - 12.0, y + 4.0, &right, &interval.name);
        let words = format!(
            "{:+.0} [{:+.0}, {:+.0}]",
            interval.value, interval.low, interval.high
        );
        canvas.text(WIDTH - NUMBERS + 12.0, y + 4.0, INK, &words);
    }
    canvas.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_ends() {
        let axis = |numbers: &[f64]| {
            let axis = Axis::new(numbers.iter().copied());
            let labels: Vec<String> = axis.ticks().map(|tick| axis.label(tick)).collect();
            labels.join(" ")
        };
        assert_eq!(axis(&[-13.0, 88.0]), "-50 0 50 100");
        assert_eq!(axis(&[0.0, 0.23]), "0.00 0.05 0.10 0.15 0.20 0.25");
        assert_eq!(
            axis(&[0.0, f64::INFINITY, 1000.0]),
            "0 200 400 600 800 1000"
        );
        assert_eq!(axis(&[]), "0.0 0.2 0.4 0.6 0.8 1.0");
        // A single number has an axis, too.
        assert!(axis(&[5.0]).contains("5.0"));
    }

    #[test]
    fn no_number_leaves_the_picture() {
        let point = |y, low, high| Point {
            x: 1.0,
            y,
            low,
            high,
        };
        let chart = Chart {
            title: "a < b".to_owned(),
            x_label: "generation",
            y_label: "Elo",
            series: vec![Series {
                name: "one".to_owned(),
                color: color(0),
                points: vec![
                    point(5.0, f64::NEG_INFINITY, 9.0),
                    point(f64::INFINITY, 1.0, f64::INFINITY),
                ],
                faint: vec![vec![(1.0, 2.0), (2.0, 3.0)]],
            }],
            included: vec![0.0],
            included_along: vec![0.0],
        };
        let svg = chart.svg();
        assert!(!svg.contains("inf") && !svg.contains("NaN"), "{svg}");
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("prefers-color-scheme: dark"), "{svg}");
    }
}
