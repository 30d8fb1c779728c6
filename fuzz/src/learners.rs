//! What must hold of any bytes as the file of a ResNet or a sequence model, and as the data
//! that they learn from.

use crate::check_message;
use crate::nets::{changed, sealed};
use chess::Board;
use data::policy::{PolicyReader, PolicyRecord, PolicyWriter, read_npz, write_npz};
use data::position::{Outcome, Position};
use data::sequences::{Part, SequenceFile, SequenceGame, SequenceWriter};
use nets::policy::resnet::{ResNetFile, ResNetShape, ResNetSource, ResNetWeights};
use nets::sequence::{SequenceShape, SequenceWeights};
use std::path::PathBuf;
use std::sync::OnceLock;

/// Any bytes as a ResNet: our own file, safetensors or lc0.
pub fn check_resnet(data: &[u8]) {
    static GOOD: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    let [own, tensors] = GOOD.get_or_init(|| {
        let shape = ResNetShape {
            channels: 16,
            blocks: 1,
            head_channels: 1,
            value_hidden: 16,
            ..ResNetShape::published()
        };
        let weights = ResNetWeights::initialised(shape, 1);
        [
            weights.to_bytes().expect("finite weights"),
            weights.to_safetensors().expect("finite weights"),
        ]
    });
    check_resnet_file(data);
    let bytes = changed(own, data);
    check_resnet_file(&bytes);
    check_resnet_file(&sealed(bytes));
    match ResNetWeights::from_safetensors(&changed(tensors, data)) {
        Ok(weights) => check_resnet_file(&weights.to_bytes().expect("it was read")),
        Err(error) => check_message(&error.to_string()),
    }
}

/// A file is refused in clear words, or can be evaluated, written and read again.
fn check_resnet_file(bytes: &[u8]) {
    let file = match ResNetFile::from_bytes(bytes) {
        Ok(file) => file,
        Err(error) => return check_message(&error.to_string()),
    };
    let explanation = file.explain(&Board::start());
    if let ResNetSource::Own(weights) = file.source() {
        let written = weights.to_bytes().expect("what was read");
        let again = ResNetFile::from_bytes(&written).expect("what was written");
        assert_eq!(again.explain(&Board::start()), explanation);
    }
}

/// Any bytes as a sequence model.
pub fn check_sequence_model(data: &[u8]) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let good = GOOD.get_or_init(|| {
        let shape = SequenceShape {
            width: 16,
            layers: 1,
            heads: 1,
            ..SequenceShape::named("tiny").expect("a name")
        };
        let weights = SequenceWeights::zeros(shape).expect("a shape");
        weights.to_bytes().expect("finite weights")
    });
    let bytes = changed(good, data);
    for bytes in [data, &bytes, &sealed(bytes.clone())] {
        match SequenceWeights::read(bytes) {
            Ok(weights) => {
                let written = weights.to_bytes().expect("what was read");
                let again = SequenceWeights::read(&written).expect("what was written");
                assert_eq!(again.to_bytes().expect("the same"), written);
            }
            Err(error) => check_message(&error.to_string()),
        }
    }
}

/// Some positions of a game, each with all legal moves.
fn records() -> Vec<PolicyRecord> {
    let mut board = Board::start();
    let mut records = Vec::new();
    for number in 0..6 {
        let moves = board.legal_moves();
        let position = Position {
            board,
            mv: Some(moves[number]),
            score: 30,
            result: Outcome::Draw,
            ply: number as u16,
        };
        let mut record = PolicyRecord::of_position(&position, None, 200.0);
        record.moves = moves.iter().map(|&mv| (mv, 3)).collect();
        records.push(record);
        board.make(moves[number]);
    }
    records
}

/// Any bytes as a policy shard.
pub fn check_policy_shard(data: &[u8]) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let path = file_of("policy");
    let good = GOOD.get_or_init(|| {
        let mut writer = PolicyWriter::begin(&path).expect("a file");
        for record in records() {
            writer.push(&record).expect("written");
        }
        writer.finish().expect("written");
        std::fs::read(&path).expect("it was written")
    });
    for bytes in [data, &changed(good, data)] {
        std::fs::write(&path, bytes).expect("written");
        if let Err(error) = read_shard(&path) {
            check_message(&error);
        }
    }
}

fn read_shard(path: &std::path::Path) -> Result<(), String> {
    let mut reader = PolicyReader::open(path).map_err(|error| error.to_string())?;
    while let Some(records) = reader.next_block().map_err(|error| error.to_string())? {
        for record in records {
            assert!(
                record
                    .moves
                    .iter()
                    .all(|&(mv, _)| record.board.is_legal(mv))
            );
        }
    }
    Ok(())
}

/// Any bytes as arrays for NumPy.
pub fn check_npz(data: &[u8]) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let good = GOOD.get_or_init(|| write_npz(&records()[..2], 0.5).expect("arrays"));
    for bytes in [data, &changed(good, data)] {
        match read_npz(bytes) {
            Ok(records) => {
                let legal = |record: &PolicyRecord| {
                    let mut moves = record.moves.iter();
                    moves.all(|&(mv, _)| record.board.is_legal(mv))
                };
                assert!(records.iter().all(legal));
            }
            Err(error) => check_message(&error.to_string()),
        }
    }
}

/// Any bytes as a file of games for sequence models.
pub fn check_sequences(data: &[u8]) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let path = file_of("sequences");
    let good = GOOD.get_or_init(|| {
        let mut writer = SequenceWriter::create(&path, Part::All).expect("a file");
        for length in [1, 6, 40] {
            writer.add(&walk(length)).expect("written");
        }
        let path = writer.finish().expect("written");
        std::fs::read(path).expect("it was written")
    });
    let bytes = changed(good, data);
    for bytes in [data, &bytes, &sealed(bytes.clone())] {
        std::fs::write(&path, bytes).expect("written");
        if let Err(error) = read_games(&path) {
            check_message(&error);
        }
    }
}

/// The first legal move, again and again.
fn walk(plies: usize) -> SequenceGame {
    let mut board = Board::start();
    let mut game = SequenceGame::default();
    for _ in 0..plies {
        let mv = board.legal_moves()[0];
        game.moves.push(mv);
        board.make(mv);
    }
    game
}

/// Games that can be read can be replayed up to their first illegal move.
fn read_games(path: &std::path::Path) -> Result<(), String> {
    let file = SequenceFile::open(path).map_err(|error| error.to_string())?;
    let mut game = SequenceGame::default();
    for number in 0..file.games().min(100) {
        let read = file.read(number, &mut game);
        read.map_err(|error| error.to_string())?;
        let mut replayed = Vec::new();
        let is_whole = game.replay(|board, mv| {
            assert!(board.is_legal(mv));
            replayed.push(mv);
        });
        assert!(game.moves.starts_with(&replayed));
        assert_eq!(is_whole, replayed.len() == game.moves.len());
    }
    Ok(())
}

/// A file of this process.
fn file_of(kind: &str) -> PathBuf {
    let name = format!("tabia-fuzz-{}.{kind}", std::process::id());
    std::env::temp_dir().join(name)
}
