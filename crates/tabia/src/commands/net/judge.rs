//! `tabia net judge`: measures how well a model predicts the moves of games.

mod games;
mod report;

use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use crate::player;
use anyhow::Context;
use clap::Args;
use data::sequences::{Held, SequenceGame};
use report::Report;
use std::path::PathBuf;
use train::prediction::Judging;

const EXAMPLES: &str = "\
Examples:
  tabia net judge model.tabianet --games games-test.sequences
  tabia net judge maia-1500.pb.gz --games club.pgn --limit 1000
  tabia net judge model.tabianet --games club.pgn --told-rating 1500
  tabia net judge model.tabianet --games club.pgn --raw --svg reliability.svg

Every move of the games is ranked among the legal moves of its position:
top-1, top-3, top-5 and top-10 hit rate (hr@10), mean reciprocal rank (MRR),
cross-entropy (CE) and perplexity. The predicted result is judged by its
cross-entropy, next to that of the plain frequencies of wins, draws and
losses, and by the expected calibration error (ECE). Rows for game phases,
ratings of the mover and time controls follow. A move that shares its score
with others gets the mean of their ranks. Heads for thinking times and
resignations are judged, too, by their training losses, where the games have
clocks and results.";

/// Measure how well the policy of a model predicts the moves of games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The model: a sequence model, a policy net, a ResNet, an lc0 net, or heuristic
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The games: PGN, or a sequence file
    #[arg(long, value_name = "FILE", required = true)]
    games: Vec<PathBuf>,
    /// Maximum number of games per file, sampled evenly
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Use only the games that a training with this calibration_share, or validation_share, held
    /// out of the same files
    #[arg(long, value_name = "SHARE", value_parser = share)]
    held_out: Option<f64>,
    /// Truncate games after this many plies
    #[arg(long, value_name = "N", default_value_t = 256)]
    most_plies: usize,
    /// Also rank all moves, not only legal ones; sequence models only
    #[arg(long)]
    raw: bool,
    /// Draw expected and real results as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Give a sequence model this rating for both players, instead of their own
    #[arg(long, value_name = "RATING")]
    told_rating: Option<u16>,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok();
    share
        .filter(|&share| share > 0.0 && share <= 1.0)
        .ok_or_else(|| "not a number above 0, up to 1".to_owned())
}

/// Phases of a game, by their first ply.
const PHASES: [(usize, &str); 3] = [(0, "plies 1-20"), (20, "plies 21-60"), (60, "plies 61-")];
/// The width of rating bands.
const BAND: u16 = 200;
const BANDS: usize = 16;
/// Time controls, by their seconds for forty moves.
const TIMES: [(u32, &str); 4] = [
    (0, "bullet"),
    (180, "blitz"),
    (480, "rapid"),
    (1_500, "classical"),
];

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let model = player::model(&options.model)?;
    let held = options.held_out.map_or(Held::Nothing, Held::Only);
    let games = games::read(&options.games, held, options.limit, output)?;
    if games.is_empty() {
        return Err(WrongInput::new("the files contain no game").into());
    }
    let judging = Judging {
        games: &games,
        most_plies: options.most_plies,
        parts: 1 + PHASES.len() + BANDS + TIMES.len(),
        part: parts,
        raw: options.raw,
        told_rating: options.told_rating,
    };
    let judged = judging.judge(&model);
    let report = Report::new(model.name(), games.len(), options.raw, &judged);
    if let Some(path) = &options.svg {
        data::file::write(path, report.draw().as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    output.report(&report)?;
    Ok(Exit::Good)
}

/// The subsets to which a ply belongs: all plies, and those of its phase, the mover's rating and
/// the time control.
fn parts(game: &SequenceGame, ply: usize) -> Vec<usize> {
    let mut parts = vec![0];
    let phase = PHASES.iter().rposition(|&(first, _)| ply >= first);
    parts.extend(phase.map(|phase| 1 + phase));
    let band = game.ratings[ply % 2].map(|rating| usize::from(rating / BAND).min(BANDS - 1));
    parts.extend(band.map(|band| 1 + PHASES.len() + band));
    let seconds = game.time_control.map(|control| control.seconds());
    let time = seconds.and_then(|seconds| TIMES.iter().rposition(|&(least, _)| seconds >= least));
    parts.extend(time.map(|time| 1 + PHASES.len() + BANDS + time));
    parts
}
