//! What is told on the way, and what runs come to.

use crate::miniature::{FILE, Place, STEPS, made, undisturbed, work};
use lab::verdict::Ruling;
use lab::{Ending, Event, Means, Step, runs};
use std::path::Path;

/// Enough to see that everything works, not to predict times.
const TRIAL_SECONDS: f64 = 0.5;

#[test]
fn everything_is_told_in_order() {
    let run = Place::new();
    let mut told = Vec::new();
    let (mut begun, mut ended) = (0, 0);
    let ending = work(&run.path, FILE, 2, &mut |news| {
        match news {
            Event::Begun { .. } => begun += 1,
            Event::Ended { place, seconds } => {
                assert!(*seconds >= 0.0);
                ended += 1;
                if place.step == Step::Promotion {
                    told.push(format!("{} {}", place.arm, place.generation));
                }
            }
            Event::Generation { row } => told.push(format!("{}: {}", row.arm, row.generation)),
            Event::Seed { effects, .. } => {
                told.push(format!("{} seed", effects[0].by_seed.len()));
            }
            _ => {}
        }
        false
    });
    assert_eq!((begun, ended), (STEPS, STEPS));
    assert_eq!(
        told,
        [
            "control 1",
            "control: 1",
            "control 2",
            "control: 2",
            "curriculum 1",
            "curriculum: 1",
            "curriculum 2",
            "curriculum: 2",
            "1 seed",
        ]
    );
    let Ok(Ending::Finished(conclusion)) = ending else {
        panic!("it is finished");
    };
    assert_eq!(conclusion.ruling, Ruling::Inconclusive);
    assert_eq!(conclusion.meetings.len(), 3);
    let difference = conclusion.difference.as_ref().expect("two arms");
    assert_eq!(difference.contrast, "curriculum - control");
    // From the other side than the match was told.
    let met = lab::verdict::bounded_elo(&conclusion.meetings[0].counts);
    assert!((difference.mean.value + met).abs() < 1e-9);
}

#[test]
fn runs_can_be_looked_at_and_reported_anew() {
    let run = made(FILE);
    let root = run.path.parent().expect("a folder");
    let found = runs::list(root).expect("a folder");
    assert_eq!(found, std::slice::from_ref(&run.path));
    let overview = runs::look(&run.path, &train::learners()).expect("a run");
    assert!(overview.finished);
    assert_eq!((overview.name.as_str(), overview.rows.len()), ("run", 4));
    assert!(overview.bytes > 10_000);
    let before = run.text("report.md");
    std::fs::remove_file(run.file("report.md")).expect("removed");
    std::fs::remove_dir_all(run.file("plots")).expect("removed");
    let program = crate::miniature::program();
    let page = runs::report(&run.path, &program, &train::learners()).expect("a report");
    assert_eq!(page, run.file("report.html"));
    assert_eq!(run.text("report.md"), before);
    assert!(run.file("plots/loss.svg").is_file());
}

#[test]
fn a_forecast_predicts_the_disk_space_of_a_run() {
    let run = undisturbed();
    let experiment = lab::settings::read(FILE, &train::learners()).expect("settings");
    let stop = engines::StopSignal::new();
    let means = Means {
        dispatcher: &work::Threads::new(2),
        threads: 2,
    };
    let forecast =
        lab::forecast::forecast(&experiment, TRIAL_SECONDS, &means, &stop).expect("a forecast");
    assert_eq!((forecast.generations, forecast.games), (4, 4 * 8 + 3 * 4));
    assert_eq!(forecast.positions, 1000.0);
    let taken = runs::look(&run.path, &train::learners())
        .expect("a run")
        .bytes as f64;
    let foretold = forecast.total.bytes;
    assert!(
        (foretold / taken - 1.0).abs() < 0.2,
        "{foretold} of {taken}"
    );
}

#[test]
fn a_forecast_tries_every_pace_of_a_run() {
    let file = FILE.replace("nodes = 30\npositions", "soft_nodes = [20, 40]\npositions");
    assert_ne!(file, FILE);
    let experiment = lab::settings::read(&file, &train::learners()).expect("settings");
    let means = Means {
        dispatcher: &work::Threads::new(2),
        threads: 2,
    };
    let stop = engines::StopSignal::new();
    let forecast =
        lab::forecast::forecast(&experiment, TRIAL_SECONDS, &means, &stop).expect("a forecast");
    assert_eq!(forecast.positions, 1000.0);
}

/// The run files among those of `nets/`, whose nets are named from the root of the repository.
fn run_files(root: &Path) -> Vec<(String, String)> {
    let folder = std::fs::read_dir(root.join("nets")).expect("the folder");
    let files = folder.map(|file| file.expect("a file").path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let texts = files.map(|path| {
        let text = std::fs::read_to_string(&path).expect("the file");
        let text = text.replace("\"nets/", &format!("\"{}/nets/", root.display()));
        (path.display().to_string(), text)
    });
    let found: Vec<_> = texts
        .filter(|(_, text)| text.contains("\ngenerations = "))
        .collect();
    assert!(!found.is_empty());
    found
}

/// Every run file that comes with the program can be tried out.
#[test]
fn every_preset_can_be_forecast() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let presets = lab::presets::PRESETS.iter();
    let mut files: Vec<(String, String)> = presets
        .map(|preset| (preset.name.to_owned(), preset.text.to_owned()))
        .collect();
    files.extend(run_files(root));
    let means = Means {
        dispatcher: &work::Threads::new(2),
        threads: 2,
    };
    let stop = engines::StopSignal::new();
    for (name, text) in &files {
        // A game of a large ResNet takes too long for a test.
        let small = text.replace("channels = 64\nblocks = 6", "channels = 8\nblocks = 1");
        let experiment = lab::settings::read(&small, &train::learners())
            .unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let forecast = lab::forecast::forecast(&experiment, TRIAL_SECONDS, &means, &stop);
        // The user's own games are what it learns from.
        if name == "sequence-reinforcement" {
            let error = forecast.expect_err("no games").to_string();
            assert!(error.contains("games-train.sequences"), "{error}");
            continue;
        }
        let forecast = forecast.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            forecast.total.seconds > 0.0 && forecast.total.bytes > 0.0,
            "{name}"
        );
        assert!(
            forecast.generations > 0 && forecast.positions > 0.0,
            "{name}"
        );
    }
}
