//! Searches for visitors, moves and analyses: a limited number at once, each bounded in time,
//! nodes and memory, and stopped when no client waits for it any more.

use crate::answer::{Answer, Problem, answer as answered};
use crate::event_stream::{EventStream, ServerEvent};
use crate::models::{Models, PlayerName};
use crate::rules::{Moves, sans, uci};
use crate::search_results::{SearchUpdate, TriedMove, Value, Variation, tried};
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use chess::Game;
use engines::{Report, STACK_BYTES, ScoreBound, StopSignal};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Searches at once.
const MOST_SEARCHES: usize = 3;
/// How often an analysis reports its results.
const UPDATE_INTERVAL: Duration = Duration::from_millis(150);
/// No name of a job is longer.
const LONGEST_JOB: usize = 40;
/// Moves of a line that are shown.
const LONGEST_LINE: usize = 16;

/// A player's move.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Reply {
    /// Nothing if there is no legal move.
    uci: Option<String>,
    san: Option<String>,
    value: Value,
    depth: u32,
    nodes: u64,
    milliseconds: u64,
    tried: Vec<TriedMove>,
}

/// A request for a move.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveRequest {
    game: Moves,
    player: PlayerName,
    /// What decides chance, where a player has any.
    seed: Option<u64>,
}

/// A request for an analysis.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AnalysisRequest {
    /// A name under which its thoughts are told.
    job: String,
    game: Moves,
    player: PlayerName,
}

/// Which analysis is meant.
#[derive(Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Job {
    job: String,
}

/// The running searches.
pub(crate) struct SearchPool {
    models: Arc<Models>,
    events: Arc<EventStream>,
    busy: AtomicUsize,
    jobs: Mutex<BTreeMap<String, RunningJob>>,
    numbers: AtomicUsize,
}

/// An analysis: of two with one name, the later has the greater number.
struct RunningJob {
    number: usize,
    signal: StopSignal,
}

impl SearchPool {
    /// A pool without searches.
    pub(crate) fn new(models: Arc<Models>, events: Arc<EventStream>) -> SearchPool {
        SearchPool {
            models,
            events,
            busy: AtomicUsize::new(0),
            jobs: Mutex::default(),
            numbers: AtomicUsize::new(0),
        }
    }

    /// With what they think.
    pub(crate) fn models(&self) -> &Arc<Models> {
        &self.models
    }

    /// Takes a search slot, if one is free.
    fn acquire(searches: &Arc<SearchPool>) -> Result<Permit, Problem> {
        let before = searches.busy.fetch_add(1, Ordering::Relaxed);
        let permit = Permit(Arc::clone(searches));
        match before < MOST_SEARCHES {
            true => Ok(permit),
            false => Err(Problem::busy(
                "too many searches are running; try again in a moment",
            )),
        }
    }

    fn jobs(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, RunningJob>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops all searches.
    pub(crate) fn close(&self) {
        for job in self.jobs().values() {
            job.signal.stop();
        }
    }
}

/// One of the search slots.
struct Permit(Arc<SearchPool>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends a search when nobody waits any more.
struct StopOnDrop(StopSignal);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn check_playable(game: &Game) -> Result<(), Problem> {
    match game.termination() {
        Some(_) => Err(Problem::conflict("the game has ended")),
        None => Ok(()),
    }
}

async fn answer(
    State(searches): State<Arc<SearchPool>>,
    Json(asked): Json<MoveRequest>,
) -> Answer<Reply> {
    let permit = SearchPool::acquire(&searches)?;
    let stop = StopSignal::new();
    let waiting = StopOnDrop(stop.clone());
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let thread = thread::Builder::new().stack_size(STACK_BYTES);
    let spawned = thread.spawn(move || {
        let _ = sender.send(reply(&searches.models, &asked, &stop));
        drop(permit);
    });
    spawned.map_err(|error| Problem::busy(format!("no thread is free: {error}")))?;
    let reply = receiver
        .await
        .unwrap_or_else(|_| Err(Problem::conflict("the search was aborted")));
    drop(waiting);
    reply.map(Json)
}

fn reply(models: &Models, asked: &MoveRequest, stop: &StopSignal) -> Result<Reply, Problem> {
    let game = asked.game.game()?;
    check_playable(&game)?;
    let model = models.open(&asked.player.model)?;
    let recipe = asked.player.recipe(model)?;
    let failed = |words: String| Problem::conflict(format!("the player {words}"));
    let mut player = recipe
        .player(Duration::ZERO)
        .map_err(|error| failed(error.to_string()))?;
    player
        .new_game(asked.seed.unwrap_or(1))
        .map_err(|failure| failed(failure.to_string()))?;
    let begin = Instant::now();
    let chosen = player
        .choose(&game, &asked.player.limits(), stop, &mut |_| {})
        .map_err(|failure| failed(failure.to_string()))?;
    let board = game.board();
    Ok(Reply {
        uci: chosen.best.map(|mv| uci(board, mv)),
        san: chosen.best.map(|mv| board.san(mv).to_string()),
        value: chosen.score.into(),
        depth: chosen.depth,
        nodes: chosen.nodes,
        milliseconds: begin.elapsed().as_millis() as u64,
        tried: tried(board, &chosen.moves),
    })
}

async fn analyse(
    State(searches): State<Arc<SearchPool>>,
    Json(asked): Json<AnalysisRequest>,
) -> Answer<Job> {
    answered(move || {
        let job = asked.job.clone();
        if job.is_empty() || job.len() > LONGEST_JOB {
            return Err(Problem::wrong("the name of the job is empty or too long"));
        }
        let game = asked.game.game()?;
        check_playable(&game)?;
        let model = searches.models.open(&asked.player.model)?;
        let recipe = asked.player.recipe(model)?;
        let permit = SearchPool::acquire(&searches)?;
        let stop = StopSignal::new();
        let number = searches.numbers.fetch_add(1, Ordering::Relaxed);
        let signal = stop.clone();
        let numbered = RunningJob { number, signal };
        if let Some(before) = searches.jobs().insert(job.clone(), numbered) {
            before.signal.stop();
        }
        let limits = asked.player.limits();
        let name = job.clone();
        let thread = thread::Builder::new().stack_size(STACK_BYTES);
        let spawned = thread.spawn(move || {
            let thought =
                AnalysisRun::new(&searches.events, &name, &game).think(&recipe, &limits, &stop);
            searches.events.send(&ServerEvent::Thought {
                thought: Box::new(thought),
            });
            let mut jobs = searches.jobs();
            // Another analysis may have the name by now.
            if jobs.get(&name).is_some_and(|own| own.number == number) {
                jobs.remove(&name);
            }
            drop(jobs);
            drop(permit);
        });
        spawned.map_err(|error| Problem::busy(format!("no thread is free: {error}")))?;
        Ok(Job { job })
    })
    .await
}

/// An analysis in work.
struct AnalysisRun<'a> {
    events: &'a EventStream,
    game: &'a Game,
    thought: SearchUpdate,
    told: Option<Instant>,
}

impl AnalysisRun<'_> {
    fn new<'a>(events: &'a EventStream, job: &str, game: &'a Game) -> AnalysisRun<'a> {
        AnalysisRun {
            events,
            game,
            thought: SearchUpdate {
                job: job.to_owned(),
                fen: game.board().fen(),
                done: false,
                problem: None,
                depth: 0,
                nodes: 0,
                milliseconds: 0,
                variations: Vec::new(),
                tried: Vec::new(),
            },
            told: None,
        }
    }

    fn think(
        mut self,
        recipe: &engines::recipe::Recipe,
        limits: &engines::Limits,
        stop: &StopSignal,
    ) -> SearchUpdate {
        let begin = Instant::now();
        let chosen = recipe
            .player(Duration::ZERO)
            .map_err(|error| error.to_string())
            .and_then(|mut player| {
                player.new_game(1).map_err(|failure| failure.to_string())?;
                player
                    .choose(self.game, limits, stop, &mut |report| self.hear(report))
                    .map_err(|failure| failure.to_string())
            });
        match chosen {
            Ok(chosen) => {
                self.thought.nodes = chosen.nodes;
                self.thought.depth = chosen.depth;
                self.thought.tried = tried(self.game.board(), &chosen.moves);
            }
            Err(words) => self.thought.problem = Some(format!("the player {words}")),
        }
        self.thought.milliseconds = begin.elapsed().as_millis() as u64;
        self.thought.done = true;
        self.thought
    }

    fn hear(&mut self, report: &Report) {
        if report.bound != ScoreBound::Exact {
            return;
        }
        let board = self.game.board();
        let line = &report.line[..report.line.len().min(LONGEST_LINE)];
        let variation = Variation {
            rank: report.rank,
            value: report.score.into(),
            wdl: report.wdl,
            sans: sans(board, line),
            first: line.first().map(|&mv| uci(board, mv)),
        };
        let thought = &mut self.thought;
        thought.variations.retain(|other| other.rank != report.rank);
        thought.variations.push(variation);
        thought.variations.sort_by_key(|other| other.rank);
        thought.depth = report.depth;
        thought.nodes = report.nodes;
        thought.milliseconds = report.time.as_millis() as u64;
        if self
            .told
            .is_none_or(|told| told.elapsed() >= UPDATE_INTERVAL)
        {
            self.told = Some(Instant::now());
            let thought = Box::new(self.thought.clone());
            self.events.send(&ServerEvent::Thought { thought });
        }
    }
}

async fn stop(State(searches): State<Arc<SearchPool>>, Json(asked): Json<Job>) -> Answer<Job> {
    if let Some(job) = searches.jobs().get(&asked.job) {
        job.signal.stop();
    }
    Ok(Json(asked))
}

/// What can be asked of players.
pub(crate) fn routes(searches: Arc<SearchPool>) -> Router {
    Router::new()
        .route("/answer", post(answer))
        .route("/analyse", post(analyse))
        .route("/analyse/stop", post(stop))
        .with_state(searches)
}
