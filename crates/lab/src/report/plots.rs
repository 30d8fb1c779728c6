//! The charts of a run.

use super::chart::{self, Chart, Interval, Point, Series};
use crate::metrics::{Bench, Row};
use crate::settings::Experiment;
use crate::verdict::{Conclusion, Effect, bounded_elo};
use arena::statistics::{Estimate, Mean};

/// A chart with its file name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Plot {
    pub(crate) file: &'static str,
    pub(crate) title: String,
    pub(crate) svg: String,
}

/// The possible ranges of numbers: any number, positive numbers, and shares.
const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
const POSITIVE: [f64; 2] = [0.0, f64::INFINITY];
const SHARE: [f64; 2] = [0.0, 1.0];

/// All charts that have something to show.
pub(crate) fn all(experiment: &Experiment, rows: &[Row], conclusion: &Conclusion) -> Vec<Plot> {
    if rows.is_empty() {
        return Vec::new();
    }
    let of_bench = |bench: &Bench| {
        Some(Estimate {
            value: bounded_elo(&bench.counts),
            ..bench.estimate()
        })
    };
    let of_number = |number: f64| {
        Some(Estimate {
            value: number,
            lower: number,
            upper: number,
        })
    };
    let mut plots = vec![
        plot(
            "elo.svg",
            "Ratings of candidates over all games; generation 0 is 0",
            "Elo",
            &[0.0],
            series(experiment, rows, ANY, &|row| row.rating),
        ),
        plot(
            "elo-previous.svg",
            "Candidates against the previous net",
            "Elo",
            &[0.0],
            series(experiment, rows, ANY, &|row| {
                row.previous.as_ref().and_then(of_bench)
            }),
        ),
        plot(
            "game-length.svg",
            "Length of self-play games",
            "plies",
            &[0.0],
            series(experiment, rows, POSITIVE, &|row| {
                of_number(row.plies).filter(|_| row.games > 0)
            }),
        ),
        plot(
            "decisive.svg",
            "Share of decisive self-play games",
            "share",
            &[0.0, 1.0],
            series(experiment, rows, SHARE, &|row| {
                of_number(row.decisive).filter(|_| row.games > 0)
            }),
        ),
        plot(
            "loss.svg",
            "Validation loss",
            "loss",
            &[],
            series(experiment, rows, POSITIVE, &|row| {
                of_number(row.validation_loss)
            }),
        ),
    ];
    plots.retain(|plot| !plot.svg.is_empty());
    plots.extend(
        conclusion
            .difference
            .as_ref()
            .map(|effect| differences(effect, conclusion)),
    );
    plots
}

fn plot(
    file: &'static str,
    title: &str,
    y_label: &'static str,
    included: &[f64],
    series: Vec<Series>,
) -> Plot {
    let is_empty = series.iter().all(|series| series.points.is_empty());
    let chart = Chart {
        title: title.to_owned(),
        x_label: "generation",
        y_label,
        series,
        included: included.to_vec(),
        included_along: Vec::new(),
    };
    Plot {
        file,
        title: title.to_owned(),
        svg: match is_empty {
            true => String::new(),
            false => chart.svg(),
        },
    }
}

/// A line for each arm: of a single seed as it is, of several their mean with the interval from
/// their variance, and each seed as a thin line.
fn series(
    experiment: &Experiment,
    rows: &[Row],
    possible: [f64; 2],
    value: &dyn Fn(&Row) -> Option<Estimate>,
) -> Vec<Series> {
    let arms = experiment.arms.keys().enumerate();
    arms.map(|(number, arm)| {
        let own: Vec<&Row> = rows.iter().filter(|row| row.arm == *arm).collect();
        let generations = 1..=experiment.generations;
        let points = generations.filter_map(|generation| {
            let values = own.iter().filter(|row| row.generation == generation);
            let values: Vec<_> = values.filter_map(|row| value(row)).collect();
            point(f64::from(generation), &values, possible)
        });
        let mut seeds: Vec<u64> = own.iter().map(|row| row.seed).collect();
        seeds.dedup();
        let faint = seeds.iter().map(|&seed| {
            let own = own.iter().filter(|row| row.seed == seed);
            own.filter_map(|row| Some((f64::from(row.generation), value(row)?.value)))
                .collect()
        });
        Series {
            name: arm.clone(),
            color: chart::color(number),
            points: points.collect(),
            faint: match seeds.len() {
                0 | 1 => Vec::new(),
                _ => faint.collect(),
            },
        }
    })
    .collect()
}

/// The interval of a mean may reach beyond the possible values, especially with two seeds; it is
/// cut off there.
fn point(x: f64, values: &[Estimate], [least, most]: [f64; 2]) -> Option<Point> {
    let numbers: Vec<f64> = values.iter().map(|estimate| estimate.value).collect();
    let estimate = match values {
        [only] => *only,
        _ => Mean::of(&numbers)?.estimate,
    };
    Some(Point {
        x,
        y: estimate.value,
        low: estimate.lower.max(least),
        high: estimate.upper.min(most),
    })
}

fn differences(effect: &Effect, conclusion: &Conclusion) -> Plot {
    let mut list: Vec<Interval> = effect
        .by_seed
        .iter()
        .map(|&(seed, value)| {
            let margin = match_margin(conclusion, seed);
            Interval {
                name: format!("seed {seed}"),
                value,
                low: value - margin,
                high: value + margin,
                is_total: false,
            }
        })
        .collect();
    list.push(Interval {
        name: "mean over seeds".to_owned(),
        value: effect.mean.value,
        low: effect.mean.lower,
        high: effect.mean.upper,
        is_total: true,
    });
    let title = format!("Final nets: {}", effect.contrast);
    Plot {
        file: "differences.svg",
        svg: chart::intervals(&title, "Elo", &list),
        title,
    }
}

/// The margin of a seed's match, if there are just two arms.
fn match_margin(conclusion: &Conclusion, seed: u64) -> f64 {
    let mut heads = conclusion
        .meetings
        .iter()
        .filter(|meeting| meeting.seed == seed && meeting.other.is_some());
    match (heads.next(), heads.next()) {
        (Some(only), None) if only.elo.margin().is_finite() => only.elo.margin(),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_end_where_numbers_do() {
        let estimate = |value: f64| Estimate {
            value,
            lower: value,
            upper: value,
        };
        let two = [estimate(0.9), estimate(0.5)];
        let point = |possible| super::point(1.0, &two, possible).expect("a point");
        let free = point(ANY);
        assert!(free.low < 0.0 && free.high > 1.0);
        let share = point(SHARE);
        assert_eq!((share.y, share.low, share.high), (0.7, 0.0, 1.0));
        assert_eq!(point(POSITIVE).low, 0.0);
    }
}
