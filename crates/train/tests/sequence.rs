//! Whole trainings of small sequence models: they learn, they stop and go on, and what
//! they write can be judged.

use chess::Board;
use data::random;
use data::sequences::{Outcome, Part, SequenceGame, SequenceWriter};
use nets::{Model, Provenance};
use std::path::{Path, PathBuf};
use train::Training;
use train::prediction::Judging;
use train::sequence::{Session, Settings};

/// Games in which each side plays its legal move with the smallest number, but for every
/// fifth move: a habit that can be learned.
fn games(count: u64) -> Vec<SequenceGame> {
    let habit = |number: u64| {
        let mut generator = random::generator(6, number);
        let mut board = Board::start();
        let mut game = SequenceGame {
            outcome: Some(Outcome::Draw),
            ratings: [Some(1_800), Some(2_200)],
            ..SequenceGame::default()
        };
        for ply in 0..24 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let place = match ply % 5 {
                0 => random::below(&mut generator, moves.len() as u64) as usize,
                _ => 0,
            };
            let mut sorted = moves.to_vec();
            sorted.sort_by_key(|mv| mv.to_bits());
            game.moves.push(sorted[place]);
            board.make(sorted[place]);
        }
        game
    };
    (0..count).map(habit).collect()
}

fn write(path: &Path, part: Part, games: &[SequenceGame]) {
    let mut writer = SequenceWriter::create(path, part).expect("a place");
    for game in games {
        assert!(writer.add(game).expect("room"));
    }
    writer.finish().expect("room");
}

fn prepared() -> (tempfile::TempDir, Settings) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("train.sequences");
    write(&path, Part::Train, &games(120));
    let text = format!(
        "data = [{:?}]\nvalidation_share = 0.1\nbatch = 250\nepochs = 6\n\
         learning_rate = 5e-3\n[net]\nsize = \"tiny\"",
        path
    );
    let settings: Settings = train::settings::read(&text).expect("settings");
    (folder, settings)
}

fn bytes(session: &mut Session) -> Vec<u8> {
    let file = session.export("a test", Provenance::default());
    file.expect("a file").bytes
}

#[test]
fn a_model_learns_habits_and_goes_on_with_the_same_bytes() {
    let (folder, settings) = prepared();
    let mut whole = Session::begin(settings.clone()).expect("a session");
    let before = whole.validate();
    let end = whole.counters().all_steps();
    while !whole.is_over() {
        whole.step().expect("a step");
    }
    let after = whole.validate();
    assert!(
        after.loss < 0.6 * before.loss,
        "{before:?} became {after:?}"
    );
    let expected = bytes(&mut whole);
    let path: PathBuf = folder.path().join("checkpoint");
    for stop in [1, end / 2, end - 1] {
        let mut first = Session::begin(settings.clone()).expect("a session");
        for _ in 0..stop {
            first.step().expect("a step");
        }
        first.save(&path).expect("saved");
        drop(first);
        let mut second = Session::resume(settings.clone(), &path).expect("resumed");
        assert_eq!(second.steps(), stop);
        while !second.is_over() {
            second.step().expect("a step");
        }
        assert!(bytes(&mut second) == expected, "stopped after {stop}");
    }
    let model = Model::from_bytes(&expected).expect("a model");
    let held = games(3);
    let judging = Judging {
        games: &held,
        most_plies: 20,
        parts: 1,
        part: |_: &SequenceGame, _| vec![0],
        raw: true,
        told_rating: Some(2_000),
    };
    let judged = judging.judge(&model)[0];
    assert!(judged.moves > 30.0, "{judged:?}");
    assert!(judged.per_move(judged.legal.top[0]) > 0.6, "{judged:?}");
}

#[test]
fn heads_are_judged_where_games_tell_what_they_foretell() {
    let losses = |has_clocks: bool| {
        let (folder, mut settings) = prepared();
        let mut timed = games(12);
        for game in timed.iter_mut().filter(|_| has_clocks) {
            game.clocks = (0..game.moves.len() as u16)
                .map(|ply| 300 - 5 * ply)
                .collect();
        }
        let path = folder.path().join("timed.sequences");
        write(&path, Part::Train, &timed);
        settings.course.data = vec![path];
        settings.course.validation_share = 0.4;
        (settings.net.think_head, settings.net.resign_head) = (true, true);
        let mut session = Session::begin(settings).expect("a session");
        let numbers = session.validate().numbers;
        ["think_loss", "resign_loss"].map(|wanted| {
            let found = numbers.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, loss)| *loss)
        })
    };
    let [think, resign] = losses(true);
    // Five seconds a side and move are ten between its clocks; nobody says so before learning.
    assert!(think.is_some_and(|loss| loss > 0.5), "{think:?}");
    assert!(
        resign.is_some_and(|loss| (loss - 2f64.ln()).abs() < 0.2),
        "{resign:?}"
    );
    assert_eq!(losses(false)[0], None);
}

#[test]
fn games_of_the_test_choose_no_model() {
    let (folder, mut settings) = prepared();
    let path = folder.path().join("test.sequences");
    write(&path, Part::Test, &games(5));
    settings.course.validation = vec![path.clone()];
    let Err(error) = Session::begin(settings.clone()) else {
        panic!("a model would be chosen by the test");
    };
    let words = error.to_string();
    assert!(words.contains("contains test games"), "{words}");
    settings.course.validation.clear();
    settings.course.data = vec![path];
    assert!(Session::begin(settings).is_err());
}

#[test]
fn settings_are_refused_with_their_key() {
    let refusal = |more: &str| {
        let text = format!("data = [\"a.sequences\"]\n{more}");
        let settings: Settings = train::settings::read(&text).expect("readable");
        settings.check().expect_err("wrong").to_string()
    };
    assert_eq!(
        refusal("[net]\nsize = \"huge\""),
        "net.size: must be one of tiny, small, base, published, published-large"
    );
    assert!(refusal("smoothing = 1.5").starts_with("smoothing: it is 1.5"));
    assert!(
        refusal("batch = 70_000").starts_with("batch: it is 70000, but must be from 1 to 65536")
    );
    assert!(refusal("most_plies = 0").starts_with("most_plies: it is 0, but must be"));
    assert!(refusal("policy_ratings = { from = 3_000 }").starts_with("policy_ratings"));
}

#[test]
fn the_published_model_can_be_trained() {
    let (folder, small) = prepared();
    let text = include_str!("../../../docs/sequence-published.toml");
    let text = text.replace("kind = \"sequence\"", "");
    let mut settings: Settings = train::settings::read(&text).expect("settings");
    assert_eq!(settings.check(), Ok(()));
    let shape = settings.net.shape().expect("a shape");
    assert!(
        (7_000_000..13_000_000).contains(&shape.weights()),
        "{}",
        shape.weights()
    );
    settings.course.data = small.course.data;
    settings.course.validation = vec![folder.path().join("valid.sequences")];
    write(&settings.course.validation[0], Part::Valid, &games(1));
    settings.course.batch = 50;
    let mut session = Session::begin(settings).expect("a session");
    let loss = session.step().expect("a step").loss;
    // All moves are equally likely before the first step.
    assert!(loss > 1_968f64.ln(), "{loss}");
}

#[test]
fn the_annotated_file_says_the_defaults() {
    let text = include_str!("../../../docs/sequence.toml");
    let text = text.replace("kind = \"sequence\"", "");
    let said: Settings = train::settings::read(&text).expect("settings");
    let text = "data = [\"games-train.sequences\"]\nvalidation = [\"games-valid.sequences\"]";
    let usual: Settings = train::settings::read(text).expect("settings");
    assert_eq!(said, usual);
}
