//! `tabia ladder`: measures the strength of players against rungs of known strength.

mod live;

use crate::exit::Exit;
use crate::interruption;
use crate::laboratory::file::Kind;
use crate::laboratory::{LADDERS, Opened, Undertaking, WorkOptions, help, program};
use crate::output::Output;
use clap::Args;
use engines::StopSignal;
use lab::ladder::{self, Ladder, PRESETS, Settings, Standing};
use live::Live;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tabia ladder stockfish --set 'players=[\"name=mine kind=sequence nodes=256\"]'
                                               against levels of Stockfish
  tabia ladder --show stockfish > mine.toml    a file to edit, with comments
  tabia ladder mine.toml --dry-run             shows the number of games
  tabia ladder mine.toml --out ladders/mine
  tabia ladder --resume mine                   resume after Ctrl-C or an error

A few games against each rung, starting from the lowest, find the rungs
nearest in strength; most games are played against those. One fit over all
games rates players and rungs. Players are described as for `tabia match`. The
folder, ladders/NAME, gets the games, standing.json, meetings.csv and
report.html. Ctrl-C finishes the games in progress; finished work is kept.

Presets:
";

/// Rate players against levels of Stockfish and fixed searches
#[derive(Args)]
#[command(after_help = help(EXAMPLES, &PRESETS))]
pub(crate) struct Options {
    #[command(flatten)]
    work: WorkOptions,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let dispatcher = options.work.dispatcher(output)?;
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let undertaking = Undertaking {
        kind: Kind {
            presets: &PRESETS,
            stem: "ladder",
            read: |table| ladder::from_table(table),
        },
        collection: LADDERS,
        begin: &|folder, text| Ladder::begin(folder, text, program(&options.work.build)),
        extend: None,
        resume: &|folder| Ladder::resume(folder, program(&options.work.build)),
        is_unfinished: &|folder| ladder::look(folder).is_ok_and(|known| !known.finished),
        forecast: &|settings| show(settings, output),
    };
    match options.work.open(&undertaking, output)? {
        Opened::Work(mut ladder, folder) => {
            output.note(format_args!("ladder {}", folder.display()));
            let mut live = Live::new(output);
            let ending = dispatcher.noting(&folder, || {
                ladder.run(&dispatcher, &stop, &mut |news| live.hear(news))
            });
            drop(live);
            let standing = LADDERS.finished(&folder, ending, output)?;
            output.report(&Report::new(&folder, standing))?;
            Ok(Exit::Good)
        }
        Opened::Done(exit) => Ok(exit),
    }
}

/// Shows the settings and the number of games, for a dry run.
fn show(settings: &Settings, output: &Output) -> anyhow::Result<Exit> {
    let [fewest_games, most_games] = settings.all_games();
    output.report(&Forecast {
        players: settings.players.len(),
        rungs: settings.rungs().map(|rung| rung.name.clone()).collect(),
        fewest_games,
        most_games,
    })?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct Forecast {
    players: usize,
    rungs: Vec<String>,
    fewest_games: u64,
    most_games: u64,
}

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "players    {}", self.players)?;
        writeln!(f, "rungs      {}", self.rungs.join(", "))?;
        let Forecast {
            fewest_games,
            most_games,
            ..
        } = self;
        writeln!(f, "games      {fewest_games} to {most_games}")
    }
}

/// The result of a ladder.
#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    report: PathBuf,
    standing: Standing,
}

impl Report {
    fn new(folder: &Path, standing: Standing) -> Report {
        Report {
            folder: folder.to_owned(),
            report: folder.join("report.html"),
            standing,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Standing {
            players, meetings, ..
        } = &self.standing;
        for row in players {
            let rating = row.rating.map(|rating| format!("{rating:.0}"));
            let rating = rating.unwrap_or_default();
            writeln!(
                f,
                "{:20} {rating}, {:.1} ms per move",
                row.name, row.milliseconds
            )?;
            for meeting in meetings.iter().filter(|it| it.player == row.name) {
                let games = &meeting.games;
                writeln!(
                    f,
                    "  {:20} {:3} / {:3} / {:3}  {:.3}",
                    meeting.rung, games.wins, games.draws, games.losses, meeting.score
                )?;
            }
        }
        if let Some(caveat) = &self.standing.caveat {
            writeln!(f, "{caveat}")?;
        }
        writeln!(f, "report  {}", self.report.display())
    }
}
