//! Tables of standings, for programs and for people.

use super::super::candidates::Field;
use super::super::course::{Course, Played, Stage};
use super::super::standings::{Standing, Standings};
use crate::report::csv::quoted;
use crate::report::document::Block;

const COLUMNS: [&str; 14] = [
    "stage",
    "rank",
    "candidate",
    "epoch",
    "elo",
    "elo_low",
    "elo_high",
    "games",
    "wins",
    "draws",
    "losses",
    "chance_best",
    "validation_loss",
    "net",
];

/// The fit after each stage, with all games up to that point.
pub(super) fn ratings(course: &Course) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for played in &course.stages {
        for (index, row) in played.standings.rows.iter().enumerate() {
            let candidate = &course.field.candidates[row.candidate];
            let maybe = |number: Option<String>| number.unwrap_or_default();
            let cells = [
                played.stage.to_string(),
                (index + 1).to_string(),
                quoted(&candidate.name),
                maybe(candidate.epoch.map(|epoch| epoch.to_string())),
                format!("{:.3}", row.elo.value),
                format!("{:.3}", row.elo.lower),
                format!("{:.3}", row.elo.upper),
                row.results.games().to_string(),
                row.results.wins.to_string(),
                row.results.draws.to_string(),
                row.results.losses.to_string(),
                format!("{:.5}", row.chance),
                maybe(candidate.validation_loss.map(|loss| loss.to_string())),
                candidate.net.clone(),
            ];
            text += &(cells.join(",") + "\n");
        }
    }
    text
}

/// The entrants of a stage, rated by all games so far, and which of them reach the next stage.
pub(super) fn stage(course: &Course, played: &Played) -> Block {
    let next = course.stages.iter().find(|next| next.stage > played.stage);
    let goes_on = |row: &Standing| {
        let is_next = |next: &Played| next.entrants.contains(&row.candidate);
        let is_chosen = course
            .choice
            .as_ref()
            .is_some_and(|choice| choice.candidate == row.candidate);
        match (next, played.stage == Stage::Final && is_chosen) {
            (_, true) => "chosen",
            (Some(next), _) if is_next(next) => "advances",
            _ => "",
        }
        .to_owned()
    };
    let rows = played.standings.rows.iter().enumerate();
    let rows = rows.filter(|(_, row)| played.entrants.contains(&row.candidate));
    Block::Table {
        header: vec!["candidate", "rank", "games", "score", "Elo", "chance", ""],
        rows: rows
            .map(|(index, row)| {
                vec![
                    course.field.name(row.candidate).to_owned(),
                    (index + 1).to_string(),
                    row.results.games().to_string(),
                    score(row),
                    elo(&course.field, row),
                    percent(row.chance),
                    goes_on(row),
                ]
            })
            .collect(),
    }
}

/// The Elo above the baseline, whose own is 0 by definition.
fn elo(field: &Field, row: &Standing) -> String {
    match row.candidate == field.baseline {
        true => "0, the baseline".to_owned(),
        false => format!("{:.1}", row.elo),
    }
}

pub(super) fn everybody(field: &Field, standings: &Standings) -> Block {
    let row = |row: &Standing| {
        let candidate = &field.candidates[row.candidate];
        let loss = candidate.validation_loss;
        vec![
            candidate.name.clone(),
            row.results.games().to_string(),
            score(row),
            elo(field, row),
            percent(row.chance),
            loss.map_or_else(String::new, |loss| format!("{loss:.6}")),
            candidate.net.clone(),
        ]
    };
    Block::Table {
        header: vec![
            "candidate",
            "games",
            "score",
            "Elo",
            "chance",
            "loss",
            "net",
        ],
        rows: standings.rows.iter().map(row).collect(),
    }
}

fn score(row: &Standing) -> String {
    let score = row.results.score().unwrap_or_default();
    format!("{:.1} %", 100.0 * score)
}

/// A probability, with as many digits as are known.
pub(super) fn percent(chance: f64) -> String {
    let percent = 100.0 * chance;
    match percent {
        low if low < 0.1 => "< 0.1 %".to_owned(),
        high if high > 99.9 => "> 99.9 %".to_owned(),
        _ => format!("{percent:.1} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_not_told_too_exactly() {
        let told: Vec<String> = [0.0, 0.0004, 0.001, 0.5, 0.99912, 1.0].map(percent).into();
        let expected = [
            "< 0.1 %", "< 0.1 %", "0.1 %", "50.0 %", "> 99.9 %", "> 99.9 %",
        ];
        assert_eq!(told, expected);
    }
}
