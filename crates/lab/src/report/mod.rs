//! What a run shows: tables for programs, pictures, and a report for people.
//!
//! Everything is made from the rows of finished generations and the conclusion; it
//! can be made again at any time. `story` says what is told, `document` how it is
//! written, `plots` which charts there are, `chart` how they are drawn.

mod chart;
pub(crate) mod csv;
mod document;
mod plots;
mod story;

use crate::error::LabError;
use crate::folder::{Folder, make_parent};
use crate::manifest::Manifest;
use crate::metrics::Row;
use crate::settings::Experiment;
use crate::verdict::Conclusion;
use std::path::PathBuf;
use story::Story;

/// The report as one page.
pub(crate) const PAGE: &str = "report.html";
/// The report as text.
pub(crate) const TEXT: &str = "report.md";

/// Writes report and pictures.
pub(crate) fn write(
    folder: &Folder,
    experiment: &Experiment,
    manifest: &Manifest,
    rows: &[Row],
    conclusion: &Conclusion,
) -> Result<(), LabError> {
    let plots = plots::all(experiment, rows, conclusion);
    let write = |path: PathBuf, text: &str| {
        make_parent(&path)?;
        data::file::write(&path, text.as_bytes()).map_err(|cause| LabError::file(path, cause))
    };
    for plot in &plots {
        write(folder.path("plots").join(plot.file), &plot.svg)?;
    }
    let story = Story {
        experiment,
        manifest,
        rows,
        conclusion,
        plots: &plots,
    };
    let blocks = story.blocks();
    write(folder.path(TEXT), &document::markdown(&blocks))?;
    write(folder.path(PAGE), &document::html(&story.title(), &blocks))
}
