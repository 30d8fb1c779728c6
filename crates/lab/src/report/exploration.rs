//! The section about games of tree searches: false resignations, the calibration of values, and
//! repeated games.

use super::document::Block;
use crate::metrics::Row;
use arena::selfplay::explore::ExploreTally;

/// The generations of an arm and a seed are listed one by one only if there are no more.
const MOST_LINES: usize = 24;

/// The section; empty if no games were explored.
pub(super) fn blocks(rows: &[Row]) -> Vec<Block> {
    let explored: Vec<(&Row, &ExploreTally)> = rows
        .iter()
        .filter_map(|row| Some((row, row.explored.as_deref()?)))
        .collect();
    if explored.is_empty() {
        return Vec::new();
    }
    vec![
        Block::Heading("Exploration".to_owned()),
        Block::Paragraph(
            "A resignation is false if the resigning side would not have lost, measured in the \
             games that are played out nevertheless. Repeated games are identical to an earlier \
             game, move for move. The value error is the mean difference between search values \
             and game results, over bins of the value (calibration error). Hours and evaluations \
             are cumulative for the arm and seed."
                .to_owned(),
        ),
        audit(&explored),
        Block::Paragraph(
            "Calibration of the values of the last generations: positions with a full search, \
             binned by their search value (1 is a win, -1 a loss)."
                .to_owned(),
        ),
        calibration(&explored),
    ]
}

fn audit(explored: &[(&Row, &ExploreTally)]) -> Block {
    let mut lines = Vec::new();
    for lane in lanes(explored) {
        let every = lane.len().div_ceil(MOST_LINES);
        let last = lane.len() - 1;
        let mut evaluations = 0;
        for (at, (row, tally)) in lane.iter().enumerate() {
            evaluations += tally.evaluations;
            if at % every == 0 || at == last {
                lines.push(line(row, tally, evaluations));
            }
        }
    }
    Block::Table {
        header: vec![
            "arm",
            "seed",
            "generation",
            "hours",
            "evaluations",
            "games with searches",
            "policy targets",
            "repeated games",
            "resigned",
            "false among those played out",
            "value error",
        ],
        rows: lines,
    }
}

fn line(row: &Row, tally: &ExploreTally, evaluations: u64) -> Vec<String> {
    let percent = |part: u64, all: u64| format!("{:.1} %", 100.0 * share(part, all));
    let wrong = match tally.false_share() {
        Some(share) => format!("{:.1} % of {}", 100.0 * share, tally.played_on),
        None => "none played out".to_owned(),
    };
    vec![
        row.arm.clone(),
        row.seed.to_string(),
        row.generation.to_string(),
        format!("{:.2}", row.elapsed / 3600.0),
        evaluations.to_string(),
        percent(tally.searched_games, row.games),
        percent(tally.full_rows, row.positions),
        percent(tally.repeated_games, row.games),
        percent(tally.resigned, row.games),
        wrong,
        (tally.calibration.error()).map_or_else(String::new, |error| format!("{error:.3}")),
    ]
}

fn calibration(explored: &[(&Row, &ExploreTally)]) -> Block {
    let mut lines = Vec::new();
    for lane in lanes(explored) {
        let Some((row, tally)) = lane.last() else {
            continue;
        };
        let bins = tally.calibration.bins.iter().filter(|bin| bin.0 > 0);
        lines.extend(bins.map(|(count, values, results)| {
            let mean = |sum: &f64| format!("{:+.3}", sum / *count as f64);
            vec![
                row.arm.clone(),
                row.seed.to_string(),
                count.to_string(),
                mean(values),
                mean(results),
            ]
        }));
    }
    Block::Table {
        header: vec!["arm", "seed", "positions", "mean value", "mean result"],
        rows: lines,
    }
}

/// The rows of each arm and seed, in the order in which they ended.
fn lanes<'a>(explored: &[(&'a Row, &'a ExploreTally)]) -> Vec<Vec<(&'a Row, &'a ExploreTally)>> {
    let mut lanes: Vec<Vec<(&Row, &ExploreTally)>> = Vec::new();
    for &(row, tally) in explored {
        let is_same = |lane: &&mut Vec<(&Row, &ExploreTally)>| {
            let first = lane[0].0;
            (&first.arm, first.seed) == (&row.arm, row.seed)
        };
        match lanes.iter_mut().find(is_same) {
            Some(lane) => lane.push((row, tally)),
            None => lanes.push(vec![(row, tally)]),
        }
    }
    lanes
}

fn share(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}
