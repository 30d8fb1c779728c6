//! All models of a run and their results: a rating list and a crosstable, seed by seed.

use crate::error::LabError;
use crate::ratings::Ratings;
use crate::runs::state_lines;
use crate::state::{Line, Step};
use crate::steps::{Beginning, Met, Promotion, Trained};
use arena::statistics::{Estimate, Pentanomial};
use std::collections::BTreeMap;
use std::path::Path;

/// A model of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Rated {
    /// Its name, which is derived from its hash.
    pub model: String,
    /// Its file, relative to the folder of the run.
    pub file: String,
    /// The arms that have it: all arms may share generation 0.
    pub arms: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// The generation.
    pub generation: u32,
    /// Whether it was promoted; generation 0 counts as promoted.
    pub promoted: bool,
    /// The Elo above generation 0 of its seed, by all games of the seed, if it has played.
    pub rating: Option<Estimate>,
}

/// A finished match.
#[derive(Clone, PartialEq, Debug)]
pub struct Meeting {
    /// The seed.
    pub seed: u64,
    /// The arm of the first model.
    pub arm: String,
    /// The generation.
    pub generation: u32,
    /// The step in which they met.
    pub step: Step,
    /// The names of the models.
    pub models: [String; 2],
    /// The pairs, from the first model's point of view.
    pub counts: Pentanomial,
}

/// The models and matches of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standings {
    /// The models, in the order in which they were made.
    pub models: Vec<Rated>,
    /// Matches, in the order in which they were played.
    pub meetings: Vec<Meeting>,
}

/// The models and matches of the run in a folder.
///
/// # Errors
/// If there is no run, or its state cannot be read.
pub fn look(path: &Path) -> Result<Standings, LabError> {
    let lines = state_lines(path)?;
    let ratings = Ratings::of(&lines);
    let mut models: BTreeMap<(u64, String), usize> = BTreeMap::new();
    let mut standings = Standings::default();
    for line in &lines {
        if let Some(mut rated) = model_of(line) {
            rated.rating = ratings.find(rated.seed, &rated.model);
            let key = (rated.seed, rated.model.clone());
            match models.get(&key) {
                Some(&at) => {
                    let arms = &mut standings.models[at].arms;
                    if !arms.contains(&line.place.arm) {
                        arms.push(line.place.arm.clone());
                    }
                }
                None => {
                    models.insert(key, standings.models.len());
                    standings.models.push(rated);
                }
            }
        }
        if line.place.step == Step::Promotion
            && let Some(judged) = line.result::<Promotion>()
            && judged.promoted
            && let Some(&at) = models.get(&(line.place.seed, judged.version.name))
        {
            standings.models[at].promoted = true;
        }
        standings.meetings.extend(meeting_of(line));
    }
    Ok(standings)
}

fn model_of(line: &Line) -> Option<Rated> {
    let (record, promoted) = match line.place.step {
        Step::Beginning => (line.result::<Beginning>()?.model, true),
        Step::Training => (line.result::<Trained>()?.candidate, false),
        _ => return None,
    };
    Some(Rated {
        model: record.name,
        file: record.file.path,
        arms: vec![line.place.arm.clone()],
        seed: line.place.seed,
        generation: line.place.generation,
        promoted,
        rating: None,
    })
}

fn meeting_of(line: &Line) -> Option<Meeting> {
    let step = line.place.step;
    let is_match = matches!(
        step,
        Step::Previous | Step::Baseline | Step::Final | Step::HeadToHead
    );
    let met: Met = is_match.then(|| line.result()).flatten()?;
    Some(Meeting {
        seed: line.place.seed,
        arm: line.place.arm.clone(),
        generation: line.place.generation,
        step,
        models: met.models,
        counts: met.counts,
    })
}
