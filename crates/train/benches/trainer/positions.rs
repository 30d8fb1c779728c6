//! The positions that the bench learns from: those of a binpack file.

use crate::shapes::BATCH;
use chess::Board;
use data::binpack::{ChunkWriter, Encoder};
use data::filter::Filters;
use data::loader::{self, Settings};
use data::packed::PackedPosition;
use data::position::{Outcome, Position};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The file below the folder that TABIA_DATA names.
const REAL: &str = "nnue/small.binpack";
/// What is left out, as usual.
pub(crate) const FILTERS: [&str; 2] = ["in-check", "captures"];
/// Different batches that are learned from in turns.
pub(crate) const BATCHES: usize = 8;
/// So often the file is read in an epoch: a file of a few chunks would be one
/// window of the loader, and one after the other its threads would wait.
const COPIES: usize = 32;

/// The file to read; if it had to be made, the folder in which it lies.
pub(crate) fn input(file: Option<PathBuf>) -> (PathBuf, Option<tempfile::TempDir>) {
    let real = || env::var_os("TABIA_DATA").map(|folder| Path::new(&folder).join(REAL));
    if let Some(path) = file.or_else(real) {
        return (path, None);
    }
    println!("no file is named and TABIA_DATA is not set: random games instead");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("random games.binpack");
    fs::write(&path, random_games(4_000)).expect("written");
    (path, Some(folder))
}

/// What the loader reads.
pub(crate) fn files(path: &Path) -> Vec<PathBuf> {
    vec![path.to_owned(); COPIES]
}

pub(crate) fn filters() -> Filters {
    let parsed = FILTERS.map(|word| word.parse().expect("a filter"));
    parsed.into_iter().collect()
}

/// Batches in memory.
pub(crate) fn batches(path: &Path) -> Vec<Vec<PackedPosition>> {
    let mut settings = Settings::new(vec![path.to_owned()]);
    settings.filters = filters();
    settings.threads = 2;
    let positions = loader::load(settings, BATCH * BATCHES).expect("a binpack file");
    let batches: Vec<_> = positions.chunks_exact(BATCH).map(<[_]>::to_vec).collect();
    assert!(!batches.is_empty(), "fewer than {BATCH} quiet positions");
    batches
}

/// A binpack file with games of random moves.
fn random_games(count: u64) -> Vec<u8> {
    // A multiplicative generator; the games need not be very random.
    let mut state = 1_u64;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % bound
    };
    let mut encoder = Encoder::new();
    for _ in 0..count {
        let mut board = Board::start();
        for ply in 0..120 {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[below(legal.len())];
            let position = Position {
                board,
                mv: Some(mv),
                score: below(600) as i16 - 300,
                result: Outcome::ALL[below(3)],
                ply,
            };
            encoder.push(&position).expect("an ordinary position");
            board.make(mv);
        }
    }
    let mut writer = ChunkWriter::new(Vec::new());
    writer.add(encoder.finish()).expect("written");
    writer.finish().expect("written")
}
