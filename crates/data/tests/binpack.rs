//! Compares binpack with another implementation of the format, on games made here and,
//! if the variable TABIA_DATA names a folder, on the real files in it.

mod common;

use std::{
    fs::{self, File},
    io::Cursor,
    path::PathBuf,
};

use chess::{Board, CastlingStyle};
use data::{
    binpack::{Chunk, ChunkReader, ChunkWriter, Encoder, Positions, read_chunk, scan},
    pgn::Source,
    position::Position,
};
use sfbinpack::{
    CompressedTrainingDataEntryReader as RivalReader,
    CompressedTrainingDataEntryWriter as RivalWriter, TrainingDataEntry,
};

fn positions() -> Vec<Position> {
    (0..400).flat_map(|seed| common::game(seed, 160)).collect()
}

/// Encodes positions into a file.
fn encode(positions: &[Position]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut writer = ChunkWriter::new(Vec::new());
    for position in positions {
        encoder.push(position).expect("an ordinary position");
    }
    writer.add(encoder.finish()).expect("written");
    writer.finish().expect("written")
}

fn decode(bytes: &[u8]) -> Vec<Position> {
    let source = Source::from_reader("test", Cursor::new(bytes.to_vec())).expect("readable");
    let mut reader = ChunkReader::new(source);
    let mut chunk = Chunk::default();
    let mut positions = Vec::new();
    while reader.next(&mut chunk).expect("whole") {
        let mut decoder = Positions::new(&chunk.payload);
        while let Some(position) = decoder.next().expect("whole chains") {
            positions.push(*position);
        }
    }
    positions
}

fn rival_entries(bytes: &[u8]) -> Vec<TrainingDataEntry> {
    let mut reader = RivalReader::new(Cursor::new(bytes.to_vec())).expect("readable");
    let mut entries = Vec::new();
    while reader.has_next() {
        entries.push(reader.next());
    }
    entries
}

fn rival_bytes(entries: &[TrainingDataEntry]) -> Vec<u8> {
    let mut writer = RivalWriter::new_in_memory().expect("a writer");
    for entry in entries {
        writer.write_entry(entry).expect("written");
    }
    writer.into_bytes().expect("written")
}

/// Everything that two implementations can agree on.
fn describe(position: &Position) -> String {
    let Position {
        board, mv, score, ..
    } = position;
    let mv = mv.expect("a move");
    let mv = board.uci(mv, CastlingStyle::Chess960);
    let (ply, result) = (position.ply, position.result.number());
    // Black's en-passant square is written by both only if it can be used.
    format!("{} {mv} {score} {ply} {result}", board.fen())
}

fn describe_rival(entry: &TrainingDataEntry) -> String {
    let fen = entry.pos.fen().expect("a FEN");
    let (mv, score) = (entry.mv.as_uci(), entry.score);
    let board = Board::from_fen(&fen).expect("a position");
    // The other implementation writes castling as the king's move.
    let mv = board.parse_uci(&mv).expect("a move");
    let mv = board.uci(mv, CastlingStyle::Chess960);
    format!("{fen} {mv} {score} {} {}", entry.ply, entry.result)
}

fn assert_agreement(bytes: &[u8]) -> usize {
    let ours = decode(bytes);
    let theirs = rival_entries(bytes);
    assert_eq!(ours.len(), theirs.len());
    for (our, their) in ours.iter().zip(&theirs) {
        assert_eq!(describe(our), describe_rival(their));
    }
    assert!(encode(&ours) == bytes, "our bytes differ");
    assert!(rival_bytes(&theirs) == bytes, "the rival's bytes differ");
    ours.len()
}

#[test]
fn random_games_are_read_as_they_were_written() {
    let positions = positions();
    let read = decode(&encode(&positions));
    assert_eq!(read.len(), positions.len());
    for (read, written) in read.iter().zip(&positions) {
        assert_eq!(read, written);
    }
    let rare = |test: fn(&Position) -> bool| positions.iter().filter(|each| test(each)).count();
    assert!(rare(|each| each.mv.is_some_and(|mv| mv.is_castling())) > 100);
    assert!(rare(|each| each.mv.is_some_and(|mv| mv.is_en_passant())) > 100);
    assert!(rare(|each| each.mv.is_some_and(|mv| mv.promotes_to().is_some())) > 100);
}

#[test]
fn another_implementation_agrees() {
    let bytes = encode(&positions());
    assert!(assert_agreement(&bytes) > 30_000);
}

#[test]
fn real_files_are_written_as_they_were() {
    let Some(folder) = std::env::var_os("TABIA_DATA") else {
        return;
    };
    let folder = PathBuf::from(folder).join("nnue");
    let mut total = 0;
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "binpack")
        {
            total += assert_agreement(&fs::read(&path).expect("readable"));
        }
    }
    println!("{total} real positions");
}

#[test]
fn chains_are_as_long_as_they_can_be() {
    let positions: Vec<Position> = (0..10).flat_map(|seed| common::game(seed, 50)).collect();
    let mut encoder = Encoder::new();
    for position in &positions {
        encoder.push(position).expect("an ordinary position");
    }
    assert_eq!(encoder.finish().iter().count(), 10);
    // Without every third position, a chain has at most two positions.
    for (index, position) in positions.iter().enumerate() {
        if index % 3 != 2 {
            encoder.push(position).expect("an ordinary position");
        }
    }
    let more = encoder.finish().iter().count();
    assert!(more > positions.len() / 3, "{more}");
}

#[test]
fn a_position_without_a_move_stands_alone() {
    let mut positions = common::game(7, 3);
    positions[1].mv = None;
    assert_eq!(decode(&encode(&positions)), positions);
}

#[test]
fn damaged_chains_are_refused_and_never_panic() {
    let whole = encode(&common::game(11, 90));
    let payload = &whole[8..];
    let mut random = common::Random::new(3);
    let mut refused = 0;
    for _ in 0..20_000 {
        let mut damaged = payload.to_vec();
        for _ in 0..=random.below(3) {
            let place = random.below(damaged.len());
            damaged[place] ^= 1 << random.below(8);
        }
        damaged.truncate(damaged.len() - random.below(2) * random.below(damaged.len()));
        let mut positions = Positions::new(&damaged);
        loop {
            match positions.next() {
                Ok(Some(position)) => {
                    // Whatever is read is a position with a legal move.
                    let again = Board::from_fen(&position.board.fen()).expect("a position");
                    assert_eq!(again.key(), position.board.key());
                    assert!(position.mv.is_none_or(|mv| again.is_legal(mv)));
                }
                Ok(None) => break,
                Err(problem) => {
                    assert!(!problem.to_string().is_empty());
                    refused += 1;
                    break;
                }
            }
        }
    }
    assert!(refused > 10_000, "{refused}");
}

#[test]
fn chunks_can_be_read_in_any_order() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("joined.binpack");
    let parts: Vec<Vec<Position>> = (0..5).map(|seed| common::game(seed, 40)).collect();
    let joined: Vec<u8> = parts.iter().flat_map(|part| encode(part)).collect();
    fs::write(&path, joined).expect("written");
    let file = File::open(&path).expect("a file");
    let (places, outcome) = scan(&path, &file);
    outcome.expect("whole");
    assert_eq!(places.len(), 5);
    let mut payload = Vec::new();
    for (place, part) in places.iter().zip(&parts).rev() {
        read_chunk(&file, *place, &mut payload).expect("readable");
        let mut positions = Positions::new(&payload);
        for expected in part {
            assert_eq!(positions.next().expect("whole"), Some(expected));
        }
        assert_eq!(positions.next().expect("whole"), None);
    }
}
