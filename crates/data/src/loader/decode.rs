//! Decodes and filters a chunk, and joins several chunks to a window.

use std::marker::PhantomData;

use super::{
    Part, Settings,
    chunks::{Chunks, LoaderError},
    sample::{History, Sample},
};
use crate::{
    arrange::Split,
    binpack::{ChainProblem, Positions},
    filter::{FilterCounts, FilterKind, PieceCounts, Remembered, Thinning},
    position::{Labels, Position},
    random::{self, Generator},
};

/// Random seed: decides which games are held out; never the seed of a training.
const HELD_OUT_SEED: u64 = 0x7AB1_A000;

/// The samples of a chunk.
pub(super) struct Decoded<S> {
    samples: Vec<S>,
    /// The keys of their positions, if duplicates are to be removed.
    keys: Vec<u64>,
    /// Their numbers of men, if positions are thinned out by these.
    men: Vec<u8>,
    counts: FilterCounts,
}

/// A window: samples in the order in which they are given.
pub(super) struct Window<S> {
    pub(super) samples: Vec<S>,
    pub(super) counts: FilterCounts,
    /// Whether it is the last of its epoch.
    pub(super) is_last: bool,
}

/// Decodes chunks to samples.
pub(super) struct Decoder<'a, S> {
    pub(super) settings: &'a Settings,
    pub(super) chunks: &'a Chunks,
    /// The seed of the epoch.
    pub(super) seed: u64,
    pub(super) samples: PhantomData<S>,
}

impl<S: Sample> Decoder<'_, S> {
    /// The random generator for a chunk; those of windows have even numbers.
    fn chunk_generator(&self, chunk: usize) -> Generator {
        random::generator(self.seed, chunk as u64 * 2 + 1)
    }

    /// Reads, decodes and filters a chunk.
    pub(super) fn chunk(
        &self,
        chunk: usize,
        payload: &mut Vec<u8>,
    ) -> Result<Decoded<S>, LoaderError> {
        let (path, place) = self.chunks.read(chunk, payload)?;
        let mut decoded = Decoded {
            samples: Vec::new(),
            keys: Vec::new(),
            men: Vec::new(),
            counts: FilterCounts::default(),
        };
        let mut positions = Positions::new(payload);
        let filtered = self.filter(chunk, &mut positions, &mut decoded);
        filtered.map_err(|problem| LoaderError::Chain {
            path: path.to_owned(),
            offset: place.offset + positions.chain_offset() as u64,
            problem,
        })?;
        if let Some(weights) = self.settings.filters.piece_weights() {
            decoded.thin(weights, &mut random::generator(self.seed ^ 1, chunk as u64));
        }
        Ok(decoded)
    }

    fn filter(
        &self,
        chunk: usize,
        positions: &mut Positions<'_>,
        decoded: &mut Decoded<S>,
    ) -> Result<(), ChainProblem> {
        let filters = &self.settings.filters;
        let mut run = filters.run(self.chunk_generator(chunk));
        let mut choice = Choice::new(self.settings.part, chunk);
        let mut history = History::default();
        let wants_keys = filters.remembered_mebibytes().is_some();
        let wants_men = filters.piece_weights().is_some();
        while positions.advance()? {
            if S::BEFORE > 0 && positions.begins_chain() {
                history.begin();
            }
            let mut position = positions.latest();
            if !choice.takes(position) {
                continue;
            }
            let turned;
            if self.settings.labels == Labels::White {
                turned = self.settings.labels.turned(position);
                position = &turned;
            }
            if run.keeps(position) {
                let sample = S::new(position, history.latest(S::BEFORE));
                decoded.samples.push(sample);
                if wants_keys {
                    decoded.keys.push(position.placement_key());
                }
                if wants_men {
                    let men = position.board.occupied().count();
                    decoded.men.push(men as u8);
                }
            }
            if S::BEFORE > 0 {
                history.push(position, S::BEFORE);
            }
        }
        decoded.counts = *run.counts();
        Ok(())
    }

    /// Joins chunks to a window: removes duplicates and shuffles.
    pub(super) fn window(&self, number: u64, parts: Vec<Decoded<S>>) -> Window<S> {
        let mut window = Window {
            samples: Vec::with_capacity(parts.iter().map(|part| part.samples.len()).sum()),
            counts: FilterCounts::default(),
            is_last: false,
        };
        let mebibytes = self.settings.filters.remembered_mebibytes();
        let mut remembered = mebibytes.map(Remembered::new);
        for part in parts {
            window.counts += &part.counts;
            match &mut remembered {
                None => window.samples.extend(part.samples),
                Some(remembered) => {
                    for (sample, key) in part.samples.into_iter().zip(part.keys) {
                        if remembered.meets_again(key) {
                            window.counts.remove(FilterKind::Duplicates);
                        } else {
                            window.samples.push(sample);
                        }
                    }
                }
            }
        }
        let mut generator = random::generator(self.seed, (number + 1) * 2);
        for last in (1..window.samples.len()).rev() {
            let other = random::below_fast(&mut generator, last as u64 + 1);
            window.samples.swap(last, other as usize);
        }
        window
    }
}

impl<S> Decoded<S> {
    /// Thins out samples by their numbers of men.
    fn thin(&mut self, weights: [f64; 3], generator: &mut Generator) {
        let mut counts: PieceCounts = [0; 33];
        for &men in &self.men {
            counts[usize::from(men)] += 1;
        }
        let thinning = Thinning::new(weights, &counts);
        let mut kept = 0;
        for (index, &men) in self.men.iter().enumerate() {
            if !thinning.keeps(u32::from(men), generator) {
                self.counts.remove(FilterKind::Pieces);
                continue;
            }
            // Kept samples stay in the order of the file; dropped ones move behind them.
            self.samples.swap(kept, index);
            if !self.keys.is_empty() {
                self.keys.swap(kept, index);
            }
            kept += 1;
        }
        self.samples.truncate(kept);
        self.keys.truncate(kept);
    }
}

/// Chooses whole games from a chunk.
struct Choice {
    split: Split,
    /// Which side of the split is wanted; `None` if both are.
    wants_held_out: Option<bool>,
}

impl Choice {
    fn new(part: Part, chunk: usize) -> Self {
        let (share, wants_held_out) = match part {
            Part::All => (0.0, None),
            Part::Training(share) => (share, Some(false)),
            Part::Validation(share) => (share, Some(true)),
        };
        Self {
            split: Split::new(share, HELD_OUT_SEED, chunk as u64),
            wants_held_out,
        }
    }

    #[inline]
    fn takes(&mut self, position: &Position) -> bool {
        self.wants_held_out
            .is_none_or(|wanted| self.split.holds_out(position) == wanted)
    }
}
