//! Whole fits on small data: they find known weights again, and they stop and go
//! on.

use chess::Board;
use data::position::{Outcome, Position};
use data::shard::{Format, ShardEncoder, ShardWriter};
use nets::classical::{FEATURES, Weights, feature_name};
use nets::nnue::Random;
use nets::ntuple::{NTuple, NTupleEvaluator, NTupleWeights};
use nets::{Classical, Evaluator};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use train::classical::{Session, Settings};
use train::{TrainError, Training};

/// Random games whose scores are the values of the evaluation with these weights.
fn write_data(path: &Path, games: usize, weights: &Arc<Weights>) {
    write_scores(path, games, Classical::with_weights(weights.clone()));
}

/// Random games whose scores are the values of an evaluation.
fn write_scores(path: &Path, games: usize, mut evaluator: impl Evaluator) {
    let mut random = Random::new(11);
    let mut encoder = ShardEncoder::new(Format::Binpack);
    for _ in 0..games {
        let mut board = Board::start();
        for ply in 0..160 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[(random.number() % moves.len() as u64) as usize];
            evaluator.reset(&board);
            let score = evaluator.evaluate(&board) as i16;
            let position = Position {
                board,
                mv: Some(mv),
                score,
                result: Outcome::Draw,
                ply,
            };
            encoder.push(&position).expect("a position");
            board.make(mv);
        }
    }
    let mut writer = ShardWriter::begin(path, Format::Binpack).expect("a file");
    writer.add(&encoder.finish()).expect("written");
    writer.finish().expect("written");
}

/// The features that the tests change, with what they are changed by. Others can
/// say none of it: a piece's material, say, is the same as all its squares.
const CHANGES: [(&str, i32, i32); 4] = [
    ("threats.restricted", 18, -12),
    ("pieces.bishop-pair", 30, -40),
    ("threats.hanging", -25, 45),
    ("pawns.doubled", -30, -20),
];

fn feature(name: &str) -> usize {
    (0..FEATURES)
        .find(|&index| feature_name(index).as_deref() == Some(name))
        .expect("a feature")
}

fn changed_weights() -> Arc<Weights> {
    let mut weights = Weights::default();
    for (name, opening, endgame) in CHANGES {
        let index = feature(name);
        let old = weights.get(index);
        weights.set(index, old.0 + opening, old.1 + endgame);
    }
    Arc::new(weights)
}

fn settings(data: &Path, more: &str) -> Settings {
    let text = format!(
        "kind = 'classical'\ndata = [{data:?}]\nfilters = ['in-check']\nlambda = 1.0\nbatch = 2048\n\
         validation_share = 0.1\nseed = 5\n{more}"
    );
    train::settings::read(&text).expect("settings")
}

fn folder_with_data(games: usize) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("games.binpack");
    write_data(&data, games, &changed_weights());
    (folder, data)
}

#[test]
fn known_weights_are_found_again() {
    let (_folder, data) = folder_with_data(250);
    let settings = settings(
        &data,
        "epochs = 25\nanchor = 0.0\nlearning_rate = { kind = 'cosine', from = 2.0, to = 0.01 }",
    );
    let mut session = Session::begin(settings, 1).expect("a session");
    let before = session.validate();
    while !session.is_over() {
        session.step().expect("a step");
    }
    let [present, fitted] = session.verdicts();
    assert_eq!(present.blend, before);
    // What is left comes of kings that moved and went home: rights are not kept.
    assert!(
        fitted.blend.loss < before.loss / 4.0,
        "{present:?} {fitted:?}"
    );
    // Up to the one scale, which was fitted before the weights were.
    let (found, wanted) = (session.weights(), changed_weights());
    let scale = fitted.blend.scale;
    for (name, opening, endgame) in CHANGES {
        let index = feature(name);
        let (found, wanted) = (found.get(index), wanted.get(index));
        for (found, wanted, change) in [(found.0, wanted.0, opening), (found.1, wanted.1, endgame)]
        {
            let error = (f64::from(found) * scale - f64::from(wanted)).abs();
            let part = error / f64::from(change.abs());
            assert!(part < 0.3, "{name}: {found} times {scale} is not {wanted}");
        }
    }
    // A feature that never occurs cannot have moved.
    let seventh = feature("pawns.phalanx.7");
    assert_eq!(found.get(seventh), Weights::default().get(seventh));
}

#[test]
fn a_fit_that_was_stopped_ends_with_the_same_weights() {
    let (folder, data) = folder_with_data(60);
    let settings = settings(&data, "epochs = 3");
    let path = folder.path().join("checkpoint");
    let bytes = |session: &Session| {
        session.save(&path).expect("saved");
        std::fs::read(&path).expect("readable")
    };
    let mut whole = Session::begin(settings.clone(), 1).expect("a session");
    while !whole.is_over() {
        whole.step().expect("a step");
    }
    assert!(whole.epoch_steps() > 1);
    let expected = bytes(&whole);
    for stop in [1, whole.epoch_steps(), whole.epoch_steps() + 1] {
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
        assert!(bytes(&second) == expected, "stopped after {stop} steps");
        assert_eq!(second.weights().write(), whole.weights().write());
    }
}

#[test]
fn foreign_checkpoints_and_wrong_settings_are_named() {
    let (folder, data) = folder_with_data(20);
    let own = settings(&data, "epochs = 2");
    let path = folder.path().join("checkpoint");
    let session = Session::begin(own.clone(), 1).expect("a session");
    session.save(&path).expect("saved");
    let mut other = own;
    other.anchor = 1e-3;
    let refused = Session::resume(other, 1, &path).err().expect("refused");
    assert!(
        matches!(refused, TrainError::OtherSettings { .. }),
        "{refused}"
    );
    for (more, complaint) in [
        (
            "groups = ['king']",
            "groups: the terms of 'king' are not linear in their weights",
        ),
        ("groups = []", "groups: give at least one"),
        (
            "groups = ['pawn']",
            "groups: no group of terms is named \"pawn\"; there are",
        ),
        ("anchor = -1.0", "anchor: it is -1, but must be from 0 to 1"),
        ("epochs = 0", "epochs: must be at least 1"),
        ("start = 'nowhere'", "start: nowhere: No such file"),
    ] {
        let refused = Session::begin(settings(&data, more), 1);
        let refused = refused.err().expect("refused").to_string();
        assert!(refused.starts_with(complaint), "{refused}");
    }
}

#[test]
fn tables_are_fitted_and_become_a_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("games.binpack");
    // What the data say is a table for pairs of knight and enemy pawn, and nothing else.
    let mut wanted = NTupleWeights::zeros(vec!["Np".parse().expect("a tuple")]).expect("tables");
    wanted.fill_randomly(9, 60);
    let network = Arc::new(NTuple::new(wanted.clone()).expect("a network"));
    write_scores(&data, 200, NTupleEvaluator::new(network));
    let more = "epochs = 12\nanchor = 0.0\ngroups = []\ntuples = ['Np']\n\
                learning_rate = { kind = 'cosine', from = 3.0, to = 0.05 }";
    let mut session = Session::begin(settings(&data, more), 1).expect("a session");
    let before = session.validate().loss;
    while !session.is_over() {
        session.step().expect("a step");
    }
    assert!(session.validate().loss < before / 4.0);
    // Nothing else has moved.
    assert_eq!(session.weights().write(), Weights::default().write());
    let fitted = session.network();
    let weights = |network: &NTupleWeights| network.tables()[0].weights().to_vec();
    let pairs = weights(&wanted).into_iter().zip(weights(&fitted));
    let pairs = pairs.flat_map(|(wanted, found)| [(wanted[0], found[0]), (wanted[1], found[1])]);
    let seen: Vec<_> = pairs.filter(|pair| pair.1.abs() > 20).collect();
    let same = seen
        .iter()
        .filter(|pair| pair.0.signum() == pair.1.signum());
    assert!(seen.len() > 100 && same.count() * 10 > seen.len() * 8);
    let model = session
        .export("fitted", session.provenance())
        .expect("a model");
    assert_eq!(model.ending, "ntuple");
    let read = NTupleWeights::read(&model.bytes).expect("a network");
    assert_eq!(weights(&read), weights(&fitted));
}
