//! The report of a ladder: tables for people, and the same data for programs.

use super::settings::Settings;
use super::standing::{Meeting, PlayerRow, RungRow, Standing};
use crate::error::LabError;
use crate::folder::Folder;
use crate::machine::Machine;
use crate::manifest::Program;
use crate::report::document::Block;
use crate::report::{self};
use arena::statistics::Trinomial;
use data::journal::Build;

/// The file of the standing, for programs.
const STANDING_FILE: &str = "standing.json";
/// The table of meetings, for spreadsheets.
const TABLE_FILE: &str = "meetings.csv";

/// Writes all files of the report.
pub(super) fn write(
    folder: &Folder,
    settings: &Settings,
    (program, builds): (&Program, &[Build]),
    standing: &Standing,
) -> Result<(), LabError> {
    let path = folder.path(STANDING_FILE);
    let text = serde_json::to_string_pretty(standing)
        .map_err(|error| LabError::file(&path, error.into()))?;
    report::write_text(&path, &text)?;
    report::write_text(&folder.path(TABLE_FILE), &table(standing))?;
    let name = folder.root().file_name().unwrap_or_default();
    let title = settings.title.clone();
    let title = title.unwrap_or_else(|| format!("Ladder {}", name.display()));
    let mut blocks = vec![Block::Title(title.clone())];
    blocks.extend(settings.question.clone().map(Block::Paragraph));
    blocks.push(Block::Verdict(summary(standing)));
    blocks.push(players(standing));
    blocks.extend(standing.caveat.clone().map(Block::Paragraph));
    blocks.push(Block::Heading("Matches".to_owned()));
    blocks.push(meetings(standing));
    blocks.push(Block::Heading("Rungs".to_owned()));
    blocks.push(rungs(settings, standing));
    blocks.push(Block::Heading("How it was played".to_owned()));
    blocks.push(Block::List(rules(settings)));
    blocks.extend(origin(settings, program, builds));
    report::publish(folder, &title, &blocks, &[])
}

fn summary(standing: &Standing) -> String {
    let mut rated: Vec<&PlayerRow> = standing.players.iter().collect();
    let value = |row: &PlayerRow| row.rating.map_or(f64::MIN, |rating| rating.value);
    rated.sort_by(|one, other| value(other).total_cmp(&value(one)));
    let rated = rated.iter().filter_map(|row| {
        let rating = row.rating?;
        Some(format!(
            "{} {:.0} ±{:.0}",
            row.name,
            rating.value,
            rating.margin()
        ))
    });
    let words = rated.collect::<Vec<_>>().join(", ");
    match (standing.finished, words.is_empty()) {
        (_, true) => "No games yet.".to_owned(),
        (true, _) => words,
        (false, _) => format!("Not finished. {words}"),
    }
}

fn players(standing: &Standing) -> Block {
    let rows = standing.players.iter().map(|row| {
        vec![
            row.name.clone(),
            row.rating
                .map_or_else(String::new, |rating| format!("{rating:.0}")),
            row.games.to_string(),
            format!("{:.2} %", 100.0 * row.legal),
            format!("{:.1}", row.milliseconds),
            format!("{:.0}", row.nodes),
        ]
    });
    Block::Table {
        header: vec![
            "player",
            "rating",
            "games",
            "legal moves",
            "ms per move",
            "nodes per move",
        ],
        rows: rows.collect(),
    }
}

fn counts(games: Trinomial) -> String {
    format!("{} / {} / {}", games.wins, games.draws, games.losses)
}

fn meetings(standing: &Standing) -> Block {
    let share = |share: f64| format!("{share:.3}");
    let rows = standing.meetings.iter().map(|meeting| {
        vec![
            meeting.player.clone(),
            meeting.rung.clone(),
            meeting.games.games().to_string(),
            counts(meeting.games),
            counts(meeting.colors[0]),
            counts(meeting.colors[1]),
            share(meeting.score),
            meeting.expected.map_or_else(String::new, share),
            format!("{:.0}", meeting.elo),
        ]
    });
    Block::Table {
        header: vec![
            "player",
            "rung",
            "games",
            "W / D / L",
            "as White",
            "as Black",
            "score",
            "expected",
            "Elo of these games",
        ],
        rows: rows.collect(),
    }
}

fn rungs(settings: &Settings, standing: &Standing) -> Block {
    let rows = settings
        .rungs()
        .zip(&standing.rungs)
        .map(|(spec, row): (_, &RungRow)| {
            vec![
                row.name.clone(),
                spec.pace.to_string(),
                row.nominal.map_or_else(String::new, |elo| elo.to_string()),
                row.rating
                    .map_or_else(String::new, |rating| format!("{rating:.0}")),
            ]
        });
    Block::Table {
        header: vec!["rung", "limit", "nominal", "fitted"],
        rows: rows.collect(),
    }
}

fn rules(settings: &Settings) -> Vec<String> {
    let Settings {
        find_games,
        decide_games,
        deciding,
        climb_above,
        ..
    } = settings;
    vec![
        format!(
            "Each player met the levels and anchors from the lowest on, {find_games} games each, \
             until it scored less than {climb_above}. On the {deciding} rungs with scores nearest \
             to one half it played {decide_games} more."
        ),
        "Each opening is played twice, with colours swapped.".to_owned(),
        "One fit of Davidson's model over all games rates all players. Levels of Stockfish keep \
         their nominal ratings; where scores differ from those expected by the fit, the nominal \
         ratings are not consistent here. Intervals are 95 % confidence intervals."
            .to_owned(),
    ]
}

fn origin(settings: &Settings, program: &Program, builds: &[Build]) -> Vec<Block> {
    let machine = Machine::here();
    let mut items = vec![
        format!("Program: {}", program.version),
        format!("Machine: {}, {} cores", machine.cpu, machine.cores),
        format!("Seed: {}", settings.seed),
        format!("Openings: {}", settings.games.book),
    ];
    for player in &settings.players {
        items.push(format!(
            "{}: {}, {}",
            player.name, player.recipe, player.pace
        ));
    }
    items.extend(Build::mixed(builds).map(|words| format!("Builds: {words}")));
    vec![Block::Heading("Provenance".to_owned()), Block::List(items)]
}

fn table(standing: &Standing) -> String {
    let mut text = "player,rung,wins,draws,losses,white_score,black_score,score,expected,elo,\
                    elo_lower,elo_upper\n"
        .to_owned();
    let share = |share: Option<f64>| share.map_or_else(String::new, |share| format!("{share:.4}"));
    for meeting in &standing.meetings {
        let Meeting {
            player,
            rung,
            games,
            colors,
            elo,
            ..
        } = meeting;
        text += &format!(
            "{player},{rung},{},{},{},{},{},{:.4},{},{:.1},{:.1},{:.1}\n",
            games.wins,
            games.draws,
            games.losses,
            share(colors[0].score()),
            share(colors[1].score()),
            meeting.score,
            share(meeting.expected),
            elo.value,
            elo.lower,
            elo.upper
        );
    }
    text
}
