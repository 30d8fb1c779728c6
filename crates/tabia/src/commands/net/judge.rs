//! `tabia net judge`: how well a model predicts the moves of games.

mod games;

use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use crate::player;
use clap::Args;
use data::sequences::{Held, SequenceGame};
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::PathBuf;
use train::prediction::{BINS, Judgement, Judging};

const EXAMPLES: &str = "\
Examples:
  tabia net judge model.tabianet --games games-test.sequences
  tabia net judge maia-1500.pb.gz --games club.pgn --limit 1000
  tabia net judge model.tabianet --games club.pgn --told-rating 1500

Every move of the games is ranked among the legal moves of its position:
top-1, top-3, top-5 and top-10 hit rate (hr@10), mean reciprocal rank (MRR),
cross-entropy (CE) and perplexity. The predicted result is judged by its
cross-entropy, next to that of the plain frequencies of wins, draws and
losses, and by the expected calibration error (ECE). Rows for game phases,
ratings of the mover and time controls follow.";

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

/// Phases of a game by their first plies.
const PHASES: [(usize, &str); 3] = [(0, "plies 1-20"), (20, "plies 21-60"), (60, "plies 61-")];
/// Ratings have bands of so many points.
const BAND: u16 = 200;
const BANDS: usize = 16;
/// Time controls by the seconds for forty moves.
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
    output.report(&Report::new(
        model.name(),
        games.len(),
        options.raw,
        &judged,
    ))?;
    Ok(Exit::Good)
}

/// The parts to which a ply belongs: all, its phase, the mover's rating, the time
/// control.
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

/// The name of a part.
fn name(part: usize) -> String {
    let Some(phase) = part.checked_sub(1) else {
        return "all".to_owned();
    };
    let Some(band) = phase.checked_sub(PHASES.len()) else {
        return PHASES[phase].1.to_owned();
    };
    match band.checked_sub(BANDS) {
        Some(time) => TIMES[time].1.to_owned(),
        None => {
            let first = band as u16 * BAND;
            format!("{first}-{}", first + BAND - 1)
        }
    }
}

#[derive(Serialize)]
struct Report {
    model: String,
    games: usize,
    rows: Vec<Row>,
    /// For each tenth of expected results: what was expected, what came, how many
    /// positions there were.
    reliability: [[f64; 3]; BINS],
}

#[derive(Serialize)]
struct Row {
    part: String,
    moves: u64,
    cross_entropy: f64,
    perplexity: f64,
    top_1: f64,
    top_3: f64,
    top_5: f64,
    hr_10: f64,
    mrr: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<RawRow>,
    value_loss: f64,
    base_rate_loss: f64,
    calibration_error: f64,
}

#[derive(Serialize)]
struct RawRow {
    top_1: f64,
    hr_10: f64,
    legal: f64,
}

impl Row {
    fn new(part: usize, judged: &Judgement, raw: bool) -> Row {
        let mean = |sum: f64| judged.per_move(sum);
        Row {
            part: name(part),
            moves: judged.moves as u64,
            cross_entropy: mean(judged.cross_entropy),
            perplexity: mean(judged.cross_entropy).exp(),
            top_1: mean(judged.top[0]),
            top_3: mean(judged.top[1]),
            top_5: mean(judged.top[2]),
            hr_10: mean(judged.top[3]),
            mrr: mean(judged.reciprocal_rank),
            raw: raw.then(|| RawRow {
                top_1: mean(judged.raw_top[0]),
                hr_10: mean(judged.raw_top[1]),
                legal: mean(judged.raw_legal),
            }),
            value_loss: judged.mean_value_loss(),
            base_rate_loss: judged.base_rate_loss(),
            calibration_error: judged.calibration_error(),
        }
    }
}

impl Report {
    fn new(model: String, games: usize, raw: bool, judged: &[Judgement]) -> Report {
        let rows = judged.iter().enumerate();
        let rows = rows.filter(|(_, judged)| judged.moves > 0.0);
        let reliability = judged[0].bins.map(|[expected, real, count]| {
            let mean = |sum: f64| sum / count.max(1.0);
            [mean(expected), mean(real), count]
        });
        Report {
            model,
            games,
            rows: rows
                .map(|(part, judged)| Row::new(part, judged, raw))
                .collect(),
            reliability,
        }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, {} games", self.model, self.games)?;
        writeln!(
            f,
            "{:<12} {:>9} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}",
            "", "moves", "CE", "top-1", "top-3", "top-5", "hr@10", "MRR", "value", "base", "ECE"
        )?;
        for row in &self.rows {
            writeln!(
                f,
                "{:<12} {:>9} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>6.3}",
                row.part,
                row.moves,
                row.cross_entropy,
                row.top_1,
                row.top_3,
                row.top_5,
                row.hr_10,
                row.mrr,
                row.value_loss,
                row.base_rate_loss,
                row.calibration_error,
            )?;
        }
        let raw = self.rows.first().and_then(|row| row.raw.as_ref());
        if let Some(raw) = raw {
            let RawRow {
                top_1,
                hr_10,
                legal,
            } = raw;
            writeln!(
                f,
                "among all moves: top-1 {top_1:.3}, hr@10 {hr_10:.3}; first move legal {legal:.3}"
            )?;
        }
        Ok(())
    }
}
