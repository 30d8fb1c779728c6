//! Curves of some work: rows of generations, epochs of trainings, and what a training says
//! while it runs.
//!
//! Long curves are sent as buckets with mean, least and most, short ones and those that are
//! zoomed into as they are. It must not know what the numbers mean.

use crate::answer::{Answer, Problem, answer};
use crate::items::finite;
use crate::shelf::Shelf;
use axum::Router;
use axum::extract::{Query, State};
use axum::routing::get;
use lab::events::{Event, Follower};
use lab::shelf::{Epoch, Work, WorkKind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// More points are never sent of one line.
const MOST_POINTS: usize = 4000;
/// Points of a line if nothing is said.
const USUAL_POINTS: usize = 600;
/// Runs whose events are remembered.
const MOST_REMEMBERED: usize = 12;
/// More lines are never sent of one metric.
const MOST_LINES: usize = 200;

/// Something that has a curve.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Metric {
    pub(crate) name: String,
    pub(crate) title: String,
    /// What the axis along counts.
    pub(crate) along: String,
    /// Whether numbers are shares of 1.
    pub(crate) share: bool,
}

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

/// A curve.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Curve {
    pub(crate) metric: Metric,
    pub(crate) lines: Vec<Line>,
}

/// A point with its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Point {
    x: f64,
    y: f64,
    low: f64,
    high: f64,
}

/// A line as it is.
struct Raw {
    name: String,
    arm: Option<String>,
    seed: Option<u64>,
    points: Vec<Point>,
}

fn metric(name: &str, title: &str, along: &str, share: bool) -> Metric {
    Metric {
        name: name.to_owned(),
        title: title.to_owned(),
        along: along.to_owned(),
        share,
    }
}

/// How a number of a generation is read, with its interval.
type Read = fn(&lab::Row) -> Option<[f64; 3]>;

fn plain(number: f64) -> Option<[f64; 3]> {
    Some([number; 3])
}

/// The numbers of generations.
const ROWS: [(&str, &str, bool, Read); 13] = [
    (
        "rating",
        "Elo above generation 0, all games together",
        false,
        |row| row.rating.map(|elo| [elo.value, elo.lower, elo.upper]),
    ),
    (
        "baseline",
        "Elo against generation 0, its match alone",
        false,
        |row| {
            row.baseline
                .as_ref()
                .map(|bench| [bench.elo, bench.elo_low, bench.elo_high])
        },
    ),
    ("previous", "Elo against the net before", false, |row| {
        row.previous
            .as_ref()
            .map(|bench| [bench.elo, bench.elo_low, bench.elo_high])
    }),
    (
        "validation-loss",
        "Loss on positions not learned from",
        false,
        |row| plain(row.validation_loss),
    ),
    ("loss", "Loss on positions learned from", false, |row| {
        plain(row.loss)
    }),
    (
        "decisive",
        "Share of games that somebody won",
        true,
        |row| plain(row.decisive),
    ),
    ("plies", "Plies of a game of self-play", false, |row| {
        plain(row.plies)
    }),
    ("speed", "Positions a second of self-play", false, |row| {
        (row.selfplay_seconds > 0.0).then(|| [row.positions as f64 / row.selfplay_seconds; 3])
    }),
    ("positions", "Positions of self-play", false, |row| {
        plain(row.positions as f64)
    }),
    (
        "repeated",
        "Share of positions that came more than once",
        true,
        |row| plain(row.repeated),
    ),
    ("buffer", "Positions in the buffer", false, |row| {
        plain(row.buffer_positions as f64)
    }),
    ("horizon", "Plies after which games end", false, |row| {
        row.horizon.and_then(|horizon| plain(f64::from(horizon)))
    }),
    (
        "seconds",
        "Seconds of self-play and training",
        false,
        |row| plain(row.selfplay_seconds + row.training_seconds),
    ),
];

/// The loss of each step while a training runs.
const STEPS: &str = "steps";
/// What an epoch's own numbers are called behind.
const EPOCH: &str = "epoch.";

/// Which work is asked about.
#[derive(Deserialize)]
struct Asked {
    id: String,
}

async fn metrics(
    State(curves): State<Arc<Curves>>,
    Query(asked): Query<Asked>,
) -> Answer<Vec<Metric>> {
    answer(move || {
        let work = curves.shelf.find(&asked.id)?;
        let mut known = Vec::new();
        if work.kind == WorkKind::Run {
            let rows = curves.shelf.look(&work)?.rows;
            let has = |read: Read| rows.iter().any(|row| read(row).is_some());
            let of_rows = ROWS.iter().filter(|(.., read)| has(*read));
            known.extend(
                of_rows.map(|(name, title, share, _)| metric(name, title, "generation", *share)),
            );
            known.push(steps_metric());
        }
        known.extend(epoch_metrics(&lab::shelf::trainings(&work)));
        Ok(known)
    })
    .await
}

fn steps_metric() -> Metric {
    metric(STEPS, "Loss while training runs", "step", false)
}

/// What an epoch measured, by name.
fn numbers(epoch: &Epoch) -> BTreeMap<String, f64> {
    let mut numbers = epoch.numbers.clone();
    numbers.insert("loss".to_owned(), epoch.loss);
    numbers.insert("validation_loss".to_owned(), epoch.validation_loss);
    if let Some(speed) = epoch.positions_a_second {
        numbers.insert("positions_a_second".to_owned(), speed);
    }
    numbers
}

fn epoch_metrics(trainings: &[(String, Vec<Epoch>)]) -> Vec<Metric> {
    let all = trainings.iter().flat_map(|(_, epochs)| epochs);
    let names: BTreeSet<String> = all.flat_map(|epoch| numbers(epoch).into_keys()).collect();
    names.iter().map(|name| epoch_metric(name)).collect()
}

fn epoch_metric(name: &str) -> Metric {
    let title = format!("{} by epoch", name.replace('_', " "));
    metric(&format!("{EPOCH}{name}"), &title, "epoch", false)
}

/// Which part of which curve is asked for.
#[derive(Deserialize)]
struct Part {
    id: String,
    metric: String,
    from: Option<f64>,
    to: Option<f64>,
    points: Option<usize>,
}

async fn curve(State(curves): State<Arc<Curves>>, Query(part): Query<Part>) -> Answer<Curve> {
    answer(move || {
        let work = curves.shelf.find(&part.id)?;
        let most = part.points.unwrap_or(USUAL_POINTS).clamp(2, MOST_POINTS);
        let range = [
            part.from.unwrap_or(f64::NEG_INFINITY),
            part.to.unwrap_or(f64::INFINITY),
        ];
        if part.metric == STEPS && work.kind == WorkKind::Run {
            let lines = curves.tracks.with(&work, |lines| cut(lines, range, most))?;
            return Ok(Curve {
                metric: steps_metric(),
                lines,
            });
        }
        let (metric, raw) = read(&curves.shelf, &work, &part.metric)?;
        Ok(Curve {
            metric,
            lines: cut(&raw, range, most),
        })
    })
    .await
}

fn cut(raw: &[Raw], range: [f64; 2], most: usize) -> Vec<Line> {
    let lines = raw.iter().take(MOST_LINES);
    lines.map(|raw| raw.line(range, most)).collect()
}

fn read(shelf: &Shelf, work: &Work, name: &str) -> Result<(Metric, Vec<Raw>), Problem> {
    if let Some(own) = name.strip_prefix(EPOCH) {
        let trainings = lab::shelf::trainings(work);
        let lines = trainings.iter().map(|(folder, epochs)| Raw {
            name: folder.clone(),
            arm: None,
            seed: None,
            points: (epochs.iter())
                .filter_map(|epoch| {
                    let y = numbers(epoch).get(own).copied()?;
                    Some(Point {
                        x: epoch.epoch as f64,
                        y,
                        low: y,
                        high: y,
                    })
                })
                .collect(),
        });
        return Ok((epoch_metric(own), lines.collect()));
    }
    let known = ROWS.iter().find(|(known, ..)| *known == name);
    let Some((name, title, share, read)) = known.filter(|_| work.kind == WorkKind::Run) else {
        return Err(Problem::missing("there is no such curve"));
    };
    let rows = shelf.look(work)?.rows;
    let mut lanes: BTreeMap<(String, u64), Vec<Point>> = BTreeMap::new();
    for row in &rows {
        if let Some([y, low, high]) = read(row) {
            let lane = lanes.entry((row.arm.clone(), row.seed)).or_default();
            lane.push(Point {
                x: f64::from(row.generation),
                y,
                low,
                high,
            });
        }
    }
    let lines = lanes.into_iter().map(|((arm, seed), points)| Raw {
        name: format!("{arm}, seed {seed}"),
        arm: Some(arm),
        seed: Some(seed),
        points,
    });
    Ok((metric(name, title, "generation", *share), lines.collect()))
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

/// What answers questions for curves.
struct Curves {
    shelf: Arc<Shelf>,
    tracks: Tracks,
}

/// What can be asked of curves.
pub(crate) fn questions(shelf: Arc<Shelf>) -> Router {
    let tracks = Tracks::default();
    Router::new()
        .route("/metrics", get(metrics))
        .route("/curve", get(curve))
        .with_state(Arc::new(Curves { shelf, tracks }))
}

/// The losses of running trainings, read once and then only what is new.
#[derive(Default)]
struct Tracks {
    remembered: Mutex<Vec<(String, Arc<Mutex<Track>>)>>,
}

struct Track {
    follower: Follower,
    lane: usize,
    lines: Vec<Raw>,
}

impl Tracks {
    /// Gives the lines of a run as they are now.
    fn with<T>(&self, work: &Work, give: impl FnOnce(&[Raw]) -> T) -> Result<T, Problem> {
        let track = {
            let mut all = self
                .remembered
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let track = match all.iter().position(|(id, _)| *id == work.id) {
                Some(at) => all.remove(at).1,
                None => Arc::new(Mutex::new(Track {
                    follower: Follower::new(&work.folder),
                    lane: 0,
                    lines: Vec::new(),
                })),
            };
            all.push((work.id.clone(), Arc::clone(&track)));
            if all.len() > MOST_REMEMBERED {
                all.remove(0);
            }
            track
        };
        let mut track = track.lock().unwrap_or_else(PoisonError::into_inner);
        track.read()?;
        Ok(give(&track.lines))
    }
}

impl Track {
    fn read(&mut self) -> Result<(), Problem> {
        let Track {
            follower,
            lane,
            lines,
        } = self;
        if follower.is_begun_anew() {
            lines.clear();
        }
        follower.read(&mut |stamped| match stamped.event {
            Event::Begun { place } => {
                let name = format!(
                    "{}, seed {}, generation {}",
                    place.arm, place.seed, place.generation
                );
                *lane = match lines.iter().position(|line| line.name == name) {
                    Some(at) => at,
                    None => {
                        lines.push(Raw {
                            name,
                            arm: Some(place.arm),
                            seed: Some(place.seed),
                            points: Vec::new(),
                        });
                        lines.len() - 1
                    }
                };
            }
            Event::Training { step, loss, .. } => {
                if let Some(line) = lines.get_mut(*lane) {
                    let x = step as f64;
                    // After a kill some steps are made again.
                    let known = line.points.partition_point(|point| point.x < x);
                    line.points.truncate(known);
                    line.points.push(Point {
                        x,
                        y: loss,
                        low: loss,
                        high: loss,
                    });
                }
            }
            _ => {}
        })?;
        Ok(())
    }
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
