//! Whole trainings of fast nets on small data: they stop and go on, they say what is
//! wrong with their settings, and they learn what can be learned.

use chess::{Board, Move};
use data::position::{Outcome, Position};
use data::shard::{Format, ShardEncoder, ShardWriter};
use nets::Model;
use nets::nnue::Random;
use std::path::{Path, PathBuf};
use train::policy::{Session, Settings};
use train::{TrainError, Training};

/// Games in which captures are always taken; the score counts men, and who has more
/// of them in the end wins.
fn write_data(path: &Path, games: usize) {
    let mut random = Random::new(4);
    let mut encoder = ShardEncoder::new(Format::Binpack);
    for _ in 0..games {
        let mut board = Board::start();
        let mut played: Vec<(Board, Move)> = Vec::new();
        while played.len() < 80 {
            let moves = board.legal_moves();
            let Some(first) = moves.first() else { break };
            let captures: Vec<&Move> = moves.iter().filter(|&&mv| board.is_capture(mv)).collect();
            let any = moves[(random.number() % moves.len() as u64) as usize];
            let mv = captures.first().map_or(any, |&&mv| mv);
            debug_assert!(!moves.is_empty(), "{first:?}");
            played.push((board, mv));
            board.make(mv);
        }
        for (ply, (at, mv)) in played.into_iter().enumerate() {
            let side = at.side_to_move();
            let surplus = |board: &Board| {
                board.color(side).count() as i16 - board.color(!side).count() as i16
            };
            let position = Position {
                board: at,
                mv: Some(mv),
                score: 100 * surplus(&at),
                result: Outcome::from_number(surplus(&board).signum().into()).expect("one"),
                ply: ply as u16,
            };
            encoder.push(&position).expect("a position");
        }
    }
    let mut writer = ShardWriter::begin(path, Format::Binpack).expect("a file");
    writer.add(&encoder.finish()).expect("written");
    writer.finish().expect("written");
}

fn folder_with_data() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("games.binpack");
    write_data(&data, 200);
    (folder, data)
}

fn settings(data: &Path, more: &str) -> Settings {
    let text = format!(
        "kind = 'policy'\ndata = [{data:?}]\nbatch = 1500\nseed = 5\n\
         validation_share = 0.1\n{more}\n"
    );
    train::settings::read(&text).expect("settings")
}

const SMALL: &str = "epochs = 3\nema = 0.8\nlearning_rate = 0.004\nsmoothing = 0.05\n\
                     [policy]\nhidden = 128\n[value]\nhidden = 32\noutput_buckets = 2";

fn model(session: &mut Session) -> Vec<u8> {
    let provenance = session.provenance();
    session.export("a test", provenance).expect("a net").bytes
}

#[test]
fn a_net_learns_what_the_games_show() {
    let (_folder, data) = folder_with_data();
    let mut session = Session::begin(settings(&data, SMALL), 1).expect("a session");
    let number = |session: &mut Session, name: &str| {
        let judged = session.validate();
        let found = judged.numbers.iter().find(|(own, _)| *own == name);
        found.expect("a number").1
    };
    let names = ["policy_loss", "top_1", "value_loss", "calibration"];
    let before = names.map(|name| number(&mut session, name));
    while !session.is_over() {
        session.step().expect("a step");
    }
    let after = names.map(|name| number(&mut session, name));
    // Moves that are no captures are random, and stay so.
    assert!(
        after[0] < 0.95 * before[0] && after[1] > 2.0 * before[1],
        "{before:?} {after:?}"
    );
    assert!(after[2] < 0.9 * before[2], "{before:?} {after:?}");
    assert!((0.0..0.5).contains(&after[3]), "{after:?}");

    let provenance = session.provenance();
    let file = session.export("a test", provenance).expect("a net");
    let check = session.check(&file).expect("readable").expect("a check");
    assert!(
        check.positions > 0 && check.mean < 1.0 && check.largest < 10.0,
        "{check:?}"
    );
    let model = Model::from_bytes(&file.bytes).expect("a net");
    assert_eq!(
        (model.kind().to_string(), file.ending),
        ("policy".to_owned(), "tabianet")
    );
    assert_eq!(model.provenance().and_then(|it| it.seed), Some(5));
}

#[test]
fn a_training_that_was_stopped_ends_with_the_same_bytes() {
    let (folder, data) = folder_with_data();
    let mut whole = Session::begin(settings(&data, SMALL), 1).expect("a session");
    let checkpoint = folder.path().join("checkpoint");
    let mut stopped = Session::begin(settings(&data, SMALL), 2).expect("a session");
    for _ in 0..7 {
        stopped.step().expect("a step");
    }
    stopped.save(&checkpoint).expect("written");
    drop(stopped);
    let mut resumed =
        Session::resume(settings(&data, SMALL), 1, &checkpoint).expect("a checkpoint");
    for session in [&mut whole, &mut resumed] {
        while !session.is_over() {
            session.step().expect("a step");
        }
    }
    assert_eq!(whole.validate(), resumed.validate());
    assert!(model(&mut whole) == model(&mut resumed));

    let other = settings(&data, &SMALL.replace("0.05", "0.06"));
    match Session::resume(other, 1, &checkpoint) {
        Err(error @ TrainError::OtherSettings { .. }) => {
            let words = error.to_string();
            assert!(words.contains("smoothing was 0.05"), "{words}");
        }
        _ => panic!("settings of another training are refused"),
    }
}

#[test]
fn a_training_can_begin_with_a_net() {
    let (folder, data) = folder_with_data();
    let mut first = Session::begin(settings(&data, SMALL), 1).expect("a session");
    for _ in 0..5 {
        first.step().expect("a step");
    }
    let path = folder.path().join("first.tabianet");
    std::fs::write(&path, model(&mut first)).expect("written");
    let start = format!("start = {path:?}\n{SMALL}");
    let mut second = Session::begin(settings(&data, &start), 1).expect("a session");
    let (first, begun) = (first.validate(), second.validate());
    assert!(
        (first.loss - begun.loss).abs() < 0.05,
        "{first:?} {begun:?}"
    );
    let parent = second.provenance().parent.expect("a parent");
    assert!(parent.starts_with("pv-"), "{parent}");

    let wider = start.replace("hidden = 128", "hidden = 256");
    let error = Session::begin(settings(&data, &wider), 1)
        .err()
        .expect("another shape");
    assert!(error.to_string().contains("has another shape"), "{error}");
}

#[test]
fn wrong_settings_are_told_with_their_key() {
    let told = |more: &str| {
        let checked = settings(Path::new("none.binpack"), more).check();
        checked
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    assert_eq!(told(SMALL), "");
    for (more, words) in [
        ("[policy]\nhidden = 100", "policy.hidden: 100 hidden values"),
        (
            "[policy]\nhidden = 4096",
            "policy.hidden: 4096 hidden values",
        ),
        ("[value]\nhidden = 48", "value: 48 hidden values"),
        (
            "[value]\noutput_buckets = 9",
            "value.output_buckets: it is 9",
        ),
        (
            "[value]\nking_buckets = [0]",
            "value.king_buckets: 1 numbers instead of 64",
        ),
        ("smoothing = 0.75", "smoothing: it is 0.75"),
        ("ema = 1.0", "ema: it is 1"),
        ("lambda = 2.0", "lambda: it is 2"),
        ("[wdl]\nscaling = 0", "wdl.scaling: it is 0"),
        ("[optimiser]\nbeta1 = 1.5", "optimiser.beta1: it is 1.5"),
    ] {
        assert!(told(more).starts_with(words), "{}", told(more));
    }
    let read = |text: &str| {
        train::settings::read::<Settings>(text)
            .expect_err("wrong")
            .message
    };
    assert!(read("data = ['a']\nloss = 1").starts_with("unknown field `loss`, expected one of"));
    assert!(read("data = ['a']\n[value]\nwidth = 1").starts_with("unknown field `width`"));
}
