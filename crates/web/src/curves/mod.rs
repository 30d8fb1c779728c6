//! Curves of some work: rows of generations, epochs of trainings, and what a training says
//! while it runs.
//!
//! Long curves are sent as buckets with mean, least and most, short ones and those that are
//! zoomed into as they are (`lines`). `numbers` reads generations (`rows`) and epochs, `tracks`
//! what is told within one, and `titles` puts names into words. It must not know how anything
//! is measured.

mod lines;
mod numbers;
mod rows;
mod titles;
mod tracks;

use crate::answer::{Answer, answer};
use crate::run_index::RunIndex;
use axum::Router;
use axum::extract::{Query, State};
use axum::routing::get;
use lab::catalog::WorkKind;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tracks::Tracks;

pub(crate) use lines::Line;

/// More points are never sent of one line.
const MOST_POINTS: usize = 4000;
/// Points of a line by default.
const USUAL_POINTS: usize = 600;

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
    /// Whether few people want to see it.
    pub(crate) minor: bool,
}

/// A curve.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Curve {
    pub(crate) metric: Metric,
    pub(crate) lines: Vec<Line>,
}

fn metric(name: &str, title: &str, along: &str, share: bool) -> Metric {
    Metric {
        name: name.to_owned(),
        title: title.to_owned(),
        along: along.to_owned(),
        share,
        minor: false,
    }
}

/// The loss of each step while a training runs.
const STEPS: &str = "running-loss";

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
        let work = curves.index.find(&asked.id)?;
        let mut known = numbers::metrics(&curves.index, &work)?;
        if work.kind == WorkKind::Run {
            let rows = known.partition_point(|metric| metric.along == "generation");
            known.insert(rows, steps_metric());
        }
        Ok(known)
    })
    .await
}

fn steps_metric() -> Metric {
    metric(STEPS, "Loss while training runs", "step", false)
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
        let work = curves.index.find(&part.id)?;
        let most = part.points.unwrap_or(USUAL_POINTS).clamp(2, MOST_POINTS);
        let range = [
            part.from.unwrap_or(f64::NEG_INFINITY),
            part.to.unwrap_or(f64::INFINITY),
        ];
        if part.metric == STEPS && work.kind == WorkKind::Run {
            let lines = curves
                .tracks
                .with(&work, |lines| lines::cut(lines, range, most))?;
            return Ok(Curve {
                metric: steps_metric(),
                lines,
            });
        }
        let (metric, raw) = numbers::read(&curves.index, &work, &part.metric)?;
        Ok(Curve {
            metric,
            lines: lines::cut(&raw, range, most),
        })
    })
    .await
}

/// What answers requests for curves.
struct Curves {
    index: Arc<RunIndex>,
    tracks: Tracks,
}

/// What can be asked of curves.
pub(crate) fn routes(index: Arc<RunIndex>) -> Router {
    let tracks = Tracks::default();
    Router::new()
        .route("/metrics", get(metrics))
        .route("/curve", get(curve))
        .with_state(Arc::new(Curves { index, tracks }))
}
