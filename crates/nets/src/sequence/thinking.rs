//! How long people think: the share of their clock that they spend on a move, by the phase
//! of the game and their rating.
//!
//! It must not know where the numbers come from, nor who waits by them.

use serde::{Deserialize, Serialize};

/// The plies with which the phases of a game begin.
const PHASES: [usize; 5] = [0, 10, 20, 40, 60];
/// Of all moves, this share is made faster than each number of a cell.
const QUANTILES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];
/// Ratings of a row.
const BAND: u16 = 200;
/// Moves that a cell needs, lest chance decide.
const LEAST_MOVES: usize = 50;
/// What shares are counted in.
const UNIT: f64 = 10_000.0;

/// Shares of the clock, in ten-thousandths.
type Cell = [u16; QUANTILES.len()];

/// How long people of each rating think in each phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thinking {
    rows: Vec<Row>,
}

/// People whose ratings begin with this.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    rating: u16,
    phases: [Option<Cell>; PHASES.len()],
}

impl Thinking {
    /// The table of moves, each with the rating of who made it, its ply and the share of the
    /// clock that it took; none if there are too few.
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

    /// The share of the clock for a move at a ply by someone of a rating; `chance` from 0 to
    /// 1 says how fast he is this time. Ratings and phases that are not known are taken for
    /// the nearest that are.
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

/// The share at a chance, on the straight lines between the quantiles.
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

    /// Someone of 1500 takes up to 1 % of his clock in the opening and up to 10 % later;
    /// someone of 2100 half of that.
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
        // What is beyond the last quantiles is no further away.
        near(table.share(1_520, 39, 0.0), 0.01);
        near(table.share(1_520, 39, 1.0), 0.09);
        // The nearest that is known: no endgame, and no opening of 2100.
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
