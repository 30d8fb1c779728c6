//! The numbers of a generation: those that everybody wants to see, in words, and whatever
//! else a row has, by its name. How rows come about is not known here.

use super::{Metric, metric, titles};
use serde_json::Value;
use std::collections::BTreeMap;

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
const ROWS: [(&str, &str, bool, Read); 18] = [
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
    ("eval", "Elo in evaluation games", false, |row| {
        row.eval
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
    (
        "lesson-decisive",
        "Share of training positions from decisive games",
        true,
        |row| (row.lesson_positions > 0).then_some([row.lesson_decisive; 3]),
    ),
    (
        "false-resignations",
        "Share of resigned games that were not lost, of those played on",
        true,
        |row| {
            let tally = row.explored.as_ref().filter(|tally| tally.played_on > 0)?;
            plain(tally.false_resignations as f64 / tally.played_on as f64)
        },
    ),
    (
        "calibration",
        "Mean error of the values of searches",
        false,
        |row| plain(row.explored.as_ref()?.calibration.error()?),
    ),
    ("simulations", "Simulations of self-play", false, |row| {
        plain(row.explored.as_ref()?.simulations as f64)
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

/// Numbers of a row that a curve above shows, or that name the row.
const SHOWN: [&str; 10] = [
    "seed",
    "generation",
    "selfplay_seed",
    "horizon",
    "plies",
    "positions",
    "decisive",
    "repeated",
    "loss",
    "validation_loss",
];
/// More of them, with what lies below.
const SHOWN_BELOW: [&str; 4] = [
    "rating",
    "buffer_positions",
    "lesson_decisive",
    "explored.simulations",
];
/// Parts of a match that the curve of its Elo shows.
const OF_MATCHES: [&str; 3] = ["elo", "elo_low", "elo_high"];

/// A number of generations.
pub(super) enum Column {
    Known(&'static (&'static str, &'static str, bool, Read)),
    /// By its name in a row.
    Named(String),
}

impl Column {
    pub(super) fn metric(&self) -> Metric {
        match self {
            Column::Known((name, title, share, _)) => metric(name, title, "generation", *share),
            Column::Named(name) => Metric {
                // What a learner measures is why one looks.
                minor: !name.starts_with("learned."),
                ..metric(name, &titles::of_row(name), "generation", false)
            },
        }
    }

    /// The number of a row, with its interval.
    pub(super) fn read(&self, row: &lab::Row) -> Option<[f64; 3]> {
        match self {
            Column::Known((.., read)) => read(row),
            Column::Named(name) => named(row).get(name).map(|number| [*number; 3]),
        }
    }
}

/// The curves of these rows.
pub(super) fn metrics(rows: &[lab::Row]) -> Vec<Metric> {
    let has = |read: Read| rows.iter().any(|row| read(row).is_some());
    let known = ROWS.iter().filter(|(.., read)| has(*read));
    let mut names: BTreeMap<String, f64> = BTreeMap::new();
    for row in rows {
        names.extend(named(row));
    }
    let mut metrics: Vec<Metric> = known.map(|row| Column::Known(row).metric()).collect();
    metrics.extend(names.into_keys().map(|name| Column::Named(name).metric()));
    metrics.sort_by_key(|metric| metric.minor);
    metrics
}

/// The column of this name.
pub(super) fn column(rows: &[lab::Row], name: &str) -> Option<Column> {
    match ROWS.iter().find(|(known, ..)| *known == name) {
        Some(known) => Some(Column::Known(known)),
        None => {
            let is_there = rows.iter().any(|row| named(row).contains_key(name));
            is_there.then(|| Column::Named(name.to_owned()))
        }
    }
}

/// All numbers of a row that are not in the list above, by their names.
fn named(row: &lab::Row) -> BTreeMap<String, f64> {
    let mut numbers = BTreeMap::new();
    if let Ok(Value::Object(fields)) = serde_json::to_value(row) {
        for (name, value) in &fields {
            gather(name, value, &mut numbers);
        }
    }
    numbers
}

fn gather(name: &str, value: &Value, numbers: &mut BTreeMap<String, f64>) {
    let is_match = name.split_once('.').is_some_and(|(of, part)| {
        ["baseline", "previous", "eval"].contains(&of) && OF_MATCHES.contains(&part)
    });
    if SHOWN.contains(&name) || SHOWN_BELOW.contains(&name) || is_match {
        return;
    }
    match value {
        Value::Object(fields) => {
            for (part, value) in fields {
                gather(&format!("{name}.{part}"), value, numbers);
            }
        }
        // Numbers without names, such as those of bins, are no curves.
        Value::Number(number) => {
            numbers.extend(number.as_f64().map(|number| (name.to_owned(), number)));
        }
        _ => {}
    }
}
