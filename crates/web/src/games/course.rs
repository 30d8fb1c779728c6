//! How a match came to its result, game by game.

use super::Games;
use crate::answer::{Answer, Problem, answer};
use crate::run_index::held;
use crate::summaries::{Interval, finite};
use axum::extract::{Query, State};
use lab::catalog::{Work, WorkKind};
use lab::selection;
use lab::sequential::{self, Sprt};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Points of a match's course.
const MOST_STANDINGS: usize = 1000;

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

/// Which match is asked for.
#[derive(Deserialize)]
pub(super) struct Which {
    id: String,
    file: String,
}

pub(super) async fn course(
    State(games): State<Arc<Games>>,
    Query(asked): Query<Which>,
) -> Answer<MatchCourse> {
    answer(move || {
        let work = games.index.find(&asked.id)?;
        let path = held(&work, &lab::catalog::contents(&work).matches, &asked.file)?;
        let sprt = test_of(&games, &work, &asked.file)?;
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

/// The test that watches a match: that of a run's gate, or of a selection's final.
fn test_of(games: &Games, work: &Work, file: &str) -> Result<Option<Sprt>, Problem> {
    Ok(match work.kind {
        WorkKind::Run => {
            let experiment = games.index.look(work)?.experiment;
            let arm = file
                .split('/')
                .next()
                .and_then(|arm| experiment.arms.get(arm));
            // Only the match that decides is watched by a test.
            let decides = file.contains("-against-previous/");
            arm.filter(|_| decides).and_then(|arm| arm.gate.sprt)
        }
        WorkKind::Selection if file == selection::final_journal() => {
            Some(selection::final_test(&work.folder)?)
        }
        _ => None,
    })
}
