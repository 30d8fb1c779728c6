//! Files of positions in all formats, read with several threads.

mod common;

use std::{fs, ops::ControlFlow, path::Path};

use data::{
    position::{Labels, Position},
    shard::{Format, GameFinder, Shard, ShardEncoder, ShardError, ShardWriter, read},
};

fn games(count: u64) -> Vec<Position> {
    (0..count)
        .flat_map(|seed| common::game(seed, 120))
        .collect()
}

fn write(path: &Path, positions: &[Position]) {
    let format = Format::of_name(path).expect("a format");
    let mut encoder = ShardEncoder::new(format);
    let mut writer = ShardWriter::begin(path, format).expect("begun");
    for position in positions {
        encoder.push(position).expect("an ordinary position");
    }
    writer.add(&encoder.finish()).expect("written");
    assert_eq!(writer.positions(), positions.len() as u64);
    writer.finish().expect("written");
}

fn read_all(path: &Path, labels: Labels, threads: usize) -> Result<Vec<Position>, ShardError> {
    let mut all = Vec::new();
    let mut problem = None;
    let outcome = read(
        Shard::open(path)?,
        labels,
        threads,
        |reading| {
            let mut positions = Vec::new();
            reading.for_each(|position, _| positions.push(*position));
            positions
        },
        |read| {
            all.extend(read.made);
            problem = read.problem;
            match problem {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        },
    );
    outcome?;
    problem.map_or(Ok(all), Err)
}

#[test]
fn formats_hold_the_same_positions() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let positions = games(300);
    let binpack = folder.path().join("x.binpack");
    let plain = folder.path().join("x.plain");
    write(&binpack, &positions);
    write(&plain, &positions);
    let compressed = folder.path().join("x.binpack.zst");
    let bytes = fs::read(&binpack).expect("readable");
    fs::write(
        &compressed,
        zstd::encode_all(&bytes[..], 1).expect("compressed"),
    )
    .expect("written");
    for path in [&binpack, &plain, &compressed] {
        for threads in 1..=3 {
            let read = read_all(path, Labels::SideToMove, threads).expect("readable");
            assert!(read.iter().zip(&positions).all(|(read, written)| {
                // Plain text keeps the number of the move, a binpack does not.
                read.board.key() == written.board.key()
                    && (read.mv, read.score, read.ply, read.result)
                        == (written.mv, written.score, written.ply, written.result)
            }));
            assert_eq!(read.len(), positions.len());
        }
    }
    // Converting to plain text and back changes no byte.
    let again = folder.path().join("again.binpack");
    write(
        &again,
        &read_all(&plain, Labels::SideToMove, 2).expect("readable"),
    );
    assert!(fs::read(again).expect("readable") == bytes);
}

#[test]
fn white_labels_are_turned_on_the_way() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("x.plain");
    let mut positions = games(3);
    write(&path, &positions);
    let turned = read_all(&path, Labels::White, 1).expect("readable");
    assert_ne!(turned, positions);
    for position in &mut positions {
        *position = Labels::White.turned(position);
    }
    assert_eq!(turned, positions);
    // Changing the labels twice restores them.
    write(&path, &turned);
    let again = read_all(&path, Labels::White, 1).expect("readable");
    for (again, written) in again.iter().zip(games(3)) {
        assert_eq!((again.score, again.result), (written.score, written.result));
    }
}

#[test]
fn games_are_positions_too() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("games.pgn");
    let game = "[Result \"1-0\"]\n\n1. e4 {+0.20/9} e5 {-0.10/9} 2. Nf3 1-0\n\n";
    let broken = "[Result \"1-0\"]\n\n1. e4 e4 1-0\n\n";
    fs::write(&path, [game, broken, game].concat()).expect("written");
    let mut scores = Vec::new();
    let mut problems = Vec::new();
    let shard = Shard::open(&path).expect("readable");
    assert_eq!(shard.format(), Format::Pgn);
    let outcome = read(
        shard,
        Labels::SideToMove,
        2,
        |reading| {
            let mut scores = Vec::new();
            reading.for_each(|position, begins| scores.push((position.score, begins)));
            scores
        },
        |read| {
            scores.extend(read.made);
            problems.extend(read.broken.iter().map(|broken| broken.place.line));
            ControlFlow::Continue(())
        },
    );
    outcome.expect("readable");
    let one = [(20, true), (-10, false), (data::score::MARK, false)];
    assert_eq!(scores, [one, one].concat());
    assert_eq!(problems, [7]);
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("x.binpack");
    let complaint = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        let error = read_all(&path, Labels::SideToMove, 1).expect_err("an error");
        let folder = format!("{}/", folder.path().display());
        (error.to_string().replace(&folder, ""), error.is_torn())
    };
    assert_eq!(
        complaint(b""),
        (
            "x.binpack is empty: it contains no positions".to_owned(),
            false
        )
    );
    write(&path, &games(2));
    let bytes = fs::read(&path).expect("readable");
    let (words, is_torn) = complaint(&bytes[..bytes.len() - 5]);
    assert!(words.starts_with(
        "x.binpack is truncated in the chunk at byte 0, which lacks 5 \
        bytes"
    ));
    assert!(is_torn);
    let mut damaged = bytes.clone();
    damaged[12] = 0xFF;
    let (words, is_torn) = complaint(&damaged);
    assert!(words.starts_with("x.binpack is damaged in the chain at byte 8: a chain begins"));
    assert!(!is_torn);
    let record = "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\nscore 0\nresult 0\ne\n";
    let text = [
        record,
        "fen 8/8/8/8/8/8/8/8 w - - 0 1\nscore 0\nresult 0\ne\n",
    ]
    .concat();
    assert_eq!(
        complaint(text.as_bytes()).0,
        "x.binpack:8: the position is invalid: White has no king"
    );
    let torn = [record, "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\nsco"].concat();
    assert_eq!(
        complaint(torn.as_bytes()).0,
        "x.binpack:6: 'sco' is not one of fen, move, score, ply, result and e"
    );
    let missing = read_all(&folder.path().join("none"), Labels::SideToMove, 1);
    let missing = missing.expect_err("an error").to_string();
    assert!(missing.starts_with("cannot open "), "{missing}");
}

#[test]
fn games_are_found_again() {
    let positions = games(50);
    let mut finder = GameFinder::default();
    let begins: Vec<u16> = positions
        .iter()
        .filter(|position| finder.begins(position))
        .map(|position| position.ply)
        .collect();
    assert!(begins.len() <= 50 && begins.len() > 40, "{begins:?}");
    // A game with missing positions remains one game.
    let mut finder = GameFinder::default();
    let holes = common::game(4, 60).into_iter().step_by(3);
    assert_eq!(holes.filter(|each| finder.begins(each)).count(), 1);
}

#[test]
fn a_file_that_is_not_finished_is_never_seen() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("x.binpack");
    let writer = ShardWriter::begin(&path, Format::Binpack).expect("begun");
    drop(writer);
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
}
