//! The output of a run: tables for programs, pictures, and a report for people.
//!
//! Everything is derived from the rows of finished generations, the conclusion, the metrics of kept
//! epochs and the logged remarks, and can be written again at any time. `story` writes the text,
//! `exploration` the section about games of tree searches, `trainings` that about trainings;
//! `document` formats it, `plots` lists the charts, and `chart` draws them.

pub(crate) mod chart;
pub(crate) mod csv;
pub(crate) mod document;
mod exploration;
pub(crate) mod learning;
mod plots;
mod story;
mod trainings;

pub(crate) use plots::Plot;
pub(crate) use story::{counted, duration, picture};

use crate::boards;
use crate::error::LabError;
use crate::events;
use crate::folder::{Folder, make_parent};
use crate::manifest::Manifest;
use crate::metrics::Row;
use crate::remarks;
use crate::run_file::EXTENSION_FILE;
use crate::settings::Experiment;
use crate::verdict::Conclusion;
use document::Block;
use learning::Curve;
use std::path::Path;
use story::Story;
use train::metrics::Epoch;

/// The report as one page.
pub(crate) const PAGE: &str = "report.html";
/// The report as text.
pub(crate) const TEXT: &str = "report.md";

/// The file with a line for each generation.
const ROWS: &str = "metrics.jsonl";

/// Writes tables, report and pictures.
pub(crate) fn write(
    folder: &Folder,
    experiment: &Experiment,
    manifest: &Manifest,
    rows: &[Row],
    conclusion: &Conclusion,
) -> Result<(), LabError> {
    write_tables(folder, experiment, rows)?;
    let plots = plots::all(experiment, rows, conclusion);
    let remarks = events::remarks(&folder.path(""))?;
    let models = weights(folder, &last_models(experiment, rows))?;
    let story = Story {
        experiment,
        manifest,
        rows,
        conclusion,
        plots: &plots,
        curves: &trainings::curves(folder, experiment)?,
        models: &models,
        remarks: &remarks,
        is_extended: folder.path(EXTENSION_FILE).exists(),
    };
    publish(folder, &story.title(), &story.blocks(), &plots)
}

/// All pictures of a training with these epochs in its folder: learning curves, and the weights
/// of the last model if it is an evaluation.
pub fn training_pictures(folder: &Path, epochs: &[Epoch]) -> Vec<Curve> {
    let mut pictures = learning::learning_curves(epochs);
    let last = epochs.last().map(|epoch| folder.join(&epoch.net));
    let weights = last.iter().flat_map(|path| boards::pictures(path));
    pictures.extend(weights.map(|(what, svg)| Curve {
        file: format!("{what}.svg"),
        title: what.to_owned(),
        svg,
    }));
    pictures
}

/// The latest model of each arm, for its first seed, with the name of the arm.
fn last_models<'a>(experiment: &Experiment, rows: &'a [Row]) -> Vec<(String, &'a str)> {
    let seed = experiment.seeds.first();
    let of_arm = |arm: &String| {
        let is_own = |row: &&Row| row.arm == *arm && Some(&row.seed) == seed;
        let last = rows.iter().rfind(is_own)?;
        Some((format!("{arm}-seed-{}", last.seed), &*last.version))
    };
    experiment.arms.keys().filter_map(of_arm).collect()
}

/// Writes the pictures of these models, given by name and file, and returns blocks that show them.
pub(crate) fn weights(folder: &Folder, models: &[(String, &str)]) -> Result<Vec<Block>, LabError> {
    let mut blocks = Vec::new();
    for (model, file) in models {
        for (what, svg) in boards::pictures(&folder.path(file)) {
            let file = format!("plots/{model}-{what}.svg");
            write_text(&folder.path(&file), &svg)?;
            let title = format!("{model}: {what}");
            blocks.push(Block::Picture { title, file, svg });
        }
    }
    if !blocks.is_empty() {
        blocks.insert(0, Block::Heading("Trained models".to_owned()));
    }
    Ok(blocks)
}

/// Writes the lines of all generations, and the table of each arm and seed.
fn write_tables(folder: &Folder, experiment: &Experiment, rows: &[Row]) -> Result<(), LabError> {
    let mut lines = String::new();
    for row in rows {
        let unwritten = |error: serde_json::Error| LabError::file(folder.path(ROWS), error.into());
        lines += &serde_json::to_string(row).map_err(unwritten)?;
        lines.push('\n');
    }
    write_text(&folder.path(ROWS), &lines)?;
    for (name, arm) in &experiment.arms {
        for &seed in &experiment.seeds {
            let is_own = |row: &&Row| row.arm == *name && row.seed == seed;
            let own: Vec<&Row> = rows.iter().filter(is_own).collect();
            if !own.is_empty() {
                let lane = folder.lane(name, seed, arm.learner.as_ref());
                write_text(&lane.log(), &csv::table(&own))?;
                if arm.explore.is_some() {
                    write_text(&lane.arena(), &csv::arena(&own, &arm.gate))?;
                }
            }
        }
    }
    Ok(())
}

/// Writes pictures, and the report as text and as one page.
pub(crate) fn publish(
    folder: &Folder,
    title: &str,
    blocks: &[Block],
    plots: &[Plot],
) -> Result<(), LabError> {
    for plot in plots {
        write_text(&folder.path("plots").join(plot.file), &plot.svg)?;
    }
    let mut blocks = blocks.to_vec();
    blocks.extend(who_did_it(remarks::read(folder)?));
    write_text(&folder.path(TEXT), &document::markdown(&blocks))?;
    write_text(&folder.path(PAGE), &document::html(title, &blocks))
}

/// The section of remarks about the workers, if there are any.
fn who_did_it(remarks: Vec<String>) -> Vec<Block> {
    match remarks.is_empty() {
        true => Vec::new(),
        false => vec![
            Block::Heading("Cluster workers".to_owned()),
            Block::List(remarks),
        ],
    }
}

/// Writes a text, and creates its folder.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<(), LabError> {
    make_parent(path)?;
    data::file::write(path, text.as_bytes()).map_err(|cause| LabError::file(path, cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_who_did_the_work_if_there_is_something_to_say() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(place.path()).expect("a folder");
        let report = || {
            let blocks = [Block::Paragraph("Chosen.".to_owned())];
            publish(&folder, "A selection", &blocks, &[]).expect("written");
            std::fs::read_to_string(place.path().join(TEXT)).expect("a report")
        };
        assert!(!report().contains("Cluster workers"));
        std::fs::write(place.path().join("remarks.txt"), "eve was banned\n").expect("room");
        let report = report();
        assert!(report.contains("Cluster workers"), "{report}");
        assert!(report.contains("eve was banned"), "{report}");
    }
}
