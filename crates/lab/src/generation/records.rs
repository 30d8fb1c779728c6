//! Files that a generation's exploration has besides its shard: its games as PGN and as lines of
//! JSON, and arrays for NumPy; and the removal of old shards.

use super::Lineage;
use crate::error::LabError;
use crate::folder::{make_parent, remove};
use crate::state::Step;
use crate::step_runner::StepRunner;
use crate::steps::Played;
use arena::selfplay::SelfPlay;
use arena::selfplay::explore::ExportPaths;
use data::policy::{PolicyReader, write_npz};
use std::path::Path;

/// The number of positions per file of arrays: dense arrays take 33 kB of memory for each position
/// while they are built.
const POSITIONS_OF_ARRAYS: usize = 50_000;

impl Lineage<'_> {
    /// Exports the games of an exploration whose shard was just made.
    pub(super) fn export(&self, work: &SelfPlay<'_>, generation: u32) -> Result<(), LabError> {
        if work.explore.is_none() {
            return Ok(());
        }
        let keep = &self.experiment.keep;
        if keep.games {
            let [lines, pgn] = ["jsonl", "pgn"].map(|end| self.lane.explored(generation, end));
            make_parent(&lines)?;
            let event = format!("{}, generation {generation}", self.name);
            work.export(&ExportPaths {
                lines: &lines,
                pgn: &pgn,
                event: &event,
            })?;
        }
        match keep.npz {
            true => self.write_arrays(work.shard, generation),
            false => Ok(()),
        }
    }

    fn write_arrays(&self, shard: &Path, generation: u32) -> Result<(), LabError> {
        let mut reader = PolicyReader::open(shard).map_err(data::policy::WindowError::from)?;
        let mut records = Vec::new();
        let mut number = 0;
        loop {
            let block = reader
                .next_block()
                .map_err(data::policy::WindowError::from)?;
            let is_end = block.is_none();
            records.extend(block.unwrap_or_default());
            while records.len() >= POSITIONS_OF_ARRAYS || is_end && !records.is_empty() {
                let rest = records.split_off(records.len().min(POSITIONS_OF_ARRAYS));
                number += 1;
                let path = self.lane.explored(generation, &format!("{number}.npz"));
                make_parent(&path)?;
                // With results only, as the published program did.
                let bytes = write_npz(&records, 0.0).map_err(std::io::Error::other);
                let written = bytes.and_then(|bytes| data::file::write(&path, &bytes));
                written.map_err(|cause| LabError::file(&path, cause))?;
                records = rest;
            }
            if is_end {
                return Ok(());
            }
        }
    }

    /// Removes the shards of generations that no later window includes.
    pub(super) fn forget_shards(
        &self,
        runner: &StepRunner<'_>,
        generation: u32,
    ) -> Result<(), LabError> {
        if self.experiment.keep.shards || self.arm.explore.is_none() {
            return Ok(());
        }
        let buffer = &self.arm.buffer;
        let later = generation..=self.experiment.generations;
        let most = later.map(|number| buffer.positions.of(number)).max();
        let window = buffer.generations.unwrap_or(u32::MAX) as usize;
        let mut positions = 0;
        for (age, number) in (1..=generation).rev().enumerate() {
            if age >= window || positions >= most.unwrap_or(u64::MAX) {
                remove(&self.lane.shard(number))?;
                continue;
            }
            let place = self.place(number, Step::Selfplay);
            let played = runner.state.result::<Played>(&place)?;
            positions += played.map_or(0, |played| played.totals.positions);
        }
        Ok(())
    }
}
