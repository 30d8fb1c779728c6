//! Numbers that were measured once for a generation or an epoch, as lines.

use super::lines::{Point, Raw};
use super::{Metric, metric};
use crate::answer::Problem;
use crate::run_index::RunIndex;
use lab::catalog::{Epoch, Work, WorkKind};
use std::collections::{BTreeMap, BTreeSet};

/// What an epoch's own numbers are called behind.
const EPOCH: &str = "epoch.";

/// How a number of a generation is read, with its interval.
type Read = fn(&lab::Row) -> Option<[f64; 3]>;

fn plain(number: f64) -> Option<[f64; 3]> {
    Some([number; 3])
}

/// A number of self-play; a generation that played no games has none.
fn of_games(row: &lab::Row, number: f64) -> Option<[f64; 3]> {
    (row.games > 0 && number.is_finite()).then_some([number; 3])
}

/// The numbers of generations.
const ROWS: [(&str, &str, bool, Read); 13] = [
    (
        "rating",
        "Elo above generation 0, all games",
        false,
        |row| row.rating.map(|elo| [elo.value, elo.lower, elo.upper]),
    ),
    (
        "baseline",
        "Elo against generation 0, single match",
        false,
        |row| {
            row.baseline
                .as_ref()
                .map(|bench| [bench.elo, bench.elo_low, bench.elo_high])
        },
    ),
    ("previous", "Elo against the previous net", false, |row| {
        row.previous
            .as_ref()
            .map(|bench| [bench.elo, bench.elo_low, bench.elo_high])
    }),
    ("validation-loss", "Validation loss", false, |row| {
        plain(row.validation_loss)
    }),
    ("loss", "Training loss", false, |row| plain(row.loss)),
    ("decisive", "Share of decisive games", true, |row| {
        of_games(row, row.decisive)
    }),
    ("plies", "Plies per self-play game", false, |row| {
        of_games(row, row.plies)
    }),
    ("speed", "Self-play positions per second", false, |row| {
        of_games(row, row.positions as f64 / row.selfplay_seconds)
    }),
    ("positions", "Self-play positions", false, |row| {
        of_games(row, row.positions as f64)
    }),
    ("repeated", "Share of duplicate positions", true, |row| {
        of_games(row, row.repeated)
    }),
    ("buffer", "Positions in the replay buffer", false, |row| {
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

/// The curves that there are of some work beside those of its events.
pub(super) fn metrics(index: &RunIndex, work: &Work) -> Result<Vec<Metric>, Problem> {
    let mut known = Vec::new();
    if work.kind == WorkKind::Run {
        let rows = index.look(work)?.rows;
        let has = |read: Read| rows.iter().any(|row| read(row).is_some());
        let of_rows = ROWS.iter().filter(|(.., read)| has(*read));
        known.extend(
            of_rows.map(|(name, title, share, _)| metric(name, title, "generation", *share)),
        );
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
    names.iter().map(|name| epoch_metric(name)).collect()
}

fn epoch_metric(name: &str) -> Metric {
    let title = format!("{} by epoch", name.replace('_', " "));
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
    let rows = index.look(work)?.rows;
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
