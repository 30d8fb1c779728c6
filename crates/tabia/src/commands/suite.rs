//! `tabia suite`: searches every position of an EPD file, or every Lichess puzzle, and counts the
//! solved ones.

mod bands;
mod judge;
mod lichess;
mod puzzle;

use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::kind;
use crate::output::Output;
use crate::player::PlayerOptions;
use crate::progress::Progress;
use anyhow::{Context, anyhow};
use bands::Band;
use chess::{Game, Move};
use clap::Args;
use engines::recipe::{Pace, Recipe};
use engines::{Limits, Player, STACK_BYTES, StopSignal};
use judge::Verdict;
use puzzle::Puzzle;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  tabia suite tactics.epd           search 200000 nodes per position
  tabia suite mates.epd --nodes 1000000 --threads 2
  tabia suite tactics.epd --player param.razor_base=250   another constant
  tabia suite lichess_db_puzzle.csv --sample 2000 \\
      --player \"sequence option.Mode=greedy\"   Lichess puzzles, by rating

A position is solved if the move played at the end is among its best moves
(bm) or not among its moves to avoid (am), or if a mate of its length (dm 3 or
bm #3) was found:
  r1b2rk1/ppbn1ppp/4p3/1QP4q/3P4/N4N2/5PPP/R1B2RK1 w - - bm c6; id \"WAC.250\";

A Lichess puzzle is solved if all moves of its solution are found in turn; any
immediate checkmate solves it, too.";

/// The default limit per position.
const DEFAULT_NODES: u64 = 200_000;

/// Search the positions of an EPD file or Lichess puzzles, and count the solved ones
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The EPD file, in which lines that begin with # are skipped, or the CSV file of puzzles
    file: PathBuf,
    /// Use only this many positions, sampled evenly from the whole file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    #[command(flatten)]
    limit: LimitOptions,
    /// Number of positions searched in parallel [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    player: PlayerOptions,
}

/// The default player: without early termination, so that searches use the whole time limit.
const PLAYER: &str = "hash=16 option.StabilityTermination=false";
/// The default for players that have no such option.
const OTHER_PLAYER: &str = "hash=16";

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
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
}

impl LimitOptions {
    fn limits(&self) -> Limits {
        match (self.depth, self.movetime) {
            (Some(depth), _) => Limits::depth(depth),
            (None, Some(time)) => Limits::move_time(Duration::from_millis(time)),
            (None, None) => Limits::nodes(self.nodes.unwrap_or(DEFAULT_NODES)),
        }
    }
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let stop = StopSignal::new();
    interruption::listen_and_give_up(&stop)?;
    let puzzles = sampled(read(&options.file)?, options.sample);
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism()
            .context("cannot count the CPUs")?
            .get(),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .build()
        .context("cannot start the threads")?;
    let limits = options.limit.limits();
    let begin = Instant::now();
    let outcomes = pool.install(|| search_all(&puzzles, &limits, options, &stop, output))?;
    let report = Report::new(&options.file, threads, &outcomes, begin.elapsed());
    output.note(format_args!(
        "{} nodes in {:.3} s",
        report.nodes, report.seconds
    ));
    output.report(&report)?;
    Ok(Exit::Good)
}

/// The maximum size of a suite.
const MOST_BYTES: u64 = 2 << 30;

/// This many of the positions, sampled evenly.
fn sampled(puzzles: Vec<Puzzle>, wanted: Option<u64>) -> Vec<Puzzle> {
    let all = puzzles.len() as u128;
    let wanted = wanted.map_or(all, u128::from).min(all);
    // Position k is taken if it raises the rounded-down share of wanted positions among the first
    // k.
    let taken = |upto: usize| upto as u128 * wanted / all.max(1);
    let numbered = puzzles.into_iter().enumerate();
    let chosen = numbered.filter(|(index, _)| taken(index + 1) > taken(*index));
    chosen.map(|(_, puzzle)| puzzle).collect()
}

fn read(file: &Path) -> anyhow::Result<Vec<Puzzle>> {
    let name = file.display();
    let text = data::file::read(file, MOST_BYTES)
        .map_err(|error| WrongInput::new(format!("cannot read {name}: {error}")))?;
    let puzzles = match lichess::is_one(&text) {
        true => lichess::read(&text),
        false => puzzle::read(&text),
    };
    let puzzles = puzzles.map_err(|error| {
        kind::or_other(file, "a suite of positions", &["EPD"], || {
            WrongInput::new(format!("{name}:{}: {error}", error.number))
        })
    })?;
    if puzzles.is_empty() {
        return Err(WrongInput::new(format!("{name} holds no positions")).into());
    }
    Ok(puzzles)
}

/// Positions are independent: each is searched by one thread, with cleared tables.
fn search_all(
    puzzles: &[Puzzle],
    limits: &Limits,
    options: &Options,
    stop: &StopSignal,
    output: &Output,
) -> anyhow::Result<Vec<Outcome>> {
    let progress = Progress::new(output, puzzles.len() as u64, "positions");
    let recipe = match options.player.inside(OTHER_PLAYER)? {
        Recipe::AlphaBeta(_) => options.player.inside(PLAYER)?,
        recipe => recipe,
    };
    let player = || recipe.player(Pace::MARGIN.0);
    puzzles
        .par_iter()
        .with_max_len(1)
        .map_init(player, |player, puzzle| {
            let player = player.as_mut().map_err(|error| anyhow!("{error}"))?;
            let outcome = search(player.as_mut(), puzzle, limits, stop)?;
            if stop.is_stopped() {
                return Err(Interrupted.into());
            }
            progress.aside(|| output.detail(&outcome));
            progress.advance(1);
            Ok(outcome)
        })
        .collect()
}

fn search(
    player: &mut dyn Player,
    puzzle: &Puzzle,
    limits: &Limits,
    stop: &StopSignal,
) -> anyhow::Result<Outcome> {
    let limits = Limits {
        // A mate of the known length ends the search, since there is nothing better.
        mate: puzzle.mate.map(i32::unsigned_abs),
        ..limits.clone()
    };
    player.new_game(0)?;
    let mut answer = player.choose(&puzzle.game, &limits, stop, &mut |_| {})?;
    let mut verdict = judge::judge(puzzle, &answer);
    if !puzzle.solution.is_empty() {
        let nodes = answer.nodes;
        let (is_solved, later) = follow(player, puzzle, answer.best, &limits, stop)?;
        answer.nodes = nodes + later;
        verdict = match is_solved {
            true => Verdict::Solved,
            false => Verdict::Unsolved,
        };
    }
    Ok(Outcome {
        rating: puzzle.rating,
        line: puzzle.number,
        id: puzzle.id.clone(),
        verdict,
        played: answer.best.map(|mv| puzzle.board.san(mv).to_string()),
        score: answer.score.to_string(),
        expected: puzzle.expected.clone(),
        depth: answer.depth,
        nodes: answer.nodes,
    })
}

/// Plays the solution to its end, given the answer to the first move. Returns whether all moves
/// were found, and the nodes of the later searches.
fn follow(
    player: &mut dyn Player,
    puzzle: &Puzzle,
    first: Option<Move>,
    limits: &Limits,
    stop: &StopSignal,
) -> anyhow::Result<(bool, u64)> {
    let mut game = puzzle.game.clone();
    let mut nodes = 0;
    let mut found = first;
    for (number, &wanted) in puzzle.solution.iter().enumerate() {
        let is_own = number % 2 == 0;
        if is_own && number > 0 {
            let answer = player.choose(&game, limits, stop, &mut |_| {})?;
            nodes += answer.nodes;
            found = answer.best;
        }
        if is_own && found != Some(wanted) {
            let mates = found.is_some_and(|mv| is_mate(&game, mv));
            return Ok((mates, nodes));
        }
        game.play(wanted)?;
    }
    Ok((true, nodes))
}

/// Whether a legal move gives checkmate.
fn is_mate(game: &Game, mv: Move) -> bool {
    let board = game.board();
    board.gives_check(mv) && !board.after(mv).has_legal_move()
}

/// The result of a position.
#[derive(Clone, Serialize)]
struct Outcome {
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<u16>,
    verdict: Verdict,
    /// The move that was found, in SAN.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    score: String,
    /// The EPD operations that define the right answer.
    expected: String,
    depth: u32,
    nodes: u64,
}

impl Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id.as_deref().unwrap_or("-");
        let played = self.played.as_deref().unwrap_or("no move");
        let result = match self.verdict {
            Verdict::Solved => "solved",
            Verdict::Unsolved => "unsolved",
            Verdict::LongerMate => "longer mate",
            Verdict::FalseMate => "FALSE MATE",
        };
        write!(
            formatter,
            "{}: {id}: {result}: {played} ({}, depth {}), expected {}",
            self.line, self.score, self.depth, self.expected
        )
    }
}

/// The result of a suite.
#[derive(Serialize)]
struct Report {
    file: String,
    positions: usize,
    solved: usize,
    longer_mates: usize,
    false_mates: usize,
    threads: usize,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ratings: Vec<Band>,
    unsolved: Vec<Outcome>,
}

impl Report {
    fn new(file: &Path, threads: usize, outcomes: &[Outcome], time: Duration) -> Self {
        let count = |verdict| {
            let is_so = |outcome: &&Outcome| outcome.verdict == verdict;
            outcomes.iter().filter(is_so).count()
        };
        Self {
            file: file.display().to_string(),
            positions: outcomes.len(),
            solved: count(Verdict::Solved),
            longer_mates: count(Verdict::LongerMate),
            false_mates: count(Verdict::FalseMate),
            threads,
            nodes: outcomes.iter().map(|outcome| outcome.nodes).sum(),
            seconds: time.as_secs_f64(),
            ratings: bands::by_rating(outcomes),
            unsolved: outcomes
                .iter()
                .filter(|outcome| outcome.verdict != Verdict::Solved)
                .cloned()
                .collect(),
        }
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // There are thousands of puzzles with ratings; unsolved ones are only listed with
        // `--verbose`.
        let shown = match self.ratings.is_empty() {
            true => &self.unsolved[..],
            false => &[],
        };
        for outcome in shown {
            writeln!(formatter, "{}:{outcome}", self.file)?;
        }
        for band in &self.ratings {
            writeln!(formatter, "{band}")?;
        }
        if self.longer_mates + self.false_mates > 0 {
            let (longer, wrong) = (self.longer_mates, self.false_mates);
            writeln!(
                formatter,
                "longer than shortest mates: {longer}, false mates: {wrong}"
            )?;
        }
        writeln!(formatter, "{} of {} solved", self.solved, self.positions)
    }
}
