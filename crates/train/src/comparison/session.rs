//! A comparison training from its first step to its last.

use super::average::Averaged;
use super::constraint::Constraint;
use super::judging::{Tally, judge};
use super::settings::{Initial, Settings};
use super::update::Rule;
use crate::checkpoint_file::{self, CheckpointError, Magic};
use crate::feed::{Feed, Mark};
use crate::labelled_position::LabelledPosition;
use crate::network::{
    Change, Crew, Layout, Playing, Row, Sums, Trained, norm, read_groups, read_tuples,
    starting_network,
};
use crate::search::Search;
use crate::settings::text;
use crate::{Counters, Judged, Measured, ModelFile, TrainError, Training};
use nets::Provenance;
use nets::classical::FEATURES;
use nets::ntuple::{NTupleFile, NTupleWeights};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

const MAGIC: &Magic = b"TABIACT1";

/// The header of a checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    mark: Mark,
    /// The hash of the initial weights.
    start: String,
    updates: u64,
    progress: Progress,
}

/// The progress of a training.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Progress {
    /// The statistics of the positions of this epoch, taken while training on them.
    learned: Tally,
    /// The statistics of the averaged weights on validation positions at the end of the last epoch.
    judged: Option<Tally>,
    /// The highest agreement at the end of any earlier epoch.
    highest: f64,
    /// Whether an epoch failed to raise it.
    is_over: bool,
}

/// A comparison training in progress.
pub struct Session {
    settings: Settings,
    search: Arc<dyn Search>,
    feed: Feed<LabelledPosition>,
    layout: Layout,
    trained: Trained,
    constraint: Constraint,
    start: String,
    weights: Averaged,
    crew: Crew<Sums>,
    playing: Playing,
    /// The gamma of the network that the search plays with.
    gamma: f64,
    progress: Progress,
}

impl Session {
    /// Begins a training.
    ///
    /// # Errors
    /// If settings or data are invalid for it.
    pub fn begin(
        settings: Settings,
        loader_threads: usize,
        search: Arc<dyn Search>,
    ) -> Result<Session, TrainError> {
        settings.check()?;
        let trained = settings.trained()?;
        let mut network =
            starting_network(settings.start.as_deref(), read_tuples(&settings.tuples)?)?;
        network.groups = read_groups(&settings.groups)?;
        network.endgame_functions = settings.endgame_functions;
        let layout = Layout::new(&network);
        let constraint = Constraint::new(settings.material_total, &network.linear, trained);
        let row = first_row(&settings, &layout, &network, constraint);
        let mut session = Session {
            feed: Feed::open(&settings.course, loader_threads)?,
            start: blake3::hash(&network.to_bytes()?).to_string(),
            playing: Playing::new(network)?,
            crew: Crew::new(|| Sums::new(row.len())),
            weights: Averaged::new(row),
            gamma: 0.0,
            progress: Progress::default(),
            search,
            layout,
            trained,
            constraint,
            settings,
        };
        session.follow(None)?;
        Ok(session)
    }

    /// Resumes a training from a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint is damaged or belongs to another training.
    pub fn resume(
        settings: Settings,
        loader_threads: usize,
        search: Arc<dyn Search>,
        path: &Path,
    ) -> Result<Session, TrainError> {
        let (header, numbers): (Header, _) = checkpoint_file::read(path, MAGIC)?;
        let mut session = Session::begin(settings, loader_threads, search)?;
        header
            .mark
            .check_settings(&text(&session.settings)?, path)?;
        if header.start != session.start {
            return Err(TrainError::OtherSettings {
                path: path.to_owned(),
                differences: "the initial weights are different".to_owned(),
            });
        }
        session.restore(&numbers, path)?;
        session.weights.updates = header.updates;
        session.progress = header.progress;
        session.feed.go_to(&header.mark)?;
        session.follow(None)?;
        Ok(session)
    }

    fn restore(&mut self, bytes: &[u8], path: &Path) -> Result<(), CheckpointError> {
        let Averaged { present, timed, .. } = &mut self.weights;
        let (numbers, rest) = bytes.as_chunks::<8>();
        if numbers.len() != 2 * (present.len() + timed.len()) || !rest.is_empty() {
            return Err(CheckpointError::Shape(path.to_owned()));
        }
        let places = present.iter_mut().chain(timed).flatten();
        for (place, &number) in places.zip(numbers) {
            *place = f64::from_le_bytes(number);
        }
        Ok(())
    }

    /// Updates the network of the search to the present weights. If gamma is unchanged, only the
    /// weights in `named` can have changed.
    fn follow(&mut self, named: Option<&[u32]>) -> Result<(), TrainError> {
        let row = &self.weights.present;
        let gamma = self.gamma_of(row)?;
        let named = named.filter(|_| gamma == self.gamma);
        self.gamma = gamma;
        self.playing
            .follow(&self.layout, self.trained, (row, gamma), named)
    }

    fn gamma_of(&self, row: &Row) -> Result<f64, TrainError> {
        let gamma = self.constraint.gamma(row);
        match gamma.is_finite() && gamma > 0.0 {
            true => Ok(gamma),
            false => Err(TrainError::NotANumber(self.feed.counters.steps)),
        }
    }

    /// Trains on the positions of a block.
    fn learn(&mut self, block: &[LabelledPosition]) -> Result<Tally, TrainError> {
        let network = self.playing.network();
        let rule = Rule {
            layout: &self.layout,
            network,
            trained: self.trained,
        };
        let depth = self.settings.depth;
        let updates = self.crew.search_all(
            block,
            self.search.as_ref(),
            network,
            |searcher, sums, labelled| {
                let (board, desired) = labelled.with_move()?;
                let found = searcher.compare(&board, desired, depth);
                let changes = rule.changes(board.side_to_move(), &found, sums);
                let mut tally = Tally::default();
                tally.add(&found);
                Some((tally, changes))
            },
        );
        let mut tally = Tally::default();
        let mut named = Vec::new();
        for (found, changes) in updates.into_iter().flatten() {
            tally = tally.plus(&found);
            self.weights.update(&changes);
            named.extend(changes.iter().map(|change: &Change| change.index));
        }
        self.follow(Some(&named))?;
        Ok(tally)
    }

    /// The statistics of the averaged and rounded weights on validation positions.
    fn judge(&self) -> Result<Tally, TrainError> {
        let playing = Playing::new(self.exported()?)?;
        let (positions, search) = (&self.feed.validation, self.search.as_ref());
        let depth = self.settings.depth;
        Ok(judge(positions, search, playing.network(), depth))
    }

    /// The network of the averaged weights, in whole centipawns.
    fn exported(&self) -> Result<NTupleWeights, TrainError> {
        let mean = self.weights.mean();
        let gamma = self.gamma_of(&mean)?;
        let mut playing = Playing::new(self.playing.network().weights().clone())?;
        playing.follow(&self.layout, self.trained, (&mean, gamma), None)?;
        Ok(playing.network().weights().clone())
    }

    /// Evaluates an epoch, and whether another one is worthwhile.
    fn end_epoch(&mut self) -> Result<(), TrainError> {
        let judged = self.judge()?;
        let progress = &mut self.progress;
        progress.judged = Some(judged);
        let rises = judged.agreement() > progress.highest;
        progress.highest = progress.highest.max(judged.agreement());
        progress.is_over = self.settings.stop && judged.positions > 0 && !rises;
        Ok(())
    }

    fn numbers(&self, judged: &Tally) -> Vec<(&'static str, f64)> {
        let learned = &self.progress.learned;
        let (terms, tuples) = self.weights.present.split_at(FEATURES);
        vec![
            ("agreement", learned.agreement()),
            ("rank", learned.rank()),
            ("better", learned.better()),
            ("validation_agreement", judged.agreement()),
            ("validation_rank", judged.rank()),
            ("validation_better", judged.better()),
            ("norm_terms", norm(terms)),
            ("norm_tuples", norm(tuples)),
            ("gamma", self.gamma),
        ]
    }
}

/// The initial weights, in the published scale.
fn first_row(
    settings: &Settings,
    layout: &Layout,
    network: &NTupleWeights,
    constraint: Constraint,
) -> Row {
    let mut row = layout.row(network);
    for weight in row.iter_mut().flatten() {
        *weight = match settings.initial {
            Initial::Material => 0.0,
            Initial::Start => constraint.published(*weight),
        };
    }
    if settings.initial == Initial::Material {
        settings.material.put(&mut row);
    }
    row
}

impl Training for Session {
    fn counters(&self) -> &Counters {
        &self.feed.counters
    }

    /// The loss is the share of positions in which another move is chosen.
    fn step(&mut self) -> Result<Measured, TrainError> {
        if self.feed.counters.ends_epoch() {
            self.progress.learned = Tally::default();
        }
        let positions = self.feed.next()?.to_vec();
        let mut tally = Tally::default();
        for block in positions.chunks(self.settings.block) {
            tally = tally.plus(&self.learn(block)?);
        }
        if tally.positions == 0 && self.weights.updates == 0 {
            let problem = "its positions have no best moves; add them with `tabia data label`";
            return Err(crate::error::wrong("data", problem).into());
        }
        self.progress.learned = self.progress.learned.plus(&tally);
        let measured = self.feed.count(1.0 - tally.agreement(), 1.0);
        if self.feed.counters.ends_epoch() {
            self.end_epoch()?;
        }
        Ok(measured)
    }

    fn is_over(&self) -> bool {
        self.feed.counters.is_over() || self.progress.is_over
    }

    fn validate(&mut self) -> Judged {
        let is_fresh = self.feed.counters.ends_epoch();
        let known = self.progress.judged.filter(|_| is_fresh);
        let judged = known.or_else(|| self.judge().ok()).unwrap_or_default();
        Judged {
            loss: 1.0 - judged.agreement(),
            positions: judged.positions as usize,
            numbers: self.numbers(&judged),
        }
    }

    fn export(
        &mut self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError> {
        let mut weights = self.exported()?;
        weights.description = description.to_owned();
        weights.provenance = provenance;
        Ok(ModelFile {
            bytes: weights.to_bytes()?,
            ending: NTupleFile::EXTENSION,
        })
    }

    fn save(&mut self, path: &Path) -> Result<(), TrainError> {
        let header = Header {
            mark: self.feed.mark(text(&self.settings)?),
            start: self.start.clone(),
            updates: self.weights.updates,
            progress: self.progress,
        };
        let rows = [&self.weights.present, &self.weights.timed];
        let numbers = rows.into_iter().flatten().flatten();
        if numbers.clone().any(|number| !number.is_finite()) {
            return Err(TrainError::NotANumber(self.feed.counters.steps));
        }
        let bytes: Vec<_> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        Ok(checkpoint_file::write(
            path,
            MAGIC,
            &header,
            std::iter::once(&bytes[..]),
        )?)
    }

    fn provenance(&self) -> Provenance {
        Provenance {
            seed: Some(self.settings.course.seed),
            data: Some(format!("{:016x}", self.feed.fingerprint())),
            ..Provenance::default()
        }
    }

    fn arithmetic(&self) -> &'static str {
        "portable"
    }
}
