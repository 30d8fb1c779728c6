//! The loop that runs any training: whatever happens on the way, the same comes out.

use crate::made::{SMALL, folder_with_data};
use nets::ntuple::NTuple;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use train::metrics::{Epoch, Metrics};
use train::search::{Search, Searcher};
use train::{Ending, Event, Settings, TrainError, nnue, settings};

/// Three epochs of some seven steps.
const COURSE: &str = "batch = 2048\nepochs = 3\nseed = 5\ncheckpoint_steps = 3\n";

/// A net needs no search to learn.
struct NoSearch;

impl Search for NoSearch {
    fn searcher(&self, _: &Arc<NTuple>) -> Box<dyn Searcher> {
        panic!("nobody searches")
    }
}

/// A kill, or any other failure of the listener.
#[derive(Debug)]
struct Killed;

impl From<TrainError> for Killed {
    fn from(error: TrainError) -> Killed {
        panic!("{error}")
    }
}

/// Trains in a folder until all is done, `stop` is true, or the listener has heard of
/// `most` things and fails.
fn train(
    settings: &Settings,
    folder: &Path,
    stop: &dyn Fn() -> bool,
    most: usize,
) -> Result<Ending, Killed> {
    let checkpoint = folder.join("checkpoint");
    let saved = checkpoint.exists().then_some(&*checkpoint);
    let mut training = settings.clone().training(1, saved, Arc::new(NoSearch))?;
    let mut metrics = Metrics::open(folder, training.epochs())?;
    let mut heard = 0;
    train::run(&mut *training, &checkpoint, stop, &mut |event| {
        if let Event::EpochEnded(training) = event
            && metrics.epochs().len() < training.epochs() as usize
        {
            let model = training.export("", training.provenance())?;
            let name = format!("epoch-{:03}.{}", training.epochs(), model.ending);
            std::fs::write(folder.join(&name), &model.bytes).expect("written");
            metrics.add(Epoch {
                export: training.check(&model)?,
                ..Epoch::judge(training, name)
            })?;
        }
        heard += 1;
        match heard < most {
            true => Ok(()),
            false => Err(Killed),
        }
    })
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder).expect("a folder");
    files
        .map(|file| {
            let path = file.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), std::fs::read(&path).expect("readable"))
        })
        .collect()
}

#[test]
fn kills_and_stops_change_no_byte() {
    let (_folder, data) = folder_with_data();
    let text = format!("data = [{data:?}]\n{COURSE}");
    let net: nnue::Settings = settings::read(&format!("{text}{SMALL}")).expect("settings");
    let fit = settings::read(&format!("{text}filters = ['in-check']\n")).expect("settings");
    for settings in [Settings::Nnue(net), Settings::Classical(fit)] {
        let out = tempfile::tempdir().expect("a folder");
        let ending = train(&settings, out.path(), &|| false, usize::MAX);
        assert_eq!(ending.expect("no kill"), Ending::Finished);
        let expected = files(out.path());
        let names: Vec<&str> = expected.keys().map(|name| &name[..]).collect();
        assert_eq!(names.len(), 6, "{names:?}");
        // Who comes back to a training that is over finds everything as it was.
        let ending = train(&settings, out.path(), &|| false, usize::MAX);
        assert_eq!(ending.expect("no kill"), Ending::Finished);
        assert!(files(out.path()) == expected, "after the end");
        for most in 1..=12 {
            let out = tempfile::tempdir().expect("a folder");
            let mut kills = 0;
            while train(&settings, out.path(), &|| false, most + kills).is_err() {
                kills += 1;
            }
            assert!(kills > 0 && files(out.path()) == expected, "{most} {kills}");
        }
        let out = tempfile::tempdir().expect("a folder");
        let stopped = train(&settings, out.path(), &|| true, usize::MAX).expect("no kill");
        assert_eq!(stopped, Ending::Stopped);
        let names: Vec<String> = files(out.path()).into_keys().collect();
        assert_eq!(names, ["checkpoint"]);
        train(&settings, out.path(), &|| false, usize::MAX).expect("no kill");
        assert!(files(out.path()) == expected, "stopped at once");
    }
}
