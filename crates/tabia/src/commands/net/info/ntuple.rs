//! The contents of an n-tuple network's file.

use super::provenance_facts;
use crate::output::excerpt;
use nets::ntuple::{LARGEST_WEIGHT, NTupleFile, Table};
use nets::{Model, Provenance};
use serde::Serialize;
use std::fmt::{self, Display};

/// How many of the largest weights are shown.
const SHOWN: usize = 12;

/// An n-tuple network.
#[derive(Serialize)]
pub(super) struct Report {
    name: String,
    kind: String,
    sha256: String,
    bytes: u64,
    description: String,
    provenance: Provenance,
    /// The enabled groups of terms of the hand-written evaluation.
    groups: Vec<&'static str>,
    endgame_functions: bool,
    places: usize,
    /// The number of entries whose weights are not both 0.
    used: usize,
    /// The number of weights at the limit of what a table can hold; the trained weights may be
    /// larger.
    saturated: usize,
    tables: Vec<TableReport>,
    /// The entries with the largest weights.
    strongest: Vec<PlaceReport>,
}

#[derive(Serialize)]
struct TableReport {
    tuple: String,
    places: usize,
    used: usize,
    saturated: usize,
    /// The mean absolute values of the opening weights and of the endgame weights.
    mean_magnitude: [f64; 2],
    largest: u16,
}

#[derive(Serialize)]
struct PlaceReport {
    place: String,
    opening: i16,
    endgame: i16,
}

impl Report {
    pub(super) fn new(model: &Model, file: &NTupleFile) -> Report {
        let weights = file.network.weights();
        let tables: Vec<_> = weights.tables().iter().map(TableReport::new).collect();
        Report {
            name: model.name(),
            kind: model.kind().to_string(),
            sha256: file.hash(),
            bytes: file.size,
            description: weights.description.clone(),
            provenance: weights.provenance.clone(),
            groups: weights.groups.iter().map(|group| group.name()).collect(),
            endgame_functions: weights.endgame_functions,
            places: weights.places(),
            used: tables.iter().map(|table| table.used).sum(),
            saturated: tables.iter().map(|table| table.saturated).sum(),
            strongest: strongest(weights.tables()),
            tables,
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let switch = if self.endgame_functions { "on" } else { "off" };
        let count = self.tables.len();
        let mut facts = vec![
            ("name", self.name.clone()),
            ("sha256", self.sha256.clone()),
            ("bytes", self.bytes.to_string()),
            ("description", excerpt(&self.description)),
        ];
        facts.extend(provenance_facts(&self.provenance));
        facts.extend([
            ("terms", self.groups.join(", ")),
            ("endgames", format!("endgame functions are {switch}")),
            (
                "tables",
                format!("{count} with {} places, {} in use", self.places, self.used),
            ),
            (
                "saturated",
                format!("{} of {} weights", self.saturated, 2 * self.places),
            ),
        ]);
        facts
    }
}

impl TableReport {
    fn new(table: &Table) -> TableReport {
        let weights = table.weights();
        let sum = |stage: usize| -> f64 {
            let sizes = weights.iter().map(|weight| weight[stage].unsigned_abs());
            sizes.map(f64::from).sum()
        };
        let sizes = weights.iter().flatten().map(|weight| weight.unsigned_abs());
        let is_saturated = |size: &u16| *size == LARGEST_WEIGHT as u16;
        TableReport {
            tuple: table.tuple().to_string(),
            places: weights.len(),
            used: weights.iter().filter(|weight| **weight != [0, 0]).count(),
            saturated: sizes.clone().filter(is_saturated).count(),
            mean_magnitude: [0, 1].map(|stage| sum(stage) / weights.len().max(1) as f64),
            largest: sizes.max().unwrap_or_default(),
        }
    }
}

/// The entries with the largest sums of absolute weights; ties in order.
fn strongest(tables: &[Table]) -> Vec<PlaceReport> {
    let mut places: Vec<_> = tables
        .iter()
        .flat_map(|table| {
            let weights = table.weights().iter().enumerate();
            weights.map(move |(place, &weight)| (table, place, weight))
        })
        .filter(|(_, _, weight)| *weight != [0, 0])
        .collect();
    let size = |weight: [i16; 2]| -> u32 { weight.map(|w| w.unsigned_abs().into()).iter().sum() };
    places.sort_by_key(|&(_, _, weight)| std::cmp::Reverse(size(weight)));
    let shown = places.into_iter().take(SHOWN);
    shown
        .map(|(table, place, [opening, endgame])| PlaceReport {
            place: table.place_name(place),
            opening,
            endgame,
        })
        .collect()
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.facts() {
            writeln!(formatter, "{name:13}{value}")?;
        }
        writeln!(
            formatter,
            "\ntuple   places  in use  mean opening  mean endgame  largest"
        )?;
        for table in &self.tables {
            let [opening, endgame] = table.mean_magnitude;
            writeln!(
                formatter,
                "{:6}{:8}{:8}{opening:14.2}{endgame:14.2}{:9}",
                table.tuple, table.places, table.used, table.largest,
            )?;
        }
        if self.strongest.is_empty() {
            return Ok(());
        }
        writeln!(formatter, "\nlargest weights, seen from the own side")?;
        for PlaceReport {
            place,
            opening,
            endgame,
        } in &self.strongest
        {
            writeln!(formatter, "{place:14}{opening:>+6}{endgame:>+6}")?;
        }
        Ok(())
    }
}
