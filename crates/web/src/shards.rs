//! What the positions of a shard are like, and single ones to leaf through.

use crate::answer::{Answer, answer};
use crate::rules::{color_word, uci};
use crate::run_index::{RunIndex, held};
use axum::Router;
use axum::extract::{Query, State};
use axum::routing::get;
use data::position::Outcome;
use data::statistics::{Histogram, Statistics};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Positions that are counted.
const MOST_COUNTED: usize = 2_000_000;
/// Positions of one answer.
const MOST_SHOWN: usize = 100;
/// How far one can leaf.
const MOST_SKIPPED: usize = 2_000_000;
/// Files whose counts are remembered.
const MOST_REMEMBERED: usize = 16;

/// How often numbers are in each of some bins.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Bins {
    first: i32,
    width: i32,
    counts: Vec<u64>,
    below: u64,
    above: u64,
}

impl From<&Histogram> for Bins {
    fn from(histogram: &Histogram) -> Bins {
        Bins {
            first: histogram.first,
            width: histogram.width,
            counts: histogram.counts.clone(),
            below: histogram.below,
            above: histogram.above,
        }
    }
}

/// What the positions of a shard are like.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Counts {
    positions: u64,
    /// Whether there are more, which were not counted.
    cut: bool,
    games: u64,
    /// Positions whose men stood on the same squares before.
    duplicates: u64,
    /// For White: losses, draws, wins.
    results: [u64; 3],
    checks: u64,
    captures: u64,
    decisive: u64,
    contradictions: u64,
    scores: Bins,
    plies: Bins,
    men: Bins,
    /// How often White's king stands on each square.
    kings: Vec<u64>,
}

/// A position of a shard.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ShownPosition {
    number: usize,
    fen: String,
    /// The move that was played, as people write it and in coordinates.
    san: Option<String>,
    uci: Option<String>,
    /// For the side to move, in centipawns.
    score: i16,
    /// The result for the side to move: win, draw or loss.
    result: &'static str,
    turn: &'static str,
    ply: u16,
}

/// What answers requests for shards.
struct Shards {
    index: Arc<RunIndex>,
    /// Counts of files that did not change since.
    remembered: Mutex<Vec<(PathBuf, Option<SystemTime>, Counts)>>,
}

/// What can be asked of shards.
pub(crate) fn routes(index: Arc<RunIndex>) -> Router {
    let remembered = Mutex::default();
    Router::new()
        .route("/shard", get(shard))
        .route("/positions", get(positions))
        .with_state(Arc::new(Shards { index, remembered }))
}

/// Which shard is asked about.
#[derive(Deserialize)]
struct Asked {
    id: String,
    file: String,
    skip: Option<usize>,
    count: Option<usize>,
}

async fn shard(State(shards): State<Arc<Shards>>, Query(asked): Query<Asked>) -> Answer<Counts> {
    answer(move || {
        let work = shards.index.find(&asked.id)?;
        let path = held(&work, &lab::catalog::contents(&work).shards, &asked.file)?;
        let changed = std::fs::metadata(&path)
            .and_then(|metadata| metadata.modified())
            .ok();
        let lock = || {
            shards
                .remembered
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let known = lock()
            .iter()
            .find(|(known, at, _)| *known == path && *at == changed)
            .cloned();
        if let Some((.., counts)) = known {
            return Ok(counts);
        }
        let mut statistics = Statistics::default();
        let mut seen = HashSet::new();
        let mut duplicates = 0;
        let cut = lab::games::positions(&path, MOST_COUNTED, &mut |position| {
            statistics.add(position, false);
            duplicates += u64::from(!seen.insert(position.placement_key()));
        })?;
        let counts = counts(&statistics, duplicates, cut);
        let mut remembered = lock();
        remembered.push((path, changed, counts.clone()));
        if remembered.len() > MOST_REMEMBERED {
            remembered.remove(0);
        }
        Ok(counts)
    })
    .await
}

fn counts(statistics: &Statistics, duplicates: u64, cut: bool) -> Counts {
    Counts {
        positions: statistics.positions,
        cut,
        games: statistics.games,
        duplicates,
        results: statistics.white_results,
        checks: statistics.checks,
        captures: statistics.captures,
        decisive: statistics.decisive,
        contradictions: statistics.contradictions,
        scores: (&statistics.scores).into(),
        plies: (&statistics.plies).into(),
        men: (&statistics.pieces).into(),
        kings: statistics.kings[0].to_vec(),
    }
}

async fn positions(
    State(shards): State<Arc<Shards>>,
    Query(asked): Query<Asked>,
) -> Answer<Vec<ShownPosition>> {
    answer(move || {
        let work = shards.index.find(&asked.id)?;
        let path = held(&work, &lab::catalog::contents(&work).shards, &asked.file)?;
        let skip = asked.skip.unwrap_or(0).min(MOST_SKIPPED);
        let count = asked.count.unwrap_or(12).min(MOST_SHOWN);
        let mut number = 0;
        let mut shown = Vec::new();
        lab::games::positions(&path, skip + count, &mut |position| {
            if number >= skip {
                let board = &position.board;
                shown.push(ShownPosition {
                    number,
                    fen: board.fen(),
                    san: position.mv.map(|mv| board.san(mv).to_string()),
                    uci: position.mv.map(|mv| uci(board, mv)),
                    score: position.score,
                    result: match position.result {
                        Outcome::Win => "win",
                        Outcome::Draw => "draw",
                        Outcome::Loss => "loss",
                    },
                    turn: color_word(board.side_to_move()),
                    ply: position.ply,
                });
            }
            number += 1;
        })?;
        Ok(shown)
    })
    .await
}
