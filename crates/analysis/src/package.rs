//! A folder to hand on: the games as they were and as they are judged, a page for each
//! and one with all, and how everything was made.
//!
//! The list is written last: a folder with one is whole.

use crate::annotate::annotated;
use crate::conditions::Conditions;
use crate::page::{game_page, index_page, made_of, single_page};
use crate::report::Report;
use crate::review::Review;
use data::file;
use data::pgn::Salvaged;
use serde_json::json;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file of a package could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {cause}", path.display())]
pub struct PackageError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub cause: io::Error,
}

/// All that there is to tell of some games.
pub struct Story<'a> {
    /// Under which conditions they were analysed.
    pub conditions: &'a Conditions,
    /// The command that did it.
    pub command: &'a str,
    /// Where the names of openings come from, if there are any.
    pub openings: Option<&'a Path>,
    /// The text of the games as it was.
    pub text: &'a [u8],
    /// The games.
    pub games: &'a [Salvaged],
    /// The same, judged.
    pub reviews: &'a [Review],
}

impl Story<'_> {
    /// All games as PGN.
    pub fn annotated(&self) -> String {
        let name = &self.conditions.engine.name;
        let games = self.games.iter().zip(self.reviews);
        games
            .map(|(game, review)| annotated(game, review, name))
            .collect()
    }

    /// All that is known as one line of JSON.
    pub fn json(&self) -> String {
        let report = Report::new(self.conditions, self.games, self.reviews);
        serde_json::to_string(&report).unwrap_or_default() + "\n"
    }

    /// One page with everything.
    pub fn page(&self) -> String {
        single_page(self.games, self.reviews, &self.made())
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

/// Writes a folder; one that is there already is filled anew.
///
/// # Errors
/// If a file cannot be written.
pub fn write_package(folder: &Path, story: &Story<'_>) -> Result<(), PackageError> {
    let pages = folder.join("games");
    fs::create_dir_all(&pages).map_err(|cause| PackageError { path: pages, cause })?;
    let write = |name: &str, text: &[u8]| {
        let path = folder.join(name);
        file::write(&path, text).map_err(|cause| PackageError { path, cause })
    };
    write("original.pgn", story.text)?;
    write("annotated.pgn", story.annotated().as_bytes())?;
    write("analysis.json", story.json().as_bytes())?;
    write("settings.json", story.settings().as_bytes())?;
    let count = story.games.len();
    let name = |number: usize| page_name(number, count);
    for (index, (game, review)) in story.games.iter().zip(story.reviews).enumerate() {
        let number = index + 1;
        let before = (number > 1).then(|| name(number - 1));
        let after = (number < count).then(|| name(number + 1));
        let page = game_page(
            game,
            review,
            "../index.html",
            [before.as_deref(), after.as_deref()],
        );
        write(&format!("games/{}", name(number)), page.as_bytes())?;
    }
    let files = |number: usize| format!("games/{}", name(number));
    let index = index_page(story.games, story.reviews, &files, &story.made());
    write("index.html", index.as_bytes())
}

/// The file of a game's page: its number, as long as the last one.
fn page_name(number: usize, count: usize) -> String {
    let width = count.to_string().len();
    format!("{number:0width$}.html")
}
