//! One run, selection, study or training with everything that is known of it.

use crate::answer::{Answer, Problem, answer};
use crate::run_index::RunIndex;
use crate::summaries::{Interval, Progress, WorkSummary, finite};
use axum::Router;
use axum::extract::{Query, State};
use axum::routing::get;
use lab::catalog::{Contents, Held, Work, WorkKind};
use lab::{selection, standings, study};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::SystemTime;

/// Everything about some work.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Detail {
    item: Option<WorkSummary>,
    progress: Option<Progress>,
    question: Option<String>,
    /// The file of settings with which it was begun.
    settings: Option<String>,
    seeds: Vec<u64>,
    generations: u32,
    rows: Vec<Generation>,
    models: Vec<Rated>,
    meetings: Vec<Meeting>,
    /// Differences between arms over all seeds.
    effects: Vec<Effect>,
    ruling: Option<String>,
    reason: Option<String>,
    /// How the candidates of a selection stand.
    candidates: Vec<Candidate>,
    claims: Vec<Claim>,
    /// Files with models, positions and games.
    files: Files,
}

/// A finished generation.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Generation {
    arm: String,
    seed: u64,
    generation: u32,
    horizon: Option<u32>,
    games: u64,
    plies: f64,
    positions: u64,
    decisive: f64,
    loss: Option<f64>,
    validation_loss: Option<f64>,
    seconds: f64,
    previous: Option<Interval>,
    baseline: Option<Interval>,
    rating: Option<Interval>,
    promoted: bool,
    reason: String,
    /// The file of the net that plays from then on.
    version: String,
}

/// A model of a run.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Rated {
    model: String,
    file: String,
    arms: Vec<String>,
    seed: u64,
    generation: u32,
    promoted: bool,
    rating: Option<Interval>,
}

/// A match between two models of a run.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Meeting {
    seed: u64,
    arm: String,
    generation: u32,
    /// Why they met, in words.
    step: String,
    first: String,
    second: String,
    wins: u64,
    draws: u64,
    losses: u64,
    elo: Interval,
    /// The chance that the first is the stronger one.
    los: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Effect {
    contrast: String,
    by_seed: Vec<(u64, Option<f64>)>,
    mean: Interval,
}

/// A candidate of a selection.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Candidate {
    name: String,
    epoch: Option<u32>,
    validation_loss: Option<f64>,
    elo: Interval,
    wins: u64,
    draws: u64,
    losses: u64,
    /// The chance to be the best of all.
    chance: f64,
    chosen: bool,
}

/// A claim of a study.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Claim {
    name: String,
    text: String,
    pace: String,
    ruling: String,
    matches: Vec<ClaimMatch>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClaimMatch {
    first: String,
    second: String,
    games: u64,
    score: f64,
    elo: Option<Interval>,
    corrected: Option<f64>,
    ruling: String,
}

/// Files with something to look at.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Files {
    models: Vec<HeldFile>,
    shards: Vec<HeldFile>,
    matches: Vec<HeldFile>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct HeldFile {
    file: String,
    bytes: u64,
    /// In milliseconds since 1970.
    changed: f64,
}

/// Which work is asked about.
#[derive(Deserialize)]
struct Asked {
    id: String,
}

async fn work(State(index): State<Arc<RunIndex>>, Query(asked): Query<Asked>) -> Answer<Detail> {
    answer(move || {
        let work = index.find(&asked.id)?;
        let mut detail = Detail {
            settings: work.settings_text(),
            progress: index.progress(&work.id),
            files: files(&lab::catalog::contents(&work)),
            item: Some(index.item(&work)),
            ..Detail::default()
        };
        match work.kind {
            WorkKind::Run => fill_run(&mut detail, &index, &work)?,
            WorkKind::Selection => fill_selection(&mut detail, &work)?,
            WorkKind::Study => fill_study(&mut detail, &work)?,
            WorkKind::Training => {}
        }
        Ok(detail)
    })
    .await
}

fn fill_run(detail: &mut Detail, index: &RunIndex, work: &Work) -> Result<(), Problem> {
    let run = index.look(work)?;
    let experiment = &run.experiment;
    detail.question = experiment.question.clone();
    detail.seeds = experiment.seeds.clone();
    detail.generations = experiment.generations;
    detail.rows = run.rows.iter().map(generation).collect();
    detail.ruling = Some(run.conclusion.ruling.to_string());
    detail.reason = Some(run.conclusion.reason.clone());
    let effects = run
        .conclusion
        .difference
        .iter()
        .chain(&run.conclusion.effects);
    detail.effects = effects
        .map(|effect| Effect {
            contrast: effect.contrast.clone(),
            by_seed: effect
                .by_seed
                .iter()
                .map(|&(seed, elo)| (seed, finite(elo)))
                .collect(),
            mean: Interval::new(effect.mean.value, effect.mean.lower, effect.mean.upper),
        })
        .collect();
    let standings = standings::look(&work.folder)?;
    detail.models = standings.models.into_iter().map(rated).collect();
    detail.meetings = standings.meetings.into_iter().map(meeting).collect();
    Ok(())
}

fn generation(row: &lab::Row) -> Generation {
    let bench = |bench: &Option<lab::Bench>| {
        bench
            .as_ref()
            .map(|bench| Interval::new(bench.elo, bench.elo_low, bench.elo_high))
    };
    Generation {
        arm: row.arm.clone(),
        seed: row.seed,
        generation: row.generation,
        horizon: row.horizon,
        games: row.games,
        plies: row.plies,
        positions: row.positions,
        decisive: row.decisive,
        loss: finite(row.loss),
        validation_loss: finite(row.validation_loss),
        seconds: row.selfplay_seconds + row.training_seconds,
        previous: bench(&row.previous),
        baseline: bench(&row.baseline),
        rating: row
            .rating
            .map(|elo| Interval::new(elo.value, elo.lower, elo.upper)),
        promoted: row.promoted,
        reason: row.reason.clone(),
        version: row.version.clone(),
    }
}

fn rated(model: standings::Rated) -> Rated {
    Rated {
        rating: model
            .rating
            .map(|elo| Interval::new(elo.value, elo.lower, elo.upper)),
        model: model.model,
        file: model.file,
        arms: model.arms,
        seed: model.seed,
        generation: model.generation,
        promoted: model.promoted,
    }
}

fn meeting(met: standings::Meeting) -> Meeting {
    let bench = lab::Bench::new(met.counts);
    let [first, second] = met.models;
    Meeting {
        seed: met.seed,
        arm: met.arm,
        generation: met.generation,
        step: met.step.to_string(),
        first,
        second,
        wins: bench.wins,
        draws: bench.draws,
        losses: bench.losses,
        elo: Interval::new(bench.elo, bench.elo_low, bench.elo_high),
        los: finite(bench.los),
    }
}

fn fill_selection(detail: &mut Detail, work: &Work) -> Result<(), Problem> {
    let Some(course) = selection::look(&work.folder)? else {
        return Ok(());
    };
    let chosen = course.choice.as_ref().map(|choice| choice.candidate);
    let rows = course
        .standings()
        .map(|standings| standings.rows.as_slice());
    let rows = rows.unwrap_or_default().iter();
    detail.candidates = rows
        .filter_map(|row| {
            let candidate = course.field.candidates.get(row.candidate)?;
            Some(Candidate {
                name: candidate.name.clone(),
                epoch: candidate.epoch,
                validation_loss: candidate.validation_loss.and_then(finite),
                elo: Interval::new(row.elo.value, row.elo.lower, row.elo.upper),
                wins: row.results.wins,
                draws: row.results.draws,
                losses: row.results.losses,
                chance: row.chance,
                chosen: chosen == Some(row.candidate),
            })
        })
        .collect();
    Ok(())
}

fn fill_study(detail: &mut Detail, work: &Work) -> Result<(), Problem> {
    let study = study::look(&work.folder)?;
    let matches = |row: study::MatchRow| ClaimMatch {
        first: row.meeting.first,
        second: row.meeting.second,
        games: row.games,
        score: row.score,
        elo: row
            .elo
            .map(|elo| Interval::new(elo.value, elo.lower, elo.upper)),
        corrected: row.corrected.and_then(finite),
        ruling: row.ruling.to_string(),
    };
    detail.claims = study
        .claims
        .into_iter()
        .map(|claim| Claim {
            name: claim.name,
            text: claim.text,
            pace: claim.pace,
            ruling: claim.ruling.to_string(),
            matches: claim.matches.into_iter().map(matches).collect(),
        })
        .collect();
    Ok(())
}

fn files(contents: &Contents) -> Files {
    let list = |list: &[Held]| list.iter().map(held).collect();
    Files {
        models: list(&contents.models),
        shards: list(&contents.shards),
        matches: list(&contents.matches),
    }
}

fn held(file: &Held) -> HeldFile {
    let since = |at: SystemTime| at.duration_since(SystemTime::UNIX_EPOCH).ok();
    HeldFile {
        file: file.file.clone(),
        bytes: file.bytes,
        changed: (file.changed.and_then(since)).map_or(0.0, |at| at.as_secs_f64() * 1000.0),
    }
}

/// What can be asked of some work.
pub(crate) fn routes(index: Arc<RunIndex>) -> Router {
    Router::new().route("/work", get(work)).with_state(index)
}
