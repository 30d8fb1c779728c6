//! Where the positions of a training come from: which files and which games of
//! them are learned from, and which it is judged by.
//!
//! It must not know what learns.

use data::filter::{Filter, Filters};
use data::loader::{self, Loader, LoaderError, Part};
use data::position::Labels;
use std::path::PathBuf;

/// What the settings of a training say of its data.
#[derive(Clone, Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) data: &'a [PathBuf],
    pub(crate) validation: &'a [PathBuf],
    pub(crate) validation_share: f64,
    pub(crate) batch: usize,
    pub(crate) seed: u64,
    pub(crate) filters: Filters,
    pub(crate) white_labels: bool,
}

/// Loaders' settings for what is learned from and what is judged by.
pub(crate) struct Sources {
    pub(crate) training: loader::Settings,
    pub(crate) validation: loader::Settings,
}

impl Sources {
    pub(crate) fn new(wanted: &Wanted<'_>, threads: usize) -> Sources {
        let source = |files: &[PathBuf], part| {
            let mut source = loader::Settings::new(files.to_vec());
            source.batch = wanted.batch;
            source.seed = wanted.seed;
            source.threads = threads;
            source.filters = wanted.filters.clone();
            source.labels = match wanted.white_labels {
                true => Labels::White,
                false => Labels::SideToMove,
            };
            source.part = part;
            source
        };
        let share = wanted.validation_share;
        match wanted.validation {
            [] => Sources {
                training: source(wanted.data, Part::Training(share)),
                validation: source(wanted.data, Part::Validation(share)),
            },
            files => Sources {
                training: source(wanted.data, Part::All),
                validation: source(files, Part::All),
            },
        }
    }
}

/// Filters as files of settings name them.
pub(crate) fn filters(names: &[String]) -> Result<Filters, String> {
    names
        .iter()
        .map(|text| text.parse::<Filter>())
        .collect::<Result<Filters, _>>()
        .map_err(|error| error.to_string())
}

/// How many positions there are.
pub(crate) fn count(settings: loader::Settings) -> Result<u64, LoaderError> {
    let mut loader: Loader = Loader::open(settings)?;
    let mut batch = loader::Batch::default();
    let mut positions = 0;
    loop {
        loader.next(&mut batch)?;
        if batch.epoch > 0 {
            return Ok(positions);
        }
        positions += batch.positions.len() as u64;
    }
}
