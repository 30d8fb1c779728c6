//! How long people think: the share of their clock that they spend on a move, by the phase
//! of the game and their rating.
//!
//! It must not know where the numbers come from or who uses them.

use serde::{Deserialize, Serialize};

/// The plies at which the phases of a game begin.
const PHASES: [usize; 5] = [0, 10, 20, 40, 60];
/// For each number of a cell, the share of moves that were made faster.
const QUANTILES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];
/// How many rating points a row spans.
const BAND: u16 = 200;
/// How many moves a cell needs, so that its quantiles are reliable.
const LEAST_MOVES: usize = 50;
/// How many units make up the whole clock.
const UNIT: f64 = 10_000.0;

/// Shares of the clock, in ten-thousandths.
type Cell = [u16; QUANTILES.len()];

/// How long people of each rating think in each phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thinking {
    rows: Vec<Row>,
}

/// People with ratings from this one up to the next row's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    rating: u16,
    phases: [Option<Cell>; PHASES.len()],
}

impl Thinking {
    /// Makes the table from moves, each with the rating of its player, its ply and the share
    /// of the clock that it took; `None` if there are too few.
    pub fn of(moves: impl IntoIterator<Item = (u16, usize, f64)>) -> Option<Thinking> {
        let mut seen = std::collections::BTreeMap::<u16, [Vec<u16>; PHASES.len()]>::new();
        for (rating, ply, share) in moves {
            let cells = seen.entry(rating / BAND * BAND).or_default();
            cells[phase(ply)].push((share.clamp(0.0, 1.0) * UNIT) as u16);
        }
        let rows = seen.into_iter().map(|(rating, cells)| Row {
            rating,
            phases: cells.map(cell),
        });
        let is_known = |row: &Row| row.phases.iter().any(Option::is_some);
        let rows: Vec<Row> = rows.filter(is_known).collect();
        (!rows.is_empty()).then_some(Thinking { rows })
    }

    /// The share of the clock for a move at a ply by a player with a rating; `chance` is a
    /// random number from 0 to 1, with small ones for fast moves. Unknown ratings and phases
    /// take the nearest known ones.
    pub fn share(&self, rating: u16, ply: usize, chance: f64) -> f64 {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| (row.rating + BAND / 2).abs_diff(rating));
        let wanted = phase(ply);
        let mut phases: Vec<usize> = (0..PHASES.len()).collect();
        phases.sort_by_key(|phase| phase.abs_diff(wanted));
        let nearest = phases
            .iter()
            .flat_map(|&phase| rows.iter().filter_map(move |row| row.phases[phase]))
            .next();
        nearest.map_or(0.0, |cell| between(&cell, chance))
    }
}

/// The quantiles of the shares of a cell.
fn cell(mut shares: Vec<u16>) -> Option<Cell> {
    if shares.len() < LEAST_MOVES {
        return None;
    }
    shares.sort_unstable();
    let last = (shares.len() - 1) as f64;
    Some(QUANTILES.map(|quantile| shares[(quantile * last).round() as usize]))
}

fn phase(ply: usize) -> usize {
    PHASES.iter().filter(|&&first| ply >= first).count() - 1
}

/// The share at a quantile, interpolated linearly between the known quantiles.
fn between(cell: &Cell, chance: f64) -> f64 {
    let share = |at: usize| f64::from(cell[at]) / UNIT;
    let behind = QUANTILES.iter().filter(|&&it| it <= chance).count();
    match behind {
        0 => share(0),
        behind if behind == QUANTILES.len() => share(behind - 1),
        behind => {
            let [low, high] = [QUANTILES[behind - 1], QUANTILES[behind]];
            let way = (chance - low) / (high - low);
            share(behind - 1) + way * (share(behind) - share(behind - 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player of 1500 takes up to 1 % of the clock in the opening and up to 10 % later; one
    /// of 2100 half of that.
    fn table() -> Thinking {
        let moves = (0..2_000).flat_map(|number| {
            let chance = f64::from(number % 101) / 100.0;
            [
                (1_500, 4, 0.01 * chance),
                (1_500, 30, 0.10 * chance),
                (2_100, 30, 0.05 * chance),
            ]
        });
        Thinking::of(moves).expect("enough moves")
    }

    #[test]
    fn shares_follow_rating_phase_and_chance() {
        let table = table();
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-3, "{found}");
        near(table.share(1_520, 5, 0.5), 0.005);
        near(table.share(1_520, 39, 0.5), 0.05);
        near(table.share(1_520, 39, 0.6), 0.06);
        near(table.share(2_150, 39, 0.5), 0.025);
        // Beyond the outermost quantiles the share stays the same.
        near(table.share(1_520, 39, 0.0), 0.01);
        near(table.share(1_520, 39, 1.0), 0.09);
        // The nearest known cell: there is none for the endgame, and none for the opening at 2100.
        near(table.share(2_100, 90, 0.5), 0.025);
        near(table.share(3_000, 0, 0.5), 0.005);
    }

    #[test]
    fn few_moves_are_no_table_and_tables_are_written_and_read() {
        assert_eq!(Thinking::of([(1_500, 3, 0.1)]), None);
        let table = table();
        let text = serde_json::to_string(&table).expect("JSON");
        assert_eq!(
            serde_json::from_str::<Thinking>(&text).expect("a table"),
            table
        );
    }
}
