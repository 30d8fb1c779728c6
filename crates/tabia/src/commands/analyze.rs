//! `tabia analyze`: analyses games with an engine, for the people who played them.

mod command;
mod outputs;
mod table;

use crate::contest::{same_command, usual_concurrency};
use crate::exit::{Exit, Interrupted, WrongInput, unfit};
use crate::interruption;
use crate::output::{Json, Output, OutputClosed};
use crate::player::PlayerOptions;
use crate::progress::Progress;
use crate::stream::{Stream, is_stream};
use crate::version::{self, BuildOptions};
use analysis::{
    AnalysisError, Conditions, EcoTable, EngineFacts, Found, Games, GamesError, Judged, Limit,
    News, Story, Survey, Work, introduce,
};
use clap::Args;
use data::journal::Build;
use data::pgn::{Damage, Source};
use engines::StopSignal;
use engines::recipe::Recipe;
use outputs::Outputs;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use work::Threads;

const EXAMPLES: &str = "\
Examples:
  tabia analyze games.pgn                         writes games-annotated.pgn
  tabia analyze games.pgn --package my-games      a folder with pages to share
  tabia analyze games.pgn --me 'Doe, Jane'        and how she played, by phase
  tabia analyze games.pgn --html games.html --eco openings.tsv
  tabia analyze games.pgn -o out.pgn --json out.json --nodes 1000000
  tabia analyze games.pgn --player 'cmd=stockfish option.Hash=64' --depth 18

Every move gets its evaluation and the expected continuation; a move that
loses enough winning chances is marked and gets a better line. Tags, comments
and variations of the games are kept. A game with an illegal move is analysed
up to that move and marked. An analysis that was stopped or killed continues
if the same command is given again; with a limit of nodes or depth it gives
the same bytes for any number of threads. Input files are read more than once;
standard input and pipes are copied to a temporary file first.";

/// The default limit per position.
const DEFAULT_NODES: u64 = 200_000;

/// The default player.
const INSIDE: &str = "hash=32";
/// Settings for an external program: some think long at great depths.
const PROGRAM: &str = "patience=3600";

/// Analyse games: annotated PGN, accuracy, pages with boards and graphs
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The PGN file of the games, may be compressed; - is standard input
    games: PathBuf,
    /// The annotated games [default: GAMES-annotated.pgn if no other output is given]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write all results as JSON to FILE, or to standard output without FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    #[arg(value_parser = Json::of_file)]
    json: Option<Json>,
    /// Write a single HTML page with all results, which works offline
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a folder with everything: original and annotated games, a page per game, an index
    #[arg(long, value_name = "DIR")]
    package: Option<PathBuf>,
    /// Replace the package of an earlier analysis
    #[arg(long, requires = "package")]
    overwrite: bool,
    /// Summarise how this player did, in all games and by phase
    #[arg(long, value_name = "NAME")]
    me: Option<String>,
    #[command(flatten)]
    limit: LimitOptions,
    /// Number of best lines to search (MultiPV)
    #[arg(long, value_name = "K", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=20))]
    multipv: u8,
    /// Number of threads, each of which analyses one game at a time [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    player: PlayerOptions,
    #[command(flatten)]
    build: BuildOptions,
    /// Opening names: a TSV table with the columns eco, name and pgn, or a folder of such tables
    #[arg(long, value_name = "FILE")]
    eco: Option<PathBuf>,
}

/// How long to search each position.
#[derive(Args)]
#[group(multiple = false)]
struct LimitOptions {
    /// Nodes per position [default: 200000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search depth per position
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    /// Milliseconds per position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let outputs = Outputs::new(options)?;
    let player = options.player.recipe(INSIDE, PROGRAM)?;
    let openings = options.openings()?;
    let stop = StopSignal::new();
    interruption::listen_and_give_up(&stop)?;
    let engine = options.engine(&player, output)?;
    let games = read(&options.games, stop)?;
    let survey = survey(&games, output)?;
    let conditions = options.conditions(engine, &survey);
    outputs.make_folder()?;
    let author = options.build.author();
    let work = Work {
        games: &games,
        survey: &survey,
        player: &player,
        conditions: &conditions,
        journal: &outputs.journal(),
        author: player.model().is_some().then_some(&author),
        dispatcher: &Threads::new(options.threads()?),
    };
    let shown = search(&work, output)
        .and_then(|found| options.show(&work, found, openings.as_ref(), &outputs, output));
    if let Err(error) = &shown
        && error.is::<Interrupted>()
    {
        output.note(format_args!("to resume: {}", same_command()));
    }
    shown.map(|()| Exit::Good)
}

impl Options {
    fn openings(&self) -> anyhow::Result<Option<EcoTable>> {
        let table = self.eco.as_deref().map(EcoTable::open).transpose();
        table.map_err(|error| WrongInput::new(error.to_string()).into())
    }

    fn threads(&self) -> anyhow::Result<usize> {
        match self.threads {
            Some(threads) => Ok(usize::from(threads)),
            None => usual_concurrency(1),
        }
    }

    fn engine(&self, player: &Recipe, output: &Output) -> anyhow::Result<EngineFacts> {
        let introduced = introduce(player, version::NUMBER, usize::from(self.multipv));
        let (facts, warnings) = introduced.map_err(|error| match interruption::requested() {
            true => Interrupted.into(),
            false => anyhow::Error::from(WrongInput::new(error.to_string())),
        })?;
        for warning in warnings {
            output.warn(format_args!("{}: {warning}", facts.name));
        }
        Ok(facts)
    }

    fn conditions(&self, engine: EngineFacts, survey: &Survey) -> Conditions {
        let LimitOptions {
            nodes,
            depth,
            movetime,
        } = self.limit;
        let limit = match (depth, movetime) {
            (Some(depth), _) => Limit::Depth(depth),
            (_, Some(time)) => Limit::Milliseconds(time),
            _ => Limit::Nodes(nodes.unwrap_or(DEFAULT_NODES)),
        };
        Conditions {
            program: version::short(),
            engine,
            limit,
            multipv: usize::from(self.multipv),
            games: survey.hash.clone(),
        }
    }

    /// Writes and prints all results.
    fn show(
        &self,
        work: &Work<'_>,
        found: Found,
        openings: Option<&EcoTable>,
        outputs: &Outputs,
        output: &Output,
    ) -> anyhow::Result<()> {
        if let Some(builds) = Build::mixed(found.builds()) {
            output.warn(builds);
        }
        let judged = Judged {
            games: work.games,
            count: work.survey.games,
            findings: &|number, game| found.findings(number, game),
            openings,
        };
        let arguments: Vec<String> = std::env::args().collect();
        let table = self.eco.as_deref().map(command::file_name);
        let story = Story {
            conditions: work.conditions,
            command: &command::recorded(self, &arguments),
            openings: table.as_deref(),
            judged: &judged,
            summary: &judged.summary(self.me.as_deref()).map_err(explained)?,
        };
        if let Some(me) = story.summary.player.as_ref().filter(|me| me.games == 0) {
            output.warn(format_args!("no game has a player named {:?}", me.name));
        }
        outputs.write(&story).map_err(explained)?;
        let mut printed = BufWriter::new(output);
        let shown = match output.is_json() {
            true => story.write_json(&mut printed),
            false => table::write(&mut printed, &story, &outputs.files()),
        };
        let shown = shown
            .and_then(|()| Ok(printed.flush()?))
            .map_err(|error| explained(error.at("to standard output")));
        if !shown.as_ref().is_err_and(|error| error.is::<Interrupted>()) {
            found.forget().map_err(explained)?;
        }
        shown
    }
}

/// The games of a file, or of a stream, which is copied first.
fn read(path: &Path, stop: StopSignal) -> anyhow::Result<Games> {
    if !is_stream(path) {
        return Ok(Games::of_file(path, stop));
    }
    let name = match path == Path::new("-") {
        true => Path::new("standard input"),
        false => path,
    };
    let games = Source::from_reader(name, Stream::open(path))
        .map_err(GamesError::from)
        .and_then(|source| Games::of_stream(source, stop));
    games.map_err(explained)
}

fn survey(games: &Games, output: &Output) -> anyhow::Result<Survey> {
    let mut warn = |number: usize, damage: &Damage| {
        let (line, problem) = (damage.place.line, &damage.problem);
        output.warn(format_args!("game {number}, line {line}: {problem}"));
    };
    games.survey(&mut warn).map_err(explained)
}

fn search(work: &Work<'_>, output: &Output) -> anyhow::Result<Found> {
    let begin = Instant::now();
    let mut shown = Shown::default();
    let found = work.run(&mut |news| shown.hear(news, output));
    let Shown {
        progress,
        positions,
        ..
    } = shown;
    drop(progress);
    let found = found.map_err(|error| {
        if matches!(
            error,
            AnalysisError::Engine { .. } | AnalysisError::Restart { .. }
        ) {
            let command = same_command();
            output.note(format_args!("finished work is kept; to resume: {command}"));
        }
        explained(error)
    })?;
    let found = found.ok_or(Interrupted)?;
    if positions > 0 {
        let seconds = begin.elapsed().max(Duration::from_millis(1)).as_secs_f64();
        output.note(format_args!(
            "{positions} positions in {seconds:.1} s, {:.1} per second",
            positions as f64 / seconds
        ));
    }
    Ok(found)
}

/// Errors that the user can correct become wrong input.
fn explained(error: impl Into<AnalysisError>) -> anyhow::Error {
    match error.into() {
        AnalysisError::Games(_) if interruption::requested() => Interrupted.into(),
        AnalysisError::Journal(error) => unfit(error),
        AnalysisError::Write { cause, .. } if cause.kind() == ErrorKind::BrokenPipe => {
            OutputClosed.into()
        }
        error @ (AnalysisError::Games(_) | AnalysisError::Start(_)) => {
            WrongInput::new(error.to_string()).into()
        }
        error => error.into(),
    }
}

/// The progress shown during the work.
#[derive(Default)]
struct Shown {
    progress: Option<Progress>,
    /// The number of positions to be searched.
    positions: u64,
    searched: u64,
}

impl Shown {
    fn hear(&mut self, news: News, output: &Output) {
        match news {
            News::Begun {
                finished,
                positions,
            } => {
                if finished > 0 {
                    output.note(format_args!("{finished} games were already finished"));
                }
                self.positions = positions;
                self.progress = Some(Progress::new(output, positions, "positions"));
            }
            News::Searched(searched) => {
                if let Some(progress) = &self.progress {
                    progress.advance(searched.saturating_sub(self.searched));
                }
                self.searched = searched.max(self.searched);
            }
            News::Finished => {}
        }
    }
}
