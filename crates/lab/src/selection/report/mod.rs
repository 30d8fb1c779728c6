//! The output of a selection: a table for programs, pictures, and a report for people.

mod plots;
mod story;
mod tables;

use super::course::Course;
use super::settings::Settings;
use crate::error::LabError;
use crate::folder::Folder;
use crate::manifest::Program;
use crate::project;
use crate::report::{self, Plot};
use data::journal::Build;
use story::Story;

/// The table of all fits.
const RATINGS_FILE: &str = "ratings.csv";

/// Writes the whole output.
pub(super) fn write(
    folder: &Folder,
    settings: &Settings,
    (program, builds): (&Program, &[Build]),
    course: &Course,
) -> Result<(), LabError> {
    let table = tables::ratings(course);
    report::write_text(&folder.path(RATINGS_FILE), &table)?;
    let plots: Vec<Plot> = plots::all(course);
    let name = folder.root().file_name().unwrap_or_default();
    let story = Story {
        name: name.display().to_string(),
        settings,
        program,
        builds,
        fingerprint: project::fingerprint(settings)
            .map_err(|error| LabError::file(folder.root(), error.into()))?,
        course,
        plots: &plots,
    };
    report::publish(folder, &story.title(), &story.blocks(), &plots)
}
