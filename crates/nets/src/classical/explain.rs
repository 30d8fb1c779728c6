//! The evaluation of one position, group by group, for people.

use super::features::{facts, view};
use super::groups::{Group, Groups};
use super::material::FULL_STAGE;
use super::scale;
use super::score::Score;
use super::view::taper;
use super::{Classical, Weights};
use crate::Evaluator;
use chess::{Board, Color};
use std::fmt;
use std::sync::Arc;

/// The value of a group.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The group.
    pub group: Group,
    /// For White and for Black; `None` if the group belongs to no side.
    pub sides: Option<[Score; 2]>,
    /// White's less Black's.
    pub total: Score,
}

/// The evaluation of a position, group by group, from White's view in centipawns.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// One row for each group that is switched on.
    pub rows: Vec<Row>,
    /// The sum of the rows.
    pub total: Score,
    /// Closeness to the opening, 0 to 1.
    pub stage: f32,
    /// The factor of the endgame value, 0 to 1.
    pub scale: f32,
    /// Whether an endgame function decides the value, whatever the rows say.
    pub endgame_function: bool,
    /// What the right to move adds, for the side to move.
    pub tempo: i32,
    /// The whole value from White's view.
    pub value: i32,
}

/// Explains the value of a position.
pub fn explain(board: &Board, weights: &Arc<Weights>, groups: Groups) -> Explanation {
    let (material, pawns) = facts(board, weights);
    let view = view(board, weights, &material, &pawns);
    let mut rows: Vec<_> = groups
        .without(Group::Initiative)
        .iter()
        .map(|group| {
            let sides = Color::ALL.map(|color| view.side(group, color));
            Row {
                group,
                sides: Some(sides),
                total: sides[0] - sides[1],
            }
        })
        .collect();
    let sum = view.sides(groups);
    let initiative = view.initiative(groups, sum);
    if groups.contains(Group::Initiative) {
        rows.push(Row {
            group: Group::Initiative,
            sides: None,
            total: initiative,
        });
    }
    let total = sum + initiative;
    let factor = scale::factor(&view, total);
    let own = Classical::with_weights(weights.clone())
        .with_groups(groups)
        .evaluate(board);
    let ending = material.ending.value(board, material.non_pawn.iter().sum());
    Explanation {
        rows,
        total,
        stage: material.stage as f32 / FULL_STAGE as f32,
        scale: factor as f32 / scale::FULL as f32,
        endgame_function: ending.is_some(),
        tempo: weights.parameters.tempo,
        value: match board.side_to_move() {
            Color::White => own,
            Color::Black => -own,
        },
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:14} | {:^13} | {:^13} | {:^13} |",
            "group", "White", "Black", "total"
        )?;
        writeln!(
            f,
            "{:14} | {:>6} {:>6} | {:>6} {:>6} | {:>6} {:>6} | {:>7}",
            "", "open", "end", "open", "end", "open", "end", "tapered"
        )?;
        let stage = (self.stage * FULL_STAGE as f32).round() as i32;
        for row in &self.rows {
            let tapered = taper(row.total, stage, scale::FULL);
            write_row(f, row.group.name(), row.sides, row.total, tapered)?;
        }
        let tapered = taper(self.total, stage, scale::FULL);
        write_row(f, "sum", None, self.total, tapered)?;
        writeln!(f, "stage (1 opening, 0 endgame)  {:.2}", self.stage)?;
        writeln!(f, "endgame scaled by             {:.2}", self.scale)?;
        if self.endgame_function {
            writeln!(f, "an endgame function decides the value")?;
        } else {
            writeln!(f, "tempo for the side to move    {}", self.tempo)?;
        }
        writeln!(f, "value for White               {}", self.value)
    }
}

fn write_row(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    sides: Option<[Score; 2]>,
    total: Score,
    tapered: i32,
) -> fmt::Result {
    write!(f, "{name:14} |")?;
    let pairs = match sides {
        Some([white, black]) => [Some(white), Some(black), Some(total)],
        None => [None, None, Some(total)],
    };
    for pair in pairs {
        match pair {
            Some(score) => write!(f, " {:>6} {:>6} |", score.opening(), score.endgame())?,
            None => write!(f, " {:>6} {:>6} |", "-", "-")?,
        }
    }
    writeln!(f, " {tapered:>7}")
}
