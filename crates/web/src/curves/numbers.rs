//! Numbers that were measured once for a generation or an epoch, as lines. What those of a
//! generation are, `rows` knows.

use super::lines::{Point, Raw};
use super::{Metric, metric, rows, titles};
use crate::answer::Problem;
use crate::run_index::RunIndex;
use lab::catalog::{Epoch, Work, WorkKind};
use std::collections::{BTreeMap, BTreeSet};

/// What an epoch's own numbers are called behind.
const EPOCH: &str = "epoch.";
/// Numbers of an epoch that are shown before the others.
const FIRST: [&str; 4] = ["validation_loss", "loss", "policy_loss", "value_loss"];

/// The curves that there are of some work beside those of its events.
pub(super) fn metrics(index: &RunIndex, work: &Work) -> Result<Vec<Metric>, Problem> {
    let mut known = Vec::new();
    if work.kind == WorkKind::Run {
        known.extend(rows::metrics(&index.look(work)?.rows));
    }
    known.extend(epoch_metrics(&lab::catalog::trainings(work)));
    Ok(known)
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
    let mut names: Vec<&String> = names.iter().collect();
    // What says whether it learned comes first.
    names.sort_by_key(|name| {
        FIRST
            .iter()
            .position(|first| first == name)
            .unwrap_or(FIRST.len())
    });
    names.into_iter().map(|name| epoch_metric(name)).collect()
}

fn epoch_metric(name: &str) -> Metric {
    let title = format!("{} by epoch", titles::measured(name));
    metric(&format!("{EPOCH}{name}"), &title, "epoch", false)
}

/// The lines of a curve.
pub(super) fn read(
    index: &RunIndex,
    work: &Work,
    name: &str,
) -> Result<(Metric, Vec<Raw>), Problem> {
    if let Some(own) = name.strip_prefix(EPOCH) {
        let trainings = lab::catalog::trainings(work);
        let lines = trainings.iter().map(|(folder, epochs)| Raw {
            name: match folder.is_empty() {
                // The training itself.
                true => work.name().to_owned(),
                false => folder.clone(),
            },
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
    let missing = || Problem::missing("there is no such curve");
    if work.kind != WorkKind::Run {
        return Err(missing());
    }
    let rows = index.look(work)?.rows;
    let column = rows::column(&rows, name).ok_or_else(missing)?;
    let mut lanes: BTreeMap<(String, u64), Vec<Point>> = BTreeMap::new();
    for row in &rows {
        if let Some([y, low, high]) = column.read(row) {
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
    Ok((column.metric(), lines.collect()))
}
