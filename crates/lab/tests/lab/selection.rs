//! Whole selections on a miniature scale: nets that know nothing, a few games of each.

use crate::miniature::{Place, program, results, temporary};
use engines::StopSignal;
use lab::selection::{Course, News, Reason, Selection, Stage, forecast, look, read};
use lab::{Ending, LabError};
use nets::Provenance;
use nets::nnue::NetFile;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use work::Threads;

/// Nets of six epochs, with losses of all but the last.
static TRAINING: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = temporary();
    let mut metrics = String::new();
    for epoch in 1..=6 {
        let mut settings: train::nnue::Settings =
            train::settings::read("data = ['none']\nnet.hidden = 32").expect("settings");
        settings.course.seed = epoch;
        let checkpoint = folder.path().join("checkpoint");
        let net = train::nnue::first_net(&settings, &checkpoint).expect("a net");
        let bytes = net.into_bytes("", Provenance::default()).expect("a net");
        let name = format!("epoch-{epoch:03}.tabianet");
        fs::write(folder.path().join(&name), bytes).expect("room");
        if epoch < 6 {
            let loss = 0.5 / epoch as f64;
            metrics +=
                &format!("{{\"epoch\":{epoch},\"net\":\"{name}\",\"validation_loss\":{loss}}}\n");
        }
    }
    fs::write(folder.path().join("metrics.jsonl"), metrics).expect("room");
    folder
});

fn net(epoch: u32) -> PathBuf {
    TRAINING.path().join(format!("epoch-{epoch:03}.tabianet"))
}

/// Epochs 1, 3 and 5 begin; 2, 4 and 6 are neighbours of somebody.
fn file() -> String {
    let training = TRAINING.path().display();
    format!(
        "title = 'Miniature'
[candidates]
training = '{training}'
from = 1
every = 2
[player]
nodes = 40
[games]
random_plies = 2
horizon = 40
resign = {{ movecount = 1, score = 60 }}
[gauntlet]
games = 8
keep = 3
[round_robin]
games = 24
allocation = {{ kind = 'open', rounds = 3, least_chance = 0.0, sure = 1.0 }}
[peak]
radius = 1
size = 3
games = 8
least_chance = 0.0
[final]
games = 12
sprt = {{ elo0 = -5, elo1 = 5 }}
"
    )
}

/// Steps of that selection: candidates, gauntlet, three rounds, peak, final, choice.
const STEPS: usize = 8;

fn work(
    path: &Path,
    file: &str,
    threads: usize,
    listen: &mut dyn FnMut(&News<'_>) -> bool,
) -> Result<Ending<Course>, LabError> {
    let stop = StopSignal::new();
    let mut selection = match path.join("select.toml").exists() {
        true => Selection::resume(path, program())?,
        false => Selection::begin(path, file, program())?,
    };
    selection.run(&Threads::new(threads), &stop, &mut |news| {
        if listen(news) {
            stop.stop();
        }
    })
}

fn finish(path: &Path, file: &str, threads: usize) -> Course {
    match work(path, file, threads, &mut |_| false).expect("no failure") {
        Ending::Finished(course) => *course,
        Ending::Stopped => panic!("nobody stopped it"),
    }
}

fn made(file: &str) -> (Place, Course) {
    let place = Place::new();
    let course = finish(&place.path, file, 2);
    (place, course)
}

fn undisturbed() -> &'static (Place, Course) {
    static SELECTION: LazyLock<(Place, Course)> = LazyLock::new(|| made(&file()));
    &SELECTION
}

/// Everything that must not depend on what happened on the way.
fn outcome(path: &Path) -> BTreeMap<String, String> {
    let text = |name: &str| fs::read_to_string(path.join(name)).expect("a text");
    let mut outcome: BTreeMap<String, String> =
        ["ratings.csv", "plots/strength.svg", "plots/loss.svg"]
            .map(|name| (name.to_owned(), text(name)))
            .into();
    let report = text("report.md");
    let timeless = report.lines().filter(|line| !line.starts_with("- Time of"));
    outcome.insert("report.md".to_owned(), timeless.collect());
    let state = results(path).iter().map(ToString::to_string).collect();
    outcome.insert("state.jsonl".to_owned(), state);
    let net = fs::read(path.join("selected.tabianet")).expect("a net");
    outcome.insert("net".to_owned(), blake3::hash(&net).to_string());
    outcome
}

fn assert_same(path: &Path, how: &str) {
    let (mine, wanted) = (outcome(path), outcome(&undisturbed().0.path));
    for (name, text) in &mine {
        assert_eq!(*text, wanted[name], "{how}: {name}");
    }
}

#[test]
fn a_selection_leaves_everything_it_promises() {
    let (place, course) = undisturbed();
    assert_eq!(place.text("select.toml"), file());
    assert_eq!(place.text("state.jsonl").lines().count(), 2 + STEPS);
    for folder in [
        "stage-1-gauntlet",
        "stage-2-round-robin/round-01",
        "stage-2-round-robin/round-02",
        "stage-2-round-robin/round-03",
        "stage-3-peak",
        "stage-4-final",
    ] {
        for file in ["journal.jsonl", "games.pgn"] {
            assert!(
                place.file(&format!("{folder}/{file}")).is_file(),
                "{folder}"
            );
        }
    }
    let stages: Vec<Stage> = course.stages.iter().map(|played| played.stage).collect();
    assert_eq!(stages, Stage::PLAYED);
    // The baseline is the last that begins: epoch 5. Two others meet it.
    let games: Vec<u64> = course.stages.iter().map(|played| played.games()).collect();
    assert_eq!(games[..3], [16, 36, 8]);
    assert!(games[3] <= 12);
    assert_eq!(course.field.baseline, 4);
    assert_eq!(course.stages[0].entrants, [0, 2, 4]);
    assert_eq!(course.stages[1].rounds, 3);
    // The peak brings in a neighbour that had not played.
    let newcomer = course.stages[2]
        .entrants
        .iter()
        .any(|entrant| entrant % 2 == 1);
    assert!(newcomer, "{:?}", course.stages[2].entrants);
    let standings = course.standings().expect("games");
    assert_eq!(standings.games, games.iter().sum::<u64>());
    let chances: f64 = standings.rows.iter().map(|row| row.chance).sum();
    assert!((chances - 1.0).abs() < 1e-9);
    // Looking at it gives the same.
    assert_eq!(
        look(&place.path).expect("a selection").as_ref(),
        Some(course)
    );
}

#[test]
fn the_chosen_net_is_copied_and_named() {
    let (place, course) = undisturbed();
    let choice = course.choice.as_ref().expect("a choice");
    let bytes = fs::read(place.file("selected.tabianet")).expect("a net");
    let source = &course.field.candidates[choice.candidate];
    assert_eq!(bytes, fs::read(&source.path).expect("a net"));
    let hash = NetFile::from_bytes(&bytes).expect("a net").hash();
    let report = place.text("report.md");
    assert!(report.contains(&format!("SHA-256: {hash}")), "{report}");
    assert!(
        report.contains(&format!("**Chosen: {}, ", source.name)),
        "{report}"
    );
    let finalists = &course.stages[3].entrants;
    assert!(finalists.contains(&choice.candidate));
    // A dozen games prove nothing here.
    assert_eq!(choice.reason, Reason::Undecided);
}

#[test]
fn the_report_can_be_read_without_the_code() {
    let (place, course) = undisturbed();
    let report = place.text("report.md");
    for words in [
        "# Miniature",
        "introduces a selection bias",
        "ratings are sampled 40,000 times",
        "The final alone: epoch-00",
        "epoch-005 has the lowest validation loss",
        "## Stage 1: gauntlet",
        "3 candidates against epoch-005: 16 games",
        "## Stage 2: round robin",
        "3 candidates against each other: 36 games in 3 rounds",
        "## Stage 3: peak",
        "## Stage 4: final",
        "## All candidates, rated by all games",
        "![Strength; chosen: epoch-00",
        "tabia select select.toml",
    ] {
        let is_lowest_chosen = course.choice.as_ref().map(|choice| choice.candidate) == Some(4);
        let expected = match words.starts_with("The lowest") && is_lowest_chosen {
            true => "The chosen net also has the lowest validation loss",
            false => words,
        };
        assert!(report.contains(expected), "{expected}: {report}");
    }
    let page = place.text("report.html");
    assert!(page.matches("<svg").count() == 2 && page.ends_with("</html>\n"));
    let losses = place.text("plots/loss.svg");
    assert_eq!(losses.matches("<circle").count(), 5);
    // Both pictures have all epochs from left to right.
    for plot in [losses, place.text("plots/strength.svg")] {
        assert!(
            plot.contains(">1</text>") && plot.contains(">6</text>"),
            "{plot}"
        );
    }
}

#[test]
fn the_table_has_the_fit_after_each_stage() {
    let (place, course) = undisturbed();
    let table = place.text("ratings.csv");
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some(
            "stage,rank,candidate,epoch,elo,elo_low,elo_high,games,wins,draws,losses,\
             chance_best,validation_loss,net"
        )
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let expected: usize = (course.stages.iter())
        .map(|played| played.standings.rows.len())
        .sum();
    assert_eq!(rows.len(), expected);
    for row in &rows {
        assert_eq!(row.len(), 14, "{row:?}");
        let number = |column: usize| row[column].parse::<f64>().expect("a number");
        assert_eq!(number(7), number(8) + number(9) + number(10), "{row:?}");
        assert!(number(5) <= number(4) && number(4) <= number(6), "{row:?}");
    }
    let is_baseline = |row: &&Vec<&str>| row[2] == "epoch-005";
    assert!(rows.iter().filter(is_baseline).all(|row| row[4] == "0.000"));
}

#[test]
fn threads_change_nothing() {
    for threads in [1, 3] {
        let place = Place::new();
        finish(&place.path, &file(), threads);
        assert_same(&place.path, &format!("{threads} threads"));
    }
}

#[test]
fn a_kill_after_any_step_changes_nothing() {
    let (place, _) = made(&file());
    let state = place.file("state.jsonl");
    for lines in 0..=STEPS {
        let text = fs::read_to_string(&state).expect("a state");
        let whole: Vec<&str> = text.split_inclusive('\n').collect();
        let torn = &whole[lines][..lines % 3];
        fs::write(&state, whole[..lines].concat() + torn).expect("room");
        let _ = fs::remove_file(place.file("selected.tabianet"));
        finish(&place.path, &file(), 2);
        assert_same(&place.path, &format!("killed after {lines} lines"));
    }
}

#[test]
fn a_selection_that_is_stopped_within_rounds_is_the_same() {
    let place = Place::new();
    for session in 1.. {
        let mut games = 0;
        let ending = work(&place.path, &file(), 2, &mut |news| {
            games += u32::from(matches!(news, News::Games(_)));
            games >= 4 + session % 5
        });
        if let Ending::Finished(_) = ending.expect("no failure") {
            assert!(session > 5, "{session} sessions");
            break;
        }
        assert!(session < 200, "it never ends");
    }
    assert_same(&place.path, "stopped within rounds");
}

#[test]
fn a_finished_selection_is_left_alone() {
    let (place, _) = made(&file());
    let before = fs::read(place.file("state.jsonl")).expect("a state");
    let mut begun = 0;
    work(&place.path, &file(), 2, &mut |news| {
        begun += u32::from(matches!(news, News::Begun { .. }));
        false
    })
    .expect("no failure");
    assert_eq!(begun, 0);
    assert_eq!(
        fs::read(place.file("state.jsonl")).expect("a state"),
        before
    );
}

#[test]
fn stages_can_be_left_out_and_the_baseline_may_be_anybody() {
    let short = file()
        .replace("games = 24", "games = 0")
        .replace("games = 8\nleast", "games = 0\nleast")
        .replace("games = 12", "games = 0");
    for (baseline, entrants) in [
        ("classical".to_owned(), vec![0, 2, 4]),
        // Whoever is met by all takes part.
        ("epoch-002".to_owned(), vec![0, 1, 2, 4]),
        (net(6).display().to_string(), vec![0, 2, 4]),
    ] {
        let (_, course) = made(&format!("baseline = '{baseline}'\n{short}"));
        assert_eq!(course.stages.len(), 1);
        assert_eq!(course.stages[0].entrants, entrants, "{baseline}");
        let choice = course.choice.as_ref().expect("a choice");
        assert_eq!(choice.reason, Reason::NoFinal);
        let best = course.standings().expect("games").rows[0].candidate;
        assert_eq!(choice.candidate, best);
    }
}

#[test]
fn without_epochs_the_peak_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    for (epoch, name) in [(1, "a"), (2, "b"), (3, "c")] {
        let path = folder.path().join(format!("{name}.tabianet"));
        fs::copy(net(epoch), path).expect("room");
    }
    let pattern = format!("nets = ['{}/[a-c].tabianet']", folder.path().display());
    let training = format!("training = '{}'", TRAINING.path().display());
    let place = Place::new();
    let mut left_out = Vec::new();
    let file = file().replace(&training, &pattern);
    let ending = work(&place.path, &file, 2, &mut |news| {
        if let News::LeftOut(stage, _) = news {
            left_out.push(*stage);
        }
        false
    });
    assert!(matches!(ending, Ok(Ending::Finished(_))));
    assert_eq!(left_out, [Stage::Peak]);
    assert!(!place.file("plots/loss.svg").exists());
    let strength = place.text("plots/strength.svg");
    assert!(strength.contains("candidate, by name"), "{strength}");
}

#[test]
fn a_forecast_knows_the_games() {
    let settings = read(&file()).expect("settings");
    let forecast =
        forecast(&settings, 0.5, &Threads::new(2), &StopSignal::new()).expect("a forecast");
    assert_eq!(forecast.candidates, 6);
    let games: Vec<u64> = forecast.stages.iter().map(|stage| stage.games).collect();
    assert_eq!(games, [16, 36, 12, 12]);
    assert!(forecast.stages.iter().all(|stage| stage.bytes > 0.0));
}

#[test]
fn mistakes_are_named() {
    let training = format!("training = '{}'", TRAINING.path().display());
    let broken = tempfile::tempdir().expect("a folder");
    let path = broken.path().join("epoch-1.nnue");
    fs::write(&path, "no net").expect("room");
    let broken = format!("nets = ['{}']", path.display());
    let one = format!("nets = ['{}']", net(1).display());
    for (to, words) in [
        (
            "",
            "there are no candidates: give candidates.training=FOLDER",
        ),
        ("training = 'nowhere'", "there is no folder nowhere"),
        ("training = '.'", ". contains no nets of epochs"),
        (
            "nets = ['nowhere/*.nnue']",
            "no file matches 'nowhere/*.nnue'",
        ),
        ("nets = ['a[']", "'a[': "),
        (broken.as_str(), "epoch-1.nnue: "),
        (
            one.as_str(),
            "there is only one candidate, so there is nothing to select",
        ),
    ] {
        let place = Place::new();
        let error = work(&place.path, &file().replace(&training, to), 2, &mut |_| {
            false
        });
        let error = error.expect_err(to).to_string();
        assert!(
            error.contains(words) && !error.contains('\n'),
            "{to}: {error}"
        );
        assert!(!place.path.exists(), "nothing was begun");
    }
    let with = |from: &str, to: &str| {
        let place = Place::new();
        let error = work(&place.path, &file().replace(from, to), 2, &mut |_| false);
        error.expect_err(to).to_string()
    };
    let alone = with("every = 2", "every = 9");
    assert!(
        alone.starts_with("there is only one candidate in the gauntlet"),
        "{alone}"
    );
    let nobody = with("from = 1", "from = 9");
    assert!(
        nobody.starts_with("no candidates in the gauntlet"),
        "{nobody}"
    );
    let baseline = with("title", "baseline = 'nobody'\ntitle");
    assert!(
        baseline.starts_with("baseline 'nobody' is neither last"),
        "{baseline}"
    );
    let place = Place::new();
    let plain = file()
        .replace("random_plies = 2", "")
        .replace("games = 12", "games = 1600");
    let openings = work(&place.path, &plain, 2, &mut |_| false);
    let openings = openings.expect_err("too many games").to_string();
    assert!(
        openings.starts_with("games: 1650 games need 825 openings"),
        "{openings}"
    );
}

#[test]
fn a_net_that_changes_on_the_way_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for epoch in [1, 2, 3] {
        let path = folder.path().join(format!("epoch-{epoch:03}.tabianet"));
        fs::copy(net(epoch), path).expect("room");
    }
    let mine = folder.path().display().to_string();
    let file = file().replace(&TRAINING.path().display().to_string(), &mine);
    let place = Place::new();
    let ending = work(&place.path, &file, 2, &mut |news| {
        matches!(news, News::Ended(..))
    });
    assert!(matches!(ending, Ok(Ending::Stopped)));
    fs::copy(net(4), folder.path().join("epoch-003.tabianet")).expect("room");
    let complain = || {
        let error = work(&place.path, &file, 2, &mut |_| false);
        error.expect_err("something is wrong").to_string()
    };
    let words = complain();
    assert!(
        words.contains("epoch-003.tabianet was changed since"),
        "{words}"
    );
    fs::remove_file(folder.path().join("epoch-003.tabianet")).expect("removed");
    let words = complain();
    assert!(words.contains("epoch-003.tabianet: "), "{words}");
    fs::copy(net(3), folder.path().join("epoch-003.tabianet")).expect("room");
    finish(&place.path, &file, 2);
}
