//! The rating list as text and as JSON.

use crate::output::excerpt;
use arena::ratings::{Crosstable, RatedPlayer, RatingList, Reference};
use arena::statistics::Trinomial;
use serde::Serialize;
use std::fmt::{self, Display};

/// The list and, if wanted, the crosstable.
#[derive(Serialize)]
pub(crate) struct RatingReport {
    games: u64,
    #[serde(flatten)]
    list: RatingList,
    #[serde(skip_serializing_if = "Option::is_none")]
    crosstable: Option<Crosstable>,
}

impl RatingReport {
    pub(crate) fn new(list: RatingList, crosstable: Option<Crosstable>) -> Self {
        let twice: u64 = list.players.iter().map(|player| player.games).sum();
        Self {
            games: twice / 2,
            list,
            crosstable,
        }
    }
}

impl Display for RatingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = &self.list.players;
        let names: Vec<String> = players.iter().map(|player| excerpt(&player.name)).collect();
        let width = width(&names);
        writeln!(
            f,
            "rank  {:<width$}   rating       ±    games     score     draws       LOS",
            "name"
        )?;
        for (index, (player, name)) in players.iter().zip(&names).enumerate() {
            write_player(f, index + 1, name, width, player)?;
        }
        if let Some(table) = &self.crosstable {
            write_crosstable(f, table, &names, width)?;
        }
        writeln!(f)?;
        let advantage = self.list.white_advantage;
        writeln!(f, "games              {}", self.games)?;
        writeln!(
            f,
            "White's advantage  {:+.1} ±{:.1} Elo",
            advantage.value,
            advantage.margin()
        )?;
        writeln!(f, "draw rate, equals  {:.1} %", 100.0 * self.list.draw_rate)?;
        let reference = match self.list.reference {
            Reference::Mean => "the mean of all players",
            Reference::Anchors => "the anchors",
        };
        writeln!(f, "relative to        {reference}")
    }
}

fn width(names: &[String]) -> usize {
    let widths = names.iter().map(|name| name.chars().count());
    widths.max().unwrap_or(0).max("name".len())
}

fn write_player(
    f: &mut fmt::Formatter<'_>,
    rank: usize,
    name: &str,
    width: usize,
    player: &RatedPlayer,
) -> fmt::Result {
    let rating = player.rating;
    let los = player
        .los
        .map_or_else(|| "-".to_owned(), |los| format!("{:.1} %", 100.0 * los));
    writeln!(
        f,
        "{rank:4}  {name:<width$}  {:+7.1} {:7.1} {:8} {:7.1} % {:7.1} % {los:>9}",
        rating.value,
        rating.margin(),
        player.games,
        100.0 * player.score,
        100.0 * player.results.draw_ratio().unwrap_or(0.0),
    )
}

/// Points and games of all players against each other, by rank.
fn write_crosstable(
    f: &mut fmt::Formatter<'_>,
    table: &Crosstable,
    names: &[String],
    width: usize,
) -> fmt::Result {
    let text = |cell: &Option<Trinomial>| match cell {
        None => "-".to_owned(),
        Some(games) => {
            let points = games.wins as f64 + 0.5 * games.draws as f64;
            format!("{points}/{}", games.games())
        }
    };
    let rows: Vec<Vec<String>> = table
        .cells
        .iter()
        .map(|row| row.iter().map(text).collect())
        .collect();
    let widest = rows.iter().flatten().map(String::len).max().unwrap_or(0);
    let column = widest.max(names.len().to_string().len());
    write!(f, "\nrank  {:<width$}", "name")?;
    for rank in 1..=names.len() {
        write!(f, "  {rank:>column$}")?;
    }
    writeln!(f)?;
    for (index, (row, name)) in rows.iter().zip(names).enumerate() {
        write!(f, "{:4}  {name:<width$}", index + 1)?;
        for cell in row {
            write!(f, "  {cell:>column$}")?;
        }
        writeln!(f)?;
    }
    Ok(())
}
