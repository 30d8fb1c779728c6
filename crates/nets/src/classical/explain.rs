//! The evaluation of one position, group by group, for people.

use super::collector::Recorder;
use super::features::{facts, view};
use super::groups::{Group, Groups};
use super::material::FULL_STAGE;
use super::scale;
use super::score::Score;
use super::terms;
use super::view::{View, taper};
use super::{Classical, Weights};
use chess::{Board, Color};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The value of a group.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The group.
    pub group: Group,
    /// For White and for Black; `None` if the group is not counted for each side.
    pub sides: Option<[Score; 2]>,
    /// White's value minus Black's.
    pub total: Score,
}

/// The value of a term that is a feature.
#[derive(Clone, Debug)]
pub struct TermRow {
    /// The group of the term.
    pub group: Group,
    /// The name of the term, starting with its group.
    pub name: String,
    /// For White and for Black.
    pub sides: [Score; 2],
}

/// The evaluation of a position, group by group, from White's point of view in centipawns.
///
/// As text it is a table of the groups in pawns; the alternate form (`{:#}`) also has a line
/// for each term that is a feature and occurs.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// One row for each group that is switched on.
    pub rows: Vec<Row>,
    /// One row for each term that is a feature and occurs.
    pub terms: Vec<TermRow>,
    /// What the tables of an n-tuple network add, if there is one.
    pub tuples: Option<Score>,
    /// The sum of the rows and the tables.
    pub total: Score,
    /// The stage of the game, from 0 in the endgame to 1 in the opening.
    pub stage: f32,
    /// The factor of the endgame value, 0 to 1.
    pub scale: f32,
    /// Whether the value comes from an endgame function instead of the rows.
    pub endgame_function: bool,
    /// The bonus for the side to move.
    pub tempo: i32,
    /// The whole value from White's point of view.
    pub value: i32,
}

/// Explains the value of a position.
pub fn explain(board: &Board, weights: &Arc<Weights>, groups: Groups) -> Explanation {
    let classical = Classical::with_weights(weights.clone()).with_groups(groups);
    explain_with(board, &classical, None)
}

/// Explains the value of a position, with the sum of an n-tuple network's tables.
pub(crate) fn explain_with(
    board: &Board,
    classical: &Classical,
    tuples: Option<Score>,
) -> Explanation {
    let (weights, groups) = (&*classical.weights, classical.groups);
    let added = tuples.unwrap_or_default();
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
    let sum = view.sides(groups) + added;
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
    let own = classical.clone().evaluate_with(board, || added);
    let ending = material.ending.value(board, material.non_pawn.iter().sum());
    Explanation {
        rows,
        terms: term_rows(&view, groups),
        tuples,
        total,
        stage: material.stage as f32 / FULL_STAGE as f32,
        scale: factor as f32 / scale::FULL as f32,
        endgame_function: classical.endgame_functions && ending.is_some(),
        tempo: weights.parameters.tempo,
        value: match board.side_to_move() {
            Color::White => own,
            Color::Black => -own,
        },
    }
}

fn term_rows(view: &View<'_>, groups: Groups) -> Vec<TermRow> {
    let counts = Color::ALL.map(|color| {
        let mut recorder = Recorder::new();
        view.collect(groups, color, &mut recorder);
        recorder.counts
    });
    let sum = |side: usize, range: Range<usize>| {
        range.fold(Score::ZERO, |sum, index| {
            sum + view.weights.score(index) * counts[side][index]
        })
    };
    terms::rows()
        .filter_map(|(name, start, count)| {
            let range = start..start + count;
            let occurs = |side: usize| counts[side][range.clone()].iter().any(|&n| n != 0);
            (occurs(0) || occurs(1)).then(|| TermRow {
                group: terms::feature_group(start).unwrap_or(Group::PieceSquares),
                name,
                sides: [sum(0, range.clone()), sum(1, range.clone())],
            })
        })
        .collect()
}

impl Explanation {
    /// A value tapered by the stage of the position.
    pub fn tapered(&self, score: Score) -> i32 {
        let stage = (self.stage * FULL_STAGE as f32).round() as i32;
        taper(score, stage, scale::FULL)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Values in pawns")?;
        writeln!(
            f,
            "{:20} | {:^13} | {:^13} | {:^13} |",
            "group", "White", "Black", "total"
        )?;
        writeln!(
            f,
            "{:20} | {:>6} {:>6} | {:>6} {:>6} | {:>6} {:>6} | {:>7}",
            "", "open", "end", "open", "end", "open", "end", "tapered"
        )?;
        for row in &self.rows {
            let tapered = self.tapered(row.total);
            write_row(f, row.group.name(), row.sides, row.total, tapered)?;
            for term in self.terms.iter().filter(|term| term.group == row.group) {
                if f.alternate() {
                    let total = term.sides[0] - term.sides[1];
                    let name = term.name.split_once('.').map_or("", |(_, name)| name);
                    let tapered = self.tapered(total);
                    write_row(f, &format!("  {name}"), Some(term.sides), total, tapered)?;
                }
            }
        }
        if let Some(tuples) = self.tuples {
            write_row(f, "tuples", None, tuples, self.tapered(tuples))?;
        }
        let tapered = self.tapered(self.total);
        write_row(f, "sum", None, self.total, tapered)?;
        writeln!(f, "stage (1 opening, 0 endgame)  {:.2}", self.stage)?;
        writeln!(f, "endgame scaled by             {:.2}", self.scale)?;
        if self.endgame_function {
            writeln!(f, "the value comes from an endgame function")?;
        } else {
            writeln!(f, "tempo for the side to move    {}", pawns(self.tempo))?;
        }
        writeln!(f, "value for White               {}", pawns(self.value))
    }
}

/// Centipawns as pawns with a sign, as in explanations of nets.
pub(crate) fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

fn write_row(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    sides: Option<[Score; 2]>,
    total: Score,
    tapered: i32,
) -> fmt::Result {
    write!(f, "{name:20} |")?;
    let pairs = match sides {
        Some([white, black]) => [Some(white), Some(black), Some(total)],
        None => [None, None, Some(total)],
    };
    for pair in pairs {
        match pair {
            Some(score) => {
                let [opening, endgame] = [score.opening(), score.endgame()].map(pawns);
                write!(f, " {opening:>6} {endgame:>6} |")?;
            }
            None => write!(f, " {:>6} {:>6} |", "-", "-")?,
        }
    }
    writeln!(f, " {:>7}", pawns(tapered))
}
