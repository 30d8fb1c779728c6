//! The terminal output for analysed games: a row for each player, and sums over all games.

use crate::output::{Flush, Table, counted};
use analysis::{AnalysisError, Personal, Review, Side, Story, Summary};
use data::pgn::{Salvaged, Tags};
use std::io::Write;
use std::path::Path;

/// Names of players are cut to this length.
const LONGEST_NAME: usize = 20;
/// The note on games with illegal moves.
const DAMAGED: &str = "only partly read";

/// The columns; the first ones name the game and the player.
const COLUMNS: [(&str, Flush); 7] = [
    ("game", Flush::Right),
    ("player", Flush::Left),
    ("result", Flush::Left),
    ("accuracy", Flush::Right),
    ("loss", Flush::Right),
    ("?!/?/??", Flush::Right),
    ("opening", Flush::Left),
];

/// Writes the table and the list of files that were written.
pub(super) fn write(
    out: &mut dyn Write,
    story: &Story<'_>,
    files: &[&Path],
) -> Result<(), AnalysisError> {
    let mut table = Table::new(2, &COLUMNS);
    story.judged.each(&mut |game, review| {
        add_game(&mut table, game, review);
        Ok(())
    })?;
    add_all(&mut table, story.summary);
    write!(out, "{table}")?;
    if let Some(player) = &story.summary.player {
        write_player(out, player)?;
    }
    for file in files {
        writeln!(out, "written: {}", file.display())?;
    }
    Ok(())
}

/// Writes the results of one player.
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
        "\n{name}: {}, {wins} won, {draws} drawn, {losses} lost",
        counted(*games as u64, "game")
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

/// Adds the rows of a game's two players.
fn add_game(table: &mut Table, salvaged: &Salvaged, review: &Review) {
    let tags = salvaged.game.tags();
    let own = review.opening.as_ref().map(|opening| &opening.name[..]);
    let opening = plain(own.or(tags.get("Opening")).unwrap_or_default());
    let opening = match (&salvaged.damage, opening.is_empty()) {
        (None, _) => opening,
        (Some(_), true) => DAMAGED.to_owned(),
        (Some(_), false) => format!("{DAMAGED}; {opening}"),
    };
    let number = review.number.to_string();
    let result = salvaged.game.result.to_string();
    let [white, black] = ["White", "Black"].map(|name| player(tags, name));
    add_row(table, [number, white, result], &review.white, opening);
    let second = [String::new(), black, String::new()];
    add_row(table, second, &review.black, String::new());
}

/// Adds the rows for all games together.
fn add_all(table: &mut Table, summary: &Summary) {
    let damaged = match summary.damaged {
        0 => String::new(),
        damaged => format!("{damaged} {DAMAGED}"),
    };
    let names = |game: &str, player: &str| [game, player, ""].map(str::to_owned);
    add_row(table, names("all", "White"), &summary.white, damaged);
    add_row(table, names("", "Black"), &summary.black, String::new());
}

fn add_row(table: &mut Table, names: [String; 3], side: &Side, opening: String) {
    let mut row = Vec::from(names);
    row.extend([
        number(side.accuracy, 1),
        number(side.average_centipawn_loss, 0),
        marks(side),
        opening,
    ]);
    table.push(row);
}

fn player(tags: &Tags, name: &str) -> String {
    let player = tags.get(name).unwrap_or("?");
    plain(player).chars().take(LONGEST_NAME).collect()
}

/// Removes control characters, such as those of the game's own colours.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect()
}

fn number(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
}

fn marks(side: &Side) -> String {
    format!("{}/{}/{}", side.inaccuracies, side.mistakes, side.blunders)
}
