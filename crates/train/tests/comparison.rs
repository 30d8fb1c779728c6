//! Whole comparison trainings on small data, with a search of one ply and no quiescence:
//! they learn, they stop and go on, and threads do not matter.

use chess::{Board, Color, Move, Square};
use data::position::{Outcome, Position};
use data::shard::{Format, ShardEncoder, ShardWriter};
use nets::Model;
use nets::nnue::Random;
use nets::ntuple::NTuple;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use train::comparison::{Session, Settings};
use train::search::{Bounds, Compared, Leaf, Search, Searcher};
use train::{TrainError, Training};

/// Looks at the boards after the moves and no further.
struct OnePly;

struct Looking(Arc<NTuple>);

impl Search for OnePly {
    fn searcher(&self, network: &Arc<NTuple>) -> Box<dyn Searcher> {
        Box::new(Looking(network.clone()))
    }
}

impl Searcher for Looking {
    fn compare(&mut self, board: &Board, desired: Move, _: u32) -> Compared {
        let leaf = |mv: Move| {
            let board = board.after(mv);
            let white = self.0.trace(&board).map_or(0, |trace| trace.value);
            let value = match board.side_to_move() {
                Color::Black => white,
                Color::White => -white,
            };
            Leaf { value, board }
        };
        let desired_leaf = leaf(desired);
        let moves = board.legal_moves();
        let others = moves.iter().copied().filter(|mv| *mv != desired);
        let others: Vec<_> = others.map(leaf).collect();
        let is_better = |leaf: &&Leaf| leaf.value > desired_leaf.value;
        Compared {
            desired: desired_leaf,
            better: others.iter().filter(is_better).copied().collect(),
            equal: others
                .iter()
                .filter(|leaf| leaf.value == desired_leaf.value)
                .count(),
        }
    }

    fn tree(&mut self, _: &Board, _: u32, _: &mut dyn FnMut(&Board, Bounds)) {}
}

/// Random games with a taste: the desired move brings a man forward and to the middle,
/// which squares of men can say.
fn write_data(path: &Path, games: usize, seed: u64, with_moves: bool) {
    let mut random = Random::new(seed);
    let mut encoder = ShardEncoder::new(Format::Binpack);
    for _ in 0..games {
        let mut board = Board::start();
        for ply in 0..60 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let taste = |square: Square| {
                let square = square.relative_to(board.side_to_move());
                let file = square.file().index() as i32;
                10 * square.rank().index() as i32 + file.min(7 - file)
            };
            let gain = |mv: &Move| taste(mv.to()) - taste(mv.from());
            let desired = moves.iter().copied().max_by_key(gain);
            let position = Position {
                board,
                mv: desired.filter(|_| with_moves),
                score: 0,
                result: Outcome::Draw,
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

fn folder_with_data() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("games.binpack");
    write_data(&data, 40, 3, true);
    (folder, data)
}

fn settings(data: &Path, more: &str) -> Settings {
    let text = format!(
        "kind = 'comparison'\ndata = [{data:?}]\ndepth = 1\nbatch = 128\nblock = 32\n\
         validation_share = 0.1\nseed = 5\ntuples = ['P', 'Pp', 'Kk', 'NB']\n{more}"
    );
    train::settings::read(&text).expect("settings")
}

fn begin(settings: &Settings) -> Result<Session, TrainError> {
    Session::begin(settings.clone(), 1, Arc::new(OnePly))
}

fn bytes(session: &mut Session, folder: &Path) -> Vec<u8> {
    let path = folder.join("saved");
    session.save(&path).expect("saved");
    let mut bytes = std::fs::read(&path).expect("readable");
    let model = session.export("", session.provenance()).expect("a model");
    bytes.extend(model.bytes);
    bytes
}

#[test]
fn the_desired_moves_are_found_more_often() {
    let (_folder, data) = folder_with_data();
    let mut session = begin(&settings(&data, "epochs = 4\nstop = false")).expect("a session");
    let number = |judged: &train::Judged, name: &str| {
        let found = judged.numbers.iter().find(|number| number.0 == name);
        found.expect("a number").1
    };
    let before = session.validate();
    while !session.is_over() {
        session.step().expect("a step");
    }
    let after = session.validate();
    assert!(before.positions > 50 && before.positions == after.positions);
    let agreement = |judged| number(judged, "validation_agreement");
    assert!((after.loss - (1.0 - agreement(&after))).abs() < 1e-12);
    assert!(agreement(&before) < 0.2, "{before:?}");
    assert!(agreement(&after) > 2.0 * agreement(&before), "{after:?}");
    assert!(number(&after, "validation_rank") < number(&before, "validation_rank"));
    assert!(number(&after, "norm_tuples") > 0.0 && number(&after, "better") > 0.0);
    let model = session
        .export("taste", session.provenance())
        .expect("a model");
    assert_eq!(model.ending, "ntuple");
    let Ok(Model::NTuple(file)) = Model::from_bytes(&model.bytes) else {
        panic!("no network");
    };
    assert_eq!(file.network.weights().description, "taste");
    assert_eq!(file.network.weights().tables().len(), 4);
}

#[test]
fn stops_and_threads_do_not_change_a_byte() {
    let (folder, data) = folder_with_data();
    let settings = settings(&data, "epochs = 2\nstop = false");
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads").install(|| {
            let mut session = begin(&settings).expect("a session");
            while !session.is_over() {
                session.step().expect("a step");
            }
            (session.epoch_steps(), bytes(&mut session, folder.path()))
        })
    };
    let (steps, expected) = with_threads(1);
    assert!(with_threads(3).1 == expected);
    let path = folder.path().join("checkpoint");
    for stop in [1, steps - 1, steps, steps + 1] {
        let mut first = begin(&settings).expect("a session");
        for _ in 0..stop {
            first.step().expect("a step");
        }
        first.save(&path).expect("saved");
        let resumed = Session::resume(settings.clone(), 2, Arc::new(OnePly), &path);
        let mut second = resumed.expect("a session");
        assert_eq!(second.steps(), stop);
        while !second.is_over() {
            second.step().expect("a step");
        }
        assert!(bytes(&mut second, folder.path()) == expected, "{stop}");
    }
}

#[test]
fn a_block_of_one_is_not_a_block_of_many() {
    let (folder, data) = folder_with_data();
    let trained = |block: usize| {
        let settings = settings(&data, "epochs = 1\nstop = false");
        let mut session = begin(&Settings { block, ..settings }).expect("a session");
        session.step().expect("a step");
        bytes(&mut session, folder.path())
    };
    assert_ne!(trained(1), trained(128));
}

#[test]
fn it_ends_when_the_agreement_no_longer_rises() {
    let (folder, data) = folder_with_data();
    let settings = settings(&data, "epochs = 30");
    let mut session = begin(&settings).expect("a session");
    let mut agreements = Vec::new();
    while !session.is_over() {
        session.step().expect("a step");
        if session.counters().ends_epoch() {
            agreements.push(1.0 - session.validate().loss);
        }
    }
    let last = agreements.len() - 1;
    assert!(last < 29, "{agreements:?}");
    assert!(agreements[..last].is_sorted_by(|one, other| one < other));
    assert!(agreements[last] <= agreements[last - 1]);
    // What is over stays over.
    let path = folder.path().join("checkpoint");
    session.save(&path).expect("saved");
    let resumed = Session::resume(settings, 1, Arc::new(OnePly), &path);
    assert!(resumed.expect("a session").is_over());
}

#[test]
fn what_is_not_learned_stays_as_it_is() {
    let (_folder, data) = folder_with_data();
    let only = |train: &str| {
        let settings = settings(&data, &format!("train = [{train}]\nepochs = 1"));
        let mut session = begin(&settings).expect("a session");
        session.step().expect("a step");
        let model = session.export("", session.provenance()).expect("a model");
        let Ok(Model::NTuple(file)) = Model::from_bytes(&model.bytes) else {
            panic!("no network");
        };
        file.network
    };
    let usual = nets::classical::Weights::default().write();
    let tuples = only("'tuples'");
    assert_eq!(tuples.weights().linear.write(), usual);
    let places = || {
        tuples
            .weights()
            .tables()
            .iter()
            .flat_map(|table| table.weights())
    };
    assert!(places().any(|weight| *weight != [0, 0]));
    let terms = only("'pieces', 'threats'");
    assert_ne!(terms.weights().linear.write(), usual);
    let mut places = terms
        .weights()
        .tables()
        .iter()
        .flat_map(|table| table.weights());
    assert!(places.all(|weight| *weight == [0, 0]));
    // Material is not among them, nor is it scaled.
    let lines = |text: &str| -> Vec<String> {
        let material = text
            .lines()
            .filter(|line| line.starts_with("piece-squares"));
        material.map(str::to_owned).collect()
    };
    assert_eq!(lines(&terms.weights().linear.write()), lines(&usual));
}

#[test]
fn broken_settings_and_files_are_told_in_a_line() {
    let (folder, data) = folder_with_data();
    let complaint = |more: &str| match begin(&settings(&data, more)) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    for (more, told) in [
        ("train = []", "train: give at least one"),
        (
            "train = ['king']",
            "train: the terms of 'king' are not linear in their weights",
        ),
        (
            "train = ['kings']",
            "train: no group of terms is named \"kings\"",
        ),
        (
            "groups = ['pieces']",
            "train: the evaluation has no group 'piece-squares'; see groups",
        ),
        ("groups = ['x']", "groups: no group of terms is named \"x\""),
        ("material_total = -1", "material_total: it is -1, but must"),
        ("[material]\nqueen = 0", "material.queen: it is 0, but must"),
        ("start = 'missing.ntuple'", "start: missing.ntuple: "),
    ] {
        let found = complaint(more);
        assert!(found.starts_with(told), "{more}: {found}");
    }
    let without = folder.path().join("without.binpack");
    write_data(&without, 40, 1, false);
    let mut session = begin(&settings(&without, "")).expect("a session");
    let error = session.step().expect_err("no moves").to_string();
    assert!(
        error.starts_with("data: its positions have no best moves"),
        "{error}"
    );
    let path = folder.path().join("checkpoint");
    let mut session = begin(&settings(&data, "")).expect("a session");
    session.step().expect("a step");
    session.save(&path).expect("saved");
    let resumed = |more: &str| {
        let settings = settings(&data, more);
        let resumed = Session::resume(settings, 1, Arc::new(OnePly), &path);
        resumed.err().expect("refused").to_string()
    };
    assert!(
        resumed("endgame_functions = false").contains("endgame_functions was true and is false")
    );
    let mut bytes = std::fs::read(&path).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).expect("written");
    assert!(resumed("").contains("is not a valid checkpoint: its hash does not match"));
}
