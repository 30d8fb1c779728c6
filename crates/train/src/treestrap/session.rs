//! The training of one generation.

use super::error::{Teacher, Tree};
use super::settings::{Initial, Settings};
use crate::adam::Adam;
use crate::checkpoint_file::{self, CheckpointError, Magic};
use crate::feed::{Feed, Mark};
use crate::labelled_position::LabelledPosition;
use crate::network::{
    Crew, Layout, Playing, Row, Sums, Trained, norm, read_groups, read_tuples, starting_network,
};
use crate::search::Search;
use crate::settings::text;
use crate::{Counters, CourseSettings, Judged, Measured, ModelFile, TrainError, Training};
use chess::PieceKind;
use nets::Provenance;
use nets::classical::{FEATURES, material_feature};
use nets::nnue::Random;
use nets::ntuple::{NTupleFile, NTupleWeights};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

const MAGIC: &Magic = b"TABIATS1";

/// The initial piece values in centipawns, pawn to queen.
const MATERIAL: [f64; 5] = [100.0, 300.0, 320.0, 500.0, 950.0];

/// The header of a checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    mark: Mark,
    /// The number of optimiser steps, in all generations.
    moved: u64,
}

/// The trained weights with the optimiser state.
pub(super) struct Learned {
    layout: Layout,
    trained: Trained,
    row: Row,
    adam: Adam,
    moved: u64,
    network: NTupleWeights,
}

impl Learned {
    /// The initial weights of a run: those of a file, or those of the settings.
    pub(super) fn begin(
        settings: &Settings,
        start: Option<&Path>,
        seed: u64,
    ) -> Result<Learned, TrainError> {
        let evaluation = &settings.evaluation;
        let mut network = starting_network(start, read_tuples(&evaluation.tuples)?)?;
        network.groups = read_groups(&evaluation.groups)?;
        network.endgame_functions = evaluation.endgame_functions;
        let layout = Layout::new(&network);
        let trained = settings.trained()?;
        let mut row = layout.row(&network);
        if start.is_none() {
            let mut random = Random::new(seed);
            let free = (0..row.len()).filter(|&index| trained.contains(index));
            for index in free {
                row[index] = match evaluation.initial {
                    Initial::Material => [0.0; 2],
                    Initial::Random => [0; 2].map(|_| f64::from(random.up_to(evaluation.random))),
                };
            }
            if evaluation.initial == Initial::Material {
                put_material(&mut row, trained);
            }
        }
        Ok(Learned {
            adam: Adam::new(2 * row.len()),
            layout,
            trained,
            row,
            moved: 0,
            network,
        })
    }

    /// The network with the present weights, in whole centipawns. The row also has the weights that
    /// are not trained, because a checkpoint is all that remains of the first model.
    fn playing(&self) -> Result<Playing, TrainError> {
        let mut playing = Playing::new(self.network.clone())?;
        playing.follow(&self.layout, Trained::EVERYTHING, (&self.row, 1.0), None)?;
        Ok(playing)
    }

    fn write(&self, path: &Path, mark: Mark) -> Result<(), TrainError> {
        let header = Header {
            mark,
            moved: self.moved,
        };
        let rows = [
            self.row.as_flattened(),
            &self.adam.means,
            &self.adam.squares,
        ];
        let bytes: Vec<_> = rows
            .into_iter()
            .flatten()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        Ok(checkpoint_file::write(
            path,
            MAGIC,
            &header,
            std::iter::once(&bytes[..]),
        )?)
    }

    fn read(&mut self, path: &Path) -> Result<Mark, TrainError> {
        let (header, bytes): (Header, _) = checkpoint_file::read(path, MAGIC)?;
        let (numbers, rest) = bytes.as_chunks::<8>();
        if numbers.len() != 6 * self.row.len() || !rest.is_empty() {
            return Err(CheckpointError::Shape(path.to_owned()).into());
        }
        let places = self.row.as_flattened_mut().iter_mut();
        let places = places.chain(&mut self.adam.means);
        let places = places.chain(&mut self.adam.squares);
        for (place, &number) in places.zip(numbers) {
            *place = f64::from_le_bytes(number);
        }
        self.moved = header.moved;
        Ok(header.mark)
    }

    /// The file of the model.
    pub(super) fn export(
        &self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError> {
        let mut weights = self.playing()?.network().weights().clone();
        weights.description = description.to_owned();
        weights.provenance = provenance;
        Ok(ModelFile {
            bytes: weights.to_bytes()?,
            ending: NTupleFile::EXTENSION,
        })
    }

    /// Writes the checkpoint from which the first generation continues.
    pub(super) fn write_first(&self, path: &Path) -> Result<(), TrainError> {
        self.write(path, Mark::nowhere())
    }
}

fn put_material(row: &mut Row, trained: Trained) {
    for (kind, value) in PieceKind::ALL.into_iter().zip(MATERIAL) {
        if let Some(index) = material_feature(kind).filter(|&index| trained.contains(index)) {
            row[index] = [value; 2];
        }
    }
}

/// The training of one generation, in progress.
pub(super) struct Session {
    settings: Settings,
    course: CourseSettings,
    search: Arc<dyn Search>,
    feed: Feed<LabelledPosition>,
    learned: Learned,
    crew: Crew<Sums>,
    playing: Playing,
}

/// All settings that the training of a generation depends on.
#[derive(Serialize)]
struct Whole<'a> {
    settings: &'a Settings,
    course: &'a CourseSettings,
}

impl Session {
    /// A training resumed from its own checkpoint, or continuing another one.
    pub(super) fn open(
        settings: Settings,
        course: CourseSettings,
        (threads, search): (usize, Arc<dyn Search>),
        from: &Path,
        is_resumed: bool,
    ) -> Result<Session, TrainError> {
        settings.check()?;
        let mut learned = Learned::begin(&settings, None, 0)?;
        let mark = learned.read(from)?;
        let mut session = Session {
            feed: Feed::open(&course, threads)?,
            playing: learned.playing()?,
            crew: Crew::new(|| Sums::new(learned.row.len())),
            learned,
            settings,
            course,
            search,
        };
        if is_resumed {
            mark.check_settings(&session.text()?, from)?;
            session.feed.go_to(&mark)?;
        }
        Ok(session)
    }

    fn text(&self) -> Result<String, TrainError> {
        let Session {
            settings, course, ..
        } = self;
        Ok(text(&Whole { settings, course })?)
    }

    /// The results of the trees of these positions, in order.
    fn trees(&self, positions: &[LabelledPosition]) -> Vec<Tree> {
        let network = self.playing.network();
        let teacher = Teacher {
            layout: &self.learned.layout,
            network,
            trained: self.learned.trained,
            row: &self.learned.row,
            depth: self.settings.train.depth,
            quiet_boards: self.settings.train.quiet_boards,
        };
        let trees = self.crew.search_all(
            positions,
            self.search.as_ref(),
            network,
            |searcher, sums, labelled| {
                let board = labelled.board()?;
                Some(teacher.tree(searcher, &board, sums))
            },
        );
        trees.into_iter().flatten().collect()
    }
}

fn mean(trees: &[Tree]) -> (f64, u64) {
    let boards = trees.iter().map(|tree| tree.boards).sum::<u64>();
    let error = trees.iter().map(|tree| tree.error).sum::<f64>();
    (error / boards.max(1) as f64, boards)
}

impl Training for Session {
    fn counters(&self) -> &Counters {
        &self.feed.counters
    }

    fn step(&mut self) -> Result<Measured, TrainError> {
        let learning_rate = self.feed.now(&self.settings.train.learning_rate);
        let positions = self.feed.next()?.to_vec();
        let trees = self.trees(&positions);
        let (error, boards) = mean(&trees);
        let mut slopes = vec![[0.0; 2]; self.learned.layout.length()];
        for change in trees.iter().flat_map(|tree| &tree.slopes) {
            let slope = slopes[change.index as usize].iter_mut();
            for (slope, by) in slope.zip(change.by) {
                *slope += by / boards.max(1) as f64;
            }
        }
        let number = self.steps() + 1;
        if !error.is_finite() {
            return Err(TrainError::NotANumber(number));
        }
        let Learned {
            adam, row, moved, ..
        } = &mut self.learned;
        *moved += 1;
        adam.step(
            row.as_flattened_mut(),
            slopes.as_flattened(),
            *moved,
            learning_rate,
        );
        let (layout, trained) = (&self.learned.layout, self.learned.trained);
        self.playing
            .follow(layout, trained, (&self.learned.row, 1.0), None)?;
        Ok(self.feed.count(error, learning_rate))
    }

    fn validate(&mut self) -> Judged {
        let trees = self.trees(&self.feed.validation);
        let (loss, boards) = mean(&trees);
        let (terms, tuples) = self.learned.row.split_at(FEATURES);
        Judged {
            loss,
            positions: trees.len(),
            numbers: vec![
                ("boards", boards as f64 / trees.len().max(1) as f64),
                ("norm_terms", norm(terms)),
                ("norm_tuples", norm(tuples)),
            ],
        }
    }

    fn export(
        &mut self,
        description: &str,
        provenance: Provenance,
    ) -> Result<ModelFile, TrainError> {
        self.learned.export(description, provenance)
    }

    fn save(&mut self, path: &Path) -> Result<(), TrainError> {
        let numbers = self.learned.row.as_flattened();
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(TrainError::NotANumber(self.steps()));
        }
        let mark = self.feed.mark(self.text()?);
        self.learned.write(path, mark)
    }

    fn provenance(&self) -> Provenance {
        Provenance {
            seed: Some(self.course.seed),
            data: Some(format!("{:016x}", self.feed.fingerprint())),
            ..Provenance::default()
        }
    }

    fn arithmetic(&self) -> &'static str {
        "portable"
    }
}
