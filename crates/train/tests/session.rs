//! Whole trainings on small data: they learn, they stop and go on, and their nets
//! say in integers what they said in floats.

use chess::{Board, Move};
use data::position::{Outcome, Position};
use data::shard::{Format, ShardEncoder, ShardWriter};
use nets::Evaluator;
use nets::nnue::simple::Simple;
use nets::nnue::{NetEvaluator, Random};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use train::nnue::{Exported, Session, SessionError, Settings};

/// Random games whose scores count men: something that can be learned.
fn write_data(path: &Path, games: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut encoder = ShardEncoder::new(Format::Binpack);
    for _ in 0..games {
        let mut board = Board::start();
        for ply in 0..120 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[(random.number() % moves.len() as u64) as usize];
            encoder
                .push(&position(&board, mv, ply))
                .expect("a position");
            board.make(mv);
        }
    }
    let mut writer = ShardWriter::begin(path, Format::Binpack).expect("a file");
    writer.add(&encoder.finish()).expect("written");
    writer.finish().expect("written");
}

fn position(board: &Board, mv: Move, ply: u16) -> Position {
    let side = board.side_to_move();
    let surplus = board.color(side).count() as i16 - board.color(!side).count() as i16;
    Position {
        board: *board,
        mv: Some(mv),
        score: 80 * surplus,
        result: Outcome::Draw,
        ply,
    }
}

fn settings(data: PathBuf, more: &str) -> Settings {
    let text = format!(
        "data = [{data:?}]\nbatch = 512\nepochs = 3\nlambda = 1.0\nrate = 0.003\nseed = 5\n{more}"
    );
    toml::from_str(&text).expect("settings")
}

const SMALL: &str = "[net]\nhidden = 32\nactivation = \"crelu\"\n";
const BUCKETED: &str = "average = 0.9\n[optimiser]\nrule = \"ranger\"\n\
    [net]\nhidden = 64\nactivation = \"pairwise\"\noutput_buckets = 4\nmirrored = true\nfactored = true\n";

fn folder_with_data() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("games.binpack");
    write_data(&data, 150, 3);
    (folder, data)
}

#[test]
fn a_net_learns_to_count_men() {
    let (_folder, data) = folder_with_data();
    let mut session = Session::begin(settings(data, SMALL), 1).expect("a session");
    let before = session.validate();
    assert!(before.positions > 100);
    while !session.is_over() {
        session.step().expect("a step");
    }
    let after = session.validate();
    assert_eq!(session.epochs(), 3);
    assert!(after.loss < before.loss / 20.0, "{before:?} {after:?}");
}

/// The numbers that a checkpoint holds, without its header.
fn numbers(session: &mut Session, folder: &Path) -> Vec<u8> {
    let path = folder.join("numbers");
    session.save(&path).expect("saved");
    std::fs::read(path).expect("readable")
}

#[test]
fn a_training_that_was_stopped_ends_with_the_same_bytes() {
    let (folder, data) = folder_with_data();
    for shape in [SMALL, BUCKETED] {
        let settings = settings(data.clone(), shape);
        let mut whole = Session::begin(settings.clone(), 1).expect("a session");
        while !whole.is_over() {
            whole.step().expect("a step");
        }
        let path = folder.path().join("checkpoint");
        for stop in [1, whole.epoch_steps(), whole.epoch_steps() + 7] {
            let mut first = Session::begin(settings.clone(), 2).expect("a session");
            for _ in 0..stop {
                first.step().expect("a step");
            }
            first.save(&path).expect("saved");
            drop(first);
            let mut second = Session::resume(settings.clone(), 1, &path).expect("resumed");
            assert_eq!(second.steps(), stop);
            while !second.is_over() {
                second.step().expect("a step");
            }
            let [a, b] = [&mut whole, &mut second].map(|s| numbers(s, folder.path()));
            assert!(a == b, "stopped after {stop} steps");
        }
    }
}

#[test]
fn foreign_and_damaged_checkpoints_are_refused() {
    let (folder, data) = folder_with_data();
    let own = settings(data.clone(), SMALL);
    let mut session = Session::begin(own.clone(), 1).expect("a session");
    session.step().expect("a step");
    let path = folder.path().join("checkpoint");
    session.save(&path).expect("saved");
    let mut other = own.clone();
    other.seed = 6;
    let refused = Session::resume(other, 1, &path).err().expect("refused");
    assert!(matches!(refused, SessionError::OtherSettings), "{refused}");
    let whole = std::fs::read(&path).expect("readable");
    for (damage, complaint) in [
        (whole[..whole.len() / 2].to_vec(), "its hash is wrong"),
        (whole[..20].to_vec(), "it is too short"),
        (
            b"something else that is long enough to be a checkpoint".to_vec(),
            "it begins with something else",
        ),
        (
            [&whole[..whole.len() - 40], &[1; 40]].concat(),
            "its hash is wrong",
        ),
    ] {
        std::fs::write(&path, damage).expect("written");
        let refused = Session::resume(own.clone(), 1, &path)
            .err()
            .expect("refused");
        assert!(refused.to_string().contains(complaint), "{refused}");
    }
}

#[test]
fn wrong_settings_are_named() {
    let (_folder, data) = folder_with_data();
    for (more, complaint) in [
        ("[net]\nhidden = 40\n", "net: 40 hidden values"),
        (
            "[net]\nshape = \"sfnn\"\nhidden = 100\n",
            "net.hidden: 100 is none of 128, 256",
        ),
        (
            "[net]\nking_buckets = [0, 1]\n",
            "net.king_buckets: 2 numbers instead of 64",
        ),
        ("filters = [\"capture\"]\n", "filters: "),
        ("average = 1.5\n", "average: must lie from 0 to below 1"),
        ("validation_share = 0.7\n", "validation_share: "),
    ] {
        let refused = Session::begin(settings(data.clone(), more), 1);
        let refused = refused.err().expect("refused").to_string();
        assert!(refused.starts_with(complaint), "{refused}");
    }
    let missing = Session::begin(settings("nowhere.binpack".into(), ""), 1);
    let refused = missing.err().expect("refused").to_string();
    assert!(refused.contains("nowhere.binpack"), "{refused}");
}

#[test]
fn integers_say_what_floats_said() {
    let (folder, _) = folder_with_data();
    // Another game, so that the net is judged where it did not learn.
    let data = folder.path().join("games.binpack");
    for shape in [SMALL, BUCKETED] {
        let mut session = Session::begin(settings(data.clone(), shape), 1).expect("a session");
        while !session.is_over() {
            session.step().expect("a step");
        }
        let Exported::Simple(weights) = session.export().expect("a net") else {
            panic!("a simple net was asked for");
        };
        let mut net = NetEvaluator::new(Arc::new(Simple::new(*weights).expect("within bounds")));
        let mut random = Random::new(77);
        let mut board = Board::start();
        let mut errors = Vec::new();
        for _ in 0..200 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                board = Board::start();
                continue;
            }
            let mv = moves[(random.number() % moves.len() as u64) as usize];
            board.make(mv);
            net.reset(&board);
            let expected = session.value(&position(&board, mv, 0));
            errors.push((f64::from(net.raw_value(&board)) - f64::from(expected)).abs());
        }
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        // Output weights have steps of 1/64, and there are few of them.
        assert!(mean < 8.0, "{mean} centipawns apart");
    }
}
