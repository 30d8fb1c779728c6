//! Thinking for visitors: at most so many searches at once, each bounded in time, nodes and
//! memory, and ended when nobody waits for it any more.

use crate::answer::{Answer, Problem, answer as answered};
use crate::models::{Models, PlayerName};
use crate::news::{Channel, News};
use crate::rules::{Moves, sans, uci};
use crate::thoughts::{Thought, Tried, Value, Variation, tried};
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
/// How often an analysis tells what it thinks.
const TELLING: Duration = Duration::from_millis(150);
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
    tried: Vec<Tried>,
}

/// A question for a move.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Asked {
    game: Moves,
    player: PlayerName,
    /// What decides chance, where a player has any.
    seed: Option<u64>,
}

/// A question for an analysis.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Analysis {
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

/// Who thinks now.
pub(crate) struct Desk {
    models: Arc<Models>,
    channel: Arc<Channel>,
    busy: AtomicUsize,
    jobs: Mutex<BTreeMap<String, Numbered>>,
    numbers: AtomicUsize,
}

/// An analysis: of two with one name, the later has the greater number.
struct Numbered {
    number: usize,
    signal: StopSignal,
}

impl Desk {
    /// Nobody thinks yet.
    pub(crate) fn new(models: Arc<Models>, channel: Arc<Channel>) -> Desk {
        Desk {
            models,
            channel,
            busy: AtomicUsize::new(0),
            jobs: Mutex::default(),
            numbers: AtomicUsize::new(0),
        }
    }

    /// With what they think.
    pub(crate) fn models(&self) -> &Arc<Models> {
        &self.models
    }

    /// Takes a place, if one is free.
    fn sit(desk: &Arc<Desk>) -> Result<Seat, Problem> {
        let before = desk.busy.fetch_add(1, Ordering::Relaxed);
        let seat = Seat(Arc::clone(desk));
        match before < MOST_SEARCHES {
            true => Ok(seat),
            false => Err(Problem::busy(
                "others let players think; try again in a moment",
            )),
        }
    }

    fn jobs(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Numbered>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all that is thought.
    pub(crate) fn close(&self) {
        for job in self.jobs().values() {
            job.signal.stop();
        }
    }
}

/// A place at the desk.
struct Seat(Arc<Desk>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends a search when nobody waits any more.
struct Waiting(StopSignal);

impl Drop for Waiting {
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

async fn answer(State(desk): State<Arc<Desk>>, Json(asked): Json<Asked>) -> Answer<Reply> {
    let seat = Desk::sit(&desk)?;
    let stop = StopSignal::new();
    let waiting = Waiting(stop.clone());
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let thread = thread::Builder::new().stack_size(STACK_BYTES);
    let spawned = thread.spawn(move || {
        let _ = sender.send(reply(&desk.models, &asked, &stop));
        drop(seat);
    });
    spawned.map_err(|error| Problem::busy(format!("no thread is free: {error}")))?;
    let reply = receiver
        .await
        .unwrap_or_else(|_| Err(Problem::conflict("the player broke off")));
    drop(waiting);
    reply.map(Json)
}

fn reply(models: &Models, asked: &Asked, stop: &StopSignal) -> Result<Reply, Problem> {
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

async fn analyse(State(desk): State<Arc<Desk>>, Json(asked): Json<Analysis>) -> Answer<Job> {
    answered(move || {
        let job = asked.job.clone();
        if job.is_empty() || job.len() > LONGEST_JOB {
            return Err(Problem::wrong("the name of the job is empty or too long"));
        }
        let game = asked.game.game()?;
        check_playable(&game)?;
        let model = desk.models.open(&asked.player.model)?;
        let recipe = asked.player.recipe(model)?;
        let seat = Desk::sit(&desk)?;
        let stop = StopSignal::new();
        let number = desk.numbers.fetch_add(1, Ordering::Relaxed);
        let signal = stop.clone();
        let numbered = Numbered { number, signal };
        if let Some(before) = desk.jobs().insert(job.clone(), numbered) {
            before.signal.stop();
        }
        let limits = asked.player.limits();
        let name = job.clone();
        let thread = thread::Builder::new().stack_size(STACK_BYTES);
        let spawned = thread.spawn(move || {
            let thought = Thinker::new(&desk.channel, &name, &game).think(&recipe, &limits, &stop);
            desk.channel.tell(&News::Thought {
                thought: Box::new(thought),
            });
            let mut jobs = desk.jobs();
            // Another analysis may have the name by now.
            if jobs.get(&name).is_some_and(|own| own.number == number) {
                jobs.remove(&name);
            }
            drop(jobs);
            drop(seat);
        });
        spawned.map_err(|error| Problem::busy(format!("no thread is free: {error}")))?;
        Ok(Job { job })
    })
    .await
}

/// An analysis in work.
struct Thinker<'a> {
    channel: &'a Channel,
    game: &'a Game,
    thought: Thought,
    told: Option<Instant>,
}

impl Thinker<'_> {
    fn new<'a>(channel: &'a Channel, job: &str, game: &'a Game) -> Thinker<'a> {
        Thinker {
            channel,
            game,
            thought: Thought {
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
    ) -> Thought {
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
        if self.told.is_none_or(|told| told.elapsed() >= TELLING) {
            self.told = Some(Instant::now());
            let thought = Box::new(self.thought.clone());
            self.channel.tell(&News::Thought { thought });
        }
    }
}

async fn stop(State(desk): State<Arc<Desk>>, Json(asked): Json<Job>) -> Answer<Job> {
    if let Some(job) = desk.jobs().get(&asked.job) {
        job.signal.stop();
    }
    Ok(Json(asked))
}

/// What can be asked of players.
pub(crate) fn questions(desk: Arc<Desk>) -> Router {
    Router::new()
        .route("/answer", post(answer))
        .route("/analyse", post(analyse))
        .route("/analyse/stop", post(stop))
        .with_state(desk)
}
