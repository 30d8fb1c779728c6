//! `tabia play`: a game against any player, in the terminal.

mod game;
mod session;
mod words;

use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::output::Output;
use crate::player::PlayerOptions;
use crate::position;
use crate::stream::Stream;
use anyhow::Context;
use chess::{Board, Color};
use clap::{Args, ValueEnum};
use engines::recipe::Recipe;
use engines::{Limits, STACK_BYTES, StopSignal};
use session::{End, Session};
use std::io::{BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  tabia play                            White against the built-in net
  tabia play --elo 1500 --side black    against a weaker player
  tabia play --model mine.tabianet --nodes 2000
  tabia play --player mcts --out games.pgn
  tabia play --player cmd=stockfish --seconds 0.5
  tabia play --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'

Type moves as SAN (Nf3, exd5, O-O, e8=Q) or UCI (g1f3, e7e8q). Other commands:
hint, takeback, switch (change sides), flip, board, moves, fen, pgn, resign,
quit, help. The game is printed as PGN at the end; with --out it is appended
to a file.";

/// Play a game against any player in the terminal
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    player: PlayerOptions,
    /// Your side
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,
    /// Limit the player to about this rating (its option UCI_Elo)
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(100..=4000))]
    elo: Option<u32>,
    /// Nodes (for a tree search: simulations) per move of the player
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds per move of the player [default: 1 if there is no other limit]
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<Duration>,
    /// The start position as FEN, or startpos
    #[arg(long, value_name = "FEN", default_value = "startpos")]
    fen: String,
    /// Your name in the PGN
    #[arg(long, value_name = "NAME", default_value = "You")]
    name: String,
    /// Random seed of the player [default: a new one for each game]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Append the game to this PGN file
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    match (0.001..=86_400.0).contains(&number) {
        true => Ok(Duration::from_secs_f64(number)),
        false => Err("must be from 0.001 to 86400".to_owned()),
    }
}

/// The default settings of players of this program.
const USUAL: &str = "hash=64";

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let start = position::read(&options.fen, output)?;
    if let Some(path) = &options.out {
        check(path)?;
    }
    let strength = match options.elo {
        Some(elo) => format!("option.UCI_LimitStrength=true option.UCI_Elo={elo}"),
        None => String::new(),
    };
    let opponent = options
        .player
        .recipe(&format!("{USUAL} {strength}"), &strength)?;
    let adviser = options.player.recipe(USUAL, "")?;
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    // A search needs a larger stack than that of the main thread.
    let end = std::thread::scope(|scope| {
        let play = || play(options, start, &[opponent, adviser], &stop, output);
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, play);
        let thread = thread.context("cannot start a thread")?;
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    match end {
        End::Interrupted => Err(Interrupted.into()),
        End::Finished => Ok(Exit::Good),
    }
}

fn play(
    options: &Options,
    start: Board,
    [opponent, adviser]: &[Recipe; 2],
    stop: &StopSignal,
    output: &Output,
) -> anyhow::Result<End> {
    let input = BufReader::new(Stream::open(Path::new("-")));
    let mut session = Session {
        game: game::Played::new(
            start,
            options.side.into(),
            &options.name,
            opponent_name(opponent),
        ),
        opponent: opponent.player(Duration::ZERO).map_err(|error| {
            // The error names the player's option; here the user gave `--elo`.
            let words = error.to_string();
            match options.elo {
                Some(_) => refused(words.replace("UCI_Elo", "--elo")),
                None => refused(words),
            }
        })?,
        opponent_name: opponent_name(opponent),
        adviser: adviser.clone(),
        limits: limits(options),
        seed: options.seed.unwrap_or_else(any_seed),
        stop,
        below: options.side.into(),
        is_terminal: std::io::stdin().is_terminal(),
        output,
    };
    let end = session.play(input)?;
    let pgn = session.game.pgn();
    output.data(&format!("\n{pgn}"))?;
    if let Some(path) = &options.out {
        add(path, &pgn)?;
        output.note(format_args!("the game was appended to {}", path.display()));
    }
    Ok(end)
}

fn refused(error: impl std::fmt::Display) -> anyhow::Error {
    WrongInput::new(error.to_string()).into()
}

fn limits(options: &Options) -> Limits {
    let usual = options.nodes.is_none().then_some(Duration::from_secs(1));
    Limits {
        nodes: options.nodes,
        move_time: options.seconds.or(usual),
        ..Limits::default()
    }
}

fn opponent_name(recipe: &Recipe) -> String {
    match (recipe, recipe.model()) {
        (Recipe::Program(program), _) => program.cmd.display().to_string(),
        (_, Some(model)) => format!("Tabia {}", model.name()),
        (_, None) => "Tabia".to_owned(),
    }
}

/// A different seed for each game.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_nanos() as u64)
}

/// Games are only appended to files up to this size, because the whole file is written again.
const MOST_BYTES: u64 = 256 << 20;

/// The games already in a file; empty if it does not exist.
fn games_of(path: &Path) -> std::io::Result<Vec<u8>> {
    match data::file::read(path, MOST_BYTES) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

/// Checks before the game that it can be appended to the file.
fn check(path: &Path) -> Result<(), WrongInput> {
    let name = path.display();
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let folder = folder.display();
        let problem = format!("the folder {folder} for {name} does not exist");
        return Err(WrongInput::new(problem));
    }
    let read = games_of(path);
    read.map_err(|error| WrongInput::new(format!("cannot add a game to {name}: {error}")))?;
    Ok(())
}

/// Appends a game to a file, which stays intact if writing fails.
fn add(path: &Path, pgn: &str) -> anyhow::Result<()> {
    let wrong = || format!("cannot write {}", path.display());
    let before = games_of(path).with_context(wrong)?;
    let between: &[u8] = match before.is_empty() || before.ends_with(b"\n\n") {
        true => b"",
        false => b"\n",
    };
    let bytes = [&before, between, pgn.as_bytes()].concat();
    data::file::write(path, &bytes).with_context(wrong)
}
