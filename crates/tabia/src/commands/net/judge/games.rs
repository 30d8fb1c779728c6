//! The games by which a model is judged, from sequence files or PGN.

use crate::exit::WrongInput;
use crate::output::Output;
use anyhow::Context;
use data::pgn::{Filter, Source};
use data::sequences::{GameOrder, GatherOptions, Gatherer, Held, SequenceFile, SequenceGame};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The seed of the sample of games.
const SEED: u64 = 0x7AB1_A003;
/// The extension of sequence files.
const SEQUENCES: &str = "sequences";

/// The held-out games of all files, at most this many of each. Whether a game is held out depends
/// on its number, which is counted across all files as in a training.
pub(super) fn read(
    paths: &[PathBuf],
    held: Held,
    limit: Option<u64>,
    output: &Output,
) -> anyhow::Result<Vec<SequenceGame>> {
    let mut games = Vec::new();
    let mut before = 0;
    let folder = tempfile::tempdir().context("cannot make a folder for games")?;
    for (number, path) in paths.iter().enumerate() {
        let is_sequences = path.extension().is_some_and(|ending| ending == SEQUENCES);
        let file = match is_sequences {
            true => path.clone(),
            false => gather(
                path,
                &folder.path().join(format!("{number}.{SEQUENCES}")),
                output,
            )?,
        };
        let file = SequenceFile::open(&file).map_err(|error| WrongInput::new(error.to_string()))?;
        let order = GameOrder::new(file.games(), 1, SEED, Held::Nothing);
        let numbers = (0..file.games()).flat_map(|place| order.batch(place));
        let numbers = numbers.filter(|number| held.has(before + number));
        let most = limit.map_or(usize::MAX, |limit| limit as usize);
        for number in numbers.take(most) {
            let mut game = SequenceGame::default();
            file.read(number, &mut game)?;
            if !game.replay(|_, _| {}) {
                let words = format!("{}: game {} is damaged", path.display(), number + 1);
                return Err(WrongInput::new(words).into());
            }
            games.push(game);
        }
        before += file.games();
    }
    Ok(games)
}

/// Converts the games of a PGN file to sequences; broken games are skipped and counted.
fn gather(path: &Path, out: &Path, output: &Output) -> anyhow::Result<PathBuf> {
    let wrong = |error: String| WrongInput::new(error);
    let source = Source::open_games(path).map_err(|error| wrong(error.to_string()))?;
    let mut gatherer = Gatherer::new(GatherOptions {
        out: out.to_owned(),
        filter: Filter::default(),
        dates: None,
        threads: std::thread::available_parallelism()?.get(),
    })?;
    gatherer
        .add(source, |_, _| ControlFlow::Continue(()))
        .map_err(|error| wrong(error.to_string()))?;
    let gathered = gatherer.gathered();
    let left = gathered.broken + gathered.unusual;
    if left > 0 {
        let path = path.display();
        output.note(format_args!(
            "{path}: {left} games skipped, which are broken or begin with another position"
        ));
    }
    gatherer.finish()?;
    Ok(out.to_owned())
}
