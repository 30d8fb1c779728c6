//! Whole trainings of small ResNets: they learn, they stop and go on, and what they
//! write plays.

use chess::{Board, Move};
use data::position::{Outcome, Position};
use data::shard::{Format, ShardEncoder, ShardWriter};
use nets::nnue::Random;
use nets::{Model, Provenance};
use std::path::{Path, PathBuf};
use train::Training;
use train::resnet::{Session, Settings};

/// Games in which every side plays the move with the smallest number of those whose
/// target is nearest to its right upper corner: a rule that can be learned.
fn write_data(path: &Path, games: usize) {
    let mut random = Random::new(8);
    let mut encoder = ShardEncoder::new(Format::Binpack);
    for _ in 0..games {
        let mut board = Board::start();
        for ply in 0..60 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let best = ruled(&board, &moves);
            let side = board.side_to_move();
            let surplus = board.color(side).count() as i16 - board.color(!side).count() as i16;
            let position = Position {
                board,
                mv: Some(best),
                score: 200 * surplus,
                result: match surplus {
                    1.. => Outcome::Win,
                    0 => Outcome::Draw,
                    _ => Outcome::Loss,
                },
                ply,
            };
            encoder.push(&position).expect("a position");
            board.make(moves[(random.number() % moves.len() as u64) as usize]);
        }
    }
    let mut writer = ShardWriter::begin(path, Format::Binpack).expect("a file");
    writer.add(&encoder.finish()).expect("written");
    writer.finish().expect("written");
}

fn ruled(board: &Board, moves: &[Move]) -> Move {
    let side = board.side_to_move();
    let far = |mv: &Move| {
        let (file, rank) = (mv.to().file(), mv.to().rank().relative_to(side));
        file.index() + 8 * rank.index()
    };
    *moves
        .iter()
        .max_by_key(|&mv| (far(mv), mv.to_bits()))
        .expect("a move")
}

fn prepared(more: &str) -> (tempfile::TempDir, Settings) {
    let folder = tempfile::tempdir().expect("a folder");
    let data: PathBuf = folder.path().join("games.binpack");
    write_data(&data, 40);
    let text = format!(
        "data = [{data:?}]\nbatch = 64\nepochs = 2\nvalidation_share = 0.1\nseed = 5\n\
         learning_rate = 0.005\nsmoothing = 0.0\n{more}\n[net]\nchannels = 12\nblocks = 1\n\
         head_channels = 4\nvalue_hidden = 16\n"
    );
    let settings = train::settings::read(&text).expect("settings");
    (folder, settings)
}

fn number(judged: &train::Judged, name: &str) -> f64 {
    let found = judged.numbers.iter().find(|(key, _)| *key == name);
    found.expect("a number").1
}

#[test]
fn a_net_learns_a_rule_and_its_file_plays_it() {
    let (_folder, settings) = prepared("ema = 0.9");
    let mut session = Session::begin(settings, 1).expect("a session");
    let before = session.validate();
    while !session.is_over() {
        session.step().expect("a step");
    }
    let after = session.validate();
    let [first, last] = [&before, &after].map(|judged| number(judged, "policy_loss"));
    assert!(last < 0.6 * first, "{first} {last}");
    assert!(number(&after, "top_1") > 0.4, "{after:?}");
    assert!(number(&after, "value_loss") < number(&before, "value_loss"));
    assert!(number(&after, "calibration") < 0.1);
    let provenance = session.provenance();
    let file = session.export("a test", provenance).expect("a file");
    let Ok(Model::ResNet(file)) = Model::from_bytes(&file.bytes) else {
        panic!("a ResNet")
    };
    let board = Board::start();
    let best = ruled(&board, &board.legal_moves());
    let name = board.uci(best, chess::CastlingStyle::Standard).to_string();
    let priors = file.explain(&board).priors;
    let place = priors.iter().position(|(mv, _)| *mv == name);
    assert!(place.is_some_and(|place| place < 4), "{name} {priors:?}");
}

#[test]
fn a_training_that_was_stopped_ends_with_the_same_bytes() {
    for more in ["ema = 0.99", "ema = 0.0"] {
        let (folder, settings) = prepared(more);
        let bytes = |session: &mut Session| {
            let file = session.export("", Provenance::default());
            file.expect("a file").bytes
        };
        let mut whole = Session::begin(settings.clone(), 1).expect("a session");
        let end = whole.epoch_steps();
        while whole.steps() < end + 5 {
            whole.step().expect("a step");
        }
        let expected = bytes(&mut whole);
        let path = folder.path().join("checkpoint");
        for stop in [1, end, end + 3] {
            let mut first = Session::begin(settings.clone(), 2).expect("a session");
            for _ in 0..stop {
                first.step().expect("a step");
            }
            first.save(&path).expect("saved");
            drop(first);
            let mut second = Session::resume(settings.clone(), 1, &path).expect("resumed");
            assert_eq!(second.steps(), stop);
            while second.steps() < end + 5 {
                second.step().expect("a step");
            }
            assert!(bytes(&mut second) == expected, "stopped after {stop}");
        }
    }
}

#[test]
fn a_net_to_begin_with_must_fit() {
    let (folder, mut settings) = prepared("");
    let mut session = Session::begin(settings.clone(), 1).expect("a session");
    let file = session.export("", Provenance::default()).expect("a file");
    let path = folder.path().join("first.tabianet");
    std::fs::write(&path, &file.bytes).expect("written");
    settings.start = Some(path.clone());
    let mut again = Session::begin(settings.clone(), 1).expect("a session");
    let name = Model::open(&path).expect("a net").name();
    assert_eq!(again.provenance().parent.as_deref(), Some(&name[..]));
    let copied = again.export("", Provenance::default()).expect("a file");
    assert!(copied.bytes == file.bytes);
    settings.net.channels = 13;
    let Err(refused) = Session::begin(settings, 1) else {
        panic!("another shape")
    };
    let words = refused.to_string();
    assert!(
        words.contains("it is ResNet 12x1") && words.contains("have ResNet 13x1"),
        "{words}"
    );
}

#[test]
fn settings_are_refused_with_their_key() {
    let refusal = |more: &str| {
        let text = format!("data = [\"a.binpack\"]\n{more}");
        let settings: Settings = train::settings::read(&text).expect("readable");
        settings.check().expect_err("wrong").to_string()
    };
    assert_eq!(
        refusal("[net]\nchannels = 0"),
        "net: channels is 0, but must be from 1 to 512"
    );
    assert!(refusal("huber_delta = 0.0").starts_with("huber_delta: it is 0"));
    assert!(refusal("smoothing = 1.5").starts_with("smoothing: it is 1.5"));
    assert!(
        refusal("batch = 20_000").starts_with("batch: it is 20000, but must be from 1 to 16384")
    );
    assert!(refusal("[net]\nplanes = { history = 1 }").starts_with("net: planes.history"));
    let usual: Settings = train::settings::read("data = [\"a.binpack\"]").expect("readable");
    assert_eq!((usual.course.batch, usual.course.epochs), (256, 1));
    assert_eq!(usual.check(), Ok(()));
}

#[test]
fn policy_shards_are_learned_from() {
    use data::policy::{PolicyRecord, PolicyWriter};
    let (folder, mut settings) = prepared("ema = 0.0\ntarget_power = 1.5");
    let path = folder.path().join("games.policy");
    let mut writer = PolicyWriter::begin(&path).expect("a file");
    let mut random = Random::new(12);
    for _ in 0..30 {
        let mut board = Board::start();
        for ply in 0..50 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let best = ruled(&board, &moves);
            let visits = moves
                .iter()
                .map(|&mv| (mv, if mv == best { 60 } else { 1 }));
            let record = PolicyRecord {
                board,
                double_step: None,
                occurrences: 0,
                moves: visits.collect(),
                chances: [0.5, 0.3, 0.2],
                result: Outcome::Win,
                weight: 1.0,
                // Nobody searched the first moves.
                policy_weight: if ply < 4 { 0.0 } else { 1.0 },
                final_balance: 0,
                ply,
            };
            writer.push(&record).expect("written");
            board.make(moves[(random.number() % moves.len() as u64) as usize]);
        }
    }
    writer.finish().expect("written");
    settings.course.data = vec![path];
    let mut session = Session::begin(settings.clone(), 1).expect("a session");
    let before = session.validate();
    let checkpoint = folder.path().join("checkpoint");
    while !session.is_over() {
        if session.steps() == 20 {
            session.save(&checkpoint).expect("saved");
        }
        session.step().expect("a step");
    }
    let after = session.validate();
    let [first, last] = [&before, &after].map(|judged| number(judged, "policy_loss"));
    assert!(last < 0.8 * first, "{first} {last}");
    let mut again = Session::resume(settings.clone(), 1, &checkpoint).expect("resumed");
    while !again.is_over() {
        again.step().expect("a step");
    }
    let bytes = [&mut session, &mut again].map(|session| {
        let file = session.export("", Provenance::default());
        file.expect("a file").bytes
    });
    assert!(bytes[0] == bytes[1]);
    settings.course.data.push("games.binpack".into());
    let Err(refused) = Session::begin(settings, 1) else {
        panic!("two kinds of data")
    };
    let words = "data: give either binpack files or policy shards, not both";
    assert_eq!(refused.to_string(), words);
}
