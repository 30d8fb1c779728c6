//! Judged games as pages that need no other file and no network.
//!
//! `game` shows one game with a board to step through, `graph` draws the winning chances, `index`
//! lists all games. `script.js` holds the behaviour of a page and `style.css` its looks; both are
//! embedded in every page. This module must not know where pages are stored.

mod game;
mod graph;
mod index;

use crate::conditions::Conditions;
use crate::error::AnalysisError;
use crate::judged::Judged;
use crate::review::Review;
use crate::summary::Summary;
use data::pgn::{Salvaged, Tags};
use std::fmt::Write;
use std::io;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The title of the pages with all games, and how their body begins.
const TITLE: &str = "Analysed games";
const HEADING: &str = "<main>\n<h1>Analysed games</h1>\n";

/// The page of one game, with links to the index and to the pages of the games before and after it.
pub(crate) fn game_page(
    salvaged: &Salvaged,
    review: &Review,
    list: &str,
    [before, after]: [Option<&str>; 2],
) -> String {
    let mut links = format!("<a href=\"{list}\">All games</a>");
    for (file, words, relation) in [
        (before, "‹ Previous game", "prev"),
        (after, "Next game ›", "next"),
    ] {
        if let Some(file) = file {
            // Writing to a string cannot fail.
            let _ = write!(links, " <a rel=\"{relation}\" href=\"{file}\">{words}</a>");
        }
    }
    let title = title(salvaged.game.tags());
    format!(
        "{}<nav>{links}</nav>\n<main class=\"game\">\n<h1>{}</h1>\n{}</main>\n{}",
        begin(&title, true),
        escaped(&title),
        game::section(salvaged, review),
        end(true)
    )
}

/// Writes the index page. `file` gives the file name of each game's page by its number, and `made`
/// says how everything was made, as pairs of a label and a text.
pub(crate) fn write_index_page(
    out: &mut dyn io::Write,
    judged: &Judged<'_>,
    summary: &Summary,
    file: &dyn Fn(usize) -> String,
    made: &[(&str, String)],
) -> Result<(), AnalysisError> {
    write!(out, "{}{HEADING}", begin(TITLE, false))?;
    index::write_list(out, judged, summary, file)?;
    Ok(write!(out, "{}</main>\n{}", index::made(made), end(false))?)
}

/// Writes one page with the list and all games.
pub(crate) fn write_single_page(
    out: &mut dyn io::Write,
    judged: &Judged<'_>,
    summary: &Summary,
    made: &[(&str, String)],
) -> Result<(), AnalysisError> {
    write!(out, "{}{HEADING}", begin(TITLE, true))?;
    index::write_list(out, judged, summary, &|number| format!("#game-{number}"))?;
    judged.each(&mut |game, review| {
        let number = review.number;
        Ok(writeln!(
            out,
            "<details class=\"game\" id=\"game-{number}\">\n<summary>{number}. {}</summary>\n{}</details>",
            escaped(&title(game.game.tags())),
            game::section(game, review)
        )?)
    })?;
    Ok(write!(out, "{}</main>\n{}", index::made(made), end(true))?)
}

/// How an analysis was made, in words.
pub(crate) fn made_of(conditions: &Conditions) -> Vec<(&'static str, String)> {
    let engine = &conditions.engine;
    let mut made = vec![
        ("Engine", engine.name.clone()),
        ("Limit", conditions.limit.to_string()),
    ];
    if let Some(model) = &engine.model {
        made.push(("Model", model.clone()));
    }
    if let Some(hash) = &engine.hash {
        made.push(("Hash of the model or program", hash.clone()));
    }
    made.push(("Hash of the games", conditions.games.clone()));
    made.push(("Program", format!("Tabia {}", conditions.program)));
    made
}

/// The HTML before the body of a page.
fn begin(title: &str, has_boards: bool) -> String {
    let symbols = match has_boards {
        true => format!(
            "<svg class=\"hidden\" aria-hidden=\"true\">\n{}</svg>\n",
            chess::render::piece_symbols()
        ),
        false => String::new(),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{symbols}",
        escaped(title)
    )
}

/// The HTML after it.
fn end(has_boards: bool) -> String {
    let script = match has_boards {
        true => format!("<script>\n{SCRIPT}</script>\n"),
        false => String::new(),
    };
    format!("{script}</body>\n</html>\n")
}

/// Both players, with their ratings if they have any.
fn title(tags: &Tags) -> String {
    let player = |name: &str, elo: &str| {
        let player = tags.get(name).filter(|player| !matches!(*player, "" | "?"));
        let player = player.unwrap_or(name);
        match rating(tags, elo) {
            Some(rating) => format!("{player} ({rating})"),
            None => player.to_owned(),
        }
    };
    format!(
        "{} – {}",
        player("White", "WhiteElo"),
        player("Black", "BlackElo")
    )
}

fn rating<'a>(tags: &'a Tags, name: &str) -> Option<&'a str> {
    tags.get(name)
        .filter(|rating| !matches!(*rating, "" | "?" | "-"))
}

/// The opening by the table, or else as the game's own tags name it.
fn opening(tags: &Tags, review: &Review) -> Option<String> {
    let own = review.opening.as_ref();
    let eco = own.map(|opening| opening.eco.as_str()).or(tags.get("ECO"));
    let name = own
        .map(|opening| opening.name.as_str())
        .or(tags.get("Opening"));
    let words: Vec<&str> = [eco, name]
        .into_iter()
        .flatten()
        .filter(|word| *word != "?")
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// A text escaped for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
