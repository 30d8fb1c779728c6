//! The report of a study: tables for people, and the same data for programs.

use super::conclusion::{ArmRow, ClaimRow, Conclusion, MatchRow};
use super::examination::Marks;
use super::settings::{Arm, Settings};
use crate::error::LabError;
use crate::folder::Folder;
use crate::machine::Machine;
use crate::manifest::Program;
use crate::report::document::Block;
use crate::report::learning::{self, Curve};
use crate::report::{self, duration};
use data::journal::Build;
use train::comparison::Agreement;
use train::metrics::Metrics;

/// The file of the conclusion, for programs.
const CONCLUSION_FILE: &str = "conclusion.json";

const RULE: [&str; 5] = [
    "All matches with an expectation are one family; their two-sided p-values under the \
     hypothesis of equal strength get the Holm correction, and a corrected value below 0.05 \
     counts as a difference.",
    "A claim of better or worse is reproduced by a difference in that direction, and refuted by \
     one in the other direction or by an interval entirely below half of the published Elo; \
     otherwise it stays open.",
    "A claim of equal strength is reproduced by an interval within 20 Elo, and refuted by a \
     difference; otherwise it stays open.",
    "A claim with several matches is refuted if one of them is, and reproduced if all are.",
    "The model of a trained arm is that of the best epoch on validation positions.",
];

/// Writes all files of the report.
pub(super) fn write(
    folder: &Folder,
    settings: &Settings,
    (program, builds): (&Program, &[Build]),
    conclusion: &Conclusion,
) -> Result<(), LabError> {
    let path = folder.path(CONCLUSION_FILE);
    let text = serde_json::to_string_pretty(conclusion)
        .map_err(|error| LabError::file(&path, error.into()))?;
    report::write_text(&path, &text)?;
    let name = folder.root().file_name().unwrap_or_default();
    let title = settings.title.clone();
    let title = title.unwrap_or_else(|| format!("Study {}", name.display()));
    let mut blocks = vec![Block::Title(title.clone())];
    blocks.extend(settings.question.clone().map(Block::Paragraph));
    blocks.push(Block::Verdict(summary(conclusion)));
    blocks.extend(claims(conclusion));
    blocks.push(Block::Heading(
        "The rule, stated before the matches".to_owned(),
    ));
    blocks.push(Block::List(RULE.map(str::to_owned).to_vec()));
    blocks.push(Block::Heading("Arms".to_owned()));
    blocks.push(arms(settings, conclusion));
    blocks.extend(marks(settings, conclusion));
    blocks.extend(curves(folder, conclusion)?);
    let trained = conclusion.arms.iter().filter(|row| row.epoch.is_some());
    let models: Vec<_> = trained.map(|row| (row.arm.clone(), &*row.file)).collect();
    blocks.extend(report::weights(folder, &models)?);
    blocks.extend(origin(settings, program, builds));
    report::publish(folder, &title, &blocks, &[])
}

fn summary(conclusion: &Conclusion) -> String {
    let count = |ruling| {
        let same = |claim: &&ClaimRow| claim.ruling == ruling;
        conclusion.claims.iter().filter(same).count()
    };
    use super::Ruling::{Missing, Open, Refuted, Reproduced};
    let words = format!(
        "Of {} claims {} are reproduced, {} refuted, {} open, and {} have games that were not \
         played.",
        conclusion.claims.len(),
        count(Reproduced),
        count(Refuted),
        count(Open),
        count(Missing)
    );
    match conclusion.finished {
        true => words,
        false => format!("Not finished. {words}"),
    }
}

fn claims(conclusion: &Conclusion) -> Vec<Block> {
    let header = vec![
        "match",
        "games",
        "score",
        "published",
        "Elo",
        "p",
        "Holm-corrected",
        "ruling",
    ];
    let mut blocks = Vec::new();
    for claim in &conclusion.claims {
        let ClaimRow {
            name, text, ruling, ..
        } = claim;
        blocks.push(Block::Heading(format!("{name}: {text}")));
        blocks.push(Block::Paragraph(format!(
            "{}. Moves: {}.",
            ruling, claim.pace
        )));
        blocks.push(Block::Table {
            header: header.clone(),
            rows: claim.matches.iter().map(match_cells).collect(),
        });
    }
    blocks
}

fn match_cells(row: &MatchRow) -> Vec<String> {
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let value = |value: Option<f64>| value.map_or_else(String::new, |it| format!("{it:.4}"));
    let published = row.meeting.published.map(|score| percent(score / 100.0));
    vec![
        format!("{} - {}", row.meeting.first, row.meeting.second),
        row.games.to_string(),
        match row.games {
            0 => String::new(),
            _ => percent(row.score),
        },
        published.unwrap_or_default(),
        row.elo.map_or_else(String::new, |elo| format!("{elo:.0}")),
        value(row.p),
        value(row.corrected),
        row.ruling.to_string(),
    ]
}

fn arms(settings: &Settings, conclusion: &Conclusion) -> Block {
    let number = |row: &ArmRow, name: &str| {
        let epoch = row.epoch.as_ref();
        let number = epoch.and_then(|epoch| epoch.numbers.get(name));
        number.map_or_else(String::new, |number| format!("{number:.4}"))
    };
    let rows = conclusion.arms.iter().map(|row| {
        let epoch = row.epoch.as_ref();
        let speed = epoch.and_then(|epoch| epoch.positions_a_second);
        vec![
            row.arm.clone(),
            settings.arms.get(&row.arm).map(manner).unwrap_or_default(),
            epoch.map_or_else(String::new, |epoch| {
                format!("{} of {}", epoch.epoch, row.epochs)
            }),
            epoch.map_or_else(String::new, |epoch| format!("{:.5}", epoch.validation_loss)),
            number(row, "validation_agreement"),
            number(row, "validation_rank"),
            number(row, "agreement"),
            speed.map_or_else(String::new, |speed| format!("{speed:.0}")),
            duration(row.seconds),
            row.model.clone(),
        ]
    });
    Block::Table {
        header: vec![
            "arm",
            "how",
            "epoch",
            "validation loss",
            "agreement",
            "rank",
            "during training",
            "positions/s",
            "time",
            "model",
        ],
        rows: rows.collect(),
    }
}

/// The results of the arms on test positions.
fn marks(settings: &Settings, conclusion: &Conclusion) -> Vec<Block> {
    let row = |row: &ArmRow| {
        let Marks { test, validation } = row.marks?;
        let mut cells = vec![row.arm.clone(), test.positions.to_string()];
        let numbers = |judged: Agreement| {
            let share = format!("{:.2} %", 100.0 * judged.agreement);
            [share, format!("{:.3}", judged.rank)]
        };
        cells.extend(numbers(test));
        cells.extend(validation.map(numbers).unwrap_or_default());
        Some(cells)
    };
    let rows: Vec<_> = conclusion.arms.iter().filter_map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let header = vec![
        "arm",
        "test positions",
        "test agreement",
        "test rank",
        "validation agreement",
        "validation rank",
    ];
    vec![
        Block::Heading("Test positions".to_owned()),
        Block::Paragraph(format!(
            "How often each evaluation chooses the desired move, and the mean rank of that move, \
             in the search of comparison training with {} ply for all. The test positions were \
             looked at once, when all arms were made.",
            settings.examination.depth
        )),
        Block::Table { header, rows },
    ]
}

fn manner(arm: &Arm) -> String {
    match arm {
        Arm::Model(path) => path.display().to_string(),
        Arm::Evaluation { groups, .. } => format!("{} groups", groups.len()),
        Arm::Training { settings, .. } => settings.manner(),
    }
}

/// The learning curves of trained arms.
fn curves(folder: &Folder, conclusion: &Conclusion) -> Result<Vec<Block>, LabError> {
    let mut trainings = Vec::new();
    for row in conclusion.arms.iter().filter(|row| row.epoch.is_some()) {
        let place = folder.path("trainings").join(&row.arm);
        let metrics = Metrics::open(&place, row.epochs)?;
        trainings.push((row.arm.clone(), metrics.epochs().to_vec()));
    }
    let mut blocks = Vec::new();
    for Curve { file, title, svg } in learning::compared(&trainings, learning::OF_VALIDATION) {
        let file = format!("plots/{file}");
        report::write_text(&folder.path(&file), &svg)?;
        blocks.push(Block::Picture { title, file, svg });
    }
    if !blocks.is_empty() {
        blocks.insert(0, Block::Heading("Training curves".to_owned()));
    }
    Ok(blocks)
}

fn origin(settings: &Settings, program: &Program, builds: &[Build]) -> Vec<Block> {
    let machine = Machine::here();
    let mut items = vec![
        format!("Program: {}", program.version),
        format!("Machine: {}, {} cores", machine.cpu, machine.cores),
        format!("Seed: {}", settings.seed),
    ];
    items.extend(Build::mixed(builds).map(|words| format!("Builds: {words}")));
    vec![Block::Heading("Provenance".to_owned()), Block::List(items)]
}
