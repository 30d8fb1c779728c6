//! Lines of points: the part of one that is looked at, in buckets if there are many. It must
//! not know where points come from.

use crate::summaries::finite;
use serde::Serialize;

/// More lines are never sent of one metric.
const MOST_LINES: usize = 200;

/// A line of a curve.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) arm: Option<String>,
    pub(crate) seed: Option<u64>,
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<Option<f64>>,
    /// The lower end of an interval, or the least of a bucket.
    pub(crate) low: Vec<Option<f64>>,
    /// The upper end of an interval, or the most of a bucket.
    pub(crate) high: Vec<Option<f64>>,
    /// How many points there are in all.
    pub(crate) points: usize,
    /// Whether low and high are those of buckets.
    pub(crate) bucketed: bool,
}

/// A point with its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A line as it is.
pub(super) struct Raw {
    pub(super) name: String,
    pub(super) arm: Option<String>,
    pub(super) seed: Option<u64>,
    pub(super) points: Vec<Point>,
}

pub(super) fn cut(raw: &[Raw], range: [f64; 2], most: usize) -> Vec<Line> {
    let lines = raw.iter().take(MOST_LINES);
    lines.map(|raw| raw.line(range, most)).collect()
}

impl Raw {
    /// The part within a range of x, in no more than so many points.
    fn line(&self, [from, to]: [f64; 2], most: usize) -> Line {
        let begin = self.points.partition_point(|point| point.x < from);
        let end = self
            .points
            .partition_point(|point| point.x <= to)
            .max(begin);
        let within = &self.points[begin..end];
        let bucketed = within.len() > most;
        let shown = match bucketed {
            true => buckets(within, most),
            false => within.to_vec(),
        };
        let column = |read: fn(&Point) -> f64| shown.iter().map(move |point| finite(read(point)));
        Line {
            name: self.name.clone(),
            arm: self.arm.clone(),
            seed: self.seed,
            x: shown.iter().map(|point| point.x).collect(),
            y: column(|point| point.y).collect(),
            low: column(|point| point.low).collect(),
            high: column(|point| point.high).collect(),
            points: within.len(),
            bucketed,
        }
    }
}

/// As many points in each bucket, with their mean, least and most.
fn buckets(points: &[Point], count: usize) -> Vec<Point> {
    let bounds = |bucket: usize| bucket * points.len() / count;
    (0..count)
        .map(|bucket| &points[bounds(bucket)..bounds(bucket + 1)])
        .filter(|bucket| !bucket.is_empty())
        .map(|bucket| {
            let size = bucket.len() as f64;
            let finite = || bucket.iter().filter(|point| point.y.is_finite());
            Point {
                x: bucket.iter().map(|point| point.x).sum::<f64>() / size,
                y: finite().map(|point| point.y).sum::<f64>() / finite().count() as f64,
                low: bucket
                    .iter()
                    .map(|point| point.low)
                    .fold(f64::INFINITY, f64::min),
                high: bucket
                    .iter()
                    .map(|point| point.high)
                    .fold(f64::NEG_INFINITY, f64::max),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(count: usize) -> Raw {
        let point = |at: usize| {
            let y = if at == 777 { 50.0 } else { (at % 10) as f64 };
            Point {
                x: at as f64,
                y,
                low: y,
                high: y,
            }
        };
        Raw {
            name: "line".to_owned(),
            arm: None,
            seed: None,
            points: (0..count).map(point).collect(),
        }
    }

    #[test]
    fn a_long_line_keeps_its_least_and_most() {
        let line = raw(10_000).line([f64::NEG_INFINITY, f64::INFINITY], 100);
        assert!(line.bucketed);
        assert_eq!((line.x.len(), line.points), (100, 10_000));
        assert!(
            line.high.contains(&Some(50.0)),
            "a single high point is seen"
        );
        assert!(line.low.iter().all(|low| *low == Some(0.0)));
        assert!(
            line.y
                .iter()
                .flatten()
                .all(|mean| (4.0..6.0).contains(mean))
        );
    }

    #[test]
    fn a_zoom_gives_single_points() {
        let line = raw(10_000).line([770.0, 780.0], 100);
        assert!(!line.bucketed);
        assert_eq!((line.x.len(), line.points), (11, 11));
        assert_eq!(line.y[7], Some(50.0));
        let nothing = raw(10).line([20.0, 10.0], 100);
        assert_eq!(nothing.x, Vec::<f64>::new());
    }
}
