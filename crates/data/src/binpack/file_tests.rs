use super::*;
use crate::{
    binpack::{Chunk, ChunkReader, Encoder, read_chunk},
    pgn::Source,
    position::{Outcome, Position},
};
use chess::Board;
use std::{fs, path::PathBuf};

/// A chain of one position.
fn chain() -> Chains {
    let board = Board::start();
    let mut encoder = Encoder::new();
    let position = Position {
        board,
        mv: board.parse_uci("e2e4").ok(),
        score: 7,
        result: Outcome::Draw,
        ply: 0,
    };
    encoder.push(&position).expect("an ordinary position");
    encoder.finish().clone()
}

fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("written");
    (folder, path)
}

fn read_all(path: &Path) -> Result<Vec<(u64, usize)>, BinpackError> {
    let mut reader = ChunkReader::new(Source::open(path)?);
    let mut chunk = Chunk::default();
    let mut chunks = Vec::new();
    while reader.next(&mut chunk)? {
        chunks.push((chunk.offset, chunk.payload.len()));
    }
    Ok(chunks)
}

/// The error of reading and of scanning, which must be the same.
fn complaint(bytes: &[u8]) -> String {
    let (folder, path) = file("x.binpack", bytes);
    let read = read_all(&path).expect_err("an error").to_string();
    let (_, outcome) = scan(&path, &File::open(&path).expect("a file"));
    assert_eq!(outcome.expect_err("an error").to_string(), read);
    let folder = format!("{}/", folder.path().display());
    read.replace(&folder, "")
}

#[test]
fn chunks_end_with_a_chain_after_a_mebibyte() {
    let chain = chain();
    let length = chain.bytes().len();
    assert_eq!(length, 34);
    let mut writer = ChunkWriter::new(Vec::new());
    let chains = 2 * SUGGESTED_CHUNK / length + 9;
    for _ in 0..chains {
        writer.add(&chain).expect("written");
    }
    let bytes = writer.finish().expect("written");
    let (_folder, path) = file("x.binpack", &bytes);
    let chunks = read_all(&path).expect("chunks");
    let full = SUGGESTED_CHUNK.div_ceil(length) * length;
    let last = chains * length - 2 * full;
    let lengths: Vec<usize> = chunks.iter().map(|chunk| chunk.1).collect();
    assert_eq!(lengths, [full, full, last]);
    let opened = File::open(&path).expect("a file");
    let (places, outcome) = scan(&path, &opened);
    outcome.expect("whole");
    let mut payload = Vec::new();
    for (place, (offset, length)) in places.iter().zip(chunks) {
        assert_eq!((place.offset, place.length as usize), (offset, length));
        read_chunk(&opened, *place, &mut payload).expect("readable");
        assert_eq!(&payload[..34], chain.bytes());
    }
    let nothing = ChunkWriter::new(Vec::new()).finish().expect("nothing");
    assert!(nothing.is_empty());
}

#[test]
fn damage_is_named_with_its_place() {
    let mut writer = ChunkWriter::new(Vec::new());
    writer.add(&chain()).expect("written");
    let chunk = writer.finish().expect("written");
    let two = [&chunk[..], &chunk[..]].concat();
    assert_eq!(
        complaint(&two[..70]),
        "x.binpack is truncated in the chunk at byte 42, which lacks 14 bytes; the 42 bytes before it are intact"
    );
    assert_eq!(
        complaint(&two[..45]),
        "x.binpack is truncated in the chunk at byte 42, which lacks 5 bytes; the 42 bytes before it are intact"
    );
    assert_eq!(
        complaint(&[&chunk[..], b"junk"].concat()),
        "x.binpack is damaged at byte 42: no chunk begins there; the 42 bytes before it are intact"
    );
    assert_eq!(
        complaint(b"BINP\xFF\xFF\xFF\xFF"),
        "x.binpack is damaged at byte 0: a chunk of 4294967295 bytes exceeds the maximum"
    );
}

#[test]
fn a_torn_chunk_is_cut_before_more_is_appended() {
    let (_folder, path) = file("x.binpack", b"");
    let chain = chain();
    let mut appender = Appender::open(&path).expect("open");
    appender.append(chain.bytes()).expect("appended");
    appender.append(chain.bytes()).expect("appended");
    drop(appender);
    let whole = fs::read(&path).expect("readable");
    for cut in 1..42 {
        fs::write(&path, &whole[..whole.len() - cut]).expect("written");
        let mut appender = Appender::open(&path).expect("open");
        assert_eq!(appender.chunks().len(), 1);
        appender.append(chain.bytes()).expect("appended");
        assert_eq!(appender.chunks().len(), 2);
        assert_eq!(fs::read(&path).expect("readable"), whole);
    }
    fs::write(&path, b"something else").expect("written");
    assert!(Appender::open(&path).is_err());
}
