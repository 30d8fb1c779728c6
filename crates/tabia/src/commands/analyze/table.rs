//! What a terminal shows of analysed games: a row for each, and all together.

use analysis::{AnalysisError, Personal, Review, Side, Story, Summary};
use data::pgn::{Salvaged, Tags};
use std::fmt;
use std::io::Write;
use std::path::Path;

/// Names of players are cut after so many letters.
const LONGEST_NAME: usize = 20;

struct Row {
    number: String,
    players: [String; 2],
    result: String,
    sides: [Side; 2],
    opening: String,
}

/// Writes the table, and which files were written.
pub(super) fn write(
    out: &mut dyn Write,
    story: &Story<'_>,
    files: &[&Path],
) -> Result<(), AnalysisError> {
    writeln!(
        out,
        "{:>5}  {:LONGEST_NAME$}  {:LONGEST_NAME$}  {:7}  {:>13}  {:>9}  {:>9} {:>9}  opening",
        "game", "White", "Black", "result", "accuracy", "loss", "?! ? ??", "?! ? ??"
    )?;
    story
        .judged
        .each(&mut |game, review| Ok(writeln!(out, "{}", Row::new(game, review))?))?;
    writeln!(out, "{}", Row::of_all(story.summary))?;
    if let Some(player) = &story.summary.player {
        write_player(out, player)?;
    }
    for file in files {
        writeln!(out, "written: {}", file.display())?;
    }
    Ok(())
}

/// How one player did.
fn write_player(out: &mut dyn Write, player: &Personal) -> Result<(), AnalysisError> {
    let Personal {
        name,
        games,
        wins,
        draws,
        losses,
        all,
        phases,
    } = player;
    let name = plain(name);
    writeln!(
        out,
        "\n{name}: {games} games, {wins} won, {draws} drawn, {losses} lost"
    )?;
    writeln!(
        out,
        "{:12} {:>8} {:>6} {:>6}  ?!/?/??",
        "", "accuracy", "loss", "moves"
    )?;
    let phases = phases.iter().map(|phase| (phase.name, &phase.side));
    for (name, side) in std::iter::once(("all moves", all)).chain(phases) {
        writeln!(
            out,
            "{name:12} {:>8} {:>6} {:>6}  {}",
            number(side.accuracy, 1),
            number(side.average_centipawn_loss, 0),
            side.moves,
            marks(side)
        )?;
    }
    Ok(())
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

    fn of_all(summary: &Summary) -> Row {
        Row {
            number: "all".to_owned(),
            players: ["White", "Black"].map(str::to_owned),
            result: String::new(),
            sides: [summary.white, summary.black],
            opening: match summary.damaged {
                0 => String::new(),
                damaged => format!("{damaged} read only in part"),
            },
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = &self.sides;
        let line = format!(
            "{:>5}  {:LONGEST_NAME$}  {:LONGEST_NAME$}  {:7}  {:>6} {:>6}  {:>4} {:>4}  {:>9} {:>9}  {}",
            self.number,
            self.players[0],
            self.players[1],
            self.result,
            number(white.accuracy, 1),
            number(black.accuracy, 1),
            number(white.average_centipawn_loss, 0),
            number(black.average_centipawn_loss, 0),
            marks(white),
            marks(black),
            self.opening
        );
        f.write_str(line.trim_end_matches([' ', ';']))
    }
}

fn player(tags: &Tags, name: &str) -> String {
    let player = tags.get(name).unwrap_or("?");
    plain(player).chars().take(LONGEST_NAME).collect()
}

/// Without colors or other commands to a terminal, of which the program has its own.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect()
}

fn number(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
}

fn marks(side: &Side) -> String {
    format!("{}/{}/{}", side.inaccuracies, side.mistakes, side.blunders)
}
