//! Games of matches and of self-play: lists with filters (`list`), single games, and how a
//! match came to its result (`course`).

mod course;
mod list;

use crate::answer::{Answer, Problem, answer};
use crate::rules::uci;
use crate::run_index::{RunIndex, held};
use crate::search_results::Value;
use axum::Router;
use axum::extract::{Query, State};
use axum::routing::get;
use lab::catalog::{Contents, Work};
use lab::games::{KeptGame, KeptMove, of_match, of_shard};
use list::Lists;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use list::Openings;
#[cfg(test)]
pub(crate) use {course::MatchCourse, list::GameList, list::ListedGame};

/// Positions of a shard that are looked at for games.
const MOST_POSITIONS: usize = 1_000_000;

/// A game with everything.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ShownGame {
    number: usize,
    white: String,
    black: String,
    result: String,
    reason: Option<String>,
    fens: Vec<String>,
    plies: Vec<Ply>,
    pgn: String,
}

/// A move of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Ply {
    uci: String,
    san: String,
    /// For the side that moved.
    value: Option<Value>,
    depth: Option<u32>,
    nodes: Option<u64>,
    seconds: Option<f64>,
}

fn each_game(path: &Path, each: &mut (dyn FnMut(KeptGame) + Send)) -> Result<(), Problem> {
    match path.extension().is_some_and(|ending| ending == "jsonl") {
        true => of_match(path, each)?,
        false => of_shard(path, MOST_POSITIONS, each)?,
    }
    Ok(())
}

/// A file with games of some work: a match or a shard.
fn file(work: &Work, contents: &Contents, file: &str) -> Result<PathBuf, Problem> {
    held(work, &contents.matches, file).or_else(|_| held(work, &contents.shards, file))
}

/// Which game is asked for.
#[derive(Deserialize)]
struct One {
    id: String,
    file: String,
    number: usize,
}

async fn game(State(games): State<Arc<Games>>, Query(asked): Query<One>) -> Answer<ShownGame> {
    answer(move || {
        let work = games.index.find(&asked.id)?;
        let path = file(&work, &lab::catalog::contents(&work), &asked.file)?;
        let mut found = None;
        each_game(&path, &mut |game| {
            if game.number == asked.number {
                found = Some(game);
            }
        })?;
        let found = found.ok_or_else(|| Problem::missing("there is no such game"))?;
        Ok(shown(&found, &work.id))
    })
    .await
}

fn shown(game: &KeptGame, event: &str) -> ShownGame {
    let mut board = game.start;
    let mut fens = vec![board.fen()];
    let mut plies = Vec::new();
    for kept in &game.moves {
        let KeptMove {
            mv,
            score,
            depth,
            nodes,
            time,
        } = *kept;
        plies.push(Ply {
            uci: uci(&board, mv),
            san: board.san(mv).to_string(),
            value: score.map(Value::from),
            depth,
            nodes,
            seconds: time.map(|time| time.as_secs_f64()),
        });
        board.make(mv);
        fens.push(board.fen());
    }
    ShownGame {
        number: game.number,
        white: game.white.clone(),
        black: game.black.clone(),
        result: game.result.to_string(),
        reason: game.reason.clone(),
        fens,
        plies,
        pgn: game.pgn(event),
    }
}

/// What answers requests for games.
struct Games {
    index: Arc<RunIndex>,
    lists: Lists,
    openings: Openings,
}

/// What can be asked of games.
pub(crate) fn routes(index: Arc<RunIndex>, openings: Openings) -> Router {
    let lists = Lists::default();
    Router::new()
        .route("/match", get(course::course))
        .route("/games", get(list::list))
        .route("/game", get(game))
        .with_state(Arc::new(Games {
            index,
            lists,
            openings,
        }))
}
