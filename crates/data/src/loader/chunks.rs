//! The chunks of all files, and the order in which an epoch takes them.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use super::Settings;
use crate::{
    binpack::{self, BinpackError, ChainProblem, ChunkPlace},
    pgn::SourceError,
    random,
};

/// Why the loader cannot give a batch.
#[derive(Debug, thiserror::Error)]
pub enum LoaderError {
    /// There are no files.
    #[error("there are no data files")]
    NoFiles,
    /// A file has no positions.
    #[error("{} is empty: it contains no positions", .0.display())]
    Empty(PathBuf),
    /// A file has another format.
    #[error("{} is not a binpack file; convert it with: tabia data convert {} -o {}.binpack", .0.display(), .0.display(), .0.display())]
    NoBinpack(PathBuf),
    /// A file cannot be opened or read, or its chunks are damaged.
    #[error(transparent)]
    Binpack(#[from] BinpackError),
    /// A chain is damaged.
    #[error("{} is damaged in the chain at byte {offset}: {problem}", path.display())]
    Chain {
        /// The file.
        path: PathBuf,
        /// Where the chain begins.
        offset: u64,
        /// What is wrong.
        problem: ChainProblem,
    },
    /// The filters are too strict.
    #[error("the filters remove all positions of the files")]
    NothingLeft,
    /// A point belongs to other files or settings.
    #[error("the data files or their settings differ from those at the start")]
    OtherData,
    /// An error came before, or a thread panicked.
    #[error("the loader stopped because of an earlier error")]
    Stopped,
}

/// The chunks of all files.
pub(super) struct Chunks {
    files: Vec<(PathBuf, File)>,
    /// The file and the place of each chunk.
    places: Vec<(u32, ChunkPlace)>,
}

impl Chunks {
    pub(super) fn open(settings: &Settings) -> Result<Self, LoaderError> {
        let mut chunks = Self {
            files: Vec::new(),
            places: Vec::new(),
        };
        for path in &settings.files {
            chunks.add(path)?;
        }
        match chunks.places.is_empty() {
            true => Err(LoaderError::NoFiles),
            false => Ok(chunks),
        }
    }

    fn add(&mut self, path: &Path) -> Result<(), LoaderError> {
        let failed = |error| {
            let path = path.to_owned();
            BinpackError::Source(SourceError::Open { path, error })
        };
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.len() == 0 {
            return Err(LoaderError::Empty(path.to_owned()));
        }
        let (places, outcome) = binpack::scan(path, &file);
        match outcome {
            Err(BinpackError::NoChunk { offset: 0, .. }) => {
                return Err(LoaderError::NoBinpack(path.to_owned()));
            }
            outcome => outcome?,
        }
        let number = self.files.len() as u32;
        self.places
            .extend(places.into_iter().map(|place| (number, place)));
        self.files.push((path.to_owned(), file));
        Ok(())
    }

    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// The order of the chunks in an epoch.
    pub(super) fn order(&self, seed: u64) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.places.len() as u32).collect();
        random::shuffle(&mut order, seed);
        order
    }

    /// Reads the chains of a chunk; returns its file and place.
    pub(super) fn read(
        &self,
        chunk: usize,
        payload: &mut Vec<u8>,
    ) -> Result<(&Path, ChunkPlace), LoaderError> {
        let (file, place) = self.places[chunk];
        let (path, file) = &self.files[file as usize];
        match binpack::read_chunk(file, place, payload) {
            Ok(()) => Ok((path, place)),
            Err(error) => Err(BinpackError::Source(SourceError::Read {
                path: path.clone(),
                offset: place.offset,
                error,
            })
            .into()),
        }
    }

    /// A hash of files and settings, to recognise other ones.
    pub(super) fn fingerprint(&self, settings: &Settings) -> u64 {
        let filters: Vec<String> = settings
            .filters
            .list()
            .iter()
            .map(|f| f.to_string())
            .collect();
        let words = format!(
            "{} {} {} {} {} {}",
            settings.batch,
            settings.seed,
            settings.window,
            filters.join(" "),
            settings.part,
            settings.labels,
        );
        let places = self.places.iter().flat_map(|(file, place)| {
            let numbers = [u64::from(*file), place.offset, u64::from(place.length)];
            numbers.map(u64::to_le_bytes).concat()
        });
        // FNV-1a: it need only detect mistakes, not resist attacks.
        words
            .into_bytes()
            .into_iter()
            .chain(places)
            .fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
            })
    }
}
