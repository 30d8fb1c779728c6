//! `tabia analyze`: games judged by an engine, for those who played them.

mod outputs;
mod table;

use crate::contest::{same_command, usual_concurrency};
use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::output::{Json, Output};
use crate::player::PlayerOptions;
use crate::progress::Progress;
use crate::version;
use analysis::{
    Conditions, EcoTable, Findings, Limit, News, Review, Story, Work, WorkError, introduce,
};
use clap::Args;
use data::pgn::{Salvaged, Source, salvage};
use engines::StopSignal;
use engines::recipe::Recipe;
use outputs::Outputs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use table::Table;
use work::Threads;

const EXAMPLES: &str = "\
Examples:
  tabia analyze games.pgn                         writes games-annotated.pgn
  tabia analyze games.pgn --package my-games      a folder with pages to hand on
  tabia analyze games.pgn --html games.html --eco openings.tsv
  tabia analyze games.pgn -o out.pgn --json out.json --nodes 1000000
  tabia analyze games.pgn --player 'cmd=stockfish option.Hash=64' --depth 18

Every move gets its value and what may follow; a move that loses enough of the chance to
win gets a mark and a better line. Tags, comments and variations of the games are kept. A
game with a move that is none is analysed up to there and marked. Work that was stopped,
or killed, goes on if the same command is given again; with a limit of nodes or depth it
gives the same bytes for any number of threads.";

/// What each position gets if nothing else is said.
const DEFAULT_NODES: u64 = 200_000;

/// Who judges if nothing else is said.
const INSIDE: &str = "hash=32";
/// How another program is treated: some think long at great depths.
const PROGRAM: &str = "patience=3600";

/// Analyse games: annotated PGN, accuracy, pages with boards and graphs
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The games, a PGN file, also compressed; - is standard input
    games: PathBuf,
    /// The annotated games [default: GAMES-annotated.pgn if no other output is given]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Everything as JSON into a file; without FILE to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    #[arg(value_parser = Json::of_file)]
    json: Option<Json>,
    /// One page with everything, which needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// A folder with everything: games as they were and annotated, a page for each, a list
    #[arg(long, value_name = "DIR")]
    package: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitOptions,
    /// How many best lines are looked for
    #[arg(long, value_name = "K", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=20))]
    multipv: u8,
    /// How many games are analysed at once [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    player: PlayerOptions,
    /// Names of openings: a table with the columns eco, name and pgn, or a folder of them
    #[arg(long, value_name = "FILE")]
    eco: Option<PathBuf>,
}

/// How long each position is searched.
#[derive(Args)]
#[group(multiple = false)]
struct LimitOptions {
    /// Nodes for each position [default: 200000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Iterations for each position
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let outputs = Outputs::new(options)?;
    let player = options.player.recipe(INSIDE, PROGRAM)?;
    let openings = options.openings()?;
    let (text, games) = read(&options.games)?;
    let conditions = options.conditions(&player, &text, output)?;
    outputs.prepare()?;
    let journal = outputs.journal();
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => usual_concurrency(1)?,
    };
    let work = Work {
        games: &games,
        player: &player,
        conditions: &conditions,
        journal: &journal,
        dispatcher: &Threads::new(threads),
    };
    let Some(findings) = search(&work, output)? else {
        output.note(format_args!("to go on: {}", same_command()));
        return Err(Interrupted.into());
    };
    let reviews = Review::all(&games, &findings, openings.as_ref());
    let story = Story {
        conditions: &conditions,
        command: &same_command(),
        openings: options.eco.as_deref(),
        text: &text,
        games: &games,
        reviews: &reviews,
    };
    outputs.write(&story)?;
    work.forget().map_err(explained)?;
    if output.is_json() {
        output.data(&story.json())?;
    } else {
        output.data(&Table::new(&story, outputs.files()).to_string())?;
    }
    Ok(Exit::Good)
}

impl Options {
    fn openings(&self) -> anyhow::Result<Option<EcoTable>> {
        let table = self.eco.as_deref().map(EcoTable::open).transpose();
        table.map_err(|error| WrongInput::new(error.to_string()).into())
    }

    fn conditions(
        &self,
        player: &Recipe,
        text: &[u8],
        output: &Output,
    ) -> anyhow::Result<Conditions> {
        let multipv = usize::from(self.multipv);
        let introduced = introduce(player, version::NUMBER, multipv);
        let (facts, warnings) = introduced.map_err(|error| WrongInput::new(error.to_string()))?;
        for warning in warnings {
            output.warn(format_args!("{}: {warning}", facts.name));
        }
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
        Ok(Conditions {
            program: version::short(),
            engine: facts,
            limit,
            multipv,
            games: Conditions::hash_of_games(text),
        })
    }
}

fn read(path: &Path) -> anyhow::Result<(Vec<u8>, Vec<Salvaged>)> {
    let text = Source::open(path)
        .and_then(Source::read_to_end)
        .map_err(|error| WrongInput::new(error.to_string()))?;
    let games = salvage(&text);
    if games.is_empty() {
        let problem = format!("{}: there are no games in it", path.display());
        return Err(WrongInput::new(problem).into());
    }
    Ok((text, games))
}

fn search(work: &Work<'_>, output: &Output) -> anyhow::Result<Option<Vec<Findings>>> {
    for (index, game) in work.games.iter().enumerate() {
        if let Some(damage) = &game.damage {
            let (number, line) = (index + 1, damage.place.line);
            output.warn(format_args!(
                "game {number}, line {line}: {}",
                damage.problem
            ));
        }
    }
    let stop = StopSignal::new();
    let signal = stop.clone();
    interruption::listen_and(move || signal.stop())?;
    let begin = Instant::now();
    let mut shown = Shown::default();
    let found = work.run(&stop, &mut |news| shown.hear(news, output));
    let Shown {
        progress,
        positions,
        ..
    } = shown;
    drop(progress);
    let found = found.map_err(|error| {
        if matches!(error, WorkError::Engine { .. } | WorkError::Restart { .. }) {
            let command = same_command();
            output.note(format_args!(
                "what was finished is kept; to go on: {command}"
            ));
        }
        explained(error)
    })?;
    if found.is_some() && positions > 0 {
        let seconds = begin.elapsed().max(Duration::from_millis(1)).as_secs_f64();
        output.note(format_args!(
            "{positions} positions in {seconds:.1} s, {:.1} a second",
            positions as f64 / seconds
        ));
    }
    Ok(found)
}

/// What a user can put right is told as such.
fn explained(error: WorkError) -> anyhow::Error {
    match error {
        WorkError::Journal(_) | WorkError::Start(_) => WrongInput::new(error.to_string()).into(),
        _ => error.into(),
    }
}

/// What the user sees meanwhile.
#[derive(Default)]
struct Shown {
    progress: Option<Progress>,
    /// All that are to be searched.
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
                    output.note(format_args!("{finished} games were finished before"));
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
