//! Games of matches and of self-play: lists with filters, single games, and how a match
//! came to its result.

use crate::answer::{Answer, Problem, answer};
use crate::items::{Interval, finite};
use crate::rules::uci;
use crate::shelf::{Shelf, held};
use crate::thoughts::Value;
use axum::Router;
use axum::extract::{Query, State};
use axum::routing::get;
use lab::games::{KeptGame, KeptMove, of_match, of_shard};
use lab::sequential;
use lab::shelf::{Contents, Work, WorkKind};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Positions of a shard that are looked at for games.
const MOST_POSITIONS: usize = 1_000_000;
/// Games of a file that are listed.
const MOST_GAMES: usize = 50_000;
/// Games of one answer.
const MOST_SHOWN: usize = 200;
/// Files whose lists are remembered.
const MOST_REMEMBERED: usize = 6;
/// Plies of an opening in a list.
const OPENING: usize = 8;
/// Points of a match's course.
const MOST_STANDINGS: usize = 1000;

/// A game in a list.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ListedGame {
    number: usize,
    white: String,
    black: String,
    result: String,
    reason: Option<String>,
    plies: usize,
    opening: String,
    /// What is left on the board at the end.
    material: String,
}

/// A part of a list of games.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GameList {
    /// All games of the file.
    all: usize,
    /// Those that the filter lets through.
    found: usize,
    /// How games end here.
    reasons: Vec<String>,
    games: Vec<ListedGame>,
}

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

/// The course of a match.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MatchCourse {
    first: String,
    second: String,
    games: Vec<u64>,
    elo: Vec<Interval>,
    /// The logarithm of the ratio of likelihoods; empty without a test.
    llr: Vec<Option<f64>>,
    /// Where the test ends.
    bounds: Option<[f64; 2]>,
    /// What it tests, in Elo.
    hypotheses: Option<[f64; 2]>,
}

/// Lists of files that did not change since.
#[derive(Default)]
struct Lists {
    remembered: Mutex<Vec<Remembered>>,
}

/// A file, what changes with it, and its list.
type Remembered = (PathBuf, Stamp, Arc<Vec<ListedGame>>);
type Stamp = (u64, Option<SystemTime>);

fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok();
    let length = metadata.as_ref().map_or(0, std::fs::Metadata::len);
    (
        length,
        metadata.and_then(|metadata| metadata.modified().ok()),
    )
}

impl Lists {
    fn of(&self, path: &Path) -> Result<Arc<Vec<ListedGame>>, Problem> {
        let now = stamp(path);
        let lock = || {
            self.remembered
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let known = |(known, at, _): &&Remembered| known == path && *at == now;
        if let Some((.., list)) = lock().iter().find(known) {
            return Ok(Arc::clone(list));
        }
        let mut list = Vec::new();
        each_game(path, &mut |game| {
            if list.len() < MOST_GAMES {
                list.push(listed(&game));
            }
        })?;
        let list = Arc::new(list);
        let mut remembered = lock();
        remembered.retain(|(known, ..)| known != path);
        remembered.push((path.to_owned(), now, Arc::clone(&list)));
        if remembered.len() > MOST_REMEMBERED {
            remembered.remove(0);
        }
        Ok(list)
    }
}

fn each_game(path: &Path, each: &mut (dyn FnMut(KeptGame) + Send)) -> Result<(), Problem> {
    match path.extension().is_some_and(|ending| ending == "jsonl") {
        true => of_match(path, each)?,
        false => of_shard(path, MOST_POSITIONS, each)?,
    }
    Ok(())
}

fn listed(game: &KeptGame) -> ListedGame {
    ListedGame {
        number: game.number,
        white: game.white.clone(),
        black: game.black.clone(),
        result: game.result.to_string(),
        reason: game.reason.clone(),
        plies: game.moves.len(),
        opening: game.first_moves(OPENING),
        material: game.last_material(),
    }
}

/// A file with games of some work: a match or a shard.
fn file(work: &Work, contents: &Contents, file: &str) -> Result<PathBuf, Problem> {
    held(work, &contents.matches, file).or_else(|_| held(work, &contents.shards, file))
}

/// Which games are asked for.
#[derive(Deserialize)]
struct Asked {
    id: String,
    file: String,
    /// 1-0, 0-1 or 1/2-1/2.
    result: Option<String>,
    /// The least and the most plies.
    least: Option<usize>,
    most: Option<usize>,
    /// A part of the opening, or of a player's name.
    opening: Option<String>,
    /// A part of how it ended, or what was left.
    ending: Option<String>,
    skip: Option<usize>,
    count: Option<usize>,
}

impl Asked {
    fn wants(&self, game: &ListedGame) -> bool {
        let holds = |asked: &Option<String>, texts: &[&str]| {
            let asked = asked.as_deref().unwrap_or_default().to_lowercase();
            asked.is_empty()
                || texts
                    .iter()
                    .any(|text| text.to_lowercase().contains(&asked))
        };
        let result = self.result.as_deref().unwrap_or_default();
        (result.is_empty() || game.result == result)
            && self.least.is_none_or(|least| game.plies >= least)
            && self.most.is_none_or(|most| game.plies <= most)
            && holds(&self.opening, &[&game.opening, &game.white, &game.black])
            && holds(
                &self.ending,
                &[game.reason.as_deref().unwrap_or_default(), &game.material],
            )
    }
}

async fn list(State(games): State<Arc<Games>>, Query(asked): Query<Asked>) -> Answer<GameList> {
    answer(move || {
        let work = games.shelf.find(&asked.id)?;
        let path = file(&work, &lab::shelf::contents(&work), &asked.file)?;
        let all = games.lists.of(&path)?;
        // The newest come first.
        let wanted: Vec<&ListedGame> = all.iter().rev().filter(|game| asked.wants(game)).collect();
        let count = asked.count.unwrap_or(50).min(MOST_SHOWN);
        let skip = asked.skip.unwrap_or(0);
        let mut reasons: Vec<String> = all.iter().filter_map(|game| game.reason.clone()).collect();
        reasons.sort();
        reasons.dedup();
        reasons.truncate(40);
        Ok(GameList {
            all: all.len(),
            found: wanted.len(),
            reasons,
            games: wanted.into_iter().skip(skip).take(count).cloned().collect(),
        })
    })
    .await
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
        let work = games.shelf.find(&asked.id)?;
        let path = file(&work, &lab::shelf::contents(&work), &asked.file)?;
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

/// Which match is asked for.
#[derive(Deserialize)]
struct Which {
    id: String,
    file: String,
}

async fn course(
    State(games): State<Arc<Games>>,
    Query(asked): Query<Which>,
) -> Answer<MatchCourse> {
    answer(move || {
        let work = games.shelf.find(&asked.id)?;
        let path = held(&work, &lab::shelf::contents(&work).matches, &asked.file)?;
        let sprt = match work.kind {
            WorkKind::Run => {
                let experiment = games.shelf.look(&work)?.experiment;
                let arm = asked
                    .file
                    .split('/')
                    .next()
                    .and_then(|arm| experiment.arms.get(arm));
                // Only the match that decides is watched by a test.
                let decides = asked.file.contains("-against-previous/");
                arm.filter(|_| decides).and_then(|arm| arm.gate.sprt)
            }
            _ => None,
        };
        let course = sequential::course(&path, sprt.as_ref())?;
        let step = course.standings.len().div_ceil(MOST_STANDINGS).max(1);
        let last = course.standings.len().saturating_sub(1);
        let standings = course.standings.iter().enumerate();
        let standings: Vec<_> = standings
            .filter(|(at, _)| at % step == 0 || *at == last)
            .map(|(_, standing)| standing)
            .collect();
        let [first, second] = course.players;
        Ok(MatchCourse {
            first,
            second,
            games: standings.iter().map(|at| at.games).collect(),
            elo: (standings.iter())
                .map(|at| Interval::new(at.elo.value, at.elo.lower, at.elo.upper))
                .collect(),
            llr: match sprt {
                Some(_) => standings.iter().map(|at| at.llr.and_then(finite)).collect(),
                None => Vec::new(),
            },
            bounds: sprt.map(|sprt| sprt.bounds()),
            hypotheses: sprt.map(|sprt| sprt.hypotheses()),
        })
    })
    .await
}

/// What answers questions for games.
struct Games {
    shelf: Arc<Shelf>,
    lists: Lists,
}

/// What can be asked of games.
pub(crate) fn questions(shelf: Arc<Shelf>) -> Router {
    let lists = Lists::default();
    Router::new()
        .route("/match", get(course))
        .route("/games", get(list))
        .route("/game", get(game))
        .with_state(Arc::new(Games { shelf, lists }))
}
