//! All results of an analysis as files, each written game by game.
//!
//! A package is a folder to share: the original and the annotated games, a page for each game and
//! an index page, and how everything was made. The index is written last, so a folder that has one
//! is complete.

use crate::annotate::annotated;
use crate::conditions::Conditions;
use crate::error::AnalysisError;
use crate::judged::Judged;
use crate::page::{game_page, made_of, write_index_page, write_single_page};
use crate::report::write_report;
use crate::summary::Summary;
use data::file;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::Path;

/// All results of an analysis.
pub struct Story<'a> {
    /// The conditions of the analysis.
    pub conditions: &'a Conditions,
    /// The command that made it, without what differs from machine to machine.
    pub command: &'a str,
    /// The source of the names of openings, if any.
    pub openings: Option<&'a str>,
    /// The games together with their findings.
    pub judged: &'a Judged<'a>,
    /// The sums over all games.
    pub summary: &'a Summary,
}

impl Story<'_> {
    /// Writes all games as PGN.
    ///
    /// # Errors
    /// If something cannot be read or written.
    pub fn write_annotated(&self, out: &mut dyn Write) -> Result<(), AnalysisError> {
        let name = &self.conditions.engine.name;
        self.judged
            .each(&mut |game, review| Ok(out.write_all(annotated(game, review, name).as_bytes())?))
    }

    /// Writes everything as one line of JSON.
    ///
    /// # Errors
    /// If something cannot be read or written.
    pub fn write_json(&self, out: &mut dyn Write) -> Result<(), AnalysisError> {
        write_report(out, self.conditions, self.summary, self.judged)
    }

    /// Writes one page with everything.
    ///
    /// # Errors
    /// If something cannot be read or written.
    pub fn write_page(&self, out: &mut dyn Write) -> Result<(), AnalysisError> {
        write_single_page(out, self.judged, self.summary, &self.made())
    }

    fn made(&self) -> Vec<(&'static str, String)> {
        let mut made = made_of(self.conditions);
        made.push(("Command", self.command.to_owned()));
        made
    }

    fn settings(&self) -> String {
        let settings = json!({
            "command": self.command,
            "conditions": self.conditions,
            "openings": self.openings,
        });
        serde_json::to_string_pretty(&settings).unwrap_or_default() + "\n"
    }
}

/// Writes a file that appears only once it is complete.
///
/// # Errors
/// If something cannot be read or written.
pub fn write_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), AnalysisError>,
) -> Result<(), AnalysisError> {
    file::write_with(path, fill).map_err(|error| error.at(path.display()))
}

/// Whether a folder holds a complete package, and thus nothing else.
pub fn is_package(folder: &Path) -> bool {
    ["index.html", "settings.json", "annotated.pgn"]
        .iter()
        .all(|file| folder.join(file).is_file())
}

/// Writes the folder, over an earlier package if there is one.
///
/// # Errors
/// If something cannot be read or written.
pub fn write_package(folder: &Path, story: &Story<'_>) -> Result<(), AnalysisError> {
    let pages = folder.join("games");
    fs::create_dir_all(&pages).map_err(|error| AnalysisError::from(error).at(pages.display()))?;
    for folder in [folder, &pages] {
        file::sweep(folder).map_err(|error| AnalysisError::from(error).at(folder.display()))?;
    }
    let Story {
        judged, summary, ..
    } = story;
    write_file(&folder.join("original.pgn"), |out| {
        judged.games.copy_text(out)
    })?;
    write_file(&folder.join("annotated.pgn"), |out| {
        story.write_annotated(out)
    })?;
    write_file(&folder.join("analysis.json"), |out| story.write_json(out))?;
    write_file(&folder.join("settings.json"), |out| {
        Ok(out.write_all(story.settings().as_bytes())?)
    })?;
    let name = |number: usize| page_name(number, judged.count);
    judged.each(&mut |game, review| {
        let number = review.number;
        let before = (number > 1).then(|| name(number - 1));
        let after = (number < judged.count).then(|| name(number + 1));
        let neighbours = [before.as_deref(), after.as_deref()];
        let page = game_page(game, review, "../index.html", neighbours);
        write_file(&pages.join(name(number)), |out| {
            Ok(out.write_all(page.as_bytes())?)
        })
    })?;
    let files = |number: usize| format!("games/{}", name(number));
    write_file(&folder.join("index.html"), |out| {
        write_index_page(out, judged, summary, &files, &story.made())
    })
}

/// The file name of a game's page: its number, zero-padded to the width of the last one.
fn page_name(number: usize, count: usize) -> String {
    let width = count.to_string().len();
    format!("{number:0width$}.html")
}
