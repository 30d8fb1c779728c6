//! What a terminal shows of analysed games: a row for each, and all together.

use analysis::{Review, Side, Story, Summary};
use data::pgn::{Salvaged, Tags};
use std::fmt;
use std::path::{Path, PathBuf};

/// Names of players are cut after so many letters.
const LONGEST_NAME: usize = 20;

pub(super) struct Table {
    rows: Vec<Row>,
    files: Vec<PathBuf>,
}

struct Row {
    number: String,
    players: [String; 2],
    result: String,
    sides: [Side; 2],
    opening: String,
}

impl Table {
    pub(super) fn new(story: &Story<'_>, files: Vec<&Path>) -> Table {
        let games = story.games.iter().zip(story.reviews);
        let mut rows: Vec<Row> = games.map(|(game, review)| Row::new(game, review)).collect();
        let summary = Summary::new(story.games, story.reviews);
        rows.push(Row {
            number: "all".to_owned(),
            players: ["White", "Black"].map(str::to_owned),
            result: String::new(),
            sides: [summary.white, summary.black],
            opening: match summary.damaged {
                0 => String::new(),
                damaged => format!("{damaged} read only in part"),
            },
        });
        Table {
            rows,
            files: files.into_iter().map(Path::to_owned).collect(),
        }
    }
}

impl Row {
    fn new(salvaged: &Salvaged, review: &Review) -> Row {
        let tags = salvaged.game.tags();
        let own = review.opening.as_ref().map(|opening| &opening.name[..]);
        let opening = own.or(tags.get("Opening")).unwrap_or_default();
        Row {
            number: review.number.to_string(),
            players: ["White", "Black"].map(|name| player(tags, name)),
            result: salvaged.game.result.to_string(),
            sides: [review.white, review.black],
            opening: match salvaged.damage {
                Some(_) => format!("read only in part; {}", plain(opening)),
                None => plain(opening),
            },
        }
    }
}

fn player(tags: &Tags, name: &str) -> String {
    let player = tags.get(name).unwrap_or("?");
    plain(player).chars().take(LONGEST_NAME).collect()
}

/// Without what a terminal would obey.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect()
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>5}  {:LONGEST_NAME$}  {:LONGEST_NAME$}  {:7}  {:>13}  {:>9}  {:>9} {:>9}  opening",
            "game", "White", "Black", "result", "accuracy", "loss", "?! ? ??", "?! ? ??"
        )?;
        for row in &self.rows {
            let [white, black] = &row.sides;
            let line = format!(
                "{:>5}  {:LONGEST_NAME$}  {:LONGEST_NAME$}  {:7}  {:>6} {:>6}  {:>4} {:>4}  {:>9} {:>9}  {}",
                row.number,
                row.players[0],
                row.players[1],
                row.result,
                number(white.accuracy, 1),
                number(black.accuracy, 1),
                number(white.average_centipawn_loss, 0),
                number(black.average_centipawn_loss, 0),
                marks(white),
                marks(black),
                row.opening
            );
            writeln!(f, "{}", line.trim_end_matches([' ', ';']))?;
        }
        for file in &self.files {
            writeln!(f, "written: {}", file.display())?;
        }
        Ok(())
    }
}

fn number(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
}

fn marks(side: &Side) -> String {
    format!("{}/{}/{}", side.inaccuracies, side.mistakes, side.blunders)
}
